/** The next request after a decision: which one it is, and how many are left. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { ListedApproval } from '../../domain/approvals/approval.ts'
import { isolate } from '../frame/layout.ts'
import { notice } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { RequestShell } from './find.ts'
import { compareRequests, lineOf } from './line.ts'

/** Most requests of a company among which the next one is looked for: the newest. */
const LOOKED_AT = 50
/** Most companies that are asked for one. */
const COMPANIES_MAX = 10

export type Done = 'approved' | 'rejected' | 'sentBack'

/** Confirms a decision, and leads on to the next request that waits for the viewer. */
export async function showNext(viewer: Viewer, request: RequestShell, done: Done): Promise<Markup> {
  const { shell, texts } = request
  const { request: words } = texts.words
  const next = shell.waiting > 0 ? await findNext(viewer, request) : null
  const inbox = html`<a href="/approve">${words.toInbox}</a>`
  if (!next)
    return notice(
      'done',
      html`<p>${words.done[done]} ${words.noneLeft}</p>
        <p>${inbox}</p>`,
    )
  const { who, amount } = lineOf(next.subject, texts.words)
  return notice(
    'done',
    html`<p>${words.done[done]} ${words.left(shell.waiting)}</p>
      <p>
        <a class="button" href="/approve/${next.approval_id}"
          >${words.next}: ${amount ? html`${texts.formats.plain(amount)}, ` : ''}${isolate(who)}</a
        >
      </p>
      <p>${inbox}</p>`,
  )
}

/** Finds the next request for the viewer: of the same company first, in the order of the inbox. */
async function findNext(
  viewer: Viewer,
  { organization, approval, shell }: RequestShell,
): Promise<ListedApproval | null> {
  const others = shell.companies.filter(({ id }) => id !== organization.id).slice(0, COMPANIES_MAX)
  for (const { id } of [organization, ...others]) {
    const path = `/organizations/${id}/approvals?status=pending&with_warnings=true&limit=${LOOKED_AT}`
    const answer = await viewer.call<Rows<ListedApproval>>('GET', path)
    const rows = answer.ok ? answer.body.data : []
    const [next] = rows
      .filter((row) => row.can_take_action && row.approval_id !== approval.approval_id)
      .toSorted(compareRequests)
    if (next) return next
  }
  return null
}
