/** Steps of the run of incoming money: it is matched once, and follows what people do afterwards. */
import { causesWhatFollows } from '../events.ts'
import { incomingPaymentFlow } from '../../domain/incoming-payments/flow.ts'
import { type DepositId, type InvoiceId, type TransactionId, newId } from '../../domain/ids.ts'
import type { Match } from '../../domain/invoices/matching.ts'
import { compare, moneyOf } from '../../domain/money/money.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'
import { move } from '../../db/processes/transition.ts'
import { allocateCertain, leftOf } from '../invoices/allocations.ts'
import { lockInvoice } from '../invoices/locked.ts'
import { type Incoming, matchNow } from '../invoices/matching.ts'
import { chooseEvent, readIncomingPayment } from './view.ts'

type Row = Incoming & { readonly deposit_id: DepositId | null }

/**
 * Allocates incoming money to the invoice that it pays, if that is certain. It has to be so under the locks of invoice
 * and transaction, too. Else proposes it to people with the invoices that it may pay, or passes.
 */
export async function matchIncomingPayment(tx: Tx, id: TransactionId): Promise<void> {
  const [row] = await tx<Row[]>`
    select t.amount, t.currency, t.description as text, t.counterparty as payer, t.deposit_id, p.inserted_at as came
    from incoming_payments p join transactions t on t.id = p.id
    where p.id = ${id} and p.status = 'matching' for no key update of p`
  if (!row) return
  const seen = await matchNow(tx, row)
  if (seen.kind !== 'certain') return propose(tx, id, seen)
  const invoice = await lockInvoice(tx, seen.invoiceId as InvoiceId) // the id of an invoice
  const match = await matchNow(tx, row)
  const amount = moneyOf(row.amount, row.currency)
  const isWhole = compare(await leftOf(tx, id, row.currency), amount) === 0
  if (!isWhole || match.kind !== 'certain' || match.invoiceId !== invoice.id) return propose(tx, id, match)
  if (row.deposit_id) await causesWhatFollows(tx, row.deposit_id)
  await allocateCertain(tx, invoice, { id: newId(), transactionId: id, amount, by: null, matched: match.by })
  return decide(tx, id, 'allocate', [])
}

async function propose(tx: Tx, id: TransactionId, match: Match): Promise<void> {
  const standing = await readIncomingPayment(within(tx), id)
  if (!standing?.has_left) return decide(tx, id, 'allocate', [])
  if (match.kind === 'none') return decide(tx, id, 'pass', [])
  return decide(tx, id, 'propose', match.kind === 'certain' ? [match.invoiceId] : match.invoiceIds)
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
  await tx`select from incoming_payments where id = ${id} for no key update`
  const row = await readIncomingPayment(within(tx), id)
  const event = row && chooseEvent(row)
  if (event) await move(tx, incomingPaymentFlow, id, { event })
}
