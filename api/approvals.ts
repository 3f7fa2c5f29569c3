/** Approvals: what waits for people, and their decisions. */
import { v7 } from 'uuid'
import * as v from 'valibot'
import { toApprovalDetail } from '../db/approval-details.ts'
import {
  type ApprovalRow,
  type Viewer,
  countQueues,
  findApproval,
  givenBy,
  listApprovals,
  queuesOf,
  recordedDecision,
  refuseProcessed,
  toApproval,
  waitOfRow,
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
import { barredFrom } from '../db/model/consensus.ts'
import { type DecisionId, type StepUpId, id } from '../db/model/ids.ts'
import { pageOf } from '../db/model/page.ts'
import { can } from '../db/model/permissions.ts'
import { uuid } from '../db/model/text.ts'
import { decide } from '../workflows/approval.ts'
import { type Binding, type Context, route } from './route.ts'
import { decisionStart } from './processes.ts'
import { steer } from './temporal.ts'

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
    summary: 'List approvals, newest first; members see what they asked for and what names them',
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
      const [page, queues] = await Promise.all([
        listApprovals(context.read, context.query, viewer),
        queuesOf(context.read, viewer),
      ])
      const { total, actionable } = countQueues(queues, viewer)
      return {
        ...page,
        data: page.data.map(toApproval),
        pending_count: total,
        can_take_action: actionable > 0,
        organization_id: context.org.organizationId,
      }
    },
  }),
  route({
    ...shared,
    method: 'get',
    path: '/organizations/{organization_id}/approvals/{approval_id}',
    operationId: 'getApproval',
    summary: 'Read an approval with its steps, its decisions, and what stands against yours',
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
    summary: 'Approve; with the last approval that is needed, money is reserved at once and moves',
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
  if (row.status !== 'rejected' && row.status !== 'cancelled' && (await gaveApproval(context, row))) {
    return { answer: toApproval(row) }
  }
  if (row.status !== 'pending') refuseProcessed(row.status)
  if (row.expired) refuse('approval_expired')
  const barred = barredFrom(waitOfRow(row), viewer)
  if (barred) refuse(barred)
  const target = approvalTarget(row.approval_id, row.subject_hash)
  return row.summary === null ? { target } : { target, summary: `Approve: ${row.summary}` }
}

/** Whether the caller's own approval counts already. */
const gaveApproval = async ({ read, person }: OnItem, row: ApprovalRow): Promise<boolean> =>
  givenBy(row, person.userId) ||
  (row.status === 'approved' &&
    (await recordedDecision(
      read,
      { decision_id: row.id, approval_id: row.approval_id, decision: 'approve' },
      person.userId,
    )) !== undefined)

/** Sends the decision to the workflow that waits for it, and answers the approval as it is then. */
async function settleDecision(context: OnItem, kind: Decision['decision'], comment: string | null): Promise<Approval> {
  const { read, params, person, org, claim, requestId } = context
  const viewer = viewerOf(context)
  const { target_type: type, target_id: targetId } = await findApproval(read, params.approval_id, viewer)
  const target = { type, id: targetId }
  const decision: Decision = {
    decision_id: claim.id as DecisionId, // made by this request, or derived from its key
    organization_id: org.organizationId,
    approval_id: params.approval_id,
    target,
    decision: kind,
    actor: person,
    step_up_id: context.stepUpId as StepUpId | null, // found by requireStepUp()
    comment,
    request_id: requestId,
    body_hash: claim.keyed ? claim.bodyHash : undefined,
    valid_until: new Date(now().getTime() + config.requestDeadlineMs + DECISION_GRACE_MS).toISOString(),
  }
  await steer(
    {
      start: decisionStart(org.organizationId, target),
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
