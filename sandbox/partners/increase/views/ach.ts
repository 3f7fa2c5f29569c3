/** ACH transfers as Increase shows them. */
import type Increase from 'increase'
import type { TransferDocument, TransferRow } from '../../../db/increase/transfers.ts'
import { type Desk, centsOf, dayOf, timeOf } from '../answers.ts'
import { idOf } from '../ids.ts'
import { RETURN_CODES, returnReasonIn } from './reasons.ts'

export type RowOf<Kind extends TransferDocument['kind']> = Omit<TransferRow, 'document'> & {
  readonly document: Extract<TransferDocument, { kind: Kind }>
}

/** Reads when a transfer first had one of these statuses; undefined if it never had. */
export const instantOf = ({ document }: TransferRow, ...statuses: readonly string[]): string | undefined =>
  document.history?.find(({ status }) => statuses.includes(status))?.at

export const CREATED_BY: Increase.ACHTransfer.CreatedBy = {
  category: 'api_key',
  api_key: { description: 'Business Finance Service' },
}

/** Writes approval and cancellation of a transfer that asked for an approval. */
export function decisionsOf(row: TransferRow) {
  const { approved_at: approvedAt } = row.document
  const canceledAt = instantOf(row, 'cancelled')
  return {
    approval: approvedAt === undefined ? null : { approved_at: timeOf(approvedAt), approved_by: null },
    cancellation: canceledAt === undefined ? null : { canceled_at: timeOf(canceledAt), canceled_by: null },
  }
}

/** Tells whether a transfer waits for its approval. */
export const waitsForApproval = ({ status, document }: TransferRow): boolean =>
  status === 'pending' && document.order.require_approval === true && document.approved_at === undefined

/** Tells whether money is held before it is posted: an ACH transfer is posted at once, unless it asks to wait. */
export const holdsFor = ({ document: { kind, order } }: TransferRow): boolean =>
  kind !== 'ach_transfer' || order.transaction_timing === 'asynchronous' || order.require_approval === true

/** Reads when a transfer was posted; undefined before that. */
export function postingOf(row: TransferRow): string | undefined {
  const { kind, order, approved_at: approvedAt } = row.document
  if (kind === 'wire_transfer') return instantOf(row, 'processing', 'settled', 'returned')
  if (kind !== 'ach_transfer') return instantOf(row, 'settled')
  if (order.transaction_timing === 'asynchronous') return instantOf(row, 'settled', 'returned')
  return order.require_approval === true ? approvedAt : row.made_at
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString()
/** Our bank's half of trace numbers. */
const TRACE_BANK = '06421002'
/** Makes the trace number of a transfer: 15 digits. */
export const traceNumber = (uuid: string): string =>
  TRACE_BANK + (BigInt(`0x${uuid.replaceAll('-', '')}`) % 10_000_000n).toString().padStart(7, '0')

type AchRow = RowOf<'ach_transfer'>

export function showAch(row: AchRow, { account }: Desk): Increase.ACHTransfer {
  const { order, acknowledged_at: acknowledgedAt } = row.document
  const settledAt = instantOf(row, 'settled')
  const acknowledged = acknowledgedAt ?? settledAt
  return {
    id: idOf('ach_transfer', row.id),
    account_id: account,
    account_number: order.account_number ?? '',
    acknowledgement: acknowledged === undefined ? null : { acknowledged_at: timeOf(acknowledged) },
    addenda: order.addenda ?? null,
    amount: centsOf(row.amount),
    ...decisionsOf(row),
    company_descriptive_date: order.company_descriptive_date ?? null,
    company_discretionary_data: order.company_discretionary_data ?? null,
    company_entry_description: order.company_entry_description ?? null,
    company_id: '1234987601',
    company_name: order.company_name ?? null,
    created_at: timeOf(row.made_at),
    created_by: CREATED_BY,
    currency: 'USD',
    destination_account_holder: order.destination_account_holder ?? 'unknown',
    external_account_id: null,
    funding: order.funding ?? 'checking',
    idempotency_key: row.document.key,
    inbound_funds_hold: null,
    individual_id: order.individual_id ?? null,
    individual_name: order.individual_name ?? null,
    network: 'ach',
    notifications_of_change: [...(row.document.notifications_of_change ?? [])],
    pending_transaction_id: holdsFor(row) ? idOf('pending_transaction', row.id) : null,
    preferred_effective_date: {
      date: order.preferred_effective_date?.date ?? null,
      settlement_schedule: order.preferred_effective_date
        ? (order.preferred_effective_date.settlement_schedule ?? null)
        : 'same_day',
    },
    return: returnOf(row),
    routing_number: order.routing_number ?? '',
    settlement: settledAt === undefined ? null : { settled_at: timeOf(settledAt) },
    standard_entry_class_code: order.standard_entry_class_code ?? 'corporate_credit_or_debit',
    statement_descriptor: order.statement_descriptor,
    status: statusOf(row),
    submission: submissionOf(row),
    transaction_id: postingOf(row) === undefined ? null : idOf('transaction', row.id, 'i'),
    type: 'ach_transfer',
  } satisfies Increase.ACHTransfer
}

function statusOf(row: AchRow): Increase.ACHTransfer['status'] {
  switch (row.status) {
    case 'pending':
      return waitsForApproval(row) ? 'pending_approval' : 'pending_submission'
    case 'processing':
    case 'settled':
      return 'submitted'
    case 'on_hold':
      return 'requires_attention'
    case 'cancelled':
      return 'canceled'
    default:
      return row.status
  }
}

function submissionOf(row: AchRow): Increase.ACHTransfer.Submission | null {
  const submittedAt = instantOf(row, 'processing', 'settled', 'returned')
  if (submittedAt === undefined) return null
  const { date, settlement_schedule: schedule } = row.document.order.preferred_effective_date ?? {}
  const isSameDay = date === undefined && schedule !== 'future_dated'
  const settlesAt = isSameDay ? later(submittedAt, HOUR_MS) : later(submittedAt, DAY_MS)
  return {
    administrative_returns_expected_by: timeOf(later(settlesAt, 2 * DAY_MS)),
    effective_date: date ?? dayOf(settlesAt),
    expected_funds_settlement_at: timeOf(settlesAt),
    expected_settlement_schedule: isSameDay ? 'same_day' : 'future_dated',
    submitted_at: timeOf(submittedAt),
    trace_number: traceNumber(row.id),
  } satisfies Increase.ACHTransfer.Submission
}

/** Writes the return of a transfer; a reason that is none of theirs is that no account was found, with its words. */
export function returnOf(row: AchRow): Increase.ACHTransfer.Return | null {
  const returnedAt = instantOf(row, 'returned')
  if (returnedAt === undefined) return null
  const reason = returnReasonIn(row.document.reason ?? row.detail)
  const code = reason ?? 'no_account'
  return {
    addenda_information: row.document.addenda_information ?? (reason ? null : row.detail.slice(0, 44)),
    created_at: timeOf(returnedAt),
    raw_return_reason_code: RETURN_CODES[code],
    return_reason_code: code,
    trace_number: traceNumber(row.id),
    transaction_id: idOf('transaction', row.id, 'r'),
    transfer_id: idOf('ach_transfer', row.id),
  } satisfies Increase.ACHTransfer.Return
}
