/** Sign-in: the password first, then, where the person has an authenticator, its code. */
import { v7 } from 'uuid'
import { takeCode } from './authenticators.ts'
import { refuse } from './model/errors.ts'
import { type DeviceId, type UserId, isUuid } from './model/ids.ts'
import { CHALLENGE_MINUTES, CODE_ATTEMPTS_MAX, type Mfa, type SignIn } from './model/sign-in.ts'
import { verifyPassword } from './passwords.ts'
import { newToken, tokenHash } from './secrets.ts'
import { openSession } from './sessions.ts'
import { first, sql, transaction } from './sql.ts'

export type SignedIn = { status: 'authenticated'; token: string; device_id: DeviceId; userId: UserId }
export type SignInOutcome = SignedIn | { status: 'mfa_required'; challenge_token: string; device_id: DeviceId }
export type MfaOutcome = SignedIn | { status: 'mfa_failed' } | { status: 'challenge_expired' }

/**
 * Compares exactly one password, whatever the account. Refuses `invalid_credentials` alike for a wrong address and a wrong
 * password, and `email_not_confirmed` to the right password of a sign-up that waits for its confirmation.
 */
export async function signIn({ email, password, device_id }: SignIn): Promise<SignInOutcome> {
  const account = await findAccount(email, device_id)
  const right = await verifyPassword(account?.password_hash ?? null, password)
  if (!account || !right) refuse('invalid_credentials')
  const { user_id: userId } = account
  if (!userId) refuse('email_not_confirmed')
  return account.authenticator ? challenge(userId, account.device_id) : begin(userId, account.device_id)
}

type Account = {
  user_id: UserId | null
  password_hash: string | null
  authenticator: boolean
  device_id: DeviceId | null
}

/** The person of an address, or its latest sign-up; always one row, so that all addresses cost the same. */
function findAccount(email: string, device: string | null | undefined): Promise<Account | undefined> {
  return first(sql<Account[]>`
    select p.id as user_id, coalesce(p.password_hash, s.password_hash) as password_hash,
      a.user_id is not null as authenticator, d.id as device_id
    from (select ${email}::text as email) asked
    left join people p on p.email = asked.email
    left join authenticators a on a.user_id = p.id
    left join devices d on d.user_id = p.id and d.id = ${isUuid(device) ? device : null}
    left join lateral (select password_hash from sign_ups
      where email = asked.email and used_at is null and p.id is null order by inserted_at desc limit 1) s on true`)
}

async function begin(userId: UserId, device: DeviceId | null): Promise<SignedIn> {
  const { token, deviceId } = await transaction((tx) => openSession(tx, userId, device))
  return { status: 'authenticated', token, device_id: deviceId, userId }
}

/** The device is named now and recorded when the code was right: a password alone leaves no device behind. */
async function challenge(userId: UserId, known: DeviceId | null): Promise<SignInOutcome> {
  const token = newToken()
  const deviceId = known ?? (v7() as DeviceId) // the id of a row to come
  await sql`
    insert into sign_in_challenges (token_hash, user_id, device_id, expires_at)
    values (${tokenHash(token)}, ${userId}, ${deviceId}, business_now() + make_interval(mins => ${CHALLENGE_MINUTES}))`
  return { status: 'mfa_required', challenge_token: token, device_id: deviceId }
}

type Challenge = { user_id: UserId; device_id: DeviceId; attempts: number; over: boolean }

/**
 * Completes a sign-in with a code. The challenge token works once and for ten minutes, else `challenge_expired`; a wrong
 * or taken code is `mfa_failed`, and after five wrong ones so is a right one. Tries at once are counted one by one.
 */
export function completeSignIn({ challenge_token, code }: Mfa): Promise<MfaOutcome> {
  const hash = tokenHash(challenge_token)
  return transaction(async (tx): Promise<MfaOutcome> => {
    const [found] = await tx<Challenge[]>`
      select user_id, device_id, attempts, used_at is not null or expires_at <= business_now() as over
      from sign_in_challenges where token_hash = ${hash} for update`
    if (!found || found.over) return { status: 'challenge_expired' }
    if (found.attempts >= CODE_ATTEMPTS_MAX) return { status: 'mfa_failed' }
    if (!(await takeCode(tx, found.user_id, code))) {
      await tx`update sign_in_challenges set attempts = attempts + 1 where token_hash = ${hash}`
      return { status: 'mfa_failed' }
    }
    await tx`update sign_in_challenges set used_at = business_now() where token_hash = ${hash}`
    const { token, deviceId } = await openSession(tx, found.user_id, found.device_id)
    return { status: 'authenticated', token, device_id: deviceId, userId: found.user_id }
  })
}
