/** Steps of a payment whose payee the bank is asked about again: another answer ends it. */
import { type Coordinates } from '../../domain/destinations/destination.ts'
import { paymentFlow, type PaymentState } from '../../domain/payments/flow.ts'
import type { DestinationId, PayeeCheckId, PaymentId } from '../../domain/ids.ts'
import {
  PAYEE_CHANGED_DETAIL,
  type PayeeAnswer,
  hasChanged,
  isWorse,
  payeeCheckBlockers,
} from '../../domain/payee-checks/payee-check.ts'
import { paymentEvents } from '../../domain/payments/events.ts'
import { lockPending, mailRequester } from '../approvals/requests.ts'
import { coordinatesOf } from '../contacts/destinations.ts'
import { record } from '../events.ts'
import { findAnswerSince, readCheck, recordCheck } from '../payee-checks/checks.ts'
import { type PayeeDue, isPayeeDue, payeeDueColumns } from '../payee-checks/answers.ts'
import { endByPayee, failForPayee, putOffPayee, wakeOtherPayments } from '../payments/steps.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { cancelWithTargets } from './ends.ts'

/** A payee that the bank is asked about. It holds coordinates in the clear: never return it to a workflow. */
export type PayeeToAsk = { readonly destinationId: DestinationId; readonly coordinates: Coordinates }

type Row = PayeeDue & {
  readonly status: PaymentState
  readonly destination_id: DestinationId
  readonly sealed: string | null
  readonly payee_check_id: PayeeCheckId | null
}

/** Selects a payment with its payee. */
const selectPayee = (id: PaymentId) => sql`
  select p.status, p.destination_id, encode(d.sealed, 'hex') as sealed, p.payee_check_id, ${payeeDueColumns(sql`p`)}
  from payments p join payment_destinations d on d.id = p.destination_id where p.id = ${id}`

/** Reads the payee of a payment that is due to be asked about; null if it is not. */
export async function payeeToAsk(tx: Tx, id: PaymentId): Promise<PayeeToAsk | null> {
  const [row] = await tx<Row[]>`${selectPayee(id)}`
  if (!row || !isPayeeDue(row.status, row)) return null
  const coordinates = coordinatesOf({ id: row.destination_id, sealed: row.sealed })
  return coordinates && { destinationId: row.destination_id, coordinates }
}

/**
 * Records what the bank answers about the payee of a payment. Another answer than the one that approvers see voids the
 * approval and cancels the payment; a worse one, or one that the setting of now forbids, fails a payment that is approved,
 * and releases its money. A payment
 * whose order has begun stays as it is. A repeat changes nothing.
 */
export async function recordPayeeAnswer(tx: Tx, id: PaymentId, asked: PayeeToAsk, answer: PayeeAnswer): Promise<void> {
  const pending = await lockPending(tx, id)
  await tx`select from payments where id = ${id} for update`
  const [row] = await tx<Row[]>`${selectPayee(id)}`
  if (!row || !isPayeeDue(row.status, row)) return
  const recorded = await recordCheck(tx, { ...asked, answer })
  const { id: recordId, result } = recorded
  // a bank that gives no answer takes back nothing of what it said since the approval was asked for
  const said = result === 'not_possible' && row.payee_check_id && (await findAnswerSince(tx, row.payee_check_id))
  const check = said || recorded
  await wakeOtherPayments(tx, asked.destinationId, result)
  const approved = (row.payee_check_id && (await readCheck(within(tx), row.payee_check_id))) || NOTHING
  const { payee_check_mode: mode, payee_acknowledged: acknowledged } = row
  const forbidden = payeeCheckBlockers({ result: check.result, mode, acknowledged }).length > 0
  const ends = row.status === 'submitted' ? isWorse(approved, check) || forbidden : hasChanged(approved, check)
  const payload = { payee_check_id: check.id, result: check.result, ends }
  await record(tx, paymentEvents.payee_checked, { subjectId: id, cause: `payee_check:${recordId}:${id}`, payload })
  wake(tx, paymentFlow, { ids: [id], why: 'payee_checked' })
  if (!ends) return putOffPayee(tx, id, result)
  await endByPayee(tx, id, check.id)
  if (row.status === 'submitted') return failForPayee(tx, id, check.id)
  if (!pending) throw new Error(`the payment ${id} waits without a pending approval`)
  const waiting = [{ id: pending.id, target: { type: pending.type, id } }]
  await cancelWithTargets(tx, waiting, { why: PAYEE_CHANGED_DETAIL, by: null })
  const { requester_id: requester, summary } = pending
  await mailRequester(tx, requester, { id: pending.id, how: 'voided', summary })
}

const NOTHING = { result: 'not_possible', name: null } as const
