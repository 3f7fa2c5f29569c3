/** Use of step-ups, once, in the transaction of the protected request. */
import type { Person } from '../domain/people/actor.ts'
import { refuse } from '../domain/errors.ts'
import type { SessionId } from '../domain/ids.ts'
import { type Transaction, sql } from '../db/postgres/sql.ts'

/** Builds the statement that uses up and logs a verified step-up of the session; no row if there is none. */
export const consumeStepUp = (
  tx: Transaction,
  { stepUpId, sessionId, target }: { stepUpId: string | null; sessionId: SessionId; target?: string },
) => tx`
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

/** Uses up the step-up of a protected request; refuses `step_up_required` if there is none. */
export async function useStepUp(tx: Transaction, { sessionId }: Person, stepUpId: string | null): Promise<void> {
  const used = await consumeStepUp(tx, { stepUpId, sessionId })
  if (used.length === 0) refuse('step_up_required')
}
