/** Substitutes: who decides approvals for a member who is away. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Me } from '../../domain/people/person.ts'
import type { Substitution } from '../../domain/substitutions/substitution.ts'
import { type Fault, Unclear, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, nextOf, queryOf } from '../frame/company.ts'
import type { Formats } from '../frame/formats.ts'
import { shellOf } from '../frame/shell.ts'
import { type Page, isolate, keepFields } from '../frame/layout.ts'
import { badge, empty, field, head, icon, notice, select, sure, table } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { allMembers, choicesOf } from './members.ts'
import { dayAt, endOfDay, startOfDay } from './days.ts'
import { filterForm, checkFilter } from '../frame/forms/filters.ts'

export const showSubstitutes = (viewer: Viewer): Promise<Page | Response> => substitutesPage()(viewer)

const substitutesPage = (fault?: Fault) =>
  companyPage('company', async (viewer, shell) => {
    const { words } = viewer
    const { substitutes: of, heading } = words.company
    const at = `/o/${shell.company.id}/company`
    const [me, answer] = await Promise.all([
      viewer.call<Me>('GET', '/me'),
      viewer.call<Rows<Substitution>>(
        'GET',
        `/organizations/${shell.company.id}/substitutions?${queryOf(viewer, ['active', 'cursor'])}`,
      ),
    ])
    const rows = bodyOf(answer)
    const add = html`<a class="button" href="${at}/substitutes/new">${icon('plus')}${of.add}</a>`
    return {
      title: of.heading,
      ...(fault && { status: fault.status }),
      body: html`${head(of.heading, { below: html`<a href="${at}">${heading}</a>`, actions: add })}
        ${fault ? notice('fault', fault.text) : ''} ${doneNotice(viewer, of.done)}
        <p>${of.text}</p>
        ${filter(viewer)}
        <div class="card">
          ${
            rows.data.length > 0
              ? substituteTable(rows.data, shell, words, bodyOf(me).id)
              : empty('company', of.none, of.noneYet)
          }
        </div>
        ${nextOf(viewer, rows)}`,
    }
  })

const filter = (viewer: Viewer): Markup =>
  filterForm(viewer, checkFilter(viewer, 'active', viewer.words.company.substitutes.onlyNow))

/** Writes the time of a substitution: by its days, unless it begins or ends within one. */
function spanOf({ from, until, ended_at: ended }: Substitution, { timeZone, day, instant }: Formats): Markup {
  const first = dayAt(from, timeZone)
  const last = dayAt(new Date(Date.parse(until) - 1).toISOString(), timeZone)
  const isWhole =
    !ended && [startOfDay(first, timeZone), endOfDay(last, timeZone)].join() === [from, until].map(iso).join()
  return isWhole ? html`${day(first)} – ${day(last)}` : html`${instant(from)} – ${instant(ended ?? until)}`
}
const iso = (at: string): string => new Date(at).toISOString()

function substituteTable(rows: readonly Substitution[], shell: CompanyShell, words: Words, viewerId: string): Markup {
  const { substitutes: of, people } = words.company
  const { company, formats } = shell
  const mayEnd = (one: Substitution) =>
    one.status !== 'ended' && (company.role === 'owner' || one.user_id === viewerId || one.substitute_id === viewerId)
  const named = (name: string | null) => (name ? isolate(name) : people.noName)
  return table({
    caption: of.heading,
    columns: [
      { name: of.away },
      { name: of.substitute },
      { name: of.span },
      { name: of.state },
      { name: words.company.actions },
    ],
    rows: rows.map((one) => [
      html`${named(one.user_name)} ${one.reason ? html`<br /><span class="small">${isolate(one.reason)}</span>` : ''}`,
      named(one.substitute_name),
      spanOf(one, formats),
      badge(of.states[one.status], one.status === 'active' ? 'good' : undefined),
      mayEnd(one)
        ? sure({
            ask: of.end,
            text: of.endText,
            action: `/o/${company.id}/company/substitutes/${one.id}/end`,
            button: of.endNow,
          })
        : '',
    ]),
  })
}

export const showNewSubstitute = (viewer: Viewer): Promise<Page | Response> => newPage()(viewer)

const newPage = (fault?: Fault) =>
  companyPage('company', async (viewer, { company, formats }) => {
    const { words } = viewer
    const { substitutes: of, back, optional } = words.company
    const [me, members] = await Promise.all([viewer.call<Me>('GET', '/me'), allMembers(viewer, company.id)])
    const at = `/o/${company.id}/company/substitutes`
    const sent = (name: string) => fault?.sent.get(name) ?? ''
    const wrong = (name: string) => fault?.wrong[name]
    const mine = bodyOf(me).id
    const choices = choicesOf(members, words)
    return {
      title: of.add,
      ...(fault && { status: fault.status }),
      body: html`${head(of.add, { below: html`<a href="${at}">${of.heading}</a>` })}
        ${fault ? notice('fault', fault.text) : ''}
        <form class="card" method="post" action="${at}/new">
          ${keepFields([['key', sent('key') || randomUUID()]])}
          ${
            company.role === 'owner'
              ? select({ id: 'away', label: of.away, value: sent('away') || mine, hint: of.forHint, choices })
              : keepFields([['away', mine]])
          }
          ${select({
            id: 'substitute',
            label: of.substitute,
            value: sent('substitute'),
            required: true,
            wrong: wrong('substitute_id'),
            choices: [['', '…'], ...choices],
          })}
          <div class="pair">
            ${field({ id: 'from', label: of.from, type: 'date', value: sent('from'), required: true, wrong: wrong('from') })}
            ${field({ id: 'until', label: of.until, type: 'date', value: sent('until'), required: true, wrong: wrong('until') })}
          </div>
          <p class="small">${of.daysHint(formats.timeZone)}</p>
          ${field({ id: 'reason', label: of.reason, value: sent('reason'), wrong: wrong('reason'), more: html`maxlength="500"` }, optional)}
          <div class="actions"><button>${of.add}</button> <a class="button second" href="${at}">${back}</a></div>
        </form>`,
    }
  })

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

export const nameSubstitute = act({
  ask: async ({ viewer, form, company }) => {
    const { substitutes: of } = viewer.words.company
    const [from, until] = [form.get('from'), form.get('until')]
    if (!isDay(from) || !isDay(until)) throw new Unclear(of.noDay, isDay(from) ? 'until' : 'from')
    if (until < from) throw new Unclear(of.order, 'until')
    const shell = await shellOf(viewer, company)
    const zone = shell?.formats.timeZone ?? 'UTC'
    return {
      path: `/organizations/${company}/substitutions`,
      body: {
        user_id: form.get('away') || null,
        substitute_id: form.get('substitute'),
        from: startOfDay(from, zone),
        until: endOfDay(until, zone),
        reason: form.get('reason').trim() || null,
      },
      key: form.get('key'),
    }
  },
  then: (_, { company }) => `/o/${company}/company/substitutes?done=named`,
  again: (viewer, fault) => newPage(fault)(viewer),
})

export const endSubstitution = act({
  ask: ({ company, id }) => ({ method: 'DELETE', path: `/organizations/${company}/substitutions/${id}` }),
  then: (_, { company }) => `/o/${company}/company/substitutes?done=ended`,
  again: (viewer, fault) => substitutesPage(fault)(viewer),
})
