/** Who decides on an adjustment: a person of the service, who proves it by their authenticator app. */
import { consumeCode } from '../factors/authenticators.ts'
import { refuse } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import type { SecurityEventType } from '../../domain/people/security-event.ts'
import { recordSecurityEvent } from '../people/security-log.ts'
import type { Tx } from '../sql.ts'

/** An operator as they name themselves, and the code that their app shows now. */
export type Operator = { readonly email: string; readonly code: string }

/** Whose address it is, if the code is right; it is taken. Refuses `not_found` and `code_invalid`. */
export async function proveOperator(tx: Tx, { email, code }: Operator): Promise<UserId> {
  const [person] = await tx<{ id: UserId }[]>`select id from people where email = ${email.trim().toLowerCase()}`
  if (!person) refuse('not_found', { operator: email })
  if (!(await consumeCode(tx, person.id, code))) refuse('code_invalid')
  return person.id
}

/** Writes into the operator's own log what they decided. */
export const recordDecision = (tx: Tx, userId: UserId, type: SecurityEventType, adjustmentId: string): Promise<void> =>
  recordSecurityEvent(tx, { type, userId, origin: null, details: { adjustment_id: adjustmentId } })
