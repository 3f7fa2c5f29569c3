/** Receipts: their lines, in letters that the fonts have. */
import type { Money } from '../money/money.ts'
import { isZero, subtract } from '../money/money.ts'
import type { Rail } from '../rails.ts'

export type Receipt = {
  readonly id: string
  readonly status: 'succeeded' | 'reversed'
  readonly rail: Rail
  readonly payer: string
  readonly payee: string
  /** End of the account, or the service ID. */
  readonly account: string | null
  readonly account_holder: string | null
  readonly deducting: Money
  readonly landing: Money
  readonly fee: Money
  readonly rate: string | null
  readonly description: string
  /** Reference of the partner. */
  readonly reference: string | null
  readonly transaction_id: string | null
  readonly created_at: string
  readonly paid_at: string | null
  /** Instant of the reversal, which gives back all but the fee. */
  readonly reversed_at: string | null
}

export type Line = { readonly label: string; readonly value: string }

const STATUS = { succeeded: 'Paid', reversed: 'Paid, and returned later' } as const
const RAIL: Readonly<Record<Rail, string>> = { fiat: 'Bank transfer', crypto: 'Blockchain', svc_id: 'Service ID' }

/** Lists the lines of a receipt in their order, without those that have no value. */
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
    ['Returned', receipt.reversed_at && describeReturn(receipt)],
    ['Reference', receipt.reference],
    ['Payment', receipt.id],
    ['Transaction', receipt.transaction_id],
  ]
  return lines.flatMap(([label, value]) => (value === null ? [] : [{ label, value: writable(value) }]))
}

function describeReturn({ deducting, fee, reversed_at: at }: Receipt): string {
  const words = `${moneyIn(subtract(deducting, fee))}, ${instantIn(at)}`
  return isZero(fee) ? words : `${words}, without the fee`
}

const moneyIn = ({ amount, currency }: Money): string => `${amount} ${currency}`
const instantIn = (instant: string | null): string | null =>
  instant && `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`

const VALUE_MAX = 120
/** Latin, Greek and Cyrillic with their punctuation: the font of receipts has all of it. */
const WRITABLE =
  /^(?:(?![\p{Cn}\p{M}])[ -~\xa0-\u02ff\u0370-\u03e1\u03f0-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20be№™])+$/u

/** Writes a text in letters that the fonts have, cut to the room of a receipt. */
export function writable(text: string): string {
  const whole = inLetters(text)
  return whole.length > VALUE_MAX ? `${whole.slice(0, VALUE_MAX - 1)}…` : whole
}

/** Writes a text in letters that the fonts have: others lose their accents, or become a question mark. */
export function inLetters(text: string): string {
  const folded = Array.from(text.normalize('NFC'), (character) => {
    if (WRITABLE.test(character)) return character
    if (/\s/u.test(character)) return ' '
    const base = character.normalize('NFKD').replaceAll(/\p{M}/gu, '')
    return WRITABLE.test(base) ? base : /\p{M}|\p{C}/u.test(character) ? '' : '?'
  })
  return folded.join('')
}
