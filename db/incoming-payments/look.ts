/** What the process of incoming money finds: the invoice that it pays, if that is certain; it is allocated then. */
import { causesWhatFollows } from '../events.ts'
import { driven } from '../../domain/flows/flow.ts'
import { type IncomingPaymentState, incomingPaymentFlow } from '../../domain/flows/incoming-payment.ts'
import { type DepositId, type InvoiceId, type TransactionId, newId } from '../../domain/ids.ts'
import type { Match } from '../../domain/invoices/matching.ts'
import { compare, moneyOf } from '../../domain/money/money.ts'
import { type Found, type ProcessRef, sayState } from '../../domain/process.ts'
import { type Tx, sql } from '../sql.ts'
import { move } from '../transition.ts'
import { allocateCertain, leftOf } from '../invoices/allocations.ts'
import { lockRow } from '../invoices/drafts.ts'
import { type Incoming, matchNow } from '../invoices/settlement.ts'

type Row = Incoming & {
  readonly status: IncomingPaymentState
  readonly deposit_id: DepositId | null
}

/** Where incoming money stands: the first look decides, and a person about what is not certain. */
export async function findIncomingState(tx: Tx, ref: ProcessRef): Promise<Found<IncomingPaymentState> | undefined> {
  const id = ref.id as TransactionId // the process has the id of its transaction
  const [row] = await tx<Row[]>`
    select p.status, t.amount, t.currency, t.description as text, t.counterparty as payer, t.deposit_id,
      p.inserted_at as came
    from incoming_payments p join transactions t on t.id = p.id where p.id = ${id} for no key update of p`
  if (!row) return undefined
  const status = row.status === 'matching' ? await settle(tx, id, row) : await reconsider(tx, id, row.status)
  const says = sayState('incoming payment', status)
  return {
    status,
    driven: driven(incomingPaymentFlow, status),
    due_now: false,
    look_at: null,
    says,
    waits_for: '',
  }
}

/**
 * Allocates it if that is certain, also once the invoice and the transaction are locked; else notes who may be meant.
 */
async function settle(tx: Tx, id: TransactionId, row: Row): Promise<IncomingPaymentState> {
  const seen = await matchNow(tx, row)
  if (seen.kind !== 'certain') return propose(tx, id, seen)
  const invoice = await lockRow(tx, seen.invoiceId as InvoiceId) // the id of an invoice
  const match = await matchNow(tx, row)
  const amount = moneyOf(row.amount, row.currency)
  const isWhole = compare(await leftOf(tx, id, row.currency), amount) === 0
  if (!isWhole || match.kind !== 'certain' || match.invoiceId !== invoice.id) return propose(tx, id, match)
  if (row.deposit_id) await causesWhatFollows(tx, row.deposit_id)
  await allocateCertain(tx, invoice, { id: newId(), transactionId: id, amount, by: null, matched: match.by })
  return moved(tx, id, 'allocate', [])
}

/** Asks people about what is left of it; without anything left, a person has just allocated it. */
async function propose(tx: Tx, id: TransactionId, match: Match): Promise<IncomingPaymentState> {
  const { has_left: hasLeft } = await readProposal(tx, id)
  if (!hasLeft) return moved(tx, id, 'allocate', [])
  if (match.kind === 'none') return moved(tx, id, 'pass', [])
  return moved(tx, id, 'propose', match.kind === 'certain' ? [match.invoiceId] : match.invoiceIds)
}

/**
 * Follows what people have done since they were asked: it is proposed exactly as long as some of it is left and one of
 * its candidates is open.
 */
async function reconsider(tx: Tx, id: TransactionId, status: IncomingPaymentState): Promise<IncomingPaymentState> {
  const { has_left: hasLeft, has_open: hasOpen, asked } = await readProposal(tx, id)
  if (!asked) return status
  const event = !hasLeft ? 'allocate' : hasOpen ? 'propose' : 'pass'
  if (incomingPaymentFlow.events[event].to !== status) await move(tx, incomingPaymentFlow, id, { event })
  return incomingPaymentFlow.events[event].to
}

type Standing = { readonly has_left: boolean; readonly has_open: boolean; readonly asked: boolean }

/** How much of it is left, and which of its candidates are open; without candidates nobody was asked. */
async function readProposal(tx: Tx, id: TransactionId): Promise<Standing> {
  const [standing] = await tx<Standing[]>`
    select t.amount > (select coalesce(sum(a.amount), 0) from invoice_allocations a
        where a.transaction_id = p.id and a.taken_back_at is null) as has_left,
      exists (select from invoices i where i.id = any (p.candidates) and i.status in ('sent', 'finalized')) as has_open,
      p.candidates <> '{}' as asked
    from incoming_payments p join transactions t on t.id = p.id where p.id = ${id}`
  if (!standing) throw new Error('the caller has locked the row')
  return standing
}

async function moved(
  tx: Tx,
  id: TransactionId,
  event: keyof typeof incomingPaymentFlow.events,
  candidates: readonly string[],
): Promise<IncomingPaymentState> {
  await move(tx, incomingPaymentFlow, id, { event, set: sql`candidates = ${[...candidates]}::uuid[]` })
  return incomingPaymentFlow.events[event].to
}
