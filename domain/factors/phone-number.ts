/** Phone numbers of a person: added with a code, and where messaging codes go once they count. */
import * as v from 'valibot'
import { enteredCode } from './entered-code.ts'
import { model, opaque, timestamp } from '../text.ts'

export const PHONE_NUMBERS_MAX = 5
const ENTERED_CHARACTERS_MAX = 64

const entered = opaque(1, ENTERED_CHARACTERS_MAX)

/** ITU-T E.164, with the plus sign. */
const e164 = v.pipe(v.string(), v.regex(/^\+[1-9][0-9]{6,14}$/, 'must be a number like +12133734253'))

export const NewPhoneNumber = model('NewPhoneNumber', { e164: entered })

export const PhoneCodeSent = model('PhoneCodeSent', { status: v.literal('code_sent'), e164, expires_at: timestamp })
export type PhoneCodeSent = v.InferOutput<typeof PhoneCodeSent>

export const PhoneNumberConfirmation = model('PhoneNumberConfirmation', { e164: entered, code: enteredCode })
export type PhoneNumberConfirmation = v.InferOutput<typeof PhoneNumberConfirmation>

export const PhoneNumberParams = v.object({ e164 })
