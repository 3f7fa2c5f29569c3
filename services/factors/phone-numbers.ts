/** A person's phone numbers: confirmed by a code, and where messaging codes go once they count. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Person } from '../../domain/people/actor.ts'
import { type Refusal, refuse } from '../../domain/errors.ts'
import {
  PHONE_NUMBERS_MAX,
  type PhoneCodeSent,
  type PhoneNumberConfirmation,
} from '../../domain/factors/phone-number.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Me } from '../../domain/people/person.ts'
import { config } from '../../platform/config.ts'
import { notify, notifyEverywhere } from '../messages/account-notices.ts'
import { findMe, lockPerson } from '../people/people.ts'
import { type Command, by, recordSecurityEvent } from '../people/security-log.ts'
import { lockOwnDevice } from '../people/sessions.ts'
import { type Transaction, first, sql } from '../../db/postgres/sql.ts'
import { type CodePurpose, sendCode, takeLimited, wrongCode } from './messaging-codes.ts'

/** Sends a code to a number that the person claims, and voids an earlier code for it. */
export async function sendPhoneCode(tx: Transaction, { userId }: Person, entered: string): Promise<PhoneCodeSent> {
  const e164 = toE164(entered)
  if (!config.partners.messenger) refuse('unprocessable_entity', { reason: 'no_messenger' })
  await lockPerson(tx, userId)
  const known = await tx<{ e164: string; confirmed: boolean }[]>`
    select e164, confirmed_at is not null as confirmed from phone_numbers where user_id = ${userId}`
  const same = known.find((number) => number.e164 === e164)
  if (same?.confirmed) refuse('invalid_state', { current: 'confirmed', allowed: ['unconfirmed'] })
  if (!same && known.length >= PHONE_NUMBERS_MAX) {
    refuse('unprocessable_entity', { reason: 'too_many_phone_numbers', limit: PHONE_NUMBERS_MAX })
  }
  if (!same) await tx`insert into phone_numbers (user_id, e164) values (${userId}, ${e164})`
  const expires_at = await sendCode(tx, codeFor(userId, e164), { recipient: e164, channel: 'message' })
  return { status: 'code_sent', e164, expires_at }
}

type ConfirmCommand = Command<{ readonly body: PhoneNumberConfirmation }>

/**
 * Confirms a number with its code: messaging codes go there from now on. The caller has proved who they are. Answers the
 * refusal of a wrong code, whose try stays counted if the transaction commits.
 */
export async function confirmPhoneNumber({ tx, person, body, origin }: ConfirmCommand): Promise<Me | Refusal> {
  const e164 = toE164(body.e164)
  await lockOwnDevice(tx, person)
  const check = await takeLimited(tx, codeFor(person.userId, e164), body.code)
  if (!check.right) return wrongCode(check.remaining)
  await markConfirmed(tx, person, e164)
  await recordSecurityEvent(tx, { ...by(person, origin), type: 'phone_number.added', details: tailOf(e164) })
  await notify(tx, person.userId, {
    subject: 'A phone number was added',
    body: `The phone number ${e164} was added to your account. Codes are sent to it from now on.`,
  })
  return findMe(person.userId, tx)
}

async function markConfirmed(tx: Transaction, { userId }: Person, e164: string): Promise<void> {
  const confirmed = await tx`
    update phone_numbers set confirmed_at = business_now(), codes_from = business_now()
    where user_id = ${userId} and e164 = ${e164} and confirmed_at is null returning e164`
  if (confirmed.length === 0) throw new Error('a code was right for a number that awaits none')
}

/** Tells if a number of the person is confirmed; refuses `not_found` for one that they do not have. */
export async function isConfirmedNumber(userId: UserId, e164: string): Promise<boolean> {
  const number = await first(sql<{ confirmed: boolean }[]>`
    select confirmed_at is not null as confirmed from phone_numbers where user_id = ${userId} and e164 = ${e164}`)
  return (number ?? refuse('not_found')).confirmed
}

type RemoveCommand = Command<{ readonly params: { readonly e164: string }; readonly confirmed: boolean }>

/**
 * Removes a number of the person, with the code that was sent to confirm it; refuses `not_found`, also if it was
 * confirmed meanwhile. Of a confirmed one it writes to every address and number.
 */
export async function removePhoneNumber({ tx, person, params, confirmed, origin }: RemoveCommand): Promise<Me> {
  const { userId } = person
  const { e164 } = params
  await lockOwnDevice(tx, person)
  const which = sql`user_id = ${userId} and e164 = ${e164} and (confirmed_at is not null) = ${confirmed}`
  const found = await tx`select from phone_numbers where ${which}`
  if (found.length === 0) refuse('not_found')
  if (confirmed) {
    await recordSecurityEvent(tx, { ...by(person, origin), type: 'phone_number.removed', details: tailOf(e164) })
    await notifyEverywhere(tx, userId, {
      subject: 'A phone number was removed',
      body: `The phone number ${e164} was removed from your account. No more codes are sent to it. If that was not you, change your password and write to us at once.`,
    })
  }
  await tx`delete from phone_numbers where ${which}`
  const { purpose, subject } = codeFor(userId, e164)
  await tx`delete from messaging_codes where user_id = ${userId} and purpose = ${purpose} and subject = ${subject}`
  return findMe(userId, tx)
}

const codeFor = (userId: UserId, e164: string): CodePurpose => ({ userId, purpose: 'phone_number', subject: e164 })

const tailOf = (e164: string) => ({ last_digits: e164.slice(-2) })

/** Writes the number as E.164; refuses premium numbers, whose owner earns by every code that is sent there. */
function toE164(entered: string): string {
  const number = parsePhoneNumberFromString(entered.trim(), { extract: false })
  const usable = number?.isPossible() && number.isValid() && !number.ext && number.getType() !== 'PREMIUM_RATE'
  if (number && usable) return number.number
  const message = 'must be a phone number with its country code, like +12133734253'
  refuse('invalid_request', { errors: [{ path: 'e164', code: 'phone_number', message }] })
}
