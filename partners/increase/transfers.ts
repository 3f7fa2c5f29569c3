/** Outgoing transfers of Increase, and the meaning of their statuses. */
import * as v from 'valibot'
import type { ACHTransfer } from 'increase/resources/ach-transfers'
import type { FednowTransfer } from 'increase/resources/fednow-transfers'
import type { RealTimePaymentsTransfer } from 'increase/resources/real-time-payments-transfers'
import type { WireTransfer } from 'increase/resources/wire-transfers'
import { Reference } from '../../domain/callbacks/reference.ts'
import { isUuid } from '../../domain/ids.ts'
import type { PayoutStatus } from '../../domain/partner.ts'
import type { ListedPayout, PayoutView } from '../driver.ts'
import { sanitize } from '../http.ts'
import { OPERATIONS, type Operation } from './plan.ts'
import { Cents, Currency, TheirId, Time, moneyOfCents, reads } from './words.ts'

/** Resource of each operation: its path, and the beginning of its ids. */
const RESOURCES: Readonly<Record<Operation, string>> = {
  ach: 'ach_transfer',
  wire: 'wire_transfer',
  rtp: 'real_time_payments_transfer',
  fednow: 'fednow_transfer',
}
export const pathOf = (operation: Operation): string => `/${RESOURCES[operation]}s`

/** Finds the operation of an id, with or without the `sandbox_` of Increase's sandbox. */
export const operationOfId = (theirId: string): Operation | undefined =>
  OPERATIONS.find((operation) => theirId.replace(/^sandbox_/, '').startsWith(`${RESOURCES[operation]}_`))

/** Finds the operation of a resource that a callback names. */
export const operationOfType = (type: string): Operation | undefined =>
  OPERATIONS.find((operation) => RESOURCES[operation] === type)

/** Statuses of all that is the same everywhere. Only what waits for a person is `on_hold`. */
const COMMON = {
  pending_approval: 'on_hold',
  requires_attention: 'on_hold',
  pending_reviewing: 'pending',
  canceled: 'cancelled',
  rejected: 'rejected',
} as const
const ACH: Readonly<Record<ACHTransfer['status'], PayoutStatus>> = {
  ...COMMON,
  pending_transfer_session_confirmation: 'on_hold',
  pending_submission: 'pending',
  submitted: 'processing',
  returned: 'returned',
}
const WIRE: Readonly<Record<WireTransfer['status'], PayoutStatus>> = {
  ...COMMON,
  pending_creating: 'pending',
  submitted: 'processing',
  complete: 'settled',
  reversed: 'returned',
}
const RTP: Readonly<Record<RealTimePaymentsTransfer['status'], PayoutStatus>> = {
  ...COMMON,
  pending_submission: 'pending',
  submitted: 'processing',
  complete: 'settled',
}
const FEDNOW: Readonly<Record<FednowTransfer['status'], PayoutStatus>> = {
  ...COMMON,
  pending_submitting: 'pending',
  pending_response: 'processing',
  reviewing_rejected: 'rejected',
  complete: 'settled',
}

const keysOf = <Status extends string>(statuses: Readonly<Record<Status, PayoutStatus>>) =>
  // the keys of the record are its statuses
  v.picklist(Object.keys(statuses) as Status[])

const shared = {
  id: TheirId,
  idempotency_key: v.nullable(v.string()),
  amount: v.pipe(Cents, v.minValue(1)),
  currency: Currency,
  created_at: Time,
}
type Common = v.InferOutput<v.ObjectSchema<typeof shared, undefined>>

/** Transfer of any operation. */
export type Transfer = PayoutView & {
  readonly theirId: string
  readonly key: string | null
  /** Instant from which the balance counts it, or counts that it came back. */
  readonly changedAt: string
}

type Shown = Pick<Transfer, 'status'> & {
  /** Words for people behind the status. */
  readonly because?: string | null | undefined
  readonly reference?: string | null | undefined
  readonly back?: { readonly amount: number; readonly created_at: string } | null
}

/** Makes a transfer. The balance is less from its creation on, and more again from its return. */
function transferOf(one: Common, said: string, { status, because, reference, back }: Shown): Transfer {
  const named = v.safeParse(Reference, reference)
  return {
    theirId: one.id,
    key: one.idempotency_key,
    status,
    detail: sanitize([said.replaceAll('_', ' '), because].filter(Boolean).join(': '), 255),
    reference: named.success ? named.output : null,
    amount: moneyOfCents(one.amount, one.currency),
    ...(back && { returned: moneyOfCents(back.amount, one.currency) }),
    changedAt: back?.created_at ?? one.created_at,
  }
}

const Ach = v.pipe(
  reads<ACHTransfer>()(
    v.object({
      ...shared,
      type: v.literal('ach_transfer'),
      status: keysOf(ACH),
      settlement: v.nullable(v.object({ settled_at: v.string() })),
      submission: v.nullable(v.object({ trace_number: v.string() })),
      return: v.nullable(
        v.object({ created_at: Time, raw_return_reason_code: v.string(), return_reason_code: v.string() }),
      ),
    }),
  ),
  v.transform(({ status, settlement, submission, return: returned, ...one }): Transfer => {
    const isSettled = status === 'submitted' && settlement !== null
    return transferOf(one, isSettled ? 'settled' : status, {
      status: isSettled ? 'settled' : ACH[status],
      because:
        returned && `${returned.raw_return_reason_code} ${returned.return_reason_code.replaceAll('_', ' ')}`.trim(),
      reference: submission?.trace_number,
      // a return of ACH is of the whole
      ...(returned && status === 'returned' && { back: { amount: one.amount, created_at: returned.created_at } }),
    })
  }),
)

const Wire = v.pipe(
  reads<WireTransfer>()(
    v.object({
      ...shared,
      type: v.literal('wire_transfer'),
      status: keysOf(WIRE),
      submission: v.nullable(v.object({ input_message_accountability_data: v.string() })),
      reversal: v.nullable(
        v.object({
          amount: Cents,
          created_at: Time,
          description: v.string(),
          return_reason_code: v.nullable(v.string()),
        }),
      ),
    }),
  ),
  v.transform(({ status, submission, reversal, ...one }): Transfer =>
    transferOf(one, status, {
      status: WIRE[status],
      because: reversal && [reversal.return_reason_code, reversal.description].filter(Boolean).join(' '),
      reference: submission?.input_message_accountability_data,
      back: status === 'reversed' ? reversal : null,
    }),
  ),
)

const rejection = v.nullable(
  v.object({ reject_reason_code: v.string(), reject_reason_additional_information: v.nullable(v.string()) }),
)
const reasonOf = (given: v.InferOutput<typeof rejection>): string | null =>
  given &&
  [given.reject_reason_code.replaceAll('_', ' '), given.reject_reason_additional_information].filter(Boolean).join(', ')

const Rtp = v.pipe(
  reads<RealTimePaymentsTransfer>()(
    v.object({
      ...shared,
      type: v.literal('real_time_payments_transfer'),
      status: keysOf(RTP),
      submission: v.nullable(v.object({ transaction_identification: v.string() })),
      rejection,
    }),
  ),
  v.transform(({ status, submission, rejection: rejected, ...one }): Transfer =>
    transferOf(one, status, {
      status: RTP[status],
      because: reasonOf(rejected),
      reference: submission?.transaction_identification,
    }),
  ),
)

const Fednow = v.pipe(
  reads<FednowTransfer>()(
    v.object({
      ...shared,
      type: v.literal('fednow_transfer'),
      status: keysOf(FEDNOW),
      unique_end_to_end_transaction_reference: v.string(),
      rejection,
    }),
  ),
  v.transform(({ status, rejection: rejected, unique_end_to_end_transaction_reference: reference, ...one }): Transfer =>
    transferOf(one, status, { status: FEDNOW[status], because: reasonOf(rejected), reference }),
  ),
)

export const TRANSFERS = { ach: Ach, wire: Wire, rtp: Rtp, fednow: Fednow } satisfies Record<
  Operation,
  v.GenericSchema<unknown, Transfer>
>

/** Makes the schema of one transfer, which must be the one that was asked for. */
export const transferReply = (operation: Operation, { key, theirId }: { key: string; theirId?: string | null }) =>
  v.pipe(
    TRANSFERS[operation] as v.GenericSchema<unknown, Transfer>, // one of the four
    v.check((one) => one.key === key, 'must be of our key'),
    v.check((one) => theirId == null || one.theirId === theirId, 'must be the one that was asked for'),
  )

export const viewOf = ({ key: _key, changedAt: _changedAt, ...view }: Transfer): PayoutView => view

/** Lists a transfer under our id, which is its key. One that was made by hand has none. */
export const toListed = ({ key, detail: _detail, reference: _reference, ...one }: Transfer): ListedPayout => ({
  ...one,
  id: key !== null && isUuid(key) ? key.toLowerCase() : null,
})
