/** Activity of a company: its event log in words. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { LoggedEvent } from '../../domain/event.ts'
import type { Member } from '../../domain/organizations/member.ts'
import { CATALOGUE } from '../../domain/registries/event-types.ts'
import { type CompanyShell, bodyOf, companyPage, nextOf, queryOf } from '../frame/company.ts'
import { isolate } from '../frame/layout.ts'
import { empty, head, table, type Choice } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { nameOf } from '../frame/organizations.ts'
import { findMembers } from '../frame/organizations.ts'
import { choiceFilter, dayFilter, filterForm, filterOf } from '../frame/forms/filters.ts'

const FILTERS = ['stream', 'subject_id', 'from', 'to'] as const

/** Streams with the noun of their first type. */
const STREAMS = new Map(CATALOGUE.toReversed().map(({ stream, type }) => [stream, type.split('.')[0] ?? '']))

export const showActivity = companyPage('company', async (viewer, shell) => {
  const { words } = viewer
  const { activity: of } = words
  const at = `/o/${shell.company.id}/company`
  const path = `/organizations/${shell.company.id}`
  const rows = bodyOf(
    await viewer.call<Rows<LoggedEvent>>('GET', `${path}/events?${queryOf(viewer, [...FILTERS, 'cursor'])}`),
  )
  const members = bodyOf(
    await findMembers(
      viewer,
      shell.company.id,
      rows.data.flatMap(({ actor_user_id: id }) => id ?? []),
    ),
  )
  return {
    title: of.heading,
    body: html`${head(of.heading, { below: html`<a href="${at}">${words.company.heading}</a>` })}
      <p>${of.text}</p>
      ${filters(viewer, `${at}/activity`)}
      <div class="card">
        ${rows.data.length > 0 ? eventTable(rows.data, { shell, words, members }) : nothing(viewer)}
      </div>
      ${nextOf(viewer, rows)}`,
  }
})

const nothing = ({ http, words }: Viewer): Markup =>
  FILTERS.some((name) => http.req.query(name))
    ? empty('search', words.list.none, '')
    : empty('clock', words.activity.none, words.activity.noneYet)

function filters(viewer: Viewer, path: string): Markup {
  const { words } = viewer
  const { activity: of } = words
  const areas = [...STREAMS]
    .map(([stream, noun]): Choice => [stream, nounOf(noun, words)])
    .toSorted(([, one], [, other]) => one.localeCompare(other))
  const controls = [
    choiceFilter(viewer, 'stream', of.area, [['', of.allAreas], ...areas]),
    dayFilter(viewer, 'from', of.from),
    dayFilter(viewer, 'to', of.to),
  ]
  return html`${filterForm(viewer, controls)}
    <p class="small">${of.daysInUtc} ${filterOf(viewer, 'subject_id') ? html`<a href="${path}">${of.all}</a>` : ''}</p>`
}

const nounOf = (noun: string, { activity: { nouns } }: Words): string =>
  (nouns as Readonly<Record<string, string>>)[noun] ?? noun.replaceAll('_', ' ')

/** Names an event: `Payment: submitted`. A type that came later has its own words. */
export function sayEvent(type: string, words: Words): string {
  const [noun = '', verb = ''] = type.split('.')
  const verbs: Readonly<Record<string, string>> = words.activity.verbs
  return `${nounOf(noun, words)}: ${verbs[verb] ?? verb.replaceAll('_', ' ')}`
}

type Naming = { readonly shell: CompanyShell; readonly words: Words; readonly members: readonly Member[] }

const eventTable = (rows: readonly LoggedEvent[], said: Naming): Markup => {
  const { activity: of } = said.words
  const { company, formats } = said.shell
  return table({
    caption: of.heading,
    columns: [{ name: of.when }, { name: of.who }, { name: of.what }, { name: of.more }],
    rows: rows.map((event) => [
      formats.instant(event.occurred_at),
      sayActor(event, said),
      html`${whatOf(event, said)} ${detailOf(event, said.words)}`,
      html`<a href="/o/${company.id}/company/activity?subject_id=${event.subject_id}">${of.one}</a>`,
    ]),
  })
}

/** Pages of things, by their streams. */
const PAGES: Readonly<Record<string, string>> = {
  bills: 'bills',
  invoices: 'invoices',
  members: 'company/people',
  payment_batches: 'batches',
  payment_contacts: 'payees',
  payments: 'payments',
}

function whatOf({ stream, subject_id: id, event_type: type }: LoggedEvent, { shell, words }: Naming): Markup {
  const text = sayEvent(type, words)
  if (stream === 'approvals') return html`<a href="/approve/${id}">${text}</a>`
  const page = PAGES[stream]
  return page && !/\.(?:deleted|removed|left)$/.test(type)
    ? html`<a href="/o/${shell.company.id}/${page}/${id}">${text}</a>`
    : html`${text}`
}

/** Shows what a payload adds that people look for: roles, a service ID, a version. */
function detailOf(
  { event_type: type, payload }: LoggedEvent,
  { company: { roles }, activity: of }: Words,
): Markup | '' {
  const roleOf = (name: string): string => (roles as Readonly<Record<string, string>>)[String(payload?.[name])] ?? ''
  if (type === 'member.role_changed') return html`<span class="small">${of.role(roleOf('from'), roleOf('to'))}</span>`
  if (type.startsWith('member.') || type === 'invitation.created') {
    return html`<span class="small">${roleOf('role')}</span>`
  }
  if (type === 'organization.handle_claimed') return isolate(String(payload?.['svc_id']))
  return type === 'approval_policy.changed' ? html`<span class="small">v${String(payload?.['version'])}</span>` : ''
}

/** Says who did it: a member, their program or assistant, the service, an operator, a partner. */
function sayActor({ actor_kind: kind, actor_user_id: id, provider }: LoggedEvent, { words, members }: Naming): Markup {
  const { activity: of } = words
  if (id === null) {
    if (kind === 'admin') return html`${of.actors.operator}`
    if (kind === 'webhook') return html`${of.actors.partner}`
    return html`${kind === 'user' ? of.actors.program : of.actors.service}`
  }
  const member = members.find((one) => one.id === id)
  const name = member ? nameOf(member) : of.former
  if (kind === 'llm_on_behalf_of_user') return isolate(of.agent(name))
  return provider?.startsWith('delegate:') ? isolate(of.program(name)) : isolate(name)
}
