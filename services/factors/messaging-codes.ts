/** Messaging codes: six digits sent to a person, good for ten minutes, for one purpose, against five tries. */
import { randomInt, timingSafeEqual } from 'node:crypto'
import { config } from '../../platform/config.ts'
import { Refusal } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import { CHALLENGE_MINUTES, CODE_ATTEMPTS_MAX } from '../../domain/sign-in/sign-in.ts'
import { unlink } from '../../domain/text.ts'
import { countCodeSent, withWrongCodeLimit } from '../rate-limits.ts'
import { decrypt, encrypt } from '../../platform/encryption.ts'
import { sendMessage } from '../messages/messages.ts'
import { type Fragment, type Transaction, sql } from '../../db/postgres/sql.ts'

/** Purpose of a code: setting up an authenticator, confirming a phone number, proving a step-up. */
export type CodePurpose = { readonly userId: UserId; readonly purpose: 'totp_setup' | 'phone_number' | 'step_up' } & {
  /** The session that sets up, the number, the step-up. */
  readonly subject: string
  /** The thing that the code releases, in words, so that it is not given away for another one. */
  readonly about?: string | null
}

export type CodeRecipient = Pick<NewMessage, 'recipient' | 'channel'>

export const CODE_MINUTES = CHALLENGE_MINUTES

/** Sends a fresh code, voids an earlier one, and returns when it expires. */
export async function sendCode(tx: Transaction, code: CodePurpose, to: CodeRecipient): Promise<string> {
  await countCodeSent(tx, code.userId, code.purpose === 'phone_number' ? to.recipient : null)
  const digits = String(randomInt(0, 1_000_000)).padStart(6, '0')
  const [sent] = await tx<{ expires_at: string }[]>`
    insert into messaging_codes (user_id, purpose, subject, code, expires_at)
    values (${code.userId}, ${code.purpose}, ${code.subject}, ${encrypt(Buffer.from(digits))},
      business_now() + make_interval(mins => ${CODE_MINUTES}))
    on conflict (user_id, purpose, subject) do update
    set code = excluded.code, attempts = 0, expires_at = excluded.expires_at
    returning expires_at`
  if (!sent) throw new Error('the code was not written')
  await sendMessage(tx, {
    ...to,
    mail: {
      subject: SUBJECTS[code.purpose],
      paragraphs: [
        `Your code is ${digits}. It is good for ${CODE_MINUTES} minutes.`,
        'Nobody of ours ever asks you for it.',
      ],
      facts: code.about ? [['It confirms this', unlink(code.about)]] : [],
      code: digits,
      footer: [
        'You receive this mail because a code was asked for with your account. It has no link on purpose.',
        'If you did not ask for it, give it to no one, change your password and end your other sessions.',
      ],
    },
    minutes: CODE_MINUTES,
  })
  return sent.expires_at
}

const SUBJECTS = {
  totp_setup: 'Your code to set up an authenticator',
  phone_number: 'Your code to confirm this phone number',
  step_up: 'Your code to confirm that it is you',
} as const

/** Selects the oldest number of the person that codes go to; null if none counts. */
export const countingNumber = (userId: UserId): Fragment => sql`
  (select n.e164 from phone_numbers n where n.user_id = ${userId} and n.codes_from <= business_now()
    order by n.confirmed_at, n.e164 limit 1)`

/** Finds where the person's codes go: the oldest phone number that counts; the mail if there is no messenger. */
export async function codeRecipient(tx: Transaction, userId: UserId): Promise<CodeRecipient> {
  const [to] = await tx<{ email: string; e164: string | null }[]>`
    select p.email, ${countingNumber(userId)} as e164 from people p where p.id = ${userId}`
  if (!to) throw new Error('a code for nobody')
  return to.e164 && config.partners.messenger
    ? { recipient: to.e164, channel: 'message' }
    : { recipient: to.email, channel: 'email' }
}

type CodeCheck = { readonly right: true } | { readonly right: false; readonly remaining: number }

/** Takes a code: right once. The try of a wrong one stays counted only if the transaction commits. */
export async function takeMessagingCode(
  tx: Transaction,
  { userId, purpose, subject }: CodePurpose,
  entered: string,
): Promise<CodeCheck> {
  const [sent] = await tx<{ id: string; code: Buffer; attempts: number }[]>`
    select id, code, attempts from messaging_codes
    where user_id = ${userId} and purpose = ${purpose} and subject = ${subject} and expires_at > business_now()
    for update`
  if (!sent || sent.attempts >= CODE_ATTEMPTS_MAX) return { right: false, remaining: 0 }
  if (same(decrypt(sent.code).toString(), entered.replaceAll(/\s/g, ''))) {
    await tx`delete from messaging_codes where id = ${sent.id}`
    return { right: true }
  }
  await tx`update messaging_codes set attempts = attempts + 1 where id = ${sent.id}`
  return { right: false, remaining: CODE_ATTEMPTS_MAX - sent.attempts - 1 }
}

/** Takes a code of a signed-in person; refuses `rate_limited` past their wrong codes of an hour, for any purpose. */
export async function takeLimited(tx: Transaction, code: CodePurpose, entered: string): Promise<CodeCheck> {
  let check: CodeCheck = { right: false, remaining: 0 }
  await withWrongCodeLimit(tx, code.userId, 'session', async () => {
    check = await takeMessagingCode(tx, code, entered)
    return check.right
  })
  return check
}

/** The refusal of a wrong code: returned from a command, so that its try stays counted. */
export const wrongCode = (remaining: number): Refusal => new Refusal('code_invalid', { remaining_attempts: remaining })

/** Counts a wrong try of a proof that is asked together with the code; returns how many are left. */
export async function countWrongTry(tx: Transaction, { userId, purpose, subject }: CodePurpose): Promise<number> {
  const [counted] = await tx<{ attempts: number }[]>`
    update messaging_codes set attempts = attempts + 1
    where user_id = ${userId} and purpose = ${purpose} and subject = ${subject} returning attempts`
  return Math.max(0, CODE_ATTEMPTS_MAX - (counted?.attempts ?? CODE_ATTEMPTS_MAX))
}

/** Compares in the same time wherever they differ. */
function same(expected: string, entered: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(entered)]
  return left.length === right.length && timingSafeEqual(left, right)
}
