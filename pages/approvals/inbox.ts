/** Inbox: what waits for the viewer, for others, and for nobody, in each of their organizations. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Approval, ListedApproval } from '../../domain/approvals/approval.ts'
import { formatsIn } from '../frame/formats.ts'
import { empty, head, notice } from '../frame/parts.ts'
import { nameRequester, compareRequests, lineOf, warningBadges } from './line.ts'
import { type Page, digestOf, writePage, keepFields, instant, isolate, isolateQuoted } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import { type Organization, PAGE, organizationsHere } from '../frame/organizations.ts'
import { toSignIn } from '../frame/return.ts'
import { type Answer, type Rows, type Viewer, refusalIn } from '../frame/viewer.ts'

/** Item of attention of the kind `review_approval`, as the pages use it. */
type Item = {
  readonly summary: string
  readonly severity: 'blocking' | 'action' | 'info'
  readonly actionable_by_viewer: boolean
  readonly due_at: string | null
  readonly subject: { readonly approval_request_id: string }
}

type InboxAnswer = Answer<Rows<Item>>

/** Asks an organization what waits for approval there. */
export const askWaiting = (viewer: Viewer, { id }: Organization): Promise<InboxAnswer> =>
  viewer.call<Rows<Item>>('GET', `/organizations/${id}/attention?kind=review_approval&limit=${PAGE}`)

/** Hashes what waits for approval in one organization, to find changes later. */
export const digestOfWaiting = (answer: InboxAnswer): string =>
  digestOf(answer.ok ? answer.body : { status: answer.status })

/** Hashes what waits for approval in all organizations, in their order. */
export const digestOfInbox = (digests: readonly string[]): string => digestOf(digests)

export async function showInbox(viewer: Viewer): Promise<Page | Response> {
  const page = await organizationsHere(viewer)
  if (!page) return toSignIn(viewer)
  const asked = await Promise.all(
    page.data.map(async (organization) => ({
      organization,
      waiting: await askWaiting(viewer, organization),
      rows: await askRows(viewer, organization),
    })),
  )
  const lists = asked.flatMap(({ organization, waiting, rows }) => listOf(organization, waiting, rows))
  const { approvals: words } = viewer.words
  const mine = lists.reduce((sum, { count }) => sum + count, 0)
  const heading = words.heading(mine)
  const done = viewer.http.req.query('done')
  const digests = asked.map(({ waiting }) => digestOfWaiting(waiting))
  return writePage({
    title: mine > 0 ? `(${mine}) ${viewer.words.places.approvals}` : viewer.words.places.approvals,
    place: 'approvals',
    live: `/approve/stream?shown=${digestOfInbox(digests)}${afterIn(viewer)}`,
    body: html`${head(html`${heading}${namePart(page, viewer)}`)}
    ${done === 'approved' || done === 'rejected' ? notice('done', words.done[done]) : ''} ${filtersOf(viewer)}
    ${lists.map((list) => ofOrganization(list, viewer))}
    ${
      lists.every(({ rows }) => rows.length === 0)
        ? html`<div class="card">
            ${isFiltered(viewer) ? empty('search', viewer.words.list.none, '') : empty('good', words.none, words.noneYet)}
          </div>`
        : ''
    }
    ${furtherOf(page, viewer)}`,
  })
}

/** Asks for the newest hundred requests of an organization that wait and fit the filters. */
function askRows(viewer: Viewer, { id }: Organization): Promise<Answer<Rows<ListedApproval>>> {
  const query = new URLSearchParams({ status: 'pending', with_warnings: 'true', limit: String(PAGE) })
  for (const name of ['q', 'action_type'] as const) {
    const value = viewer.http.req.query(name)?.trim()
    if (value) query.set(name, value)
  }
  if (viewer.http.req.query('in') === id) query.set('cursor', viewer.http.req.query('cursor') ?? '')
  return viewer.call<Rows<ListedApproval>>('GET', `/organizations/${id}/approvals?${query.toString()}`)
}

type List = {
  readonly organization: Organization
  readonly rows: readonly ListedApproval[]
  /** Ids of the requests for which nobody is left. */
  readonly stuck: ReadonlySet<string>
  /** Number of requests for the viewer that were found. */
  readonly count: number
  readonly next: string | null
}

/** Puts the answers of an organization together; one that has ended has none. */
function listOf(organization: Organization, waiting: InboxAnswer, answer: Answer<Rows<ListedApproval>>): List[] {
  for (const one of [waiting, answer]) if (!one.ok && one.status !== 404) throw refusalIn(one.error)
  if (!waiting.ok || !answer.ok) return []
  const rows = answer.body.data.toSorted(compareRequests)
  const stuck = waiting.body.data.filter((item) => item.severity === 'blocking' && !item.actionable_by_viewer)
  return [
    {
      organization,
      rows,
      stuck: new Set(stuck.map(({ subject }) => subject.approval_request_id)),
      count: rows.filter((row) => row.can_take_action).length,
      next: answer.body.next_cursor,
    },
  ]
}

const isFiltered = ({ http }: Viewer): boolean => ['q', 'action_type', 'warned'].some((name) => http.req.query(name))

/** Shows the filters of the inbox: a form that works without script. */
function filtersOf(viewer: Viewer): Markup {
  const { approvals: words, list } = viewer.words
  const of = (name: string): string => viewer.http.req.query(name) ?? ''
  return html`<form class="filters" method="get" action="/approve" role="search">
    <label>${list.search} <input type="search" name="q" value="${of('q')}" maxlength="255" /></label>
    <label
      >${words.kind}
      <select name="action_type">
        <option value="">${words.all}</option>
        ${Object.entries(words.actions).map(
          ([type, name]) =>
            html`<option value="${type}" ${type === of('action_type') ? 'selected' : ''}>${name}</option>`,
        )}
      </select></label
    >
    <label class="choice"
      ><input type="checkbox" name="warned" value="true" ${of('warned') ? 'checked' : ''} /> ${words.warned}</label
    >
    <button class="second">${list.find}</button>
  </form>`
}

/** Repeats the cursor of the page in an address. */
function afterIn({ http }: Viewer): string {
  const after = http.req.query('after')
  return after === undefined ? '' : `&after=${encodeURIComponent(after)}`
}

/** Names the part of the organizations that a page is about; nothing for all of them. */
const namePart = ({ data, next_cursor: next }: Rows<Organization>, { http }: Viewer): string =>
  next === null && http.req.query('after') === undefined ? '' : ` in these ${data.length} organizations`

/** Leads to the organizations that are not on the page. */
const furtherOf = ({ next_cursor: next }: Rows<Organization>, { words }: Viewer): Markup | '' =>
  next === null ? '' : html`<p><a href="?after=${next}">${words.approvals.further}</a></p>`

function ofOrganization({ organization, rows, stuck, next }: List, viewer: Viewer): Markup | '' {
  const warnedOnly = viewer.http.req.query('warned') !== undefined
  const shown = warnedOnly ? rows.filter(({ warnings }) => (warnings ?? []).length > 0) : rows
  if (shown.length === 0) return ''
  const { approvals: words, list } = viewer.words
  const mine = shown.filter((row) => row.can_take_action)
  const blocked = shown.filter((row) => !row.can_take_action && stuck.has(row.approval_id))
  const others = shown.filter((row) => !row.can_take_action && !stuck.has(row.approval_id))
  return html`<section>
    <h2>${isolate(organization.name)}</h2>
    ${
      mine.length > 0
        ? html`<form method="post" action="/approve/set" data-set>
            ${keepFields([['organization_id', organization.id]])}
            <label class="choice" hidden><input type="checkbox" data-all /> ${words.chooseAll}</label>
            <ul class="cards">
              ${mine.map((row) => card(row, viewer, true))}
            </ul>
            <div class="actions bar">
              <button name="decision" value="approve"><span data-count>${words.approve}</span></button>
              <button name="decision" value="reject" class="second">${words.reject}</button>
            </div>
          </form>`
        : ''
    }
    ${group(words.blocked, blocked, viewer)} ${group(words.others, others, viewer)}
    ${next === null ? '' : html`<p><a href="?in=${organization.id}&cursor=${next}">${list.next}</a></p>`}
  </section>`
}

const group = (title: string, rows: readonly ListedApproval[], viewer: Viewer): Markup | '' =>
  rows.length === 0
    ? ''
    : html`<h3>${title}</h3>
        <ul class="cards">
          ${rows.map((row) => card(row, viewer, false))}
        </ul>`

/** Shows a request as a line: what and whom, who asked and until when, how much, and its warnings. */
function card(row: ListedApproval, { words, language }: Viewer, chosen: boolean): Markup {
  const { approval_id: id, subject, expires_at: until, warnings, money } = row
  const { kind, who, amount } = lineOf(subject, words)
  const formats = formatsIn(language, 'UTC')
  return html`<li>
    ${
      chosen
        ? html`<input
            type="checkbox"
            name="approval_id"
            value="${id}"
            aria-labelledby="of-${id}"
            ${money ? html`data-amount="${money.amount}" data-currency="${money.currency}"` : ''}
          />`
        : ''
    }
    <a href="/approve/${id}" class="item">
      <span id="of-${id}"><strong>${isolate(who)}</strong></span>
      <span class="figure">${amount ? formats.money(amount) : ''}</span>
      <span class="small"
        >${kind} · ${nameRequester(row, words)} · ${words.approvals.until} ${formats.instant(until)}</span
      >
      ${warnings && warnings.length > 0 ? html`<span class="warns">${warningBadges(warnings, words)}</span>` : ''}
    </a>
  </li>`
}

/** Shows what was decided, the newest first. */
export async function showHistory(viewer: Viewer): Promise<Page | Response> {
  const page = await organizationsHere(viewer)
  if (!page) return toSignIn(viewer)
  const sections: Markup[] = []
  for (const { id, name } of page.data) {
    const path = `/organizations/${id}/approvals?statuses=approved&statuses=rejected&statuses=cancelled&limit=50`
    const answer = await viewer.call<Rows<Approval>>('GET', path)
    const rows = answer.ok ? answer.body.data : []
    const said = answer.ok ? 'Nothing was decided here yet.' : messageOf(answer.error)
    sections.push(
      html`<h2>${isolate(name)}</h2>
        ${
          rows.length === 0
            ? html`<p>${said}</p>`
            : html`<ul class="cards">
                ${rows.map(decisionCard)}
              </ul>`
        }`,
    )
  }
  return writePage({
    title: 'History',
    place: 'approvals',
    body: html`<h1>History${namePart(page, viewer)}</h1>
      ${sections} ${furtherOf(page, viewer)}`,
  })
}

const decisionCard = (row: Approval): Markup =>
  html`<li>
    <a href="/approve/${row.approval_id}"
      ><strong>${isolateQuoted(row.summary ?? 'A request')}</strong><br /><span class="small"
        >${row.status}${row.approver?.name ? html` by ${isolate(row.approver.name)}` : ''},
        ${row.processed_at ? instant(row.processed_at) : ''}</span
      ></a
    >
  </li>`
