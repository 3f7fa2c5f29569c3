/** Details of one approval: its steps, the blockers for the viewer, and the evidence of its decisions. */
import * as v from 'valibot'
import type { AccountChange } from '../../domain/account-changes/change.ts'
import type { ApprovalDetail, ListedApproval } from '../../domain/approvals/approval.ts'
import type { Warning } from '../../domain/approvals/warning.ts'
import { type SignedAttachment, attachmentsIn } from '../../domain/attachments/attachment.ts'
import {
  CopiedPolicy,
  type DecisionEvidence,
  type EventEvidence,
  type Evidence,
} from '../../domain/approvals/evidence.ts'
import {
  type ApprovalRequirements,
  type Reviewer,
  type Viewer,
  chooseCapacity,
  findCapacities,
  hasApproved,
  isLastApproval,
  isSatisfiable,
  isSubstitute,
  missingApprovals,
  openStep,
  whyNotApprover,
} from '../../domain/approvals/requirements.ts'
import type { BatchAccountChange } from '../../domain/batches/account-change.ts'
import { type Blocker, type RefusalType, refuse } from '../../domain/errors.ts'
import { readCallBacks } from '../account-changes/changes.ts'
import { approversOf, peopleOf } from '../approvals/policies.ts'
import { fullName } from '../../db/postgres/fragments.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'
import { approvalTarget } from '../step-up/step-ups.ts'
import { extendEventChain } from '../webhooks/chain.ts'
import { type ApprovalRow, requirementsFromDecisions, toApproval } from './approvals.ts'
import { type Payer, blockersOf, completeState, reservingOf, targetOf, withInstants } from './targets.ts'

/** Lists the warnings of an approval; one that is decided has none. */
export async function warningsOf(reader: Reader, row: ApprovalRow): Promise<Warning[]> {
  if (row.status !== 'pending') return []
  const found = await targetOf(row.target_type).warnings?.(reader, row.target_id)
  return [...(found ?? []), ...(row.delegate ? (['by_delegate'] as const) : [])]
}

/** Tells if the viewer can decide a request, and if they would do so for another member. */
function standingOf({ status, expired, wait }: ApprovalRow, viewer: Viewer) {
  const can = status === 'pending' && !expired && whyNotApprover(wait, viewer) === null
  const [capacity] = can ? findCapacities(wait, viewer) : []
  return { can_take_action: can, as_substitute: capacity !== undefined && isSubstitute(viewer.userId, capacity) }
}

/** Completes rows of a list: if the viewer can decide each; what it takes and its warnings, if they are asked for. */
export async function toListed(
  reader: Reader,
  rows: readonly ApprovalRow[],
  viewer: Viewer,
  withWarnings: boolean,
): Promise<ListedApproval[]> {
  const pending = rows.filter(({ status }) => status === 'pending')
  const [reserving, warnings] = await Promise.all([
    withWarnings && pending.length > 0 ? reservingOf(reader, pending) : null,
    withWarnings ? Promise.all(rows.map((row) => warningsOf(reader, row))) : null,
  ])
  return rows.map((row, at) => ({
    ...toApproval(row),
    expires_at: row.expires_at,
    ...standingOf(row, viewer),
    money: reserving?.get(row.target_id)?.money ?? null,
    warnings: warnings?.[at] ?? null,
  }))
}

export async function toApprovalDetail(reader: Reader, row: ApprovalRow, viewer: Viewer): Promise<ApprovalDetail> {
  const isPending = row.status === 'pending'
  const [decisions, people, blockers, warnings] = await Promise.all([
    // oldest first; those that approve have their step
    reader<ApprovalDetail['decisions'][number]>(sql`
      select d.decision_id, d.decision, d.user_id, d.on_behalf_of, case d.decision when 'approve' then d.step end as step, d.factor,
        d.comment, d.occurred_at, v.inserted_at as voided_at
      from approval_decisions d left join voided_approvals v on v.decision_id = d.decision_id
      where d.organization_id = ${reader.organizationId} and d.approval_id = ${row.approval_id}
      order by d.occurred_at, d.decision_id`),
    peopleOf(reader),
    isPending ? blockersOn(reader, row) : () => [],
    warningsOf(reader, row),
  ])
  const wait = requirementsFromDecisions(row, decisions)
  const open = isPending && !row.expired
  return {
    ...toApproval(row),
    expires_at: row.expires_at,
    former_approval_id: row.former_id,
    can_take_action: open && whyNotApprover(wait, viewer) === null,
    acting_for: open ? principalOf(wait, { people, viewer }) : null,
    blocked_by: listBlockers(row, { wait, people, viewer, blockers }),
    delegate: row.delegate,
    warnings,
    attachments: attachmentsOf(row),
    self_approval: row.policy.self_approval,
    limits: [...(row.policy.limits ?? [])],
    steps: stepsOf(row, wait).map((step, index) => ({
      ...step,
      approvers: open && step.status !== 'met' ? approversOf(wait, index, people) : [],
    })),
    decisions,
  }
}

/** Lists the files that belong to what is approved; those of an invoice are a part of itself. */
export const attachmentsOf = ({ action_type: action, subject_body: body }: ApprovalRow): SignedAttachment[] =>
  action === 'billing_invoice' ? [] : attachmentsIn(JSON.parse(body))

/** Finds the principal on whose behalf an approval by the viewer would count; null for their own role. */
function principalOf(requirements: ApprovalRequirements, { people, viewer }: Pick<DetailRow, 'people' | 'viewer'>) {
  const capacity = chooseCapacity(requirements, viewer, people) ?? findCapacities(requirements, viewer)[0]
  if (!capacity || !isSubstitute(viewer.userId, capacity)) return null
  return { id: capacity.userId, name: people.find(({ userId }) => userId === capacity.userId)?.name ?? null }
}

type StepStanding = Omit<ApprovalDetail['steps'][number], 'approvers'>

const stepsOf = ({ status }: ApprovalRow, requirements: ApprovalRequirements): StepStanding[] =>
  requirements.steps.map((step, index) => ({
    required: step.required,
    roles: [...step.roles],
    user_ids: [...step.user_ids],
    status: stepStatus(status, requirements, index),
    approved_by: [...(requirements.given[index] ?? [])],
  }))

function stepStatus(
  status: ApprovalRow['status'],
  requirements: ApprovalRequirements,
  index: number,
): StepStanding['status'] {
  if (missingApprovals(requirements, index) === 0) return 'met'
  if (status !== 'pending') return 'closed'
  return index === openStep(requirements) ? 'open' : 'waiting'
}

type DetailRow = {
  wait: ApprovalRequirements
  people: readonly (Reviewer & { readonly name: string | null })[]
  viewer: Viewer
  blockers: (last: boolean) => readonly Blocker[]
}

/** Lists the refusals that an approval by the viewer would get, in the order of the checks. */
function listBlockers(row: ApprovalRow, { wait, people, viewer, blockers }: DetailRow): RefusalType[] {
  if (row.expired) return ['approval_expired']
  if (row.status !== 'pending') return ['approval_already_processed']
  const approved = hasApproved(wait, viewer.userId)
  const barred = approved ? null : whyNotApprover(wait, viewer)
  const isNeededLater = !barred && !approved && !chooseCapacity(wait, viewer, people)
  const stuck = !isSatisfiable(wait, people) || isNeededLater
  return [
    ...(barred ? [barred] : []),
    ...blockers(isLastApproval(wait)).map(({ type }) => type),
    ...(stuck ? (['no_eligible_approver'] as const) : []),
  ]
}

/** Reads the blockers of any approval: the organization, the target, and the balance. */
async function blockersOn(reader: Reader, row: ApprovalRow): Promise<(last: boolean) => readonly Blocker[]> {
  const { target_type: type, target_id: id } = row
  const target = targetOf(type)
  const [[selected], [payer], reserving] = await Promise.all([
    reader<Parameters<typeof target.blockers>[0]>(target.state(reader, id)),
    reader<Payer>(sql`
      select status as organization_status, books_stopped_at is not null as books_stopped
      from organizations where id = ${reader.organizationId}`),
    reservingOf(reader, [row]),
  ])
  if (!selected || !payer) refuse('not_found')
  const state = await completeState(target, reader, selected)
  const short: Blocker[] = reserving.get(id)?.short ? [{ type: 'insufficient_funds' }] : []
  return (last) => [...blockersOf(target, state, payer, { last }), ...short]
}

/** Most extensions of the chain; an event that is not in it then has no place in the answer. */
const EXTENSIONS_MAX = 5

/** Lists the destinations of changed accounts that approvers were shown. */
function listChangedAccounts(body: string): string[] {
  // as the rooms of payments and batches wrote it
  const { account_change: change } = JSON.parse(body) as { account_change?: AccountChange | BatchAccountChange }
  const changes = change === undefined ? [] : 'changes' in change ? change.changes : [change]
  return changes.flatMap(({ new: { destination_id: id } }) => (id === null ? [] : [id]))
}

/** Reads the evidence of one approval. It has no secrets: no body of a step-up, no code, no token. */
export async function evidenceOf(reader: Reader, row: ApprovalRow, viewer: Viewer): Promise<Evidence> {
  const changed = listChangedAccounts(row.subject_body)
  const decisions = await readDecisions(reader, row, viewer)
  const substitutions = decisions.flatMap(({ on_behalf_of: principal }) => principal?.substitution_id ?? [])
  const events = await readEvents(reader, [row.approval_id, row.target_id, ...substitutions, ...changed])
  const callBacks = changed.length > 0 ? await readCallBacks(reader, changed) : []
  const counted = decisions.map(({ decision, actor, on_behalf_of: principal, step, voided }) => ({
    decision,
    user_id: actor?.id ?? null,
    on_behalf_of: principal?.id ?? null,
    step,
    voided_at: voided?.at ?? null,
  }))
  return {
    approval: toApproval(row),
    subject_body: row.subject_body,
    subject_hash: row.subject_hash,
    policy: v.parse(CopiedPolicy, row.policy),
    steps: stepsOf(row, requirementsFromDecisions(row, counted)),
    decisions,
    events,
    call_backs: callBacks,
    chain: { complete: events.every(({ hash }) => hash !== null), algorithm: 'sha256' },
  }
}

/**
 * Reads decisions with their step-ups; devices by the id that others know them by. A limited view gets no summary of a
 * set, since it names other approvals.
 */
async function readDecisions(reader: Reader, row: ApprovalRow, { ownOnly }: Viewer): Promise<DecisionEvidence[]> {
  const own = approvalTarget(row.approval_id, '') // with any hash: files may have changed it
  const rows = await reader<Record<string, unknown>>(sql`
    select d.decision_id, d.decision, case d.decision when 'approve' then d.step end as step, d.role, d.factor,
      (select known.public_id from devices known where known.id = d.device_id) as device_id, d.comment, d.occurred_at,
      case when d.user_id is not null then json_build_object('id', d.user_id, 'email', p.email,
        'name', ${fullName(sql`p`)}) end as actor,
      case when d.on_behalf_of is not null then json_build_object('id', d.on_behalf_of, 'email', principal.email,
        'name', ${fullName(sql`principal`)},
        'substitution_id', d.substitution_id) end as on_behalf_of,
      case when v.decision_id is not null then json_build_object('at', v.inserted_at, 'reason', v.reason) end as voided,
      case when u.id is not null then json_build_object('id', u.id, 'operation', u.operation, 'target', u.target,
        'summary', case when granted.targets is null or not ${ownOnly} then u.summary end, 'asked_at', u.inserted_at,
        'verified_at', u.verified_at, 'consumed_at', u.consumed_at, 'methods', u.methods, 'factor', u.factor,
        'client_data', u.client_data, 'assertion', u.assertion,
        'set', case when granted.targets is not null then
          json_build_object('targets', granted.targets, 'used_at', granted.used_at) end) end as step_up
    from approval_decisions d
    left join people p on p.id = d.user_id
    left join people principal on principal.id = d.on_behalf_of
    left join voided_approvals v on v.decision_id = d.decision_id
    left join step_ups u on u.id = d.step_up_id
    cross join lateral (
      select array_agg(g.target order by g.target collate "C") as targets,
        max(g.used_at) filter (where starts_with(g.target, ${own})) as used_at
      from step_up_grants g where g.step_up_id = u.id) granted
    where d.organization_id = ${reader.organizationId} and d.approval_id = ${row.approval_id}
    order by d.occurred_at, d.decision_id`)
  return rows.map((decision) => withInstants(decision) as DecisionEvidence) // the columns are exactly its members
}

/** Reads the events about subjects in their order, and chains those that are not. */
export async function readEvents(reader: Reader, subjects: readonly string[]): Promise<EventEvidence[]> {
  for (let extensions = 0; ; extensions += 1) {
    const events = await eventsAbout(reader, subjects)
    if (events.every(({ hash }) => hash !== null) || extensions === EXTENSIONS_MAX) return events
    if ((await extendEventChain(1000, false)) === 0 && extensions > 0) return events
  }
}

/** Reads the events of subjects; `canonical` is the hashed text. */
const eventsAbout = (reader: Reader, subjects: readonly string[]): Promise<EventEvidence[]> =>
  reader<EventEvidence>(sql`
    select e.id, e.stream, e.subject_id, e.type, e.actor_kind, e.actor_user_id, e.causation_id, e.cause,
      e.payload::jsonb as payload, e.occurred_at, c.seq::float8 as seq, encode(c.hash, 'hex') as hash,
      canonical_event(e, c.seq) as canonical,
      case when c.seq = 1 then '' else (select encode(before.hash, 'hex') from event_chain before
        where before.organization_id = c.organization_id and before.seq = c.seq - 1) end as previous_hash
    from events e left join event_chain c on c.event_id = e.id
    where e.organization_id = ${reader.organizationId} and e.subject_id = any (${[...subjects]})
    order by c.seq nulls last, e.written, e.occurred_at, e.id`)
