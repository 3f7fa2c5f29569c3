/** One approval: what it does, who has decided, and what the viewer can do about it. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { ApprovalDetail } from '../../domain/approvals/approval.ts'
import { icon, notice } from '../frame/parts.ts'
import type { Words } from '../words/en.ts'
import { byRank, isStop, wordsOf } from './line.ts'
import { type Page, type Frame, digestOf, writePage, instant, isolate } from '../frame/layout.ts'
import { isUuid } from '../../domain/ids.ts'
import { type Payment, stateOf } from '../../domain/payments/payment.ts'
import type { Bill } from '../../domain/bills/bill.ts'
import { type Organization, allOrganizations } from '../frame/organizations.ts'
import { messageOf } from '../frame/messages.ts'
import { toSignIn } from '../frame/return.ts'
import { longDay, rowsOf } from '../frame/rows.ts'
import { showSteps } from './steps.ts'
import { describe } from './subject.ts'
import type { Viewer } from '../frame/viewer.ts'

export type ApprovalPage = { readonly organization: Organization; readonly approval: ApprovalDetail }

/** Finds an approval in the viewer's organizations; null if they see none under this id. */
export async function findApproval(viewer: Viewer, id: string): Promise<ApprovalPage | null | 'signed out'> {
  if (!viewer.isSignedIn) return 'signed out'
  for await (const organizations of allOrganizations(viewer)) {
    if (!organizations) return 'signed out'
    if (!isUuid(id)) return null
    for (let from = 0; from < organizations.length; from += ASKED_AT_ONCE) {
      const some = organizations.slice(from, from + ASKED_AT_ONCE)
      const found = await Promise.all(some.map((organization) => approvalIn(viewer, organization, id)))
      const [first] = found.flatMap((one) => one ?? [])
      if (first) return first
    }
  }
  return null
}

/** Organizations that are asked about an approval at once. */
const ASKED_AT_ONCE = 8

async function approvalIn(viewer: Viewer, organization: Organization, id: string): Promise<ApprovalPage | null> {
  const approval = await readApproval(viewer, organization, id)
  return approval && approval !== 'signed out' ? { organization, approval } : null
}

/** Reads an approval of an organization; null if the viewer sees none there under this id. */
export async function readApproval(
  viewer: Viewer,
  { id: organizationId }: Organization,
  id: string,
): Promise<ApprovalDetail | null | 'signed out'> {
  const answer = await viewer.call<ApprovalDetail>('GET', `/organizations/${organizationId}/approvals/${id}`)
  if (answer.ok) return answer.body
  return answer.status === 401 ? 'signed out' : null
}

/** Reads the payment that an approval is about; null if it is about something else, or the viewer sees none. */
export async function findPayment(viewer: Viewer, { target_id: id, target_type: type }: ApprovalDetail) {
  if (!OF_PAYMENTS.has(type)) return null
  const answer = await viewer.call<Payment>('GET', `/payments/${id}`)
  return answer.ok ? answer.body : null
}

export async function showApproval(viewer: Viewer): Promise<Page | Response> {
  const id = viewer.http.req.param('id') ?? ''
  const found = await findApproval(viewer, id)
  if (found === 'signed out') return toSignIn(viewer)
  if (!found) return notHere()
  return approvalPage(viewer, found, noticeOf(found.approval, viewer.http.req.query('done')))
}

/** Confirms the viewer's decision, if the approval has it: any link can lead here with `?done=`. */
function noticeOf({ status, decisions, can_take_action: can }: ApprovalDetail, done?: string): Markup | undefined {
  if (done === 'rejected' && status === 'rejected') return notice('done', 'You rejected this.')
  const wasApproved = !can && decisions.some(({ decision }) => decision === 'approve')
  return done === 'approved' && wasApproved ? notice('done', 'You approved this.') : undefined
}

export const notHere = (): Promise<Page> =>
  writePage({
    title: 'Not found',
    place: null,
    status: 404,
    body: html`<h1>Not found</h1>
      <p>There is no such page, or it is not yours to see. <a href="/approve">To the inbox</a></p>`,
  })

/** Writes the page of an approval, with a notice above. */
export async function approvalPage(
  viewer: Viewer,
  { organization, approval }: ApprovalPage,
  said?: Markup,
  status: NonNullable<Frame['status']> = 200,
): Promise<Page> {
  const { title, amount, rows, more } = describe(approval.subject)
  const { approval_id: id } = approval
  const payment = await findPayment(viewer, approval)
  const isOwn = (await whoIs(viewer)) === approval.requester.id
  const shown = digestOf({ organization, approval, payment })
  return writePage({
    title: `${title}: ${amount ?? ''}`,
    place: null,
    live: `/approve/stream?approval=${id}&shown=${shown}`,
    status,
    body: html`${said ?? ''}
      <h1>${title}</h1>
      <p class="amount">${isolate(amount ?? '')}</p>
      <p class="small">
        ${isolate(organization.name)} · asked for by ${askerOf(approval, isOwn)}, ${instant(approval.created_at)}
      </p>
      ${progressOf(approval, payment)} ${warningsOf(approval, viewer.words)} ${rowsOf(rows)} ${more ?? ''}
      ${await linksFor(viewer, { organization, approval })} ${await showSteps(viewer, { organization, approval })}
      ${isOwn && approval.can_take_action ? sayOwn(approval) : ''} ${actionsFor(approval)}
      <p class="small">
        <a href="/approve/${id}/evidence">Evidence</a> of what was shown and decided, for an auditor.
      </p>`,
  })
}

/** Reads the id of the viewer. */
async function whoIs(viewer: Viewer): Promise<string | null> {
  const answer = await viewer.call<{ id: string }>('GET', '/me')
  return answer.ok ? answer.body.id : null
}

/** Tells the viewer that they may approve their own request, and if no other person has to. */
function sayOwn({ steps }: ApprovalDetail): Markup {
  const alone = steps.reduce((sum, { required }) => sum + required, 0) === 1
  return html`<p class="notice">
    You asked for this yourself, and your policy lets you approve it${alone ? ': no second person looks at it' : ''}. An
    owner can set a policy with <code>self_approval: false</code>.
  </p>`
}

/** Names the requester, and the delegate that asked in their name. */
function askerOf({ requester, delegate }: ApprovalDetail, isOwn: boolean): Markup {
  const person = isOwn ? html`<strong>you</strong>` : nameOf(requester)
  if (!delegate) return person
  return html`the ${delegate.kind === 'agent' ? 'agent' : 'program'} <strong>${isolate(delegate.name)}</strong> of
    ${person}`
}

const nameOf = (person: ApprovalDetail['requester']): Markup =>
  html`${person.name ? html`${isolate(person.name)} (${person.email})` : person.email}`

/** Shows warnings in two ranks: those at which to stop and look, the gravest first, and those to note. */
export const warningsOf = ({ warnings }: Pick<ApprovalDetail, 'warnings'>, words: Words): Markup | '' =>
  warnings.length === 0
    ? ''
    : html`<ul class="warnings" aria-label="Warnings">
        ${byRank(warnings).map(
          (name) =>
            html`<li class="${isStop(name) ? 'stop' : 'warn'}">
              ${icon(isStop(name) ? 'bad' : 'warn')}${wordsOf(name, words).long}
            </li>`,
        )}
      </ul>`

/** Finds the bill whose payment an approval is about; null if it pays none, or the viewer sees none. */
export async function findBill(viewer: Viewer, { organization, approval }: ApprovalPage): Promise<Bill | null> {
  const path = `/organizations/${organization.id}/bills?approval_request_id=${approval.approval_id}`
  const answer = await viewer.call<{ data: readonly Bill[] }>('GET', path)
  return (answer.ok && answer.body.data[0]) || null
}

/** Links to what stands behind the payment or batch. */
async function linksFor(viewer: Viewer, found: ApprovalPage): Promise<Markup | ''> {
  const { approval_id: id, target_type: type } = found.approval
  if (type === 'payment_batch') return html`<p><a href="/approve/${id}/rows">All rows</a></p>`
  if (!OF_PAYMENTS.has(type) || !(await findBill(viewer, found))) return ''
  return html`<p><a href="/approve/${id}/bill">The bill that this pays</a></p>`
}

/** Statuses of a payment as people say them. */
const PROGRESS: Readonly<Record<string, string>> = {
  submitted: 'Approved. The partner is asked to pay.',
  processing: 'The partner is paying.',
  on_hold: 'The partner holds it back and looks at it.',
  cancelling: 'It is being called back.',
  succeeded: 'Paid.',
  failed: 'It failed; the money is in the balance.',
  reversed: 'The payee’s bank sent it back.',
  cancelled: 'It was cancelled; nothing was paid.',
}

const OF_PAYMENTS = new Set(['internal_transfer', 'fiat_outgoing', 'crypto_outgoing'])

/** Says how far the payment is after its approval. */
function progressOf({ status }: ApprovalDetail, payment: Payment | null): Markup {
  if (status === 'pending') return html``
  const reached = status === 'approved' && payment && (sayDay(payment) ?? PROGRESS[payment.status])
  return html`<p><strong>${reached || STATUS[status]}</strong></p>`
}

/** Writes the day that an approved payment waits for; undefined for any other. */
function sayDay(payment: Payment): string | undefined {
  const { schedule } = payment
  if (!schedule || stateOf(payment) !== 'scheduled') return undefined
  const day = longDay(schedule.execute_on)
  return schedule.state === 'waiting' ? `Approved. It is paid on ${day}.` : `Approved. It is due since ${day}.`
}

const STATUS = { pending: 'Waits.', approved: 'Approved.', rejected: 'Rejected.', cancelled: 'Withdrawn or expired.' }

/** Shows what the viewer can do, or why they cannot. */
function actionsFor(approval: ApprovalDetail): Markup {
  const { approval_id: id, status, can_take_action: can, acting_for: principal, blocked_by: blockers } = approval
  if (status !== 'pending') return html``
  const why = blockers.map((type) => notice('fault', messageOf({ type, message: type.replaceAll('_', ' ') })))
  const approve = html`<form method="post" action="/approve/${id}/approve">
    <label>Comment (optional) <input name="comment" maxlength="1000" autocomplete="off" /></label>
    <div class="actions bar"><button>Approve</button></div>
  </form>`
  const reject = html`<details>
    <summary>Reject…</summary>
    <form method="post" action="/approve/${id}/reject">
      <label>Reason (optional) <input name="reason" maxlength="1000" autocomplete="off" /></label>
      <div class="actions"><button class="second">Reject</button></div>
    </form>
  </details>`
  const acting = principal
    ? html`<p>You decide for <strong>${isolate(principal.name ?? 'another member')}</strong>, as their substitute.</p>`
    : ''
  return html`${why} ${acting} ${can ? approve : ''}
  ${can || blockers.includes('requester_cannot_approve') ? reject : ''}`
}
