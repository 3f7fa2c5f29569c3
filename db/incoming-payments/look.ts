/** What the process of incoming money finds: the invoice that it pays, if that is certain; it is allocated then. */
import { causesWhatFollows } from '../events.ts'
import { driven } from '../model/flows/flow.ts'
import { type IncomingPaymentState, incomingPaymentFlow } from '../model/flows/incoming-payment.ts'
import { type DepositId, type InvoiceId, type TransactionId, newId } from '../model/ids.ts'
import { dueAmount } from '../model/invoices/due.ts'
import {
  type IncomingPayment,
  type Match,
  type OpenInvoice,
  keysIn,
  matchOf,
  payerWord,
} from '../model/invoices/matching.ts'
import { compare, formatAmount, moneyOf } from '../model/money/money.ts'
import type { Found, ProcessRef } from '../model/process.ts'
import { type Tx, sql } from '../sql.ts'
import { move } from '../transition.ts'
import { allocate, leftOf } from '../invoices/allocations.ts'
import { lockRow } from '../invoices/drafts.ts'

type Incoming = IncomingPayment & {
  readonly status: IncomingPaymentState
  readonly currency: string
  readonly deposit_id: DepositId | null
}

/** Where incoming money stands: the first look decides, and a person about what is not certain. */
export async function findIncomingState(tx: Tx, ref: ProcessRef): Promise<Found<IncomingPaymentState> | undefined> {
  const id = ref.id as TransactionId // the process has the id of its transaction
  const [row] = await tx<Incoming[]>`
    select p.status, t.amount, t.currency, t.description as text, t.counterparty as payer, t.deposit_id
    from incoming_payments p join transactions t on t.id = p.id where p.id = ${id} for no key update of p`
  if (!row) return undefined
  const status = row.status === 'matching' ? await settle(tx, id, row) : row.status
  const says = `The incoming payment is ${status}.`
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
async function settle(tx: Tx, id: TransactionId, row: Incoming): Promise<IncomingPaymentState> {
  const seen = await matchNow(tx, row)
  if (seen.kind !== 'certain') return propose(tx, id, seen)
  const invoice = await lockRow(tx, seen.invoiceId as InvoiceId) // the id of an invoice that was open
  const match = await matchNow(tx, row)
  const amount = moneyOf(row.amount, row.currency)
  const isWhole = compare(await leftOf(tx, id, row.currency), amount) === 0
  if (!isWhole || match.kind !== 'certain' || match.invoiceId !== invoice.id) return propose(tx, id, match)
  if (row.deposit_id) await causesWhatFollows(tx, row.deposit_id)
  await allocate(tx, invoice, { id: newId(), transactionId: id, amount, by: null, matched: match.by })
  return moved(tx, id, 'allocate', [])
}

function propose(tx: Tx, id: TransactionId, match: Match): Promise<IncomingPaymentState> {
  if (match.kind === 'none') return moved(tx, id, 'pass', [])
  return moved(tx, id, 'propose', match.kind === 'certain' ? [match.invoiceId] : match.invoiceIds)
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

type OpenRow = Omit<OpenInvoice, 'due'> & {
  readonly status: string
  readonly total: string
  readonly accepted_amount: string | null
  readonly allocated: string
}

/** Of those that have the amount, or the payer's name, so many are looked at. */
const LOOKED_AT_MAX = 100

/** Compares it with the invoices of the organization that are open in its currency, as they are at this moment. */
async function matchNow(tx: Tx, payment: Incoming): Promise<Match> {
  const { amount, currency, text, payer } = payment
  const rows = await tx<OpenRow[]>`
    select i.id, i.status, i.number, i.buyer_reference, i.internal_reference_number, c.company_name as customer, i.total,
      i.accepted_amount, i.allocated
    from invoices i join billing_contacts c on c.id = i.billing_contact_id
    where i.id = any (array(select payable_invoices(${currency}, ${keysIn(text ?? '')}::text[], ${amount},
      ${payerWord(payer)}, ${LOOKED_AT_MAX})))
    order by i.due_date, i.id`
  const open = rows.map(({ status: state, ...row }) => ({ ...row, due: dueAmount({ ...row, currency, state }) }))
  return matchOf({ ...payment, amount: formatAmount(amount, currency) }, open)
}
