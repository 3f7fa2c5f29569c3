/** Ways of a person to prove who they are, and when a mailed code is one of them. */
import type postgres from 'postgres'
import type { SessionId, UserId } from '../../domain/ids.ts'
import type { StepUpMethod } from '../../domain/step-up/step-up.ts'
import { config } from '../../platform/config.ts'
import { authenticatorCounts } from '../factors/authenticators.ts'
import { type CodeRecipient, codeRecipient, countingNumber } from '../factors/messaging-codes.ts'
import { BY_FACTOR, BY_RECOVERY, requireMoreThanMailbox, isSignedInBy } from '../people/assurance.ts'
import { type Fragment, type Transaction, sql } from '../../db/postgres/sql.ts'
import { approvalDeviceExists } from './approval-devices.ts'

/** Reads the methods by which the person can prove themselves without a message. */
export async function methodsOf(tx: Transaction, userId: UserId): Promise<StepUpMethod[]> {
  const [has] = await tx<{ totp: boolean; webauthn: boolean; approval_device: boolean }[]>`
    select ${authenticatorCounts(userId)} as totp,
      exists (select from passkeys where user_id = ${userId} and removed_at is null) as webauthn,
      ${approvalDeviceExists(userId)} as approval_device`
  return (['totp', 'webauthn', 'approval_device'] as const).filter((method) => has?.[method])
}

/** Builds the condition: the person can prove themselves by more than a password and messages. */
const hasOwnFactor = (userId: UserId): Fragment => sql`
  (${authenticatorCounts(userId)} or ${approvalDeviceExists(userId)}
    or exists (select from passkeys where user_id = ${userId} and removed_at is null))`

/** Builds the condition: the person can prove themselves by more than a mailbox. */
const hasFactor = (userId: UserId): Fragment => sql`
  (${hasOwnFactor(userId)}
    or ${config.partners.messenger ? sql`${countingNumber(userId)} is not null` : sql`false`})`

/** Tells if the person can prove themselves by more than a password and messages. */
export async function hasFactorOfOwn(userId: UserId, tx: postgres.Sql | Transaction = sql): Promise<boolean> {
  const [has] = await tx<{ factor: boolean }[]>`select ${hasOwnFactor(userId)} as factor`
  return has?.factor ?? false
}

/** Request for a proof: `weakens` if it changes how its person proves who they are. */
type StepUpRequester = { readonly user_id: UserId; readonly session_id: SessionId; readonly weakens: boolean }

/**
 * Builds the condition on verified step-ups: their proof is good for such a request. A mailed code is not, for one that
 * weakens, while its person has a factor; but after a sign-in by a recovery code, which people keep for its loss.
 */
export const isGoodFor = ({ user_id, session_id, weakens }: StepUpRequester): Fragment =>
  weakens
    ? sql`(factor <> 'messaging_code' or delivery <> 'email' or not ${hasFactor(user_id)}
        or ${isSignedInBy(session_id, BY_RECOVERY)})`
    : sql`true`

/**
 * Finds where a code for the request goes. Refuses `forbidden` if it would be mailed to a session that has proved
 * nothing but that mailbox. Undefined if a mailed code does not stand in for the factor that the person has: it does in
 * a session that was signed in to by a factor, and for what weakens only by a recovery code.
 */
export async function findCodeRecipient(tx: Transaction, asking: StepUpRequester): Promise<CodeRecipient | undefined> {
  const { user_id: userId, session_id: sessionId, weakens } = asking
  const to = await codeRecipient(tx, userId)
  if (to.channel === 'message') return to
  await requireMoreThanMailbox(tx, sessionId, weakens)
  const [stands] = await tx<{ in: boolean }[]>`
    select not ${hasFactor(userId)} or ${isSignedInBy(sessionId, weakens ? BY_RECOVERY : BY_FACTOR)} as in`
  return stands?.in ? to : undefined
}
