/** Wire transfers as Increase shows them: complete on the day, or reversed by the bank of the payee. */
import type Increase from 'increase'
import { CREATED_BY, type RowOf, decisionsOf, instantOf, traceNumber, waitsForApproval } from './ach.ts'
import { type Desk, centsOf, dayOf, timeOf } from '../answers.ts'
import { idOf } from '../ids.ts'

type WireRow = RowOf<'wire_transfer'>

export function showWire(row: WireRow, { account }: Desk): Increase.WireTransfer {
  const { order } = row.document
  const submittedAt = instantOf(row, 'processing', 'settled', 'returned')
  return {
    id: idOf('wire_transfer', row.id),
    account_id: account,
    account_number: order.account_number ?? '',
    amount: centsOf(row.amount),
    ...decisionsOf(row),
    created_at: timeOf(row.made_at),
    created_by: CREATED_BY,
    creditor: partyOf(order.creditor),
    currency: 'USD',
    debtor: order.debtor ? partyOf(order.debtor) : null,
    external_account_id: null,
    idempotency_key: row.document.key,
    inbound_wire_drawdown_request_id: null,
    network: 'wire',
    pending_transaction_id: idOf('pending_transaction', row.id),
    remittance: { tax: null, unstructured: null, ...order.remittance },
    reversal: reversalOf(row),
    routing_number: order.routing_number ?? '',
    source_account_number_id: order.source_account_number_id ?? null,
    status: statusOf(row),
    submission:
      submittedAt === undefined
        ? null
        : { input_message_accountability_data: accountability(row.id, submittedAt), submitted_at: timeOf(submittedAt) },
    transaction_id: submittedAt === undefined ? null : idOf('transaction', row.id, 'i'),
    type: 'wire_transfer',
    unique_end_to_end_transaction_reference: row.id,
  } satisfies Increase.WireTransfer
}

function statusOf(row: WireRow): Increase.WireTransfer['status'] {
  switch (row.status) {
    case 'pending':
      return waitsForApproval(row) ? 'pending_approval' : 'pending_creating'
    case 'processing':
      return 'submitted'
    case 'on_hold':
      return 'requires_attention'
    case 'settled':
      return 'complete'
    case 'cancelled':
      return 'canceled'
    case 'returned':
      return 'reversed'
    default:
      return row.status
  }
}

function partyOf({ name, address }: Increase.WireTransferCreateParams.Creditor): Increase.WireTransfer.Creditor {
  const lines = address?.unstructured
  return {
    name,
    address: lines
      ? { unstructured: { line1: lines.line1, line2: lines.line2 ?? null, line3: lines.line3 ?? null } }
      : null,
  } satisfies Increase.WireTransfer.Creditor
}

/** Writes the reversal, of what came back. */
export function reversalOf(row: WireRow): Increase.WireTransfer.Reversal | null {
  const at = instantOf(row, 'returned')
  if (at === undefined) return null
  return {
    amount: centsOf(row.returned?.amount ?? row.amount),
    created_at: timeOf(at),
    debtor_routing_number: row.document.order.routing_number ?? null,
    description: 'Inbound wire reversal',
    input_cycle_date: dayOf(at),
    input_message_accountability_data: accountability(row.id, at),
    input_sequence_number: traceNumber(row.id).slice(-6),
    input_source: 'B6B7HU2R',
    instruction_identification: null,
    return_reason_additional_information: row.document.reason ?? row.detail,
    return_reason_code: null,
    return_reason_code_description: null,
    transaction_id: idOf('transaction', row.id, 'r'),
    wire_transfer_id: idOf('wire_transfer', row.id),
  } satisfies Increase.WireTransfer.Reversal
}

/** Names a message at Fedwire: its day, its sender and its number. */
export const accountability = (uuid: string, at: string): string =>
  `${dayOf(at).replaceAll('-', '')}B6B7HU2R${traceNumber(uuid).slice(-6)}`
