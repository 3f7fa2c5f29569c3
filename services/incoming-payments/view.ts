/** Facts that the run of incoming money decides by. */
import { type IncomingPaymentState, incomingPaymentFlow } from '../../domain/incoming-payments/flow.ts'
import type { TransactionId } from '../../domain/ids.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { type Reader, first, sql } from '../../db/postgres/sql.ts'

type Row = {
  readonly status: IncomingPaymentState
  /** Some of it is not allocated. */
  readonly has_left: boolean
  /** An invoice that it may pay is open. */
  readonly has_open: boolean
  /** It was compared with invoices, and people were asked which of them it pays. */
  readonly asked: boolean
}

/** Reads whether incoming money is to be matched, or to follow what people have done since. */
export async function viewIncomingPayment(
  reader: Reader,
  id: TransactionId,
): Promise<Standing<IncomingPaymentState> | AtRest | undefined> {
  const row = await readIncomingPayment(reader, id)
  if (!row) return undefined
  const { status } = row
  const says = sayState('incoming payment', status)
  if (status !== 'matching' && !chooseEvent(row)) return { at_rest: true, status, says }
  return { at_rest: false, status, step_due: true, look_at: null, says }
}

export const readIncomingPayment = (reader: Reader, id: TransactionId): Promise<Row | undefined> =>
  first(
    reader<Row>(sql`
      select p.status, p.candidates <> '{}' as asked,
        t.amount > (select coalesce(sum(a.amount), 0) from invoice_allocations a
          where a.transaction_id = p.id and a.taken_back_at is null) as has_left,
        exists (select from invoices i where i.id = any (p.candidates) and is_open_invoice(i.status)) as has_open
      from incoming_payments p join transactions t on t.id = p.id where p.id = ${id}`),
  )

/**
 * Chooses the event that leads to the state that fits; undefined if the money is in it. It is proposed exactly as long
 * as some of it is left and one of its candidates is open.
 */
export function chooseEvent({ status, has_left: hasLeft, has_open: hasOpen, asked }: Row) {
  if (!asked) return undefined
  const event = !hasLeft ? 'allocate' : hasOpen ? 'propose' : 'pass'
  return incomingPaymentFlow.events[event].to === status ? undefined : event
}
