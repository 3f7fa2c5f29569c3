/** Quotes: what a payment would cost and do, and the payment of one; and the table of fees. */
import { config } from '../../platform/config.ts'
import { refuse, refuseFirst } from '../../domain/errors.ts'
import { Fees, toFees } from '../../domain/money/fees.ts'
import { subtract } from '../../domain/money/money.ts'
import { can } from '../../domain/permissions.ts'
import { RAIL } from '../../domain/rails.ts'
import { Payment } from '../../domain/payments/payment.ts'
import { NewQuote, Quote, QuoteExecution, exchangeOf, price } from '../../domain/payments/quote.ts'
import { allInRate } from '../../domain/money/rates.ts'
import { findPayment } from '../../db/payments/payments.ts'
import { quoteBlockers } from '../../db/payments/checks.ts'
import { type StoredQuote, checkUsable, destinationToPay, findQuote, offerQuote } from '../../db/payments/quotes.ts'
import { createPaymentOnce } from './creation.ts'
import { operations } from '../http/operation.ts'
import { type Context } from '../http/route.ts'
import { exchangeRate, exchangedUsd } from '../swaps/rates.ts'

const { command, query } = operations('Payments')

const REVERSED = 'A payment that is reversed gives back what was paid, and not its fee.'

/** Which of the permissions is needed is known when the destination is. */
const byRail = {
  tag: 'Payments',
  can: ['payments.send_fiat', 'payments.send_crypto'],
  note: `By blockchain that is \`payments.send_crypto\`, else \`payments.send_fiat\`. ${REVERSED}`,
} as const

export const paymentQuotes = [
  query('/fees', 'getFees')
    .says(
      'Read what payments and exchanges cost, and when payments arrive',
      `The rule whose currency is null is for every other one, and has no amounts. ${REVERSED}`,
    )
    .answers(Fees)
    .does(async () => toFees(config.fees)),
  command('post', '/payments/preflight', 'preflightPayment')
    .says(
      'Ask what a payment would deduct, deliver and cost, and what stands against it; nothing moves',
      `By blockchain that is \`payments.send_crypto\`, else \`payments.send_fiat\`. ${REVERSED}`,
    )
    .of('payment_contact', { body: 'payment_contact_id' })
    .can('payments.send_fiat', 'payments.send_crypto')
    .takes(NewQuote)
    .answers(Quote)
    .handles(preflight),
  command('post', '/payments/execute', 'executePayment')
    .says(
      'Send the payment of a quote; it waits for approval',
      `${byRail.note} Refused while the organization is paused, but for a repeat of what made its payment.`,
    )
    .of('payment_quote', { body: 'quote_id' })
    .can('payments.send_fiat', 'payments.send_crypto')
    .takes(QuoteExecution)
    .answers(Payment, 201)
    .replays(({ read, claim }) => findPayment(read, claim.id))
    .handles(execute),
]

type Asking = Context<'person' | 'org' | 'read' | 'write', { readonly body: NewQuote }>

async function preflight({ read, write, person, org, body }: Asking): Promise<Quote> {
  const { payment_contact_id: contactId, amount, side } = body
  const destination = await destinationToPay(read, contactId, body.destination_id ?? null)
  const { permission } = RAIL[destination.rail]
  if (!can(org.role, permission)) refuse('forbidden', { permission })
  const pricing = { rail: destination.rail, currency: destination.currency, amount, side }
  const pair = exchangeOf(pricing)
  const offered = pair && (await exchangeRate(pair.source, pair.target))
  const rate = offered && allInRate(offered.rate, config.fees.exchange.basis_points)
  const priced = price(config.fees, pricing, rate)
  const market = offered?.market ?? null
  const { deducting, fee, landing } = priced
  const valueUsd = pair && (await exchangedUsd(subtract(deducting, fee), landing))
  const quote = { contactId, destination, side, tag: body.tag ?? null, priced, market, valueUsd }
  return write((tx) => offerQuote(tx, person.userId, quote))
}

type Executing = Context<'requestId' | 'person' | 'read' | 'write' | 'claim', { readonly body: QuoteExecution }>

async function execute(context: Executing): Promise<Payment> {
  const { person, read, body, claim } = context
  const { quote_id: quoteId, tag } = body
  const quote = await findQuote(read, quoteId, { userId: person.userId })
  checkUsable(quote, claim.id)
  const market = await marketOf(quote)
  if (!quote.payment_id) refuseFirst(await quoteBlockers(read, { quoteId, userId: person.userId, market }))
  return createPaymentOnce(context, { quote_id: quoteId, tag, market })
}

/**
 * Whether the currencies of a quote are traded just now; null if nothing is exchanged, or the quote is used already.
 */
async function marketOf({
  payment_id: used,
  rate,
  deducting,
  landing,
}: StoredQuote): Promise<'open' | 'closed' | null> {
  if (used || rate === null) return null
  return (await exchangeRate(deducting.currency, landing.currency)).market
}
