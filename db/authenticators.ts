/** Authenticator apps: time-based codes (RFC 6238: SHA-1, 30 seconds, 6 digits), each taken once. */
import { verify } from 'otplib'
import type postgres from 'postgres'
import type { UserId } from './model/ids.ts'
import { open, seal } from './secrets.ts'
import { sql } from './sql.ts'

const STEP_SECONDS = 30 // one step either side is accepted, for clocks that are a little off

/** Gives a person an authenticator with a base32 secret, which is stored sealed; a second one is an error. */
export async function addAuthenticator(userId: UserId, secretBase32: string): Promise<void> {
  await sql`insert into authenticators (user_id, secret) values (${userId}, ${seal(Buffer.from(secretBase32))})`
}

/**
 * Takes a code: true once for a code that is right now by the system's clock (the person's app knows no business time),
 * false for a wrong, old or taken one and for whoever has no authenticator. It is taken if the transaction commits; of
 * transactions that take it at once, one succeeds. Sign-in and step-up share this.
 */
export async function takeCode(tx: postgres.TransactionSql, userId: UserId, code: string): Promise<boolean> {
  const digits = code.replaceAll(/\s/g, '')
  if (!/^[0-9]{6}$/.test(digits)) return false
  const [authenticator] = await tx<{ secret: Buffer }[]>`select secret from authenticators where user_id = ${userId}`
  if (!authenticator) return false
  const secret = open(authenticator.secret).toString()
  const result = await verify({ secret, token: digits, epochTolerance: STEP_SECONDS })
  if (!result.valid || !('timeStep' in result)) return false
  const taken = await tx`
    update authenticators set last_step = ${result.timeStep}
    where user_id = ${userId} and last_step < ${result.timeStep} returning user_id`
  return taken.length === 1
}
