/** Incoming transfers of Increase: which of them are deposits, and which are money that nobody may take. */
import * as v from 'valibot'
import type { InboundACHTransfer } from 'increase/resources/inbound-ach-transfers'
import type { InboundFednowTransfer } from 'increase/resources/inbound-fednow-transfers'
import type { InboundRealTimePaymentsTransfer } from 'increase/resources/inbound-real-time-payments-transfers'
import type { InboundWireTransfer } from 'increase/resources/inbound-wire-transfers'
import { Reference } from '../../domain/callbacks/reference.ts'
import type { DepositView } from '../driver.ts'
import { sanitize } from '../http.ts'
import { FreeText } from '../schemas.ts'
import { Cents, Currency, DOLLARS, TheirId, Time, moneyOfCents, reads } from './words.ts'

export const ARRIVALS = ['ach', 'wire', 'rtp', 'fednow'] as const
export type Arrival = (typeof ARRIVALS)[number]

const RESOURCES: Readonly<Record<Arrival, string>> = {
  ach: 'inbound_ach_transfer',
  wire: 'inbound_wire_transfer',
  rtp: 'inbound_real_time_payments_transfer',
  fednow: 'inbound_fednow_transfer',
}
export const arrivalPath = (arrival: Arrival): string => `/${RESOURCES[arrival]}s`
export const arrivalOfId = (theirId: string): Arrival | undefined =>
  ARRIVALS.find((arrival) => theirId.replace(/^sandbox_/, '').startsWith(`${RESOURCES[arrival]}_`))
export const arrivalOfType = (type: string): Arrival | undefined =>
  ARRIVALS.find((arrival) => RESOURCES[arrival] === type)

/** Deposit; or what is none: not decided yet, of zero, in other money, or money that was taken from the account. */
export type Incoming = DepositView | 'not_yet' | 'zero' | 'unknown_money' | 'taken'

/** Statuses: it is ours, it is not ours any more, or never was, or that is not decided. */
type Fate = DepositView['status'] | 'not_yet'
const ACH: Readonly<Record<InboundACHTransfer['status'], Fate>> = {
  pending: 'not_yet',
  accepted: 'received',
  declined: 'returned',
  returned: 'returned',
}
const WIRE: Readonly<Record<InboundWireTransfer['status'], Fate>> = {
  pending: 'not_yet',
  accepted: 'received',
  declined: 'returned',
  reversed: 'returned',
}
const AT_ONCE: Readonly<Record<InboundRealTimePaymentsTransfer['status'] | InboundFednowTransfer['status'], Fate>> = {
  pending_confirming: 'not_yet',
  requires_attention: 'not_yet',
  confirmed: 'received',
  timed_out: 'returned',
  declined: 'returned',
}

const keysOf = <Status extends string>(statuses: Readonly<Record<Status, Fate>>) =>
  // the keys of the record are its statuses
  v.picklist(Object.keys(statuses) as Status[])

const shared = { id: TheirId, account_number_id: Reference, amount: Cents, created_at: Time }
type Common = v.InferOutput<v.ObjectSchema<typeof shared, undefined>>
const Text = v.nullable(FreeText)

type Facts = {
  readonly fate: Fate
  readonly currency?: string
  readonly at?: string | undefined
  readonly sender: Partial<DepositView['sender']>
  readonly reference: string | null
}

function incomingOf({ id, account_number_id: account, amount, created_at: createdAt }: Common, told: Facts): Incoming {
  const { fate, currency = DOLLARS, at, sender, reference } = told
  if (amount === 0) return 'zero'
  if (currency !== DOLLARS) return 'unknown_money'
  if (fate === 'not_yet') return fate
  const named = v.safeParse(Reference, reference)
  return {
    id,
    account,
    amount: moneyOfCents(amount, currency),
    sender: { name: null, reference: null, account_reference: null, country: null, ...sender },
    status: fate,
    reference: named.success ? named.output : null,
    receivedAt: at ?? createdAt,
  }
}

const Ach = v.pipe(
  reads<InboundACHTransfer>()(
    v.object({
      ...shared,
      type: v.literal('inbound_ach_transfer'),
      direction: v.picklist(['credit', 'debit']),
      status: keysOf(ACH),
      acceptance: v.nullable(v.object({ accepted_at: Time })),
      originator_company_name: FreeText,
      originator_company_entry_description: FreeText,
      addenda: v.nullable(
        v.object({
          freeform: v.nullable(v.object({ entries: v.array(v.object({ payment_related_information: v.string() })) })),
        }),
      ),
      trace_number: v.string(),
    }),
  ),
  v.transform(({ direction, status, acceptance, addenda, ...one }): Incoming => {
    // a debit that was declined took nothing
    if (direction === 'debit') return status === 'accepted' ? 'taken' : 'not_yet'
    const words = (addenda?.freeform?.entries ?? []).map((entry) => entry.payment_related_information).join(' ')
    return incomingOf(one, {
      fate: ACH[status],
      at: acceptance?.accepted_at,
      sender: {
        name: one.originator_company_name,
        reference: sanitize(words, 255) || one.originator_company_entry_description,
      },
      reference: one.trace_number,
    })
  }),
)

const Wire = v.pipe(
  reads<InboundWireTransfer>()(
    v.object({
      ...shared,
      type: v.literal('inbound_wire_transfer'),
      status: keysOf(WIRE),
      acceptance: v.nullable(v.object({ accepted_at: Time })),
      debtor_name: Text,
      debtor_account_number: Text,
      unstructured_remittance_information: Text,
      end_to_end_identification: Text,
      input_message_accountability_data: v.nullable(v.string()),
    }),
  ),
  v.transform(({ status, acceptance, ...one }): Incoming =>
    incomingOf(one, {
      fate: WIRE[status],
      at: acceptance?.accepted_at,
      sender: {
        name: one.debtor_name,
        reference: one.unstructured_remittance_information ?? one.end_to_end_identification,
        account_reference: one.debtor_account_number,
      },
      reference: one.input_message_accountability_data,
    }),
  ),
)

const atOnce = {
  ...shared,
  currency: Currency,
  status: keysOf(AT_ONCE),
  debtor_name: FreeText,
  debtor_account_number: FreeText,
  unstructured_remittance_information: Text,
}
type AtOnce = v.InferOutput<v.ObjectSchema<typeof atOnce, undefined>>

type Receipt = { readonly reference: string | null; readonly at?: string | undefined }

const incomingAtOnce = ({ currency, status, ...one }: AtOnce, { reference, at }: Receipt): Incoming =>
  incomingOf(one, {
    fate: AT_ONCE[status],
    currency,
    at,
    sender: {
      name: one.debtor_name,
      reference: one.unstructured_remittance_information,
      account_reference: one.debtor_account_number,
    },
    reference,
  })

const Rtp = v.pipe(
  reads<InboundRealTimePaymentsTransfer>()(
    v.object({
      ...atOnce,
      type: v.literal('inbound_real_time_payments_transfer'),
      confirmation: v.nullable(v.object({ confirmed_at: Time })),
      transaction_identification: v.string(),
    }),
  ),
  v.transform(({ confirmation, transaction_identification: reference, ...one }): Incoming =>
    incomingAtOnce(one, { reference, at: confirmation?.confirmed_at }),
  ),
)
const Fednow = v.pipe(
  reads<InboundFednowTransfer>()(
    v.object({
      ...atOnce,
      type: v.literal('inbound_fednow_transfer'),
      unique_end_to_end_transaction_reference: v.nullable(v.string()),
    }),
  ),
  v.transform(({ unique_end_to_end_transaction_reference: reference, ...one }): Incoming =>
    incomingAtOnce(one, { reference }),
  ),
)

/** Schemas by kind of arrival. */
export const INCOMING: Readonly<Record<Arrival, v.GenericSchema<unknown, Incoming>>> = {
  ach: Ach,
  wire: Wire,
  rtp: Rtp,
  fednow: Fednow,
}

/** Makes the schema of one incoming transfer, which must be the one that was asked for. */
export const incomingReply = (arrival: Arrival, theirId: string) =>
  v.pipe(
    v.unknown(),
    v.check((answered) => v.is(v.object({ id: v.literal(theirId) }), answered), 'must be the one that was asked for'),
    INCOMING[arrival],
  )
