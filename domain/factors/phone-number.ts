/** Phone numbers of a person: added with a code, and where messaging codes go once they count. */
import * as v from 'valibot'
import { enteredCode } from '../sign-in/sign-in.ts'
import { opaque, timestamp } from '../text.ts'

export const PHONE_NUMBERS_MAX = 5
/** So long a new number gets no codes, unless the session that added it had proved who it is. */

const ENTERED_CHARACTERS_MAX = 64

/** As a person types it, with the country code; spaces, hyphens and brackets do not count. */
const entered = opaque(1, ENTERED_CHARACTERS_MAX)

/** A number as ITU-T E.164 writes it, with the plus sign: the way it is answered. */
const e164 = v.pipe(v.string(), v.regex(/^\+[1-9][0-9]{6,14}$/, 'must be a number like +12133734253'))

/** Body of POST /me/phone-numbers. */
export const NewPhoneNumber = v.object({ e164: entered })

/** Answer of it: to which number a code was sent, and until when that is good. */
export const PhoneCodeSent = v.object({ status: v.literal('code_sent'), e164, expires_at: timestamp })
export type PhoneCodeSent = v.InferOutput<typeof PhoneCodeSent>

/** Body of POST /me/phone-numbers/confirm. */
export const PhoneNumberConfirmation = v.object({ e164: entered, code: enteredCode })
export type PhoneNumberConfirmation = v.InferOutput<typeof PhoneNumberConfirmation>

export const PhoneNumberParams = v.object({ e164 })
