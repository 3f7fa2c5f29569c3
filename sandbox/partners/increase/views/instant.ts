/** Transfers by Real-Time Payments and FedNow as Increase shows them: paid within seconds, or rejected, for good. */
import type Increase from 'increase'
import { CREATED_BY, type RowOf, decisionsOf, instantOf, traceNumber, waitsForApproval } from './ach.ts'
import { type Desk, centsOf, timeOf } from '../answers.ts'
import { idOf } from '../ids.ts'
import { isFednowReason, isRejectReason } from './reasons.ts'

type RealTimeRow = RowOf<'real_time_payments_transfer'>
type FednowRow = RowOf<'fednow_transfer'>

export function showRealTime(row: RealTimeRow, { account }: Desk): Increase.RealTimePaymentsTransfer {
  const { order } = row.document
  const [submittedAt, completeAt] = [instantOf(row, 'processing', 'settled', 'rejected'), instantOf(row, 'settled')]
  return {
    id: idOf('real_time_payments_transfer', row.id),
    account_id: account,
    account_number: order.account_number ?? '',
    acknowledgement: completeAt === undefined ? null : { acknowledged_at: timeOf(completeAt) },
    amount: centsOf(row.amount),
    ...decisionsOf(row),
    created_at: timeOf(row.made_at),
    created_by: CREATED_BY,
    creditor_name: order.creditor_name,
    currency: 'USD',
    debtor_name: order.debtor_name ?? null,
    external_account_id: null,
    idempotency_key: row.document.key,
    pending_transaction_id: idOf('pending_transaction', row.id),
    rejection: rejectionOf(row),
    routing_number: order.routing_number ?? '',
    source_account_number_id: order.source_account_number_id,
    status: realTimeStatus(row),
    submission:
      submittedAt === undefined
        ? null
        : { submitted_at: timeOf(submittedAt), transaction_identification: identification(row.id) },
    transaction_id: completeAt === undefined ? null : idOf('transaction', row.id, 'i'),
    type: 'real_time_payments_transfer',
    ultimate_creditor_name: order.ultimate_creditor_name ?? null,
    ultimate_debtor_name: order.ultimate_debtor_name ?? null,
    unstructured_remittance_information: order.unstructured_remittance_information,
  } satisfies Increase.RealTimePaymentsTransfer
}

function realTimeStatus(row: RealTimeRow): Increase.RealTimePaymentsTransfer['status'] {
  switch (row.status) {
    case 'pending':
      return waitsForApproval(row) ? 'pending_approval' : 'pending_submission'
    case 'processing':
      return 'submitted'
    case 'on_hold':
      return 'requires_attention'
    case 'rejected':
      return 'rejected'
    case 'cancelled':
      return 'canceled'
    default:
      return 'complete'
  }
}

export function showFednow(row: FednowRow, { account }: Desk): Increase.FednowTransfer {
  const { order } = row.document
  const [submittedAt, completeAt] = [instantOf(row, 'processing', 'settled', 'rejected'), instantOf(row, 'settled')]
  return {
    id: idOf('fednow_transfer', row.id),
    account_id: account,
    account_number: order.account_number ?? '',
    acknowledgement: completeAt === undefined ? null : { acknowledged_at: timeOf(completeAt) },
    amount: centsOf(row.amount),
    created_at: timeOf(row.made_at),
    created_by: CREATED_BY,
    creditor_address: order.creditor_address ? { line1: null, ...order.creditor_address } : null,
    creditor_name: order.creditor_name,
    currency: 'USD',
    debtor_address: order.debtor_address ? { line1: null, ...order.debtor_address } : null,
    debtor_name: order.debtor_name,
    external_account_id: null,
    idempotency_key: row.document.key,
    pending_transaction_id: idOf('pending_transaction', row.id),
    rejection: fednowRejection(row),
    routing_number: order.routing_number ?? '',
    source_account_number_id: order.source_account_number_id,
    status: fednowStatus(row),
    submission:
      submittedAt === undefined
        ? null
        : { message_identification: identification(row.id), submitted_at: timeOf(submittedAt) },
    transaction_id: completeAt === undefined ? null : idOf('transaction', row.id, 'i'),
    type: 'fednow_transfer',
    unique_end_to_end_transaction_reference: row.id,
    unstructured_remittance_information: order.unstructured_remittance_information,
  } satisfies Increase.FednowTransfer
}

function fednowStatus(row: FednowRow): Increase.FednowTransfer['status'] {
  switch (row.status) {
    case 'pending':
      return waitsForApproval(row) ? 'pending_approval' : 'pending_submitting'
    case 'processing':
      return 'pending_response'
    case 'on_hold':
      return 'requires_attention'
    case 'rejected':
      return 'rejected'
    case 'cancelled':
      return 'canceled'
    default:
      return 'complete'
  }
}

/** Writes a rejection; one in words of its own is `narrative`. */
function rejectionOf(row: RealTimeRow): Increase.RealTimePaymentsTransfer.Rejection | null {
  const words = wordsOf(row)
  if (words === null) return null
  const isKnown = isRejectReason(words.reason)
  return {
    reject_reason_additional_information: isKnown ? null : words.reason,
    reject_reason_code: isRejectReason(words.reason) ? words.reason : 'narrative',
    rejected_at: words.at,
  } satisfies Increase.RealTimePaymentsTransfer.Rejection
}

function fednowRejection(row: FednowRow): Increase.FednowTransfer.Rejection | null {
  const words = wordsOf(row)
  if (words === null) return null
  const isKnown = isFednowReason(words.reason)
  return {
    reject_reason_additional_information: isKnown ? null : words.reason,
    reject_reason_code: isFednowReason(words.reason) ? words.reason : 'narrative',
    rejected_at: words.at,
  } satisfies Increase.FednowTransfer.Rejection
}

function wordsOf(row: RealTimeRow | FednowRow): { readonly reason: string; readonly at: string } | null {
  const at = instantOf(row, 'rejected')
  return at === undefined ? null : { reason: row.document.reason ?? row.detail, at: timeOf(at) }
}

/** Names a transfer at its network. */
const identification = (uuid: string): string => `20220501234567891T1B${traceNumber(uuid)}`
