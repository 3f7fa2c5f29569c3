/** Adding an authenticator while signed in, with its own code and a messaging code. */
import { type NewAuthenticator, enrol, newAuthenticator, stepOf } from './authenticators.ts'
import { type CodePurpose, codeRecipient, countWrongTry, sendCode, takeLimited } from './messaging-codes.ts'
import type { Origin, Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { CHALLENGE_MINUTES } from '../../domain/sign-in/sign-in.ts'
import { by } from '../people/security-log.ts'
import { lockOwnDevice } from '../people/sessions.ts'
import { type Transaction, transaction } from '../sql.ts'

const purposeOf = (person: Person): CodePurpose => ({
  userId: person.userId,
  purpose: 'totp_setup',
  subject: person.sessionId,
})

/**
 * Creates the secret, which only this answer shows, and sends the messaging code. An earlier setup is void. Refuses
 * `totp_already_enabled`.
 */
export function beginSetup(person: Person): Promise<Pick<NewAuthenticator, 'uri' | 'secret_encoded'>> {
  return transaction(async (tx) => {
    const [who] = await tx<{ email: string; enabled: boolean }[]>`
      select p.email, a.user_id is not null as enabled
      from people p left join authenticators a on a.user_id = p.id where p.id = ${person.userId}`
    if (!who) throw new Error('a session without a person')
    if (who.enabled) refuse('totp_already_enabled')
    const { uri, secret_encoded, sealed } = newAuthenticator(who.email)
    await tx`
      insert into authenticator_setups (user_id, session_id, secret, expires_at)
      values (${person.userId}, ${person.sessionId}, ${sealed},
        business_now() + make_interval(mins => ${CHALLENGE_MINUTES}))
      on conflict (user_id) do update
      set session_id = excluded.session_id, secret = excluded.secret, expires_at = excluded.expires_at`
    await sendCode(tx, purposeOf(person), await codeRecipient(tx, person.userId))
    return { uri, secret_encoded }
  })
}

export type SetupCodes = { readonly code: string; readonly messaging_code: string }

/**
 * Adds the authenticator if both codes are right. Refuses `code_invalid` if one of them is wrong, which is counted
 * (five wrong tries end the setup), and `invalid_state` if this session began no setup or its ten minutes are over.
 */
export async function completeSetup(person: Person, codes: SetupCodes, origin: Origin): Promise<void> {
  const outcome = await transaction((tx) => prove(tx, person, codes, origin))
  if (outcome !== 'done') refuse('code_invalid', { remaining_attempts: outcome.remaining })
}

async function prove(
  tx: Transaction,
  person: Person,
  { code, messaging_code }: SetupCodes,
  origin: Origin,
): Promise<'done' | { remaining: number }> {
  await lockOwnDevice(tx, person)
  const [setup] = await tx<{ secret: Buffer }[]>`
    select secret from authenticator_setups
    where user_id = ${person.userId} and session_id = ${person.sessionId} and expires_at > business_now() for update`
  if (!setup) refuse('invalid_state', { current: 'none', allowed: ['setup'], reason: 'no_setup_under_way' })
  const step = await stepOf(setup.secret, code)
  if (step === null) return { remaining: await countWrongTry(tx, purposeOf(person)) }
  const sent = await takeLimited(tx, purposeOf(person), messaging_code)
  if (!sent.right) return { remaining: sent.remaining }
  if (!(await enrol(tx, person.userId, { sealed: setup.secret, step, by: by(person, origin) })))
    refuse('totp_already_enabled')
  await tx`delete from authenticator_setups where user_id = ${person.userId}`
  return 'done'
}
