/** Requests that were decided, by company, the newest first: with filters, and all of them can be reached. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Approval } from '../../domain/approvals/approval.ts'
import type { Formats } from '../frame/formats.ts'
import { Page, isolate, isolateQuoted } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import { type Organization, organizationsHere } from '../frame/organizations.ts'
import { type Mood, badge, empty, head, type Choice } from '../frame/parts.ts'
import { toSignIn } from '../frame/return.ts'
import { shellOf } from '../frame/shell.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import { furtherOf, namePart } from './inbox.ts'
import { lineOf } from './line.ts'
import { wordsFilter, choiceFilter, filterForm } from '../frame/forms/filters.ts'

const STATUSES = ['approved', 'rejected', 'cancelled'] as const
type EndStatus = (typeof STATUSES)[number]
const MOODS: Readonly<Record<EndStatus, Mood>> = { approved: 'good', rejected: 'bad', cancelled: 'warn' }

/** Requests of a company on one page. */
const SHOWN = 25

/** Shows what was decided. */
export async function showHistory(viewer: Viewer): Promise<Page | Response> {
  const page = await organizationsHere(viewer)
  const shell = page && (await shellOf(viewer))
  if (!shell) return toSignIn(viewer)
  const only = viewer.http.req.query('in')
  const shown = page.data.filter(({ id }) => !only || id === only)
  const sections = await Promise.all(shown.map((one) => showCompany(viewer, one, shell.formats)))
  const { approvals: words, list } = viewer.words
  const parts = sections.filter((part) => part !== '')
  return new Page({
    title: words.history,
    place: 'approvals',
    shell,
    body: html`${head(html`${words.history}${namePart(page, viewer)}`, {
      actions: html`<a href="/approve">${words.toInbox}</a>`,
    })}
    ${filters(viewer, page.data)} ${parts}
    ${parts.length > 0 ? '' : html`<div class="card">${empty('clock', isFiltered(viewer) ? list.none : words.noHistory, '')}</div>`}
    ${furtherOf(page, viewer)}`,
  })
}

const FILTERS = ['q', 'action_type', 'status'] as const
const isFiltered = ({ http }: Viewer): boolean => FILTERS.some((name) => http.req.query(name))

/** Shows the decided requests of a company; nothing if there are none. */
async function showCompany(viewer: Viewer, { id, name }: Organization, formats: Formats): Promise<Markup | ''> {
  const { http, words } = viewer
  const asked = STATUSES.filter((status) => status === http.req.query('status'))
  const query = new URLSearchParams([
    ['limit', String(SHOWN)],
    ...(asked.length > 0 ? asked : STATUSES).map((status): [string, string] => ['statuses', status]),
    ...(['q', 'action_type'] as const).flatMap((filter): [string, string][] => {
      const value = http.req.query(filter)?.trim()
      return value ? [[filter, value]] : []
    }),
    ...(http.req.query('in') === id && http.req.query('cursor')
      ? [['cursor', http.req.query('cursor') ?? ''] as [string, string]]
      : []),
  ])
  const answer = await viewer.call<Rows<Approval>>('GET', `/organizations/${id}/approvals?${query.toString()}`)
  if (!answer.ok)
    return html`<h2>${isolate(name)}</h2>
      <p>${messageOf(answer.error)}</p>`
  const { data, next_cursor: next } = answer.body
  if (data.length === 0) return ''
  return html`<section>
    <h2>${isolate(name)}</h2>
    <ul class="cards">
      ${data.map((row) => card(row, viewer, formats))}
    </ul>
    ${next === null ? '' : html`<p><a href="?${nextIn(viewer, id, next)}">${words.list.next}</a></p>`}
  </section>`
}

function nextIn({ http }: Viewer, id: string, next: string): string {
  const { searchParams } = new URL(http.req.url)
  searchParams.set('in', id)
  searchParams.set('cursor', next)
  return searchParams.toString()
}

function card(row: Approval, { words }: Viewer, formats: Formats): Markup {
  const { approval_id: id, subject, summary, approver, processed_at: at, rejection_reason: reason } = row
  const { kind, who, amount } = lineOf(subject, words)
  const status = row.status as EndStatus // pending ones are not asked for
  const { approvals: of } = words
  return html`<li>
    <a href="/approve/${id}" class="item">
      <span><strong>${isolate(who)}</strong> ${badge(of.statuses[status], MOODS[status])}</span>
      <span class="figure">${amount ? formats.money(amount) : ''}</span>
      <span class="small"
        >${kind}${approver ? html` · ${of.by} ${isolate(approver.name ?? approver.email)}` : ''}${
          at ? html` · ${formats.instant(at)}` : ''
        }<br />${isolateQuoted(summary ?? '')}${reason ? html`<br />“${isolate(reason)}”` : ''}</span
      >
    </a>
  </li>`
}

function filters(viewer: Viewer, companies: readonly Organization[]): Markup {
  const { approvals: of } = viewer.words
  const states = STATUSES.map((one): Choice => [one, of.statuses[one]])
  const named = companies.map(({ id, name }): Choice => [id, name])
  const controls = [
    wordsFilter(viewer),
    choiceFilter(viewer, 'action_type', of.kind, [['', of.all], ...Object.entries(of.actions)]),
    choiceFilter(viewer, 'status', of.status, [['', of.allStatuses], ...states]),
    ...(named.length > 1 ? [choiceFilter(viewer, 'in', of.company, [['', of.allCompanies], ...named])] : []),
  ]
  return filterForm(viewer, controls, { action: '/approve/history' })
}
