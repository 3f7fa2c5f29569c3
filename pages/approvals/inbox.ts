/** Inbox: what waits for the viewer, for others, and for nobody, in each of their organizations. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Approval } from '../../domain/approvals/approval.ts'
import { notice } from '../frame/parts.ts'
import { type Page, digestOf, writePage, keepFields, instant, isolate, isolateQuoted } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import { type Organization, type PageOf, PAGE, organizationsHere } from '../frame/organizations.ts'
import { toSignIn } from '../sign-in/sign-in.ts'
import { type Answer, type Viewer, refusalIn } from '../frame/viewer.ts'

/** Item of attention of the kind `review_approval`, as the pages use it. */
type Item = {
  readonly summary: string
  readonly severity: 'blocking' | 'action' | 'info'
  readonly actionable_by_viewer: boolean
  readonly due_at: string | null
  readonly subject: { readonly approval_request_id: string }
}

type InboxAnswer = Answer<PageOf<Item>>

/** Asks an organization what waits for approval there. */
export const askWaiting = (viewer: Viewer, { id }: Organization): Promise<InboxAnswer> =>
  viewer.call<PageOf<Item>>('GET', `/organizations/${id}/attention?kind=review_approval&limit=${PAGE}`)

/** Hashes what waits for approval in one organization, to find changes later. */
export const digestOfWaiting = (answer: InboxAnswer): string =>
  digestOf(answer.ok ? answer.body : { status: answer.status })

/** Hashes what waits for approval in all organizations, in their order. */
export const digestOfInbox = (digests: readonly string[]): string => digestOf(digests)

export async function showInbox(viewer: Viewer): Promise<Page | Response> {
  const page = await organizationsHere(viewer)
  if (!page) return toSignIn(viewer)
  const asked = await Promise.all(
    page.data.map(async (organization) => ({ organization, answer: await askWaiting(viewer, organization) })),
  )
  const lists: List[] = []
  for (const { organization, answer } of asked) {
    if (answer.ok) lists.push({ organization, items: answer.body.data, more: answer.body.has_more })
    else if (answer.status !== 404) throw refusalIn(answer.error) // 404: it has ended
  }
  const mine = lists.flatMap(({ items }) => items).filter((item) => item.actionable_by_viewer).length
  const done = viewer.http.req.query('done')
  return writePage({
    title: mine > 0 ? `(${mine}) Approvals` : 'Approvals',
    place: 'approvals',
    live: `/approve/stream?shown=${digestOfInbox(asked.map(({ answer }) => digestOfWaiting(answer)))}${afterIn(viewer)}`,
    body: html`<h1>${mine > 0 ? `${mine} for you to decide` : 'Nothing for you to decide'}${namePart(page, viewer)}</h1>
      ${done && Object.hasOwn(DONE, done) ? notice('done', DONE[done] ?? '') : ''}
      ${lists.map((list) => ofOrganization(list))}
      ${
        lists.every(({ items }) => items.length === 0)
          ? html`<p>New requests appear here by themselves, and a mail tells you of those that wait for long.</p>`
          : ''
      }
      ${furtherOf(page)}`,
  })
}

/** Repeats the cursor of the page in an address. */
function afterIn({ http }: Viewer): string {
  const after = http.req.query('after')
  return after === undefined ? '' : `&after=${encodeURIComponent(after)}`
}

/** Names the part of the organizations that a page is about; nothing for all of them. */
const namePart = ({ data, next_cursor: next }: PageOf<Organization>, { http }: Viewer): string =>
  next === null && http.req.query('after') === undefined ? '' : ` in these ${data.length} organizations`

/** Leads to the organizations that are not on the page. */
const furtherOf = ({ next_cursor: next }: PageOf<Organization>): Markup | '' =>
  next === null ? '' : html`<p><a href="?after=${next}">Your other organizations</a></p>`

const DONE: Readonly<Record<string, string>> = { approved: 'Approved.', rejected: 'Rejected.' }

type List = { readonly organization: Organization; readonly items: readonly Item[]; readonly more: boolean }

function ofOrganization({ organization, items, more }: List): Markup | '' {
  if (items.length === 0) return ''
  const mine = items.filter((item) => item.actionable_by_viewer)
  const blocked = items.filter((item) => !item.actionable_by_viewer && item.severity === 'blocking')
  const others = items.filter((item) => !item.actionable_by_viewer && item.severity !== 'blocking')
  return html`<section>
    <h2>${isolate(organization.name)}</h2>
    ${
      mine.length > 0
        ? html`<form method="post" action="/approve/set" data-set>
            ${keepFields([['organization_id', organization.id]])}
            <ul class="cards">
              ${mine.map((item) => card(item, true))}
            </ul>
            <div class="actions bar">
              <button name="decision" value="approve"><span data-count>Approve selected</span></button>
              <button name="decision" value="reject" class="second">Reject…</button>
            </div>
          </form>`
        : ''
    }
    ${group('Nobody is left who could approve', blocked)} ${group('Waits for others', others)}
    ${more ? html`<p class="small">Only the newest ${items.length} are shown.</p>` : ''}
  </section>`
}

const group = (title: string, items: readonly Item[]): Markup | '' =>
  items.length === 0
    ? ''
    : html`<h3>${title}</h3>
        <ul class="cards">
          ${items.map((item) => card(item, false))}
        </ul>`

const card = ({ summary, due_at: due, subject: { approval_request_id: id } }: Item, chosen: boolean): Markup =>
  html`<li>
    ${chosen ? html`<input type="checkbox" name="approval_id" value="${id}" aria-labelledby="of-${id}" />` : ''}
    <a href="/approve/${id}" id="of-${id}"
      ><strong>${isolateQuoted(summary)}</strong><br /><span class="small"
        >${due ? html`until ${instant(due)}` : ''}</span
      ></a
    >
  </li>`

/** Shows what was decided, the newest first. */
export async function showHistory(viewer: Viewer): Promise<Page | Response> {
  const page = await organizationsHere(viewer)
  if (!page) return toSignIn(viewer)
  const sections: Markup[] = []
  for (const { id, name } of page.data) {
    const path = `/organizations/${id}/approvals?statuses=approved&statuses=rejected&statuses=cancelled&limit=50`
    const answer = await viewer.call<PageOf<Approval>>('GET', path)
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
      ${sections} ${furtherOf(page)}`,
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
