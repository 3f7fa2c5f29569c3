/** Approvals: what waits for people, and their decisions. */
import { v7 } from 'uuid'
import * as v from 'valibot'
import {
  type Viewer,
  blockedBy,
  countPending,
  findApproval,
  listApprovals,
  recordedDecision,
  refuseProcessed,
  toApproval,
  toApprovalDetail,
} from '../db/approvals.ts'
import { now } from '../db/clock.ts'
import { config } from '../db/config.ts'
import { approvalTarget } from '../db/decisions.ts'
import {
  Approval,
  ApprovalDetail,
  ApprovalFilters,
  ApproveBody,
  type Decision,
  RejectBody,
} from '../db/model/approval.ts'
import { refuse } from '../db/model/errors.ts'
import { type DecisionId, type PaymentId, type StepUpId, id } from '../db/model/ids.ts'
import { pageOf } from '../db/model/page.ts'
import { can } from '../db/model/permissions.ts'
import { uuid } from '../db/model/text.ts'
import { decide } from '../workflows/approval.ts'
import { type Binding, type Context, route } from './route.ts'
import { paymentStart, steer } from './temporal.ts'

/** A decision that nobody has recorded this long after its request's deadline is void. */
const DECISION_GRACE_MS = 30_000

const ListParams = v.object({ organization_id: id<'organization'>() })
const ItemParams = v.object({ ...ListParams.entries, approval_id: id<'approval'>() })
type OnItem<Body = unknown> = Context<v.InferOutput<typeof ItemParams>, undefined, Body>

const shared = {
  tag: 'Approvals',
  can: 'organization.read',
  owner: { kind: 'organization', param: 'organization_id' },
} as const

export const approvals = [
  route({
    ...shared,
    method: 'get',
    path: '/organizations/{organization_id}/approvals',
    operationId: 'listApprovals',
    summary: 'List approvals, newest first; members see what they asked for',
    params: ListParams,
    query: ApprovalFilters,
    returns: v.object({
      ...pageOf(Approval).entries,
      pending_count: v.number(),
      can_take_action: v.boolean(),
      organization_id: uuid,
    }),
    handle: async (context) => {
      const viewer = viewerOf(context)
      const [page, counts] = await Promise.all([
        listApprovals(context.read, context.query, viewer),
        countPending(context.read, viewer),
      ])
      return { ...page, data: page.data.map(toApproval), ...counts, organization_id: context.org.organizationId }
    },
  }),
  route({
    ...shared,
    method: 'get',
    path: '/organizations/{organization_id}/approvals/{approval_id}',
    operationId: 'getApproval',
    summary: 'Read an approval with its steps and decisions',
    params: ItemParams,
    returns: ApprovalDetail,
    handle: async (context) => {
      const viewer = viewerOf(context)
      return toApprovalDetail(
        context.read,
        await findApproval(context.read, context.params.approval_id, viewer),
        viewer,
      )
    },
  }),
  route({
    ...shared,
    method: 'post',
    path: '/organizations/{organization_id}/approvals/{approval_id}/approve',
    operationId: 'approveRequest',
    summary: 'Approve; the money is reserved at once and moves',
    can: 'approvals.review',
    movesMoney: true,
    keyed: true,
    stepUp: { mode: 'once', bind: bindApproval },
    params: ItemParams,
    body: ApproveBody,
    returns: Approval,
    handle: (context) => settleDecision(context, 'approve', context.body.comment ?? null),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/organizations/{organization_id}/approvals/{approval_id}/reject',
    operationId: 'rejectRequest',
    summary: 'Reject',
    can: 'approvals.review',
    keyed: true,
    params: ItemParams,
    body: RejectBody,
    returns: Approval,
    handle: (context) => settleDecision(context, 'reject', context.body.reason ?? null),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/organizations/{organization_id}/approvals/{approval_id}/cancel',
    operationId: 'cancelRequest',
    summary: 'Withdraw what you asked for',
    keyed: true,
    params: ItemParams,
    body: v.object({}),
    returns: Approval,
    handle: (context) => settleDecision(context, 'cancel', null),
  }),
]

const viewerOf = ({ person, org }: Context<any, any, any>): Viewer => ({
  userId: person.userId,
  role: org.role,
  ownOnly: !can(org.role, 'approvals.review'),
})

/** The caller's own earlier approval is answered before a proof of identity is asked; a hopeless one is refused. */
async function bindApproval(context: OnItem): Promise<Binding<Approval>> {
  const viewer = viewerOf(context)
  const row = await findApproval(context.read, context.params.approval_id, viewer)
  if (row.status !== 'pending') {
    if (row.status === 'approved' && row.approver?.id === viewer.userId) return { answer: toApproval(row) }
    refuseProcessed(row.status)
  }
  if (row.expired) refuse('approval_expired')
  const blocked = blockedBy({ policy: row.policy, requester_id: row.requester.id }, viewer)
  if (blocked) refuse(blocked)
  const target = approvalTarget(row.approval_id, row.subject_hash)
  return row.summary === null ? { target } : { target, summary: `Approve: ${row.summary}` }
}

/** Sends the decision to the workflow that waits for it, and answers the approval as it is then. */
async function settleDecision(context: OnItem, kind: Decision['decision'], comment: string | null): Promise<Approval> {
  const { read, params, person, org, claim, requestId } = context
  const viewer = viewerOf(context)
  const { target_id: targetId } = await findApproval(read, params.approval_id, viewer)
  const decision: Decision = {
    decision_id: claim.id as DecisionId, // made by this request, or derived from its key
    organization_id: org.organizationId,
    approval_id: params.approval_id,
    decision: kind,
    actor: person,
    step_up_id: context.stepUpId as StepUpId | null, // found by requireStepUp()
    comment,
    request_id: requestId,
    body_hash: claim.keyed ? claim.bodyHash : undefined,
    valid_until: new Date(now().getTime() + config.requestDeadlineMs + DECISION_GRACE_MS).toISOString(),
  }
  // The approval of a withdrawal targets its payment.
  const ref = { organizationId: org.organizationId, paymentId: targetId as PaymentId }
  await steer(
    {
      start: paymentStart(ref, { rail: 'svc_id', status: 'awaiting_approval' }),
      update: decide,
      updateId: v7(), // of its own: under the decision's id a refusal would be answered for ever
      args: [decision],
    },
    async () => {
      const row = await findApproval(read, params.approval_id, viewer)
      const recorded = await recordedDecision(read, decision, person.userId)
      if (recorded === undefined && row.status !== 'pending') refuseProcessed(row.status)
      return recorded
    },
  )
  return toApproval(await findApproval(read, params.approval_id, viewer))
}
