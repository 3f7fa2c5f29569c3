/** A receipt: what it says, line by line, in the characters that every reader of PDF has. */
import type { Money } from './money.ts'
import { isZero } from './money.ts'
import type { Rail } from './payment.ts'

export type Receipt = {
  readonly id: string
  readonly status: 'succeeded' | 'reversed'
  readonly rail: Rail
  readonly payer: string
  readonly payee: string
  /** Its end, or the service ID. */
  readonly account: string | null
  readonly account_holder: string | null
  readonly deducting: Money
  readonly landing: Money
  readonly fee: Money
  readonly rate: string | null
  readonly description: string
  /** The partner's own name for it. */
  readonly reference: string | null
  readonly transaction_id: string | null
  readonly created_at: string
  readonly paid_at: string | null
  readonly reversed_at: string | null
}

export type Line = { readonly label: string; readonly value: string }

const STATUS = { succeeded: 'Paid', reversed: 'Paid, and returned later' } as const
const RAIL: Readonly<Record<Rail, string>> = { fiat: 'Bank transfer', crypto: 'Blockchain', svc_id: 'Service ID' }

/** The lines of a receipt in their order; what a payment does not have is left out. */
export function linesOf(receipt: Receipt): Line[] {
  const { deducting, landing, fee, rail } = receipt
  const lines: readonly [string, string | null][] = [
    ['Status', STATUS[receipt.status]],
    ['Payer', receipt.payer],
    ['Payee', receipt.payee],
    ['Account holder', receipt.account_holder],
    [rail === 'svc_id' ? 'Service ID' : rail === 'crypto' ? 'Address' : 'Account', receipt.account],
    ['Paid by', RAIL[rail]],
    ['Deducted', moneyIn(deducting)],
    ['Fee', isZero(fee) ? null : moneyIn(fee)],
    ['Exchange rate', receipt.rate && `1 ${deducting.currency} = ${receipt.rate} ${landing.currency}`],
    ['Delivered', moneyIn(landing)],
    ['Description', receipt.description],
    ['Requested', instantIn(receipt.created_at)],
    ['Paid', instantIn(receipt.paid_at)],
    ['Returned', instantIn(receipt.reversed_at)],
    ['Reference', receipt.reference],
    ['Payment', receipt.id],
    ['Transaction', receipt.transaction_id],
  ]
  return lines.flatMap(([label, value]) => (value === null ? [] : [{ label, value: writable(value) }]))
}

const moneyIn = ({ amount, currency }: Money): string => `${amount} ${currency}`
const instantIn = (instant: string | null): string | null =>
  instant && `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`

const VALUE_MAX = 120
/** Windows-1252 beyond Latin-1: what the standard fonts of PDF can write (ISO 32000-1, annex D). */
const BEYOND_LATIN = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ')
const LETTERS: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i', ħ: 'h', Ħ: 'H' }

/** The text in characters that the standard fonts have: letters without marks that they lack, a question mark for others. */
export function writable(text: string): string {
  const folded = Array.from(text.normalize('NFC'), (character) => {
    if (isWritable(character)) return character
    if (/\s/u.test(character)) return ' '
    const base = LETTERS[character] ?? character.normalize('NFKD').replaceAll(/\p{M}/gu, '')
    return base !== '' && Array.from(base).every(isWritable) ? base : /\p{M}|\p{C}/u.test(character) ? '' : '?'
  })
  const whole = folded.join('')
  return whole.length > VALUE_MAX ? `${whole.slice(0, VALUE_MAX - 1)}…` : whole
}

const isWritable = (character: string): boolean =>
  /^[\x20-\x7e\xa0-\xff]$/.test(character) || BEYOND_LATIN.has(character)
