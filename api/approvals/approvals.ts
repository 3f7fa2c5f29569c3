/** Approvals: what waits for people, and their decisions. */
import * as v from 'valibot'
import { toApprovalDetail } from '../../db/decisions/details.ts'
import { countVisible, isActionable, pendingGroups } from '../../db/approvals/pending.ts'
import {
  type ApprovalRow,
  findApproval,
  approvedBy,
  listApprovals,
  recordedDecision,
  toApproval,
} from '../../db/decisions/approvals.ts'
import {
  Approval,
  ApprovalDetail,
  ApprovalFilters,
  ApproveBody,
  type Decision,
  RejectBody,
} from '../../domain/approvals/approval.ts'
import { type ApprovalId } from '../../domain/ids.ts'
import { pageOf } from '../../domain/pagination.ts'
import { integer, uuid } from '../../domain/text.ts'
import { approvalTarget } from '../../db/step-up/grants.ts'
import { checkDecidable, recordDecision, viewerOf } from './decisions.ts'
import { operations } from '../http/operation.ts'
import { type Binding, type Context } from '../http/route.ts'

const { command, query } = operations('Approvals')

type OnItem = Context<
  'requestId' | 'person' | 'org' | 'read' | 'write' | 'claim',
  { readonly params: { readonly approval_id: ApprovalId } }
>

export const approvals = [
  query('/organizations/{organization_id}/approvals', 'listApprovals')
    .says(
      'List approvals, newest first; members see what they asked for and what names them',
      '`pending_count` and `can_take_action` are of all that you may see, whatever the filters.',
    )
    .of('organization')
    .can('organization.read')
    .filters(ApprovalFilters)
    .answers(
      v.object({
        ...pageOf(Approval).entries,
        pending_count: integer,
        can_take_action: v.boolean(),
        organization_id: uuid,
      }),
    )
    .does(async (context) => {
      const viewer = viewerOf(context)
      const [page, { total }, groups] = await Promise.all([
        listApprovals(context.read, context.query, viewer),
        countVisible(context.read, viewer),
        pendingGroups(context.read),
      ])
      return {
        ...page,
        data: page.data.map(toApproval),
        pending_count: total,
        can_take_action: isActionable(groups, viewer),
        organization_id: context.org.organizationId,
      }
    }),
  query('/organizations/{organization_id}/approvals/{approval_id}', 'getApproval')
    .says('Read an approval with its steps, its decisions, and what stands against yours')
    .of('organization')
    .can('organization.read')
    .answers(ApprovalDetail)
    .does(async (context) => {
      const viewer = viewerOf(context)
      return toApprovalDetail(
        context.read,
        await findApproval(context.read, context.params.approval_id, viewer),
        viewer,
      )
    }),
  command('post', '/organizations/{organization_id}/approvals/{approval_id}/approve', 'approveRequest')
    .says('Approve; with the last approval that is needed, money is reserved at once and moves')
    .of('organization')
    .can('approvals.review')
    .movesMoney()
    .takes(ApproveBody)
    .keyed()
    .answers(Approval)
    .proved('once', bindApproval)
    .handles((context) => submitDecision(context, 'approve', context.body.comment ?? null, context)),
  command('post', '/organizations/{organization_id}/approvals/{approval_id}/reject', 'rejectRequest')
    .says('Reject')
    .of('organization')
    .can('approvals.review')
    .takes(RejectBody)
    .keyed()
    .answers(Approval)
    .handles((context) => submitDecision(context, 'reject', context.body.reason ?? null)),
  command('post', '/organizations/{organization_id}/approvals/{approval_id}/cancel', 'cancelRequest')
    .says('Withdraw what you asked for')
    .of('organization')
    .can('organization.read')
    .takes(v.object({}))
    .keyed()
    .answers(Approval)
    .handles((context) => submitDecision(context, 'cancel', null)),
]

/** The caller's own earlier approval is answered before a proof of identity is asked; a hopeless one is refused. */
async function bindApproval(context: OnItem): Promise<Binding<Approval, ApprovalRow>> {
  const viewer = viewerOf(context)
  const row = await findApproval(context.read, context.params.approval_id, viewer)
  if (row.status !== 'rejected' && row.status !== 'cancelled' && (await gaveApproval(context, row))) {
    return { answer: toApproval(row) }
  }
  checkDecidable(row, viewer, 'approve')
  const target = approvalTarget(row.approval_id, row.subject_hash)
  return { target, found: row, ...(row.summary !== null && { summary: `Approve: ${row.summary}` }) }
}

/** Whether the caller's own approval counts already. */
const gaveApproval = async ({ read, person }: OnItem, row: ApprovalRow): Promise<boolean> =>
  approvedBy(row, person.userId) ||
  (row.status === 'approved' &&
    (await recordedDecision(read, { approval_id: row.approval_id, decision: 'approve' }, person.userId)) !== undefined)

/** What an approval brings with it: the proof, and the row that was read for it. */
type Proved = Context<'stepUpId', { readonly found: ApprovalRow | undefined }>

/** Records the decision, and answers the approval as it left it. */
async function submitDecision(
  context: OnItem,
  kind: Decision['decision'],
  comment: string | null,
  { found, stepUpId }: Proved = { found: undefined, stepUpId: null },
): Promise<Approval> {
  const { read, params, claim } = context
  const row = found ?? (await findApproval(read, params.approval_id, viewerOf(context)))
  const { target_type: type, target_id: targetId } = row
  return recordDecision(context, {
    decision_id: claim.id, // made by this request, or derived from its key
    approval_id: params.approval_id,
    target: { type, id: targetId },
    decision: kind,
    step_up_id: stepUpId,
    comment,
    body_hash: claim.keyed ? claim.bodyHash : undefined,
  })
}
