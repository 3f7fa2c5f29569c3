/** Simulations of Increase's sandbox: moves of transfers that leave, and transfers that arrive. */
import type Increase from 'increase'
import * as v from 'valibot'
import { newId } from '../../../domain/ids.ts'
import type { InboundKind, TransferRow } from '../../db/increase/transfers.ts'
import { arriveAtIncrease } from '../../db/increase/inbound.ts'
import { requireOpened } from './opened.ts'
import { waitsForApproval } from './views/ach.ts'
import { type Answer, type Question, amountOf, invalidOperation, parse } from './answers.ts'
import { getInbound } from './arrivals.ts'
import { idOf } from './ids.ts'
import { CLASSES } from './views/inbound.ts'
import { RETURN_CODES, isRejectReason, returnReasonIn } from './views/reasons.ts'
import { amend, move, requireRow } from './transfers.ts'

const ON_THE_WAY = ['pending', 'processing', 'on_hold'] as const

/** Submits an ACH transfer, or a wire: one that waits for its approval, too. */
export async function submit(kind: 'ach_transfer' | 'wire_transfer', { desk, id }: Question): Promise<Answer> {
  const row = await requireRow(kind, desk, id)
  const document = waitsForApproval(row) ? { approved_at: new Date().toISOString() } : {}
  return move(kind, desk, row, { from: ['pending'], to: 'processing', document })
}

/** Throws for a transfer that still waits for its approval. */
function requireApproval(row: TransferRow): void {
  if (waitsForApproval(row)) throw invalidOperation('The transfer is pending approval.')
}

const Settling = v.strictObject({
  inbound_funds_hold_behavior: v.exactOptional(v.picklist(['release_immediately', 'release_on_default_schedule'])),
})

/** Settles an ACH transfer, and submits it before. */
export async function settleAch({ desk, id, body }: Question): Promise<Answer> {
  parse(Settling, body)
  const row = await requireRow('ach_transfer', desk, id)
  requireApproval(row)
  if (row.status === 'pending') await move('ach_transfer', desk, row, { from: ['pending'], to: 'processing' })
  return move('ach_transfer', desk, row, { from: ['pending', 'processing'], to: 'settled' })
}

const Return = v.strictObject({
  reason: v.exactOptional(
    v.pipe(
      v.string(),
      v.check((text) => text in RETURN_CODES, 'must be a reason of returns'),
    ),
  ),
  addenda_information: v.exactOptional(v.string()),
})

/** Returns an ACH transfer that was submitted. */
export async function returnAchOut({ desk, id, body }: Question): Promise<Answer> {
  const { reason = 'no_account', addenda_information: addenda = null } = parse(Return, body)
  const row = await requireRow('ach_transfer', desk, id)
  const document = { reason: returnReasonIn(reason) ?? 'no_account', addenda_information: addenda }
  return move('ach_transfer', desk, row, { from: ['processing', 'settled'], to: 'returned', document })
}

export async function acknowledgeAch({ desk, id }: Question): Promise<Answer> {
  const row = await requireRow('ach_transfer', desk, id)
  if (row.status !== 'processing' && row.status !== 'settled') throw invalidOperation('The transfer is not submitted.')
  return amend('ach_transfer', desk, row, { acknowledged_at: new Date().toISOString() })
}

const Correction = v.strictObject({
  corrected_account_funding: v.exactOptional(v.picklist(['checking', 'savings', 'loan', 'general_ledger'])),
  corrected_account_number: v.exactOptional(v.string()),
  corrected_individual_id: v.exactOptional(v.string()),
  corrected_routing_number: v.exactOptional(v.string()),
}) satisfies v.GenericSchema<unknown, Increase.Simulations.ACHTransferCreateNotificationOfChangeParams>

/** Adds a correction by the bank of the payee. */
export async function correctAch({ desk, id, body }: Question): Promise<Answer> {
  const corrected = parse(Correction, body)
  const row = await requireRow('ach_transfer', desk, id)
  const note = {
    change_code: corrected.corrected_routing_number ? 'incorrect_routing_number' : 'incorrect_account_number',
    corrected_account_funding: null,
    corrected_account_number: null,
    corrected_individual_id: null,
    corrected_routing_number: null,
    ...corrected,
    created_at: new Date().toISOString(),
  } satisfies Increase.ACHTransfer.NotificationsOfChange
  const notes = [...(row.document.notifications_of_change ?? []), note]
  return amend('ach_transfer', desk, row, { notifications_of_change: notes })
}

const Completion = v.strictObject({
  rejection: v.exactOptional(
    v.strictObject({
      reject_reason_code: v.pipe(v.string(), v.check(isRejectReason, 'must be a reason of rejections')),
    }),
  ),
})

/** Completes a transfer by Real-Time Payments, or rejects it. */
export async function completeRealTime({ desk, id, body }: Question): Promise<Answer> {
  const { rejection } = parse(Completion, body)
  const kind = 'real_time_payments_transfer'
  const row = await requireRow(kind, desk, id)
  requireApproval(row)
  return rejection
    ? move(kind, desk, row, { from: ON_THE_WAY, to: 'rejected', document: { reason: rejection.reject_reason_code } })
    : move(kind, desk, row, { from: ON_THE_WAY, to: 'settled' })
}

export async function reverseWireOut({ desk, id }: Question): Promise<Answer> {
  return move('wire_transfer', desk, await requireRow('wire_transfer', desk, id), { from: ['settled'], to: 'returned' })
}

const Text = v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
const MAX_CENTS = 99_999_999_999
const Cents = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_CENTS))
const Freeform = v.strictObject({
  entries: v.pipe(v.array(v.strictObject({ payment_related_information: v.string() })), v.minLength(1)),
})
const ACHArrival = v.strictObject({
  account_number_id: v.string(),
  amount: v.pipe(v.number(), v.integer(), v.notValue(0), v.minValue(-MAX_CENTS), v.maxValue(MAX_CENTS)),
  addenda: v.exactOptional(v.strictObject({ category: v.literal('freeform'), freeform: v.exactOptional(Freeform) })),
  company_descriptive_date: Text,
  company_discretionary_data: Text,
  company_entry_description: Text,
  company_id: Text,
  company_name: Text,
  receiver_id_number: Text,
  receiver_name: Text,
  resolve_at: v.exactOptional(
    v.pipe(
      v.string(),
      v.check((text) => !Number.isNaN(Date.parse(text)), 'must be a time'),
    ),
  ),
  standard_entry_class_code: v.exactOptional(v.picklist(CLASSES)),
}) satisfies v.GenericSchema<unknown, Increase.Simulations.InboundACHTransferCreateParams>
const WireArrival = v.strictObject({
  account_number_id: v.string(),
  amount: Cents,
  creditor_address_line1: Text,
  creditor_address_line2: Text,
  creditor_address_line3: Text,
  creditor_name: Text,
  debtor_address_line1: Text,
  debtor_address_line2: Text,
  debtor_address_line3: Text,
  debtor_name: Text,
  end_to_end_identification: Text,
  instructing_agent_routing_number: Text,
  instruction_identification: Text,
  purpose: Text,
  unique_end_to_end_transaction_reference: Text,
  unstructured_remittance_information: Text,
}) satisfies v.GenericSchema<unknown, Increase.Simulations.InboundWireTransferCreateParams>
const InstantArrival = v.strictObject({
  account_number_id: v.string(),
  amount: Cents,
  debtor_account_number: Text,
  debtor_name: Text,
  debtor_routing_number: Text,
  unstructured_remittance_information: Text,
}) satisfies v.GenericSchema<unknown, Increase.Simulations.InboundFednowTransferCreateParams>

export function simulateAch(question: Question): Promise<Answer> {
  const order = parse(ACHArrival, question.body)
  const { company_name: name, company_id: account, addenda, resolve_at: at } = order
  const reference = addenda?.freeform?.entries.map((entry) => entry.payment_related_information).join(' ')
  return simulate('inbound_ach_transfer', question, { ...order, name, account, reference, at })
}

export function simulateWire(question: Question): Promise<Answer> {
  const order = parse(WireArrival, question.body)
  const { debtor_name: name, unstructured_remittance_information: reference } = order
  return simulate('inbound_wire_transfer', question, { ...order, name, reference })
}

export function simulateInstant(kind: InboundKind, question: Question): Promise<Answer> {
  const order = parse(InstantArrival, question.body)
  const { debtor_name: name, debtor_account_number: account, unstructured_remittance_information: reference } = order
  return simulate(kind, question, { ...order, name, account, reference })
}

type Simulation = {
  readonly account_number_id: string
  readonly amount: number
  readonly name?: string | undefined
  readonly account?: string | undefined
  readonly reference?: string | undefined
  /** End of the time in which it can be declined. */
  readonly at?: string | undefined
}

/** Lets a transfer arrive on an account number, and declines it where that takes none. */
async function simulate(kind: InboundKind, { desk }: Question, order: Simulation): Promise<Answer> {
  const number = await requireOpened(desk, 'account_number', order.account_number_id)
  const { name = null, account = null, reference = null, at, amount } = order
  const { status, debits } = number.document
  const id = newId()
  const declined =
    status !== 'active' ? DECLINES[kind][status] : amount < 0 && debits === 'blocked' ? 'transaction_not_allowed' : null
  await arriveAtIncrease(
    {
      id,
      partner: desk.partner,
      account: number.account,
      amount: { amount: amountOf(amount), currency: 'USD' },
      sender: { name, account_reference: account, country: null, reference },
      document: { kind, order, ...(at !== undefined && { resolve_at: new Date(at).toISOString() }) },
    },
    declined,
  )
  desk.changed()
  return getInbound(kind, { desk, id: idOf(kind, id) })
}

const INSTANT = { disabled: 'account_number_disabled', canceled: 'account_number_canceled' } as const
const DECLINES = {
  inbound_ach_transfer: { disabled: 'ach_route_disabled', canceled: 'ach_route_canceled' },
  inbound_wire_transfer: INSTANT,
  inbound_real_time_payments_transfer: INSTANT,
  inbound_fednow_transfer: INSTANT,
} as const satisfies Readonly<Record<InboundKind, Readonly<Record<'disabled' | 'canceled', string>>>>
