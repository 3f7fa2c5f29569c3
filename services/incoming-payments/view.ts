/** Facts that the run of incoming money decides by. */
import { type IncomingPaymentState, incomingPaymentFlow } from '../../domain/incoming-payments/flow.ts'
import type { DepositId, TransactionId } from '../../domain/ids.ts'
import type { Match } from '../../domain/invoices/matching.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { type Fragment, type Reader, type Tx, first, sql, within } from '../../db/postgres/sql.ts'
import { type Incoming, matchNow } from '../invoices/matching.ts'

type Row = Incoming & {
  readonly status: IncomingPaymentState
  readonly deposit_id: DepositId | null
  /** Some of it is not allocated. */
  readonly has_left: boolean
  /** All of it is left. */
  readonly is_whole: boolean
  /** An invoice that it may pay is open. */
  readonly has_open: boolean
  /** It was compared with invoices, and people were asked which of them it pays. */
  readonly asked: boolean
}

/** Step of incoming money: allocate it, propose it to people, pass, or follow what people have done. */
export type MatchingStep = 'allocation' | 'proposal' | 'pass' | 'reconsideration'

type View = Standing<IncomingPaymentState> & { readonly due: MatchingStep }

/** Reads whether incoming money is to be matched, or to follow what people have done since. */
export async function viewIncomingPayment(reader: Reader, id: TransactionId): Promise<View | AtRest | undefined> {
  const row = await first(reader<Row>(selectRow(id)))
  if (!row) return undefined
  const { status } = row
  const says = sayState('incoming payment', status)
  const standing = { at_rest: false, status, step_due: true, look_at: null, says } as const
  if (chooseEvent(row)) return { ...standing, due: 'reconsideration' }
  if (status !== 'matching') return { at_rest: true, status, says }
  return { ...standing, due: matchingStepOf(row, await matchNow(reader, row)) }
}

const selectRow = (id: TransactionId): Fragment => sql`
  select p.status, p.candidates <> '{}' as asked, t.amount > a.sum as has_left, a.sum = 0 as is_whole,
    exists (select from invoices i where i.id = any (p.candidates) and is_open_invoice(i.status)) as has_open,
    t.amount, t.currency, t.description as text, t.counterparty as payer, t.deposit_id, p.inserted_at as came, t.posted_at
  from incoming_payments p join transactions t on t.id = p.id, lateral (
    select coalesce(sum(a.amount), 0) as sum from invoice_allocations a
    where a.transaction_id = p.id and a.taken_back_at is null) a
  where p.id = ${id}`

/** Locks incoming money, and reads it. */
export const lockIncomingPayment = (tx: Tx, id: TransactionId): Promise<Row | undefined> =>
  first(within(tx)<Row>(sql`${selectRow(id)} for no key update of p`))

/** Chooses the step of money that is matched with the open invoices. It pays one by itself only if all of it is left. */
export function matchingStepOf({ is_whole: isWhole }: Row, match: Match): MatchingStep {
  if (match.kind === 'none') return 'pass'
  return match.kind === 'certain' && isWhole ? 'allocation' : 'proposal'
}

/**
 * Chooses the event that leads to the state that fits; undefined if the money is in it, or is to be matched. It is
 * proposed exactly as long as some of it is left and one of its candidates is open.
 */
export function chooseEvent({ status, has_left: hasLeft, has_open: hasOpen, asked }: Row) {
  if (!asked && (status !== 'matching' || hasLeft)) return undefined
  const event = !hasLeft ? 'allocate' : hasOpen ? 'propose' : 'pass'
  return incomingPaymentFlow.events[event].to === status ? undefined : event
}
