/** Requests for approval: where a request is among the viewer's organizations, and what stands behind it. */
import type { ApprovalDetail } from '../../domain/approvals/approval.ts'
import type { Bill, BillDetail } from '../../domain/bills/bill.ts'
import { isUuid } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { type Frame, Page } from '../frame/layout.ts'
import { notFound } from '../frame/company.ts'
import { type Organization, allOrganizations } from '../frame/organizations.ts'
import { toSignIn } from '../frame/return.ts'
import { type Shell, shellOf } from '../frame/shell.ts'
import type { Viewer } from '../frame/viewer.ts'
import type { Texts } from './subjects/description.ts'

export type FoundApproval = { readonly organization: Organization; readonly approval: ApprovalDetail }

/** Finds an approval in the viewer's organizations; null if they see none under this id. */
export async function findApproval(viewer: Viewer, id: string): Promise<FoundApproval | null | 'signed out'> {
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

async function approvalIn(viewer: Viewer, organization: Organization, id: string): Promise<FoundApproval | null> {
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

const OF_PAYMENTS = new Set(['internal_transfer', 'fiat_outgoing', 'crypto_outgoing'])

/** Reads the payment that an approval is about; null if it is about something else, or the viewer sees none. */
export async function findPayment(viewer: Viewer, { target_id: id, target_type: type }: ApprovalDetail) {
  if (!OF_PAYMENTS.has(type)) return null
  const answer = await viewer.call<Payment>('GET', `/payments/${id}`)
  return answer.ok ? answer.body : null
}

/**
 * Finds the bill whose payment an approval is about; of a batch, the one that the address names. Null if it pays none,
 * or the viewer sees none.
 */
export async function findBill(viewer: Viewer, { organization, approval }: FoundApproval): Promise<Bill | null> {
  if (approval.target_type === 'payment_batch') return findBillOfBatch(viewer, approval)
  if (!OF_PAYMENTS.has(approval.target_type)) return null
  const path = `/organizations/${organization.id}/bills?approval_request_id=${approval.approval_id}`
  const answer = await viewer.call<{ data: readonly Bill[] }>('GET', path)
  return (answer.ok && answer.body.data[0]) || null
}

/** Finds the bill of a batch, or a credit note of it, that the address names. */
async function findBillOfBatch(viewer: Viewer, { target_id: batch }: ApprovalDetail): Promise<Bill | null> {
  const id = viewer.http.req.query('bill') ?? ''
  if (!isUuid(id)) return null
  const answer = await viewer.call<BillDetail>('GET', `/bills/${id}`)
  return answer.ok && answer.body.bill.payment_batch_id === batch ? answer.body.bill : null
}

/** A request with the frame of its page, which is that of its company. */
export type RequestShell = FoundApproval & { readonly shell: Shell; readonly texts: Texts }

/** Puts a request into the frame of its company; null without a session. */
export async function withShell(viewer: Viewer, found: FoundApproval): Promise<RequestShell | null> {
  const shell = await shellOf(viewer, found.organization.id)
  const { words, language } = viewer
  return shell && { ...found, shell, texts: { words, language, formats: shell.formats } }
}

type Shown = Omit<Frame, 'place' | 'shell'>

/** Writes the page of a request in the frame of its company. */
export async function pageOf(
  viewer: Viewer,
  found: FoundApproval,
  show: (request: RequestShell) => Promise<Shown | null>,
): Promise<Page | Response> {
  const request = await withShell(viewer, found)
  if (!request) return toSignIn(viewer)
  const shown = await show(request)
  return shown ? new Page({ ...shown, place: 'approvals', shell: request.shell }) : notFound(viewer)
}

type Show<Answer> = (viewer: Viewer, found: FoundApproval) => Promise<Answer | null>

/** Finds the request of an address: signed-out viewers sign in first, and others than those who see it find nothing. */
export const about =
  <Answer extends Page | Response>(show: Show<Answer>) =>
  async (viewer: Viewer): Promise<Page | Response> => {
    const found = await findApproval(viewer, viewer.http.req.param('id') ?? '')
    if (found === 'signed out') return toSignIn(viewer)
    return (found && (await show(viewer, found))) ?? notFound(viewer)
  }
