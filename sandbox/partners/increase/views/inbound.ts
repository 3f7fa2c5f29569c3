/** Transfers that arrive, as Increase shows them. */
import type Increase from 'increase'
import type { InboundRow } from '../../../db/increase/transfers.ts'
import { traceNumber } from './ach.ts'
import { type Desk, centsOf, dayOf, timeOf } from '../answers.ts'
import { idOf } from '../ids.ts'
import { accountability } from './wires.ts'

type Inbound =
  | Increase.InboundACHTransfer
  | Increase.InboundWireTransfer
  | Increase.InboundRealTimePaymentsTransfer
  | Increase.InboundFednowTransfer

const NO_ONE = 'Sender of the sandbox'
/** Routing number of senders that name none. */
const SENDERS_BANK = '021000021'

/** Shows a transfer that arrived in the words of its kind. */
export function showInbound(row: InboundRow, desk: Desk): Inbound {
  switch (row.kind) {
    case 'inbound_ach_transfer':
      return showInboundAch(row, desk)
    case 'inbound_wire_transfer':
      return showInboundWire(row, desk)
    case 'inbound_real_time_payments_transfer':
      return showInboundRealTime(row, desk)
    default:
      return showInboundFednow(row, desk)
  }
}

/** Reads a text that the sender gave in a simulation. */
function wordOf({ document }: InboundRow, name: string): string | null {
  const given: unknown = document?.order && Reflect.get(document.order, name)
  return typeof given === 'string' ? given : null
}

const cents = (row: InboundRow): number => Math.abs(centsOf(row.amount))
const momentOf = (row: InboundRow): string => timeOf(row.document?.resolve_at ?? row.received_at)
export const waits = ({ document, status }: InboundRow): boolean =>
  status === 'received' && document?.resolve_at !== undefined && Date.parse(document.resolve_at) > Date.now()
const backAt = (row: InboundRow): string | null => {
  const at = row.document?.history?.find(({ status }) => status === 'returned')?.at
  return row.status === 'returned' && !row.document?.declined ? timeOf(at ?? row.received_at) : null
}
const isAccepted = (row: InboundRow): boolean => !waits(row) && !row.document?.declined

const HOUR_MS = 3_600_000
type AchReturn = Increase.InboundACHTransfer.TransferReturn['reason']
type AchDecline = Increase.InboundACHTransfer.Decline['reason']

export function showInboundAch(row: InboundRow, { account }: Desk): Increase.InboundACHTransfer {
  const returnedAt = backAt(row)
  const { declined } = row.document ?? {}
  const [isPending, reference] = [waits(row), row.sender.reference]
  return {
    id: idOf(row.kind, row.id),
    acceptance: isAccepted(row)
      ? { accepted_at: momentOf(row), transaction_id: idOf('transaction', row.id, 'a') }
      : null,
    account_id: account,
    account_number_id: row.account_number_id,
    addenda: reference
      ? { category: 'freeform', freeform: { entries: [{ payment_related_information: reference }] } }
      : null,
    amount: cents(row),
    automatically_resolves_at: timeOf(
      row.document?.resolve_at ?? new Date(Date.parse(row.received_at) + HOUR_MS).toISOString(),
    ),
    created_at: timeOf(row.received_at),
    decline: declined
      ? {
          declined_at: timeOf(declined.at),
          declined_transaction_id: idOf('declined_transaction', row.id),
          reason: declined.reason as AchDecline, // only such reasons are taken
        }
      : null,
    direction: centsOf(row.amount) < 0 ? 'debit' : 'credit',
    effective_date: dayOf(row.received_at),
    international_addenda: null,
    notification_of_change: null,
    originator_company_descriptive_date: wordOf(row, 'company_descriptive_date'),
    originator_company_discretionary_data: wordOf(row, 'company_discretionary_data'),
    originator_company_entry_description: wordOf(row, 'company_entry_description') ?? 'PAYMENT',
    originator_company_id: row.sender.account_reference ?? '1234567890',
    originator_company_name: row.sender.name ?? '',
    originator_routing_number: SENDERS_BANK,
    receiver_id_number: wordOf(row, 'receiver_id_number'),
    receiver_name: wordOf(row, 'receiver_name'),
    settlement: { settled_at: momentOf(row), settlement_schedule: 'same_day' },
    standard_entry_class_code: classOf(row),
    status: declined ? 'declined' : returnedAt ? 'returned' : isPending ? 'pending' : 'accepted',
    trace_number: traceNumber(row.id),
    transfer_return: returnedAt
      ? {
          reason: ACH_RETURNS.find((reason) => reason === row.return_reason) ?? 'returned_per_odfi_request',
          returned_at: returnedAt,
          transaction_id: idOf('transaction', row.id, 'b'),
        }
      : null,
    type: 'inbound_ach_transfer',
  } satisfies Increase.InboundACHTransfer
}

function classOf(row: InboundRow): Increase.InboundACHTransfer['standard_entry_class_code'] {
  const given = wordOf(row, 'standard_entry_class_code')
  return CLASSES.find((one) => one === given) ?? 'corporate_credit_or_debit'
}
export const CLASSES = [
  'corporate_credit_or_debit',
  'corporate_trade_exchange',
  'prearranged_payments_and_deposit',
  'internet_initiated',
  'point_of_sale',
  'telephone_initiated',
  'customer_initiated',
  'accounts_receivable',
  'machine_transfer',
  'shared_network_transaction',
  'represented_check',
  'back_office_conversion',
  'point_of_purchase',
  'check_truncation',
  'destroyed_check',
  'international_ach_transaction',
] as const satisfies readonly Increase.InboundACHTransfer['standard_entry_class_code'][]

export function showInboundWire(row: InboundRow, { account }: Desk): Increase.InboundWireTransfer {
  const returnedAt = backAt(row)
  const words = (name: string) => wordOf(row, name)
  return {
    id: idOf(row.kind, row.id),
    acceptance: isAccepted(row)
      ? { accepted_at: momentOf(row), transaction_id: idOf('transaction', row.id, 'a') }
      : null,
    account_id: account,
    account_number_id: row.account_number_id,
    amount: cents(row),
    created_at: timeOf(row.received_at),
    creditor_address_line1: words('creditor_address_line1'),
    creditor_address_line2: words('creditor_address_line2'),
    creditor_address_line3: words('creditor_address_line3'),
    creditor_name: words('creditor_name'),
    debtor_account_number: row.sender.account_reference,
    debtor_address_line1: words('debtor_address_line1'),
    debtor_address_line2: words('debtor_address_line2'),
    debtor_address_line3: words('debtor_address_line3'),
    debtor_name: row.sender.name,
    debtor_routing_number: null,
    description: 'Inbound wire transfer',
    end_to_end_identification: words('end_to_end_identification'),
    input_message_accountability_data: accountability(row.id, row.received_at),
    instructing_agent_routing_number: words('instructing_agent_routing_number'),
    instruction_identification: words('instruction_identification'),
    purpose: words('purpose'),
    reversal: returnedAt
      ? {
          reason: WIRE_RETURNS.find((reason) => reason === row.return_reason) ?? 'creditor_request',
          reversed_at: returnedAt,
        }
      : null,
    status: row.document?.declined ? 'declined' : returnedAt ? 'reversed' : 'accepted',
    type: 'inbound_wire_transfer',
    unique_end_to_end_transaction_reference: words('unique_end_to_end_transaction_reference'),
    unstructured_remittance_information: row.sender.reference,
    wire_drawdown_request_id: null,
  } satisfies Increase.InboundWireTransfer
}

type RealTimeDecline = Increase.InboundRealTimePaymentsTransfer.Decline['reason']

/** Writes what both kinds of instant transfers share. */
const instantOf = (row: InboundRow, { account }: Desk) => ({
  id: idOf(row.kind, row.id),
  account_id: account,
  account_number_id: row.account_number_id,
  amount: cents(row),
  created_at: timeOf(row.received_at),
  creditor_name: 'Business Finance Service',
  currency: 'USD' as const,
  debtor_account_number: row.sender.account_reference ?? '',
  debtor_name: row.sender.name ?? NO_ONE,
  debtor_routing_number: wordOf(row, 'debtor_routing_number') ?? SENDERS_BANK,
  unstructured_remittance_information: row.sender.reference,
})

export function showInboundRealTime(row: InboundRow, desk: Desk): Increase.InboundRealTimePaymentsTransfer {
  const { declined } = row.document ?? {}
  return {
    ...instantOf(row, desk),
    confirmation: declined
      ? null
      : { confirmed_at: timeOf(row.received_at), transaction_id: idOf('transaction', row.id, 'a') },
    decline: declined
      ? {
          declined_at: timeOf(declined.at),
          declined_transaction_id: idOf('declined_transaction', row.id),
          reason: declined.reason as RealTimeDecline, // only such reasons are taken
        }
      : null,
    status: declined ? 'declined' : 'confirmed',
    transaction_identification: `20220501234567891T1B${traceNumber(row.id)}`,
    type: 'inbound_real_time_payments_transfer',
  } satisfies Increase.InboundRealTimePaymentsTransfer
}

function showInboundFednow(row: InboundRow, desk: Desk): Increase.InboundFednowTransfer {
  const { declined } = row.document ?? {}
  const transferId = idOf(row.kind, row.id)
  return {
    ...instantOf(row, desk),
    confirmation: declined ? null : { transfer_id: transferId },
    decline: declined
      ? { reason: declined.reason as 'account_number_disabled', transfer_id: transferId } // only such reasons are taken
      : null,
    status: declined ? 'declined' : 'confirmed',
    transaction_id: declined ? null : idOf('transaction', row.id, 'a'),
    type: 'inbound_fednow_transfer',
    unique_end_to_end_transaction_reference: null,
  } satisfies Increase.InboundFednowTransfer
}

export const ACH_RETURNS = [
  'insufficient_funds',
  'authorization_revoked_by_customer',
  'payment_stopped',
  'customer_advised_unauthorized_improper_ineligible_or_incomplete',
  'representative_payee_deceased_or_unable_to_continue_in_that_capacity',
  'beneficiary_or_account_holder_deceased',
  'credit_entry_refused_by_receiver',
  'duplicate_entry',
  'corporate_customer_advised_not_authorized',
] as const satisfies readonly AchReturn[]
export const WIRE_RETURNS = ['duplicate', 'creditor_request', 'transaction_forbidden'] as const
