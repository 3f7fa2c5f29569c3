/** References by which payments and payers are known again in files of a bank. */
import { remainderBy97 } from '../check-digits.ts'
import { isUuid } from '../ids.ts'

/** Makes the end-to-end id of a payment, and the message id of a file: a UUID in 32 characters. */
export const fileIdOf = (id: string): string => id.replaceAll('-', '')

/** Names a file at the bank by its message id. */
export const fileNameOf = (messageId: string): string => `pain001-${messageId}.xml`

const HEX = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

/** Reads the UUID of an id that a bank repeats, in any case; null for one that is not ours. */
export function uuidOfFileId(text: string | null): string | null {
  const id = text?.trim().toLowerCase().replaceAll('-', '').replace(HEX, '$1-$2-$3-$4-$5') ?? ''
  return isUuid(id) ? id : null
}

const RADIX = 36
/** Characters of our references beside `RF` and the check digits. */
const REFERENCE_CHARACTERS = 16

/** Makes the creditor reference of a receiving account (ISO 11649): the same for ever. */
export function creditorReferenceOf(id: string): string {
  const number = BigInt(`0x${fileIdOf(id)}`) % BigInt(RADIX) ** BigInt(REFERENCE_CHARACTERS)
  const body = number.toString(RADIX).toUpperCase().padStart(REFERENCE_CHARACTERS, '0')
  const digits = 98 - remainderBy97(`${body}RF00`)
  return `RF${String(digits).padStart(2, '0')}${body}`
}

const REFERENCE = /RF\d\d[0-9A-Z]{16}/g

/** Finds references like ours in what a payer wrote, with blanks or without. */
export function findCreditorReference(text: string | null): string | null {
  const signs = (text ?? '').toUpperCase().replace(/[^0-9A-Z]/g, '')
  for (let at = signs.indexOf('RF'); at >= 0; at = signs.indexOf('RF', at + 1)) {
    const [found] = signs.slice(at, at + REFERENCE_CHARACTERS + 4).match(REFERENCE) ?? []
    if (found && remainderBy97(found.slice(4) + found.slice(0, 4)) === 1) return found
  }
  return null
}
