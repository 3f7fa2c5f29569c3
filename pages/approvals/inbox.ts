/** Inbox: what waits for the viewer, for others, and for nobody, in each of their organizations. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { ListedApproval } from '../../domain/approvals/approval.ts'
import type { Formats } from '../frame/formats.ts'
import { isStop } from '../../domain/approvals/warning.ts'
import { pairOf } from './chosen.ts'
import { empty, head, notice } from '../frame/parts.ts'
import { nameRequester, compareRequests, lineOf, warningBadges } from './line.ts'
import { Page, digestOf, isolate } from '../frame/layout.ts'
import { type Organization, PAGE, organizationsHere } from '../frame/organizations.ts'
import { toSignIn } from '../frame/return.ts'
import { shellOf } from '../frame/shell.ts'
import { type Answer, type Rows, type Viewer, refusalIn } from '../frame/viewer.ts'
import { wordsFilter, choiceFilter, checkFilter, filterForm } from '../frame/forms/filters.ts'

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
  const [page, shell] = await Promise.all([organizationsHere(viewer), shellOf(viewer)])
  if (!page || !shell) return toSignIn(viewer)
  const warnedOnly = viewer.http.req.query('warned') !== undefined
  const asked = await Promise.all(
    page.data.map(async (organization) => ({
      organization,
      waiting: await askWaiting(viewer, organization),
      rows: await askRows(viewer, organization),
    })),
  )
  const lists = asked.flatMap(({ organization, ...answers }) => listOf(organization, { ...answers, warnedOnly }))
  const { approvals: words, places } = viewer.words
  // the frame counts all requests of up to ten companies, the lists those that are shown
  const mine = Math.max(
    shell.waiting,
    lists.reduce((sum, { count }) => sum + count, 0),
  )
  const stops = lists.flatMap(({ rows }) => rows).filter((row) => row.can_take_action && hasStop(row)).length
  const done = viewer.http.req.query('done')
  const digests = asked.map(({ waiting }) => digestOfWaiting(waiting))
  const looks: Looks = { viewer, formats: shell.formats }
  const heading = html`${words.heading(mine)}${namePart(page, viewer)}`
  return new Page({
    title: mine > 0 ? `(${mine}) ${places.approvals}` : places.approvals,
    place: 'approvals',
    shell,
    live: `/approve/stream?shown=${digestOfInbox(digests)}${afterIn(viewer)}`,
    body: html`${head(heading, { actions: html`<a href="/approve/history">${words.history}</a>` })}
    ${done === 'approved' || done === 'rejected' ? notice('done', `${words.done[done]} ${mine > 0 ? words.left(mine) : ''}`) : ''}
    ${stops > 0 ? notice('fault', words.stopsHere(stops)) : ''} ${filtersOf(viewer)} ${chooseOf(lists, looks)}
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

/** Language and formats of the lines of the inbox. */
type Looks = { readonly viewer: Viewer; readonly formats: Formats }

/** Requests of a company on one page. */
const SHOWN = 50

/** Asks for the newest requests of an organization that wait and fit the filters. */
function askRows(viewer: Viewer, { id }: Organization): Promise<Answer<Rows<ListedApproval>>> {
  const query = new URLSearchParams({ status: 'pending', with_warnings: 'true', limit: String(SHOWN) })
  for (const name of ['q', 'action_type'] as const) {
    const value = viewer.http.req.query(name)?.trim()
    if (value) query.set(name, value)
  }
  if (viewer.http.req.query('in') === id) query.set('cursor', viewer.http.req.query('cursor') ?? '')
  return viewer.call<Rows<ListedApproval>>('GET', `/organizations/${id}/approvals?${query.toString()}`)
}

/** Tells if a request has a warning at which to stop. */
const hasStop = ({ warnings }: ListedApproval): boolean => (warnings ?? []).some(isStop)

type List = {
  readonly organization: Organization
  readonly rows: readonly ListedApproval[]
  /** Ids of the requests for which nobody is left. */
  readonly stuck: ReadonlySet<string>
  /** Number of requests for the viewer that were found. */
  readonly count: number
  readonly next: string | null
}

/** Puts the answers of an organization together; one that has ended, or is not reached from here, has none. */
function listOf(
  organization: Organization,
  {
    waiting,
    rows: answer,
    warnedOnly,
  }: { waiting: InboxAnswer; rows: Answer<Rows<ListedApproval>>; warnedOnly: boolean },
): List[] {
  for (const one of [waiting, answer])
    if (!one.ok && one.status !== 404 && one.error.type !== 'ip_not_allowed') throw refusalIn(one.error)
  if (!waiting.ok || !answer.ok) return []
  const isShown = ({ warnings }: ListedApproval) => !warnedOnly || (warnings ?? []).length > 0
  const rows = answer.body.data.filter(isShown).toSorted(compareRequests)
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
  const { approvals: words } = viewer.words
  const controls = [
    wordsFilter(viewer),
    choiceFilter(viewer, 'action_type', words.kind, [['', words.all], ...Object.entries(words.actions)]),
    checkFilter(viewer, 'warned', words.warned),
  ]
  return filterForm(viewer, controls, { action: '/approve' })
}

/** Repeats the cursor of the page in an address. */
function afterIn({ http }: Viewer): string {
  const after = http.req.query('after')
  return after === undefined ? '' : `&after=${encodeURIComponent(after)}`
}

/** Names the part of the organizations that a page is about; nothing for all of them. */
export const namePart = ({ data, next_cursor: next }: Rows<Organization>, { http, words }: Viewer): string =>
  next === null && http.req.query('after') === undefined ? '' : ` ${words.approvals.inThese(data.length)}`

/** Leads to the organizations that are not on the page. */
export const furtherOf = ({ next_cursor: next }: Rows<Organization>, { words }: Viewer): Markup | '' =>
  next === null ? '' : html`<p><a href="?after=${next}">${words.approvals.further}</a></p>`

/** Shows the requests for the viewer in one form, and the others below. A choice may be of several companies. */
function chooseOf(lists: readonly List[], looks: Looks): Markup {
  const { approvals: words } = looks.viewer.words
  const mine = lists.filter(({ rows }) => rows.some((row) => row.can_take_action))
  const form = html`<form method="post" action="/approve/set" data-set>
    <label class="choice" hidden><input type="checkbox" data-all /> ${words.chooseAll}</label>
    ${mine.map(
      ({ organization, rows, next }) =>
        html`<section>
          <h2>${isolate(organization.name)}</h2>
          <ul class="cards">
            ${rows.filter((row) => row.can_take_action).map((row) => card(row, looks, organization.id))}
          </ul>
          ${nextIn(organization, next, looks)}
        </section>`,
    )}
    <div class="actions bar">
      <button name="decision" value="approve">
        <span data-count data-warned="${words.withWarnings}">${words.approve}</span>
      </button>
      <button name="decision" value="reject" class="second">${words.reject}</button>
    </div>
  </form>`
  return html`${mine.length > 0 ? form : ''} ${lists.map((list) => othersOf(list, looks))}`
}

/** Shows the requests of a company that wait for other people, or that nobody can decide. */
function othersOf({ organization, rows, stuck, next }: List, looks: Looks): Markup | '' {
  const { approvals: words } = looks.viewer.words
  const others = rows.filter((row) => !row.can_take_action)
  const hasMine = others.length < rows.length
  if (others.length === 0 && (hasMine || next === null)) return ''
  return html`<section>
    <h2>${isolate(organization.name)}</h2>
    ${group(
      words.blocked,
      others.filter((row) => stuck.has(row.approval_id)),
      looks,
    )}
    ${group(
      words.others,
      others.filter((row) => !stuck.has(row.approval_id)),
      looks,
    )}
    ${hasMine ? '' : nextIn(organization, next, looks)}
  </section>`
}

/** Leads to the older requests of a company, with the filters. */
function nextIn({ id }: Organization, next: string | null, { viewer: { http, words } }: Looks): Markup | '' {
  if (next === null) return ''
  const { searchParams } = new URL(http.req.url)
  searchParams.set('in', id)
  searchParams.set('cursor', next)
  searchParams.delete('done')
  return html`<p><a href="?${searchParams.toString()}">${words.list.next}</a></p>`
}

const group = (title: string, rows: readonly ListedApproval[], looks: Looks): Markup | '' =>
  rows.length === 0
    ? ''
    : html`<h3>${title}</h3>
        <ul class="cards">
          ${rows.map((row) => card(row, looks, null))}
        </ul>`

/** Shows a request as a line: what and whom, who asked and until when, how much, and its warnings. */
function card(row: ListedApproval, { viewer: { words }, formats }: Looks, choosable: string | null): Markup {
  const { approval_id: id, subject, expires_at: until, warnings, money } = row
  const { kind, who, amount } = lineOf(subject, words)
  return html`<li>
    ${
      choosable !== null
        ? html`<input
            type="checkbox"
            name="approval_id"
            value="${pairOf(choosable, id)}"
            aria-labelledby="of-${id}"
            ${hasStop(row) ? html`data-stop` : ''}
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
