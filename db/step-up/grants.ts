/** Grants: a step-up that was proved for a set releases each of its targets once, and nothing else. */
import { createHash } from 'node:crypto'
import { refuse } from '../../domain/errors.ts'
import type { ApprovalId, SessionId, StepUpId } from '../../domain/ids.ts'
import { acceptedHashes } from '../idempotency.ts'
import { type Tx, sql } from '../sql.ts'
import { consumeStepUp } from '../step-up-use.ts'

/** The target of a step-up for one approval: the approval, and the hash of its subject when it was shown. */
export const approvalTarget = (id: ApprovalId, subjectHash: string): string => `approval:${id}:${subjectHash}`

/** The target of a step-up for a set: `approvals:` and the SHA-256 of its sorted targets, one on each line. */
export const setTarget = (targets: readonly string[]): string =>
  `approvals:${createHash('sha256').update(targets.toSorted().join('\n')).digest('hex')}`

type Proof = { readonly stepUpId: string | null; readonly sessionId: SessionId }

/** Turns a step-up for exactly this set into a grant for each target; repeated by the same request, changes nothing. */
export async function grantSet(tx: Tx, { stepUpId, sessionId }: Proof, targets: readonly string[]): Promise<void> {
  const target = setTarget(targets)
  const used = await consumeStepUp(tx, { stepUpId, sessionId, target })
  if (used.length === 1) {
    await tx`insert into step_up_grants (step_up_id, target) select ${stepUpId}, unnest(${[...targets]}::text[])`
    return
  }
  const granted = await tx`
    select u.id from step_ups u join sessions s on s.id = u.session_id and s.ended_at is null
    where u.id = ${stepUpId} and u.session_id = ${sessionId} and u.target = ${target} and u.status = 'consumed'
      and u.expires_at > business_now() and exists (select from step_up_grants g where g.step_up_id = u.id)`
  if (granted.length === 0) refuse('step_up_required')
}

/** The statement that uses up a grant; it answers no row if there is none, or the session or the step-up is over. */
export const consumeGrant = (tx: Tx, { stepUpId, sessionId, target }: Proof & { readonly target: string }) => tx`
  update step_up_grants g set used_at = business_now()
  from step_ups u join sessions s on s.id = u.session_id
  where g.step_up_id = ${stepUpId} and g.target = ${target} and g.used_at is null and u.id = g.step_up_id
    and u.session_id = ${sessionId} and u.status = 'consumed' and u.expires_at > business_now() and s.ended_at is null
  returning g.target`

/** A step-up for a set that was used up, and the targets that it still grants. */
export type Granted = { readonly stepUpId: StepUpId; readonly setTarget: string; readonly left: readonly string[] }

/** Reads the grants left of a request with this body that the session gave a proof for, the latest proof first. */
export const grantsLeft = (
  sessionId: SessionId,
  operation: string,
  bodyHash: string,
): PromiseLike<readonly Granted[]> => sql<Granted[]>`
  select u.id as "stepUpId", u.target as "setTarget", array_agg(g.target) as left
  from step_ups u
  join sessions s on s.id = u.session_id and s.ended_at is null
  join step_up_grants g on g.step_up_id = u.id and g.used_at is null
  where u.session_id = ${sessionId} and u.operation = ${operation} and u.body_hash = any (${acceptedHashes(bodyHash)})
    and u.mode = 'once' and u.status = 'consumed' and u.expires_at > business_now()
  group by u.id order by u.expires_at desc`
