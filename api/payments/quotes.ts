/** Quotes: what a payment would cost and do, and the payment of one; and the table of fees. */
import { createPayment } from '../../services/payments/commands.ts'
import { findPayment } from '../../services/payments/payments.ts'
import {
  type NewQuote as QuoteToKeep,
  type QuotedDestination,
  destinationToPay,
  findQuote,
  offerQuote,
  requireUsable,
} from '../../services/payments/quotes.ts'
import { networkOf, payeeAtDestination } from '../../services/contacts/destinations.ts'
import type { AskedCheck } from '../../services/payee-checks/checks.ts'
import type { Reader } from '../../db/postgres/sql.ts'
import { nameConnection } from '../../services/connections/connections.ts'
import { dependsOnNetwork, servingBlockers } from '../../services/connections/serving.ts'
import { type Blocker, refuse, refuseFirst } from '../../domain/errors.ts'
import type { DestinationId, QuoteId } from '../../domain/ids.ts'
import { Fees, toFees } from '../../domain/money/fees.ts'
import { type Money, subtract } from '../../domain/money/money.ts'
import { allInRate } from '../../domain/money/rates.ts'
import { Payment } from '../../domain/payments/payment.ts'
import { readDay } from '../../domain/payments/schedule.ts'
import { STANDARD } from '../../domain/payments/speed.ts'
import { NewQuote, Quote, QuoteExecution, exchangeOf, price } from '../../domain/payments/quote.ts'
import { can } from '../../domain/permissions.ts'
import { RAIL, type Rail } from '../../domain/rails.ts'
import type { MarketState } from '../../domain/swaps/market.ts'
import { config } from '../../platform/config.ts'
import { whyNotInstant } from '../../partners/instant.ts'
import { askAboutPayee, permitQuestions } from '../../partners/payee-checks.ts'
import { operations } from '../http/operation.ts'
import type { Context } from '../http/route.ts'
import { exchangeRate, usdValueOf } from '../../partners/exchange.ts'
import { textsOf } from './payments.ts'

const { command, query } = operations('Payments')

const REVERSED = 'A payment that is reversed gives back what was paid, and not its fee.'
const BY_RAIL = `A payment by blockchain needs \`payments.send_crypto\`, else \`payments.send_fiat\`. ${REVERSED}`

export const paymentQuotes = [
  query('/fees', 'getFees')
    .says(
      'Read the fees and arrival times',
      `Of payments and exchanges. A rule without currency is for all others, and has no amounts. ${REVERSED}`,
    )
    .delegates('read')
    .answers(Fees)
    .does(async () => toFees(config.fees)),
  command('post', '/payments/preflight', 'preflightPayment')
    .says(
      'Quote a payment',
      `Answers what it would deduct, deliver and cost, and what blocks it. No money moves. ${BY_RAIL}`,
    )
    .of('payment_contact', { body: 'payment_contact_id' })
    .delegates('prepare')
    .can(['payments.send_fiat', 'payments.send_crypto'])
    .takes(NewQuote)
    .refuses(
      'destination_missing',
      'instant_unavailable',
      'unsupported_currency',
      'amount_precision',
      'amount_too_large',
      'market_closed',
      'unprocessable_entity',
    )
    .answers(Quote)
    .prepares(async (context) => ({ quote: await priceQuote(context) }))
    .does(({ tx, person, quote }) => offerQuote(tx, person.userId, quote)),
  command('post', '/payments/execute', 'executePayment')
    .says(
      'Send the payment of a quote; it waits for approval',
      `${BY_RAIL} Refused while the organization is paused, but for a repeat of what made its payment.`,
    )
    .of('payment_quote', { body: 'quote_id' })
    .delegates('prepare')
    .can(['payments.send_fiat', 'payments.send_crypto'])
    .checksItself() // a hot path: one statement reads quote and requester
    .takes(QuoteExecution)
    .refuses(
      'limit_exceeded',
      'no_eligible_approver',
      'quote_already_used',
      'quote_expired',
      'ledger_unbalanced',
      'contact_not_approved',
      'payee_held',
      'destination_missing',
      'address_required',
      'onboarding_incomplete',
      'same_account',
      'unsupported_rail',
      'unsupported_currency',
      'market_closed',
      'invalid_schedule',
      'account_cooling_off',
      'payee_mismatch',
      'unprocessable_entity',
      'invalid_coding',
      'external_id_taken',
    )
    .creates(Payment, ({ read, claim }) => findPayment(read, claim.id))
    .prepares(async (context) => ({ market: await askMarket(context) }))
    .does(({ tx, person, claim, body, market, requestId: request_id }) => {
      const { quote_id, tag, acknowledge_payee_check, former_approval_id } = body
      const answered = { quote_id, tag, market, acknowledge_payee_check }
      const order = { ...textsOf(body), ...answered, on: readDay(body), former_approval_id, request_id }
      return createPayment(tx, claim.id, person.userId, order)
    }),
]

type QuoteContext = Context<'org' | 'read', { readonly body: NewQuote }>

/** Prices a payment at the present rate. Refuses `forbidden` for its rail, and what price() refuses. */
async function priceQuote({ read, org, body }: QuoteContext): Promise<QuoteToKeep> {
  const { payment_contact_id: contactId, amount, side, tag = null, speed, fallback } = body
  const destination = await destinationToPay(read, contactId, body.destination_id ?? null)
  const { permission } = RAIL[destination.rail]
  if (!can(org, permission)) refuse('forbidden', { permission })
  const money = {
    rail: destination.rail,
    currency: destination.currency,
    network: await networkToServe(read, destination),
  }
  refuseFirst(networkBlockers(money))
  const pricing = { rail: destination.rail, currency: destination.currency, amount, side }
  const pair = exchangeOf(pricing)
  const offered = pair && (await exchangeRate(pair.source, pair.target))
  const rate = offered && allInRate(offered.rate, offered.spreadBps)
  const priced = price(config.fees, pricing, rate)
  const { deducting, fee, landing } = priced
  if (speed === 'instant') await requireInstant(read, destination, landing)
  const valueUsd = pair && (await usdValueOf(subtract(deducting, fee), landing))
  const payee = destination.rail === 'fiat' ? await askBank(read, destination.id) : null
  const connection = nameConnection(money)
  const pace = speed === 'instant' ? { speed, fallback } : STANDARD
  const market = offered?.market ?? null
  return { contactId, destination, side, tag, pace, connection, priced, market, valueUsd, payee }
}

/** Refuses `instant_unavailable` for what no bank here pays within seconds. */
async function requireInstant(read: Reader, { id, rail, currency }: QuotedDestination, amount: Money): Promise<void> {
  if (rail !== 'fiat') refuse('instant_unavailable', { rail, reason: 'not_served' })
  const { coordinates } = await payeeAtDestination(read, id)
  const reason = await whyNotInstant(coordinates, amount)
  if (reason) refuse('instant_unavailable', { rail, currency, reason })
}

type MoneyToSend = { readonly rail: Rail; readonly currency: string; readonly network: string | null }

/** Reads the network of a wallet, if it decides who serves it. */
const networkToServe = async (read: Reader, { id, rail }: QuotedDestination): Promise<string | null> =>
  rail === 'crypto' && dependsOnNetwork() ? networkOf(read, id) : null

/** Lists why a coin is not sent on the network of a wallet. What else nobody serves blocks the quote, which says so. */
const networkBlockers = (money: MoneyToSend): Blocker[] =>
  money.network === null ? [] : servingBlockers(money).filter(({ type }) => type === 'unsupported_currency')

/** Asks the bank about the holder of a destination. */
async function askBank(read: Reader, destinationId: DestinationId): Promise<AskedCheck> {
  const { coordinates } = await payeeAtDestination(read, destinationId)
  const permit = await permitQuestions(read.organizationId, 'payee_questions')
  return { destinationId, coordinates, answer: await askAboutPayee(coordinates, permit) }
}

type ExecutionContext = Context<'person' | 'read' | 'claim', { readonly body: { readonly quote_id: QuoteId } }>

/** Asks if the currencies of a quote are traded now; null if nothing is exchanged, or this request has used it. */
async function askMarket({ read, person, claim, body }: ExecutionContext): Promise<MarketState | null> {
  const quote = await findQuote(read, body.quote_id, person.userId)
  requireUsable(quote, claim.id)
  if (quote.payment_id || quote.rate === null) return null
  return (await exchangeRate(quote.deducting.currency, quote.landing.currency)).market
}
