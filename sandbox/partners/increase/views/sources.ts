/** Sources of transactions: the transfers that posted them, in the words of each kind. */
import type Increase from 'increase'
import type { InboundRow, TransferRow } from '../../../db/increase/transfers.ts'
import type { EntryMark } from '../../../db/increase/entries.ts'
import { returnOf } from './ach.ts'
import type { Desk } from '../answers.ts'
import { idOf } from '../ids.ts'
import { showInboundAch, showInboundRealTime, showInboundWire } from './inbound.ts'
import { isOf, showTransfer } from '../transfers.ts'
import { reversalOf } from './wires.ts'

type Source = Increase.Transaction.Source

/** Writes a source of one category, with its member. */
const sourceOf = <Category extends Source['category']>(
  category: Category,
  member: NonNullable<Source[Category]>,
): Source => ({
  category,
  [category]: member,
})

/** Writes the source of what left. */
export function intention(row: TransferRow, desk: Desk): Source {
  const transferId = idOf(row.document.kind, row.id)
  const { amount, account_number: account, routing_number: bank } = showTransfer(row, desk)
  const place = { account_number: account, amount, routing_number: bank, transfer_id: transferId }
  if (isOf(row, 'ach_transfer')) {
    const { statement_descriptor: descriptor } = row.document.order
    return sourceOf('ach_transfer_intention', { ...place, statement_descriptor: descriptor })
  }
  if (isOf(row, 'wire_transfer')) {
    const message = row.document.order.remittance.unstructured?.message ?? ''
    return sourceOf('wire_transfer_intention', { ...place, message_to_recipient: message })
  }
  if (isOf(row, 'real_time_payments_transfer')) {
    const words = row.document.order.unstructured_remittance_information
    return sourceOf('real_time_payments_transfer_acknowledgement', {
      ...place,
      unstructured_remittance_information: words,
    })
  }
  return sourceOf('fednow_transfer_acknowledgement', { transfer_id: transferId })
}

/** Writes the source of what came back, or did not leave after all. */
export function comeback(row: TransferRow, mark: EntryMark): Source {
  const transferId = idOf(row.document.kind, row.id)
  if (mark === 'r' && isOf(row, 'ach_transfer')) {
    const returned = returnOf(row)
    if (returned) return sourceOf('ach_transfer_return', returned)
  }
  if (mark === 'r' && isOf(row, 'wire_transfer')) {
    const reversal = reversalOf(row)
    if (reversal) return sourceOf('inbound_wire_reversal', reversal)
  }
  return isOf(row, 'ach_transfer')
    ? sourceOf('ach_transfer_rejection', { transfer_id: transferId })
    : sourceOf('other', {})
}

/** Writes the source of what arrived. */
export function arrival(row: InboundRow, desk: Desk): Source {
  const transferId = idOf(row.kind, row.id)
  switch (row.kind) {
    case 'inbound_ach_transfer':
      return sourceOf('inbound_ach_transfer', { ...achMembers(showInboundAch(row, desk)), transfer_id: transferId })
    case 'inbound_wire_transfer':
      return sourceOf('inbound_wire_transfer', { ...wireMembers(showInboundWire(row, desk)), transfer_id: transferId })
    case 'inbound_real_time_payments_transfer':
      return sourceOf('inbound_real_time_payments_transfer_confirmation', {
        ...realTimeMembers(showInboundRealTime(row, desk)),
        transfer_id: transferId,
      })
    default:
      return sourceOf('inbound_fednow_transfer_confirmation', { transfer_id: transferId })
  }
}

/** Names members of transfers that sources have too. */
const achMembers = (one: Increase.InboundACHTransfer) => ({
  addenda: one.addenda,
  amount: one.amount,
  originator_company_descriptive_date: one.originator_company_descriptive_date,
  originator_company_discretionary_data: one.originator_company_discretionary_data,
  originator_company_entry_description: one.originator_company_entry_description,
  originator_company_id: one.originator_company_id,
  originator_company_name: one.originator_company_name,
  receiver_id_number: one.receiver_id_number,
  receiver_name: one.receiver_name,
  trace_number: one.trace_number,
})
const wireMembers = (one: Increase.InboundWireTransfer) => ({
  amount: one.amount,
  creditor_address_line1: one.creditor_address_line1,
  creditor_address_line2: one.creditor_address_line2,
  creditor_address_line3: one.creditor_address_line3,
  creditor_name: one.creditor_name,
  debtor_address_line1: one.debtor_address_line1,
  debtor_address_line2: one.debtor_address_line2,
  debtor_address_line3: one.debtor_address_line3,
  debtor_name: one.debtor_name,
  description: one.description,
  end_to_end_identification: one.end_to_end_identification,
  input_message_accountability_data: one.input_message_accountability_data,
  instructing_agent_routing_number: one.instructing_agent_routing_number,
  instruction_identification: one.instruction_identification,
  purpose: one.purpose,
  unique_end_to_end_transaction_reference: one.unique_end_to_end_transaction_reference,
  unstructured_remittance_information: one.unstructured_remittance_information,
})
const realTimeMembers = (one: Increase.InboundRealTimePaymentsTransfer) => ({
  amount: one.amount,
  creditor_name: one.creditor_name,
  currency: one.currency,
  debtor_account_number: one.debtor_account_number,
  debtor_name: one.debtor_name,
  debtor_routing_number: one.debtor_routing_number,
  transaction_identification: one.transaction_identification,
  unstructured_remittance_information: one.unstructured_remittance_information,
})

/** Writes the source of what went back to its payer. */
export function wayBack({ kind, id }: InboundRow): Source {
  const transferId = idOf(kind, id)
  return kind === 'inbound_ach_transfer'
    ? sourceOf('inbound_ach_transfer_return_intention', { inbound_ach_transfer_id: transferId })
    : sourceOf('inbound_wire_transfer_reversal', { inbound_wire_transfer_id: transferId })
}

/** Writes the source of what is held. */
export function instruction(row: TransferRow, desk: Desk): Increase.PendingTransaction.Source {
  const transferId = idOf(row.document.kind, row.id)
  const { amount, account_number: account, routing_number: bank } = showTransfer(row, desk)
  if (isOf(row, 'ach_transfer')) {
    return { category: 'ach_transfer_instruction', ach_transfer_instruction: { amount, transfer_id: transferId } }
  }
  if (isOf(row, 'wire_transfer')) {
    const wire = {
      account_number: account,
      amount,
      message_to_recipient: row.document.order.remittance.unstructured?.message ?? '',
      routing_number: bank,
      transfer_id: transferId,
    } satisfies Increase.PendingTransaction.Source.WireTransferInstruction
    return { category: 'wire_transfer_instruction', wire_transfer_instruction: wire }
  }
  if (isOf(row, 'fednow_transfer')) {
    return { category: 'fednow_transfer_instruction', fednow_transfer_instruction: { transfer_id: transferId } }
  }
  const realTime = { amount, transfer_id: transferId }
  return {
    category: 'real_time_payments_transfer_instruction',
    real_time_payments_transfer_instruction: realTime,
  }
}
