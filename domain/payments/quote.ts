/** Quotes: what a payment would deduct and deliver, exact in whole minor units. */
import * as v from 'valibot'
import { newLabels } from '../coding/label.ts'
import { PayeeAddress } from '../destinations/payee-address.ts'
import { isCoin, SVC_ID_CURRENCY } from '../money/currencies.ts'
import { REFUSALS, refuse } from '../errors.ts'
import { NewExternalEntries } from '../external.ts'
import { LimitStanding } from '../period.ts'
import { type Fee, type FeeTable, deductingFor, feesOf } from '../money/fees.ts'
import { id } from '../ids.ts'
import { Money, add, canonicalMoney, fromMinor, subtract, toMinor } from '../money/money.ts'
import { TAGS } from '../contacts/contact.ts'
import { PayeeCheck } from '../payee-checks/payee-check.ts'
import { ScheduleEntries } from './schedule.ts'
import { PaceChoice, PaceEntries } from './speed.ts'
import { exchange, exchangeFor } from '../money/rates.ts'
import { model, AnswerMoney, integer, line, maybe, nullableText, text, timestamp, uuid, describe } from '../text.ts'
import { type Rail, RAILS } from '../rails.ts'

export const QUOTE_MINUTES = 15
/** A longer promise of a rate would be an option: late approvers could choose by what the market did since. */
export const RATE_MINUTES = 60
export const SIDES = ['deducting', 'landing'] as const
export type Side = (typeof SIDES)[number]
export type Tag = (typeof TAGS)[number]

/** Body of POST /payments/preflight. */
export const NewQuote = model('NewQuote', {
  payment_contact_id: id<'payment_contact'>(),
  destination_id: v.optional(v.nullable(id<'payment_destination'>())),
  amount: describe(Money, 'Amount of the side that is fixed.'),
  side: describe(v.picklist(SIDES), 'Side that `amount` fixes: `deducting` or `landing`.'),
  tag: v.optional(v.nullable(v.picklist(TAGS))),
  ...PaceChoice,
})
export type NewQuote = v.InferOutput<typeof NewQuote>

/** Body of POST /payments/execute. */
export const QuoteExecution = model('QuoteExecution', {
  quote_id: id<'payment_quote'>(),
  payout_reason: line(1, 255),
  statement_description: line(1, 255),
  internal_notes: v.optional(v.nullable(text(0, 65_536))),
  tag: v.optional(v.nullable(v.picklist(TAGS))),
  labels: describe(v.optional(newLabels), 'One value for each dimension.'),
  ...NewExternalEntries,
  ...ScheduleEntries,
  former_approval_id: describe(maybe(id<'approval'>()), 'Id of the request sent back that this one follows.'),
  acknowledge_payee_check: v.optional(v.boolean(), false),
})
export type QuoteExecution = v.InferOutput<typeof QuoteExecution>

/** Warnings before a payment; none of them prevents it. */
export const WARNINGS = {
  insufficient_funds: REFUSALS.insufficient_funds[1],
  possible_duplicate: 'The same amount went to this destination within the last 24 hours.',
  new_destination: 'Nothing was ever paid to this destination before.',
  address_missing: 'The payee has no address with town and country, which banks ask for.',
  rate_expires: `The rate is good for ${RATE_MINUTES} minutes after the payment is made: it has to be approved by then.`,
} as const
export type WarningType = keyof typeof WARNINGS
export const QuoteNotice = model('QuoteNotice', {
  type: describe(v.string(), 'Error type that the execution would answer.'),
  message: v.string(),
})

export const QuoteFee = model('QuoteFee', { name: v.string(), amount: describe(AnswerMoney, 'Fee.') })

/** A quote as it is answered. `blocked_by` are the refusals of execute now, of which it gives the first. */
export const Quote = model('Quote', {
  quote_id: uuid,
  expires_at: timestamp,
  rail: v.picklist(RAILS),
  deducting: AnswerMoney,
  landing: AnswerMoney,
  fees: describe(v.array(QuoteFee), 'Fees, which are in the deducted amount.'),
  rate: nullableText,
  ...PaceEntries,
  estimated_arrival: describe(timestamp, 'Instant at which the payment arrives, as estimated.'),
  approvers_needed: describe(integer, 'Number of people who must approve.'),
  payee_address: describe(v.nullable(PayeeAddress), 'Address with which the payee would be paid now; null: none.'),
  limits: describe(v.array(LimitStanding), 'Limits for this payment, as they stand.'),
  payee_check: v.nullable(PayeeCheck),
  warnings: v.array(QuoteNotice),
  blocked_by: describe(v.array(QuoteNotice), 'Reasons why the quote cannot be executed.'),
})
export type Quote = v.InferOutput<typeof Quote>

export type Price = {
  readonly deducting: Money
  readonly landing: Money
  readonly fees: readonly Fee[]
  readonly fee: Money
  /** All in: units of landing for one of deducting less fees; null if both are one currency. */
  readonly rate: string | null
}

export type PriceQuestion = {
  readonly rail: Rail
  readonly currency: string
  readonly amount: Money
  readonly side: Side
}

/**
 * Checks an amount against its destination; answers the pair of currencies to exchange, or null. Refuses
 * `unsupported_currency`: by service ID all but USD, on a landing side all but the destination's own, to a wallet all
 * but its coin, to a bank account a coin; then `amount_precision`, `amount_too_large`.
 */
export function exchangeOf({ rail, currency, amount, side }: PriceQuestion): { source: string; target: string } | null {
  const asked = amount.currency
  if (rail === 'svc_id' && asked !== SVC_ID_CURRENCY) {
    refuse('unsupported_currency', { currency: asked, supported: [SVC_ID_CURRENCY] })
  }
  const exchanged = asked !== currency
  if (exchanged && (rail !== 'fiat' || side === 'landing')) {
    refuse('unsupported_currency', { currency: asked, supported: [currency] })
  }
  if (exchanged && isCoin(asked)) refuse('unsupported_currency', { currency: asked })
  canonicalMoney(amount)
  return exchanged ? { source: asked, target: currency } : null
}

/**
 * Prices an amount. A deducting amount is lessened by the fees, exchanged and rounded down; a landing amount arrives
 * exactly, and the least that covers it with its fees is deducted. Refuses `amount_precision`,
 * `amount_too_large`, and `unprocessable_entity` with the reason `fees_exceed_amount` if nothing would arrive.
 * @param rate all in, as exchangeOf() asked for it; null if nothing is exchanged
 */
export function price(table: FeeTable, pricing: PriceQuestion, rate: string | null): Price {
  const { rail, currency, side } = pricing
  const asked = canonicalMoney(pricing.amount)
  // what was computed must not be too large either
  const deducting = side === 'deducting' ? asked : canonicalMoney(deductingFor(table, rail, asked))
  const fees = feesOf(table, rail, deducting)
  const fee = fees.reduce((sum, { amount }) => add(sum, amount), fromMinor(0n, deducting.currency))
  const net = subtract(deducting, fee)
  const landing = rate === null ? net : exchange(net, rate, currency)
  if (toMinor(net) <= 0n || toMinor(landing) <= 0n) {
    refuse('unprocessable_entity', { reason: 'fees_exceed_amount', fees: fee })
  }
  return { deducting, landing: canonicalMoney(landing), fees, fee, rate }
}

/** Prices a payment again so that exactly `landing` arrives: the least that covers it with its fees is deducted. */
export function priceLanding(
  table: FeeTable,
  { rail, landing, source }: { readonly rail: Rail; readonly landing: Money; readonly source: string },
  rate: string | null,
): Price {
  const net = rate === null ? landing : exchangeFor(landing, rate, source)
  const deducting = canonicalMoney(deductingFor(table, rail, net))
  const fees = feesOf(table, rail, deducting)
  const fee = fees.reduce((sum, { amount }) => add(sum, amount), fromMinor(0n, source))
  return { deducting, landing, fees, fee, rate }
}
