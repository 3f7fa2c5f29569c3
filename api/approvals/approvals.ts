import pLimit from 'p-limit'
import * as v from 'valibot'
import { model, describe } from '../../domain/text.ts'
import { countVisible, pendingGroups } from '../../services/approvals/pending.ts'
import {
  type ApprovalRow,
  findDecided,
  findApprovals,
  listApprovals,
  requireApprover,
  requirePending,
  requireReviewer,
  toApproval,
} from '../../services/decisions/approvals.ts'
import { decide } from '../../services/decisions/commands.ts'
import { signCredential } from '../../services/decisions/credential.ts'
import { evidenceOf, toApprovalDetail, toListed, warningsOf } from '../../services/decisions/details.ts'
import { approvalTarget } from '../../services/step-up/step-ups.ts'
import {
  Approval,
  ApprovalDetail,
  ApprovalFilters,
  ApproveBody,
  ListedApproval,
  RejectBody,
  SendBackBody,
} from '../../domain/approvals/approval.ts'
import { Evidence } from '../../domain/approvals/evidence.ts'
import { joinSentences } from '../../domain/approvals/sentence.ts'
import { sayStops } from '../../domain/approvals/warning.ts'
import { type Viewer, hasApproved, whyNotApprover } from '../../domain/approvals/requirements.ts'
import { refuse } from '../../domain/errors.ts'
import type { ApprovalId } from '../../domain/ids.ts'
import { pageOf } from '../../domain/pagination.ts'
import { grants } from '../../domain/permissions.ts'
import { paymentToConfirm } from '../../domain/step-up/payment-confirmation.ts'
import { integer, uuid } from '../../domain/text.ts'
import { config } from '../../platform/config.ts'
import { bytes, operations } from '../http/operation.ts'
import type { Binding, Context } from '../http/route.ts'

const { command, query } = operations('Approvals')

export type OnApproval = Context<'person' | 'org' | 'read', { readonly params: { readonly approval_id: ApprovalId } }>

const OVER = ['approval_expired', 'approval_already_processed'] as const
const OF_TARGETS = [
  'contact_not_approved',
  'payee_held',
  'destination_missing',
  'address_required',
  'onboarding_incomplete',
  'payee_mismatch',
  'invalid_state',
  'credit_exceeds',
  'invoice_incomplete',
  'insufficient_funds',
  'account_cooling_off',
  'ledger_unbalanced',
] as const

export const approvals = [
  query('/organizations/{organization_id}/approvals', 'listApprovals')
    .says(
      'List approvals, newest first',
      'Members see those that they requested and those that name them. `pending_count` and `can_take_action` are ' +
        'of all that you may see, whatever the filters.',
    )
    .of('organization')
    .delegates('read')
    .can('organization.read')
    .filters(ApprovalFilters)
    .answers(
      model('ApprovalPage', {
        ...pageOf(ListedApproval).entries,
        pending_count: describe(integer, 'Number of approvals that wait, whatever the filters.'),
        can_take_action: describe(v.boolean(), 'True if the caller can decide one of them.'),
        organization_id: uuid,
      }),
    )
    .does(async (context) => {
      const { read, query, org } = context
      const viewer = viewerOf(context)
      const [page, { total }, groups] = await Promise.all([
        listApprovals(read, query, viewer),
        countVisible(read, viewer),
        pendingGroups(read),
      ])
      return {
        ...page,
        data: await toListed(read, page.data, viewer, query.with_warnings ?? false),
        pending_count: total,
        can_take_action: groups.some(({ wait }) => whyNotApprover(wait, viewer) === null),
        organization_id: org.organizationId,
      }
    }),
  query('/organizations/{organization_id}/approvals/{approval_id}', 'getApproval')
    .says('Read an approval', 'With its steps, its decisions, and what blocks your decision.')
    .of('organization')
    .delegates('read')
    .can('organization.read')
    .answers(ApprovalDetail)
    .does(async (context) => toApprovalDetail(context.read, await readApproval(context), viewerOf(context))),
  command('post', '/organizations/{organization_id}/approvals/{approval_id}/approve', 'approveRequest')
    .says('Approve', 'The last required approval reserves the money, which then moves.')
    .of('organization')
    .can('approvals.review')
    .checksItself()
    .movesMoney()
    .takes(ApproveBody)
    .retries('decision')
    .refuses(...OVER, 'not_an_approver', 'requester_cannot_approve', 'no_eligible_approver', ...OF_TARGETS)
    .answers(Approval)
    .proved('once', bindApproval)
    .prepares(async (context) => ({ approval: context.found ?? (await readApproval(context)) }))
    .does(
      ({ tx, approval, person, claim, stepUpId, body }) =>
        decide(tx, { kind: 'approve', approval, person, claim, stepUpId, comment: body.comment ?? null }),
      decideInTurn,
    ),
  command('post', '/organizations/{organization_id}/approvals/{approval_id}/reject', 'rejectRequest')
    .says('Reject')
    .of('organization')
    .stops()
    .can('approvals.review')
    .checksItself()
    .takes(RejectBody)
    .retries('decision')
    .refuses(...OVER, 'not_an_approver')
    .answers(Approval)
    .prepares(async (context) => ({ approval: await readApproval(context) }))
    .does(
      ({ tx, approval, person, claim, body }) =>
        decide(tx, { kind: 'reject', approval, person, claim, stepUpId: null, comment: body.reason ?? null }),
      decideInTurn,
    ),
  command('post', '/organizations/{organization_id}/approvals/{approval_id}/send-back', 'sendBackRequest')
    .says(
      'Send a request back to be changed',
      'It is rejected with `sent_back`, and nothing that was entered is lost: a bill, batch or invoice can be changed ' +
        'again, of a payment and a contact there is a draft. The next request names this one.',
    )
    .of('organization')
    .stops()
    .can('approvals.review')
    .checksItself()
    .takes(SendBackBody)
    .retries('decision')
    .refuses(...OVER, 'not_an_approver')
    .answers(Approval)
    .prepares(async (context) => ({ approval: await readApproval(context) }))
    .does(
      ({ tx, approval, person, claim, body }) =>
        decide(tx, { kind: 'send_back', approval, person, claim, stepUpId: null, comment: body.reason }),
      decideInTurn,
    ),
  command('post', '/organizations/{organization_id}/approvals/{approval_id}/cancel', 'cancelRequest')
    .says('Withdraw what you asked for')
    .of('organization')
    .stops()
    .can('organization.read')
    .checksItself()
    .takes(v.object({}))
    .retries('decision')
    .refuses(...OVER)
    .answers(Approval)
    .prepares(async (context) => ({ approval: await readApproval(context) }))
    .does(
      ({ tx, approval, person, claim }) =>
        decide(tx, { kind: 'cancel', approval, person, claim, stepUpId: null, comment: null }),
      decideInTurn,
    ),
]

/** Operation apart from the others: it follows the sets of approvals in the document. */
export const evidence = [
  query('/organizations/{organization_id}/approvals/{approval_id}/evidence', 'getApprovalEvidence')
    .says('Read the evidence of an approval', 'An auditor can verify by it how the approval was decided.')
    .of('organization')
    .delegates('read')
    .can('approvals.review')
    .answers(Evidence)
    .does(async (context) => evidenceOf(context.read, await readApproval(context), viewerOf(context))),
  query('/organizations/{organization_id}/approvals/{approval_id}/credential', 'getSignedApproval')
    .says(
      'Get an approval that was given as a signed token',
      'A compact JWS (EdDSA), which the keys at `/.well-known/jwks.json` verify. It names no person but by id.',
    )
    .of('organization')
    .delegates('read')
    .can('approvals.review')
    .refuses('invalid_state')
    .answers(bytes('application/jwt'), ({ approval_id: id }) => `approval-${id}.jwt`)
    .does(async (context) => {
      const evidence = await evidenceOf(context.read, await readApproval(context), viewerOf(context))
      return Buffer.from(signCredential(evidence, context.read.organizationId))
    }),
]

/** Finds the approval of the path, for those who see it. Refuses `not_found`. */
export async function readApproval(context: OnApproval): Promise<ApprovalRow> {
  const [row] = await findApprovals(context.read, [context.params.approval_id], viewerOf(context))
  return row ?? refuse('not_found')
}

/** Limits a view to requests by the caller or naming them, unless their role reviews. */
export function viewerOf({ person, org }: Context<'person' | 'org'>): Viewer {
  const { role, removed, principals = [] } = org
  return { userId: person.userId, role, removed, principals, ownOnly: !grants(role, 'approvals.review') }
}

/** Answers the caller's own earlier approval, or refuses a hopeless one, before the step-up. */
async function bindApproval(context: OnApproval): Promise<Binding<Approval, ApprovalRow>> {
  const row = await readApproval(context)
  if (await hasApprovedAlready(context, row)) return { answer: toApproval(row) }
  requireDecidable(row, viewerOf(context), 'approve')
  const target = approvalTarget(row.approval_id, row.subject_hash)
  const payment = paymentToConfirm(toApproval(row).subject)
  const { summary } = row
  return {
    target,
    found: row,
    payment,
    ...(summary !== null && { summary: () => describeApproval(context, row, summary) }),
  }
}

/** Says what is approved, after what is to be looked at. */
const describeApproval = async ({ read }: OnApproval, row: ApprovalRow, summary: string): Promise<string> =>
  joinSentences(sayStops(await warningsOf(read, row)), `Approve: ${summary}`)

async function hasApprovedAlready({ read, person }: OnApproval, row: ApprovalRow): Promise<boolean> {
  if (row.status === 'rejected' || row.status === 'cancelled') return false
  if (hasApproved(row.wait, person.userId)) return true
  if (row.status === 'pending') return false
  const decided = await findDecided(read, person.userId, 'approve', [row.approval_id])
  return decided.size > 0
}

/** Refuses a decision that its transaction would refuse, before asking for a step-up. */
export function requireDecidable(row: ApprovalRow, viewer: Viewer, kind: 'approve' | 'reject'): void {
  requirePending(row)
  if (kind === 'approve') requireApprover(row, viewer)
  else requireReviewer(row.wait, viewer, row.requester.id)
}

/** Bulkhead: decisions hold locks that others wait for, so half of the connections are left to all other work. */
const turns = pLimit(Math.max(1, Math.floor(config.databasePoolSize / 2)))

/** Decides in turn; refuses `service_unavailable` if the turn comes after the request's deadline. */
export function decideInTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + config.requestDeadlineMs
  return turns(() => {
    if (Date.now() > deadline) refuse('service_unavailable', { retry_after_seconds: 1 })
    return work()
  })
}
