/** Receipts: what they say, in letters that the fonts have. */
import { type PayeeAddress, addressLines } from '../destinations/payee-address.ts'
import { type Money, groupThousands, isZero, subtract } from '../money/money.ts'
import { type Rail, partnerOf } from '../rails.ts'
import { refundOf } from './returns.ts'

export type Receipt = {
  readonly id: string
  readonly status: 'succeeded' | 'reversed'
  readonly rail: Rail
  /** Connection that moved the money; null by service ID. */
  readonly connection: string | null
  /** It was paid as an instant payment, not by the standard one that may follow. */
  readonly instant: boolean
  readonly payer: string
  readonly payer_address: string | null
  readonly payer_tax_id: string | null
  /** A webp. */
  readonly logo: Uint8Array | null
  readonly payee: string
  /** End of the account, or the service ID. */
  readonly account: string | null
  readonly account_holder: string | null
  /** BIC of the payee's bank. */
  readonly bic: string | null
  readonly payee_address: PayeeAddress | null
  readonly deducting: Money
  readonly landing: Money
  readonly fee: Money
  readonly rate: string | null
  readonly description: string
  /** Number of the bill that was paid. */
  readonly bill_number: string | null
  /** Names of its files; null without any. */
  readonly attachments: string | null
  /** Reference of the partner. */
  readonly reference: string | null
  readonly transaction_id: string | null
  readonly created_at: string
  /** Day of a payment on a date. */
  readonly execute_on: string | null
  readonly paid_at: string | null
  /** Instant of the reversal, which gives back all that came back, but not the fee. */
  readonly reversed_at: string | null
  /** Part of what was delivered that came back; null for all of it, and without a return. */
  readonly returned: Money | null
  /** Event of the settlement, and its hash once it is in the chain of the log. */
  readonly event_id: string | null
  readonly event_hash: string | null
}

type Line = { readonly label: string; readonly value: string }

const STATUS = { succeeded: 'Paid', reversed: 'Paid, and returned later' } as const
const RAIL: Readonly<Record<Rail, string>> = { fiat: 'Bank transfer', crypto: 'Blockchain', svc_id: 'Service ID' }

/** Says how it was paid, and through which connection if its name says more than the rail. */
function meansOf({ rail, connection, instant }: Receipt): string {
  const means = instant ? `Instant ${RAIL[rail].toLowerCase()}` : RAIL[rail]
  const isNamed = rail !== 'svc_id' && connection !== null && connection !== partnerOf(rail)
  return isNamed ? `${means}, through ${connection}` : means
}

const linesOf = (lines: readonly (readonly [string, string | null])[]): Line[] =>
  lines.flatMap(([label, value]) => (value ? [{ label, value: writable(value) }] : []))

/** Lists what identifies a receipt. */
export const headOf = ({ id, status, paid_at: at, created_at: created }: Receipt): Line[] =>
  linesOf([
    ['Status', STATUS[status]],
    ['Paid', instantIn(at ?? created)],
    ['Payment', id],
  ])

/** Describes payer and payee, each by name and what else is known. */
export function partiesOf(receipt: Receipt): Record<'payer' | 'payee', { name: string; rows: string[] }> {
  const { rail, payer_address: address, payer_tax_id: taxId, account_holder: holder, account, bic } = receipt
  const lines = (address ?? '').split(/[\r\n]+/).filter((line) => line.trim())
  const kind = rail === 'svc_id' ? 'Service ID' : rail === 'crypto' ? 'Address' : 'Account'
  const payee = [
    holder !== receipt.payee && holder && `Account holder: ${holder}`,
    account && `${kind} ${account}`,
    bic && `BIC ${bic}`,
    ...(receipt.payee_address ? addressLines(receipt.payee_address) : []),
  ]
  return {
    payer: {
      name: receipt.payer,
      rows: [...lines.slice(0, ADDRESS_LINES), ...(taxId ? [`Tax ID ${taxId}`] : [])].map(writable),
    },
    payee: { name: receipt.payee, rows: payee.flatMap((row) => (row ? [writable(row)] : [])) },
  }
}

/** Lists the amounts: what the payee got, what it cost, and what the payer paid. */
export function amountsOf({ deducting, landing, fee, rate }: Receipt): Line[] {
  return linesOf([
    ['Delivered to the payee', moneyIn(landing)],
    ['Exchange rate', rate && `1 ${deducting.currency} = ${rate} ${landing.currency}`],
    ['Fee', isZero(fee) ? null : moneyIn(fee)],
    ['Deducted from the payer', moneyIn(deducting)],
  ])
}

/** Lists what the payment was for, and how it went. */
export const detailsOf = (receipt: Receipt): Line[] =>
  linesOf([
    ['Description', receipt.description],
    ['Invoice number', receipt.bill_number],
    ['Attachments', receipt.attachments],
    ['Paid by', meansOf(receipt)],
    ['Requested', instantIn(receipt.created_at)],
    ['Requested for', receipt.execute_on],
    ['Returned', receipt.reversed_at && describeReturn(receipt)],
    ['Kept as charges', receipt.returned && describeKept(receipt.landing, receipt.returned)],
    ['Reference', receipt.reference],
    ['Transaction', receipt.transaction_id],
  ])

/** Describes the proof of the payment: its event in the signed log, and the hash (docs/events.md). */
export function verificationOf({ event_id: id, event_hash: hash }: Receipt): string[] {
  if (!id) return []
  const found = `The signed event log of the payer proves this payment: event ${id}.`
  return hash ? [found, `SHA-256 ${hash}`] : [found]
}

function describeReturn({ deducting, fee, landing, returned, reversed_at: at }: Receipt): string {
  const refund = refundOf(subtract(deducting, fee), landing, returned ?? landing)
  const words = `${moneyIn(refund)}, ${instantIn(at)}`
  return isZero(fee) ? words : `${words}, without the fee`
}

const describeKept = (sent: Money, back: Money): string =>
  `${moneyIn(subtract(sent, back))}: ${moneyIn(back)} of ${moneyIn(sent)} came back`

/** Writes an amount for people. */
export const moneyIn = ({ amount, currency }: Money): string => `${groupThousands(amount)} ${currency}`
const instantIn = (instant: string | null): string | null =>
  instant && `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`

const ADDRESS_LINES = 4
const VALUE_MAX = 120
/** Latin, Greek and Cyrillic with their punctuation: the font of receipts has all of it. */
const WRITABLE =
  /^(?:(?![\p{Cn}\p{M}])[ -~\xa0-\u02ff\u0370-\u03e1\u03f0-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20be№™])+$/u

const ASCII = /^[ -~]*$/

/** Writes a text in letters that the fonts have, cut to the room of a receipt. */
export function writable(text: string): string {
  const whole = inLetters(text)
  return whole.length > VALUE_MAX ? `${whole.slice(0, VALUE_MAX - 1)}…` : whole
}

/** Writes a text in letters that the fonts have: others lose their accents, or become a question mark. */
export function inLetters(text: string): string {
  if (ASCII.test(text)) return text
  const folded = Array.from(text.normalize('NFC'), (character) => {
    if (WRITABLE.test(character)) return character
    if (/\s/u.test(character)) return ' '
    const base = character.normalize('NFKD').replaceAll(/\p{M}/gu, '')
    return WRITABLE.test(base) ? base : /\p{M}|\p{C}/u.test(character) ? '' : '?'
  })
  return folded.join('')
}
