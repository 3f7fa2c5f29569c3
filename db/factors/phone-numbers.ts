/** A person's phone numbers: confirmed by a code, and where messaging codes go once they count. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { type CodePurpose, sendCode, takeLimited } from './messaging-codes.ts'
import { config } from '../../platform/config.ts'
import type { Origin, Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import {
  PHONE_NUMBERS_MAX,
  type PhoneCodeSent,
  type PhoneNumberConfirmation,
} from '../../domain/factors/phone-number.ts'
import { JUST_SIGNED_IN_MINUTES } from '../../domain/sign-in/sign-in.ts'
import { notify } from '../messages/account-notices.ts'
import { lockPerson } from '../people/people.ts'
import { by, recordSecurityEvent } from '../people/security-log.ts'
import { type SignInMethod, lockOwnDevice } from '../people/sessions.ts'
import { type Transaction, sql, transaction } from '../sql.ts'

/** Ways in that prove the mailbox, or a factor beside the password. */
const PROVEN_BY: readonly SignInMethod[] = ['sign_up', 'totp', 'recovery_code', 'passkey']

/**
 * Sends a code to a number that the person says is theirs; an earlier code for it is void. Refuses `invalid_request`
 * for what is no number that can be dialled, `invalid_state` for one that is confirmed already, and
 * `unprocessable_entity` for a sixth number, and for any if nobody delivers messages to phones.
 */
export function sendPhoneCode({ userId }: Person, entered: string): Promise<PhoneCodeSent> {
  const e164 = toE164(entered)
  if (!config.partners.messenger) refuse('unprocessable_entity', { reason: 'no_messenger' })
  return transaction(async (tx): Promise<PhoneCodeSent> => {
    await lockPerson(tx, userId)
    const known = await tx<{ e164: string; confirmed: boolean }[]>`
      select e164, confirmed_at is not null as confirmed from phone_numbers where user_id = ${userId}`
    const same = known.find((number) => number.e164 === e164)
    if (same?.confirmed) refuse('invalid_state', { current: 'confirmed', allowed: ['unconfirmed'] })
    if (!same && known.length >= PHONE_NUMBERS_MAX) {
      refuse('unprocessable_entity', { reason: 'too_many_phone_numbers', limit: PHONE_NUMBERS_MAX })
    }
    if (!same) await tx`insert into phone_numbers (user_id, e164) values (${userId}, ${e164})`
    const code = codeFor(userId, e164)
    await sendCode(tx, code, { recipient: e164, channel: 'message' })
    const [sent] = await tx<{ expires_at: string }[]>`
      select expires_at from messaging_codes
      where user_id = ${userId} and purpose = ${code.purpose} and subject = ${e164}`
    if (!sent) throw new Error('the code that was just sent is gone')
    return { status: 'code_sent', e164, expires_at: sent.expires_at }
  })
}

/**
 * Confirms a number with its code. Messaging codes go there only if this session has proved who it is (an open step-up
 * window, or within ten minutes of a sign-in by the mail of a sign-up or by a second factor), else they go on to the
 * mail address: whoever knows only the password cannot turn them to a phone of their own. The person is told by mail.
 * Refuses 422 `code_invalid` with `details.remaining_attempts`; a wrong try stays counted.
 */
export async function confirmPhoneNumber(
  person: Person,
  entered: PhoneNumberConfirmation,
  origin: Origin,
): Promise<void> {
  const e164 = toE164(entered.e164)
  const { userId } = person
  const check = await transaction(async (tx) => {
    await lockOwnDevice(tx, person)
    const check = await takeLimited(tx, codeFor(userId, e164), entered.code)
    if (!check.right) return check
    const codesGoThere = await markConfirmed(tx, person, e164)
    await recordSecurityEvent(tx, { ...by(person, origin), type: 'phone_number.added', details: tailOf(e164) })
    await notify(tx, userId, {
      subject: 'A phone number was added',
      body: `The phone number ${e164} was added to your account. ${WHERE_CODES_GO[String(codesGoThere)]}`,
    })
    return check
  })
  // refused here, so that the count of the wrong try is not undone
  if (!check.right) refuse('code_invalid', { remaining_attempts: check.remaining })
}

const WHERE_CODES_GO: Readonly<Record<string, string>> = {
  true: 'Codes are sent to it from now on.',
  false: 'Codes go on to this address: for them to be sent there, add the number again after a step-up.',
}

async function markConfirmed(tx: Transaction, person: Person, e164: string): Promise<boolean> {
  const [confirmed] = await tx<{ codes_go_there: boolean }[]>`
    update phone_numbers set confirmed_at = business_now(),
      codes_from = case when exists (select from step_ups
          where session_id = ${person.sessionId} and mode = 'window' and status = 'verified'
            and expires_at > business_now())
          or exists (select from sessions s join security_events e on e.session_id = s.id
          where s.id = ${person.sessionId} and e.user_id = ${person.userId} and e.type = 'sign_in.succeeded'
            and e.details ->> 'method' in ${sql(PROVEN_BY)}
            and s.signed_in_at > business_now() - make_interval(mins => ${JUST_SIGNED_IN_MINUTES}))
        then business_now() end
    where user_id = ${person.userId} and e164 = ${e164} and confirmed_at is null
    returning codes_from is not null as codes_go_there`
  if (!confirmed) throw new Error('a code was right for a number that awaits none')
  return confirmed.codes_go_there
}

/** Takes a number away from the person, with the code that was sent to confirm it; refuses `not_found`. */
export function removePhoneNumber(person: Person, e164: string, origin: Origin): Promise<void> {
  const { userId } = person
  return transaction(async (tx) => {
    await lockPerson(tx, userId)
    const [removed] = await tx<{ confirmed: boolean }[]>`
      delete from phone_numbers where user_id = ${userId} and e164 = ${e164}
      returning confirmed_at is not null as confirmed`
    if (!removed) refuse('not_found')
    const { purpose, subject } = codeFor(userId, e164)
    await tx`delete from messaging_codes where user_id = ${userId} and purpose = ${purpose} and subject = ${subject}`
    if (!removed.confirmed) return
    await recordSecurityEvent(tx, { ...by(person, origin), type: 'phone_number.removed', details: tailOf(e164) })
    await notify(tx, userId, {
      subject: 'A phone number was removed',
      body: `The phone number ${e164} was removed from your account. No more codes are sent to it.`,
    })
  })
}

const codeFor = (userId: UserId, e164: string): CodePurpose => ({ userId, purpose: 'phone_number', subject: e164 })

/** What an event may hold of a number. */
const tailOf = (e164: string) => ({ last_digits: e164.slice(-2) })

/**
 * The number as E.164 writes it. Premium numbers are refused: whoever owns one earns by every code that is sent there.
 */
function toE164(entered: string): string {
  const number = parsePhoneNumberFromString(entered.trim(), { extract: false })
  const usable = number?.isPossible() && number.isValid() && !number.ext && number.getType() !== 'PREMIUM_RATE'
  if (number && usable) return number.number
  const message = 'must be a phone number with its country code, like +12133734253'
  refuse('invalid_request', { errors: [{ path: 'e164', code: 'phone_number', message }] })
}
