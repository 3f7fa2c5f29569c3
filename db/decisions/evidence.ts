/** The evidence of an approval: its decisions with the proofs that released them, and its events with their chain. */
import { stepsOf, requirementsFromDecisions } from './details.ts'
import { type ApprovalRow, toApproval } from './approvals.ts'
import type { Viewer } from '../../domain/approvals/viewer.ts'
import { extendEventChain } from '../webhooks/chain.ts'
import type { Policy } from '../../domain/approvals/requirements.ts'
import type { DecisionEvidence, EventEvidence, Evidence } from '../../domain/approvals/evidence.ts'
import { type Reader, sql } from '../sql.ts'

/** Limit of extensions of the chain; events that are not in it then are given without their place. */
const EXTENSIONS_MAX = 5

/**
 * Reads the bundle of one approval. Nothing in it is secret: no body of a step-up, no code, no token. Who sees only
 * some approvals is not told what a proof for a set said, for it names the others.
 */
export async function evidenceOf(reader: Reader, row: ApprovalRow, viewer: Viewer): Promise<Evidence> {
  const [decisions, events] = await Promise.all([decisionsOn(reader, row, viewer), chainedEvents(reader, row)])
  const { policy } = row
  const { barred, ...plainly } = policy
  return {
    approval: toApproval(row),
    subject_body: row.subject_body,
    subject_hash: row.subject_hash,
    policy: {
      ...plainly,
      ...(barred && { barred: [...barred] }),
      steps: policy.steps.map(toCopiedStep),
    },
    steps: stepsOf(row, requirementsFromDecisions(row, decisions.map(toCounted))),
    decisions,
    events,
    chain: { complete: events.every(({ hash }) => hash !== null), algorithm: 'sha256' },
  }
}

const toCounted = ({ decision, actor, step, voided }: DecisionEvidence) => ({
  decision,
  user_id: actor?.id ?? null,
  step,
  voided_at: voided?.at ?? null,
})

const toCopiedStep = ({ required, roles, user_ids: people }: Policy['steps'][number]) => ({
  required,
  roles: [...roles],
  ...(people && { user_ids: [...people] }),
})

type DecisionRow = Omit<DecisionEvidence, 'actor' | 'voided' | 'step_up'> & {
  user_id: string | null
  email: string
  name: string | null
  voided_at: string | null
  void_reason: string
  step_up_id: string | null
  operation: string
  target: string
  summary: string | null
  asked_at: string
  verified_at: string | null
  consumed_at: string | null
  methods: string[]
  proved_by: string | null
  set_targets: string[] | null
  grant_used_at: string | null
}

async function decisionsOn(reader: Reader, approval: ApprovalRow, { ownOnly }: Viewer): Promise<DecisionEvidence[]> {
  const own = `approval:${approval.approval_id}:${approval.subject_hash}`
  const rows = await reader<DecisionRow>(sql`
    select d.decision_id, d.decision, case d.decision when 'approve' then d.step end as step, d.role, d.factor, d.device_id,
      d.comment, d.occurred_at, d.user_id, p.email, nullif(concat_ws(' ', p.first_name, p.last_name), '') as name,
      v.inserted_at as voided_at, v.reason as void_reason, u.id as step_up_id, u.operation, u.target, u.summary,
      u.inserted_at as asked_at, u.verified_at, u.consumed_at, u.methods, u.factor as proved_by,
      (select array_agg(g.target order by g.target collate "C") from step_up_grants g where g.step_up_id = u.id)
        as set_targets,
      (select g.used_at from step_up_grants g where g.step_up_id = u.id and g.target = ${own}) as grant_used_at
    from approval_decisions d
    left join people p on p.id = d.user_id
    left join voided_approvals v on v.decision_id = d.decision_id
    left join step_ups u on u.id = d.step_up_id
    where d.organization_id = ${reader.organizationId} and d.approval_id = ${approval.approval_id}
    order by d.occurred_at, d.decision_id`)
  return rows.map((row) => toDecision(ownOnly && row.set_targets ? { ...row, summary: null } : row))
}

const toDecision = (row: DecisionRow): DecisionEvidence => ({
  decision_id: row.decision_id,
  actor: row.user_id === null ? null : { id: row.user_id, email: row.email, name: row.name },
  decision: row.decision,
  step: row.step,
  role: row.role,
  factor: row.factor,
  device_id: row.device_id,
  comment: row.comment,
  occurred_at: row.occurred_at,
  voided: row.voided_at === null ? null : { at: row.voided_at, reason: row.void_reason },
  step_up:
    row.step_up_id === null
      ? null
      : {
          id: row.step_up_id,
          operation: row.operation,
          target: row.target,
          summary: row.summary,
          asked_at: row.asked_at,
          verified_at: row.verified_at,
          consumed_at: row.consumed_at,
          methods: row.methods,
          factor: row.proved_by,
          set: row.set_targets && { targets: row.set_targets, used_at: row.grant_used_at },
        },
})

/** Reads the events in their order, chained as far as transactions that still run allow. */
async function chainedEvents(reader: Reader, approval: ApprovalRow): Promise<EventEvidence[]> {
  for (let extensions = 0; ; extensions += 1) {
    const events = await eventsAbout(reader, [approval.approval_id, approval.target_id])
    if (events.every(({ hash }) => hash !== null) || extensions === EXTENSIONS_MAX) return events
    if ((await extendEventChain()) === 0 && extensions > 0) return events
  }
}

type EventRow = Omit<EventEvidence, 'seq'> & { seq: string | null }

/** Reads the events of subjects; `canonical` is the text that was hashed. */
async function eventsAbout(reader: Reader, subjects: readonly string[]): Promise<EventEvidence[]> {
  const rows = await reader<EventRow>(sql`
    select e.id, e.stream, e.subject_id, e.type, e.actor_kind, e.actor_user_id, e.causation_id, e.cause,
      e.payload::jsonb as payload, e.occurred_at, c.seq, encode(c.hash, 'hex') as hash, canonical_event(e, c.seq) as canonical,
      case when c.seq = 1 then '' else (select encode(before.hash, 'hex') from event_chain before
        where before.organization_id = c.organization_id and before.seq = c.seq - 1) end as previous_hash
    from events e left join event_chain c on c.event_id = e.id
    where e.organization_id = ${reader.organizationId} and e.subject_id = any (${[...subjects]})
    order by c.seq nulls last, e.occurred_at, e.id`)
  return rows.map((row) => ({ ...row, seq: row.seq === null ? null : Number(row.seq) }))
}
