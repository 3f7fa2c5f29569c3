/** Step of a payment on its day: the rates desk is asked, then the payment is made, or tried again later. */
import {
  type DayQuote,
  type DuePayment,
  executeDuePayment,
  findDuePayment,
  recordRefusal,
} from '../services/payments/execution.ts'
import { asSystem } from '../db/postgres/sql.ts'
import { organizationOf } from '../db/processes/views.ts'
import { Refusal, refuse } from '../domain/errors.ts'
import type { PaymentId } from '../domain/ids.ts'
import { subtract } from '../domain/money/money.ts'
import { allInRate } from '../domain/money/rates.ts'
import { priceLanding } from '../domain/payments/quote.ts'
import type { ProcessRef } from '../domain/process.ts'
import { exchangeRate, usdValueOf } from '../partners/exchange.ts'
import { config } from '../platform/config.ts'

/** Executes a payment whose day has come, or records why not. Does nothing if no try is due. */
export async function executeScheduled(ref: ProcessRef<PaymentId>): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  const due = await asSystem(organizationId, (tx) => findDuePayment(tx, id))
  if (!due) return
  try {
    const quote = due.exchanges ? await quoteOfDay(due) : null
    await asSystem(organizationId, (tx) => executeDuePayment(tx, id, quote))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await asSystem(organizationId, (tx) => recordRefusal(tx, id, error))
  }
}

/** Prices what is exchanged at the present rate, so that the same amount arrives. Refuses what the desk refuses. */
async function quoteOfDay({ rail, landing, source }: DuePayment): Promise<DayQuote> {
  const { rate, spreadBps, market } = await exchangeRate(source, landing.currency)
  if (market === 'closed') refuse('market_closed')
  const priced = priceLanding(config.fees, { rail, landing, source }, allInRate(rate, spreadBps))
  return { priced, valueUsd: await usdValueOf(subtract(priced.deducting, priced.fee), landing) }
}
