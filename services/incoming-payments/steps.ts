/** Steps of the run of incoming money: it is matched once, and follows what people do afterwards. */
import { causesWhatFollows } from '../events.ts'
import { incomingPaymentFlow } from '../../domain/incoming-payments/flow.ts'
import { type InvoiceId, type TransactionId, newId } from '../../domain/ids.ts'
import { compare, moneyOf } from '../../domain/money/money.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'
import { move } from '../../db/processes/transition.ts'
import { allocateCertain, leftOf } from '../invoices/allocations.ts'
import { lockInvoice } from '../invoices/locked.ts'
import { matchNow } from '../invoices/matching.ts'
import { type MatchingStep, chooseEvent, lockIncomingPayment, matchingStepOf } from './view.ts'

/**
 * Allocates incoming money to the invoice that it certainly pays. It has to be so under the locks of invoice and
 * transaction, too.
 */
export async function matchIncomingPayment(tx: Tx, id: TransactionId): Promise<void> {
  const due = await lockDue(tx, id, 'allocation')
  if (due?.match.kind !== 'certain') return
  const { row, match: seen } = due
  const invoice = await lockInvoice(tx, seen.invoiceId as InvoiceId) // the id of an invoice
  const match = await matchNow(within(tx), row)
  const amount = moneyOf(row.amount, row.currency)
  const isWhole = compare(await leftOf(tx, id, row.currency), amount) === 0
  if (!isWhole || match.kind !== 'certain' || match.invoiceId !== invoice.id) return
  if (row.deposit_id) await causesWhatFollows(tx, row.deposit_id)
  await allocateCertain(tx, invoice, { id: newId(), transactionId: id, amount, by: null, matched: match.by })
  await decide(tx, id, 'allocate', [])
}

/** Proposes incoming money to people, with the invoices that it may pay. */
export async function proposeInvoices(tx: Tx, id: TransactionId): Promise<void> {
  const due = await lockDue(tx, id, 'proposal')
  if (!due || due.match.kind === 'none') return
  await decide(tx, id, 'propose', due.match.kind === 'certain' ? [due.match.invoiceId] : due.match.invoiceIds)
}

/** Passes incoming money that pays no open invoice. */
export async function passIncomingPayment(tx: Tx, id: TransactionId): Promise<void> {
  if (await lockDue(tx, id, 'pass')) await decide(tx, id, 'pass', [])
}

/** Locks incoming money, and matches it; undefined unless this step is due. */
async function lockDue(tx: Tx, id: TransactionId, step: MatchingStep) {
  const row = await lockIncomingPayment(tx, id)
  if (row?.status !== 'matching' || chooseEvent(row)) return undefined
  const match = await matchNow(within(tx), row)
  return matchingStepOf(row, match) === step ? { row, match } : undefined
}

async function decide(
  tx: Tx,
  id: TransactionId,
  event: keyof typeof incomingPaymentFlow.events,
  candidates: readonly string[],
): Promise<void> {
  await move(tx, incomingPaymentFlow, id, { event, set: sql`candidates = ${[...candidates]}::uuid[]` })
}

/** Follows what people have done since they were asked about incoming money. */
export async function reconsiderProposal(tx: Tx, id: TransactionId): Promise<void> {
  const row = await lockIncomingPayment(tx, id)
  const event = row && chooseEvent(row)
  if (event) await move(tx, incomingPaymentFlow, id, { event })
}
