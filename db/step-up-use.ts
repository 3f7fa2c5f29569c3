/** Using up a step-up: in the transaction of the deed, once. It knows nothing of how one is asked for or proved. */
import type { Person } from '../domain/actor.ts'
import { refuse } from '../domain/errors.ts'
import type { SessionId } from '../domain/ids.ts'
import { type Transaction, sql } from './sql.ts'

/**
 * Uses up a verified step-up of this session (and of this target, if one is named) and writes that down; false if there
 * is none, another request was faster, or the session has ended. It stays usable if the transaction does not
 * commit.
 */
export async function consumeStepUp(
  tx: Transaction,
  { stepUpId, sessionId, target }: { stepUpId: string | null; sessionId: SessionId; target?: string },
): Promise<boolean> {
  const consumed = await tx`
    with used as (
      update step_ups set status = 'consumed', consumed_at = business_now()
      where id = ${stepUpId} and session_id = ${sessionId} and status = 'verified' and expires_at > business_now()
        and exists (select from sessions s where s.id = session_id and s.ended_at is null)
        ${target === undefined ? sql`` : sql`and target = ${target}`}
      returning user_id, session_id, operation, factor)
    insert into security_events (user_id, type, session_id, device_id, details)
    select u.user_id, 'step_up.used', u.session_id, s.device_id,
      jsonb_build_object('operation', u.operation, 'method', u.factor)
    from used u join sessions s on s.id = u.session_id
    returning id`
  return consumed.length === 1
}

/** The same for a deed that needs one: refuses `step_up_required` if there is none. */
export async function useStepUp(tx: Transaction, person: Person, stepUpId: string | null): Promise<void> {
  if (!(await consumeStepUp(tx, { stepUpId, sessionId: person.sessionId }))) refuse('step_up_required')
}
