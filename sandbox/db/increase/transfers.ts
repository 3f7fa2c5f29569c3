/** Transfers of the stand-in of Increase, in the books that all stand-ins share. */
import type Increase from 'increase'
import type { ConnectionName, PayoutStatus } from '../../../domain/partner.ts'
import type { Money } from '../../../domain/money/money.ts'
import { type Fragment, first, sql, transaction } from '../../../db/postgres/sql.ts'
import { notifyDispatcher, queueCallbacks } from '../callbacks.ts'
import type { Sender } from '../deposits.ts'
import { takeFault } from '../faults.ts'
import { STEP_SECONDS, changeOf, withStep } from '../payouts.ts'

/** Change of an object, in its `history`. */
export type Step = { readonly status: string; readonly version: number; readonly at: string }
type Origin = {
  /** Idempotency key of its creation. */
  readonly key: string | null
  readonly history?: readonly Step[]
}

export type TransferOrder =
  | { readonly kind: 'ach_transfer'; readonly order: Increase.ACHTransferCreateParams }
  | { readonly kind: 'real_time_payments_transfer'; readonly order: Increase.RealTimePaymentsTransferCreateParams }
  | { readonly kind: 'fednow_transfer'; readonly order: Increase.FednowTransferCreateParams }
  | { readonly kind: 'wire_transfer'; readonly order: Increase.WireTransferCreateParams }
export type TransferKind = TransferOrder['kind']

export type TransferDocument = TransferOrder &
  Origin & {
    readonly approved_at?: string
    readonly acknowledged_at?: string
    readonly notifications_of_change?: readonly Increase.ACHTransfer.NotificationsOfChange[]
    /** Reason of a return or a rejection, in Increase's words. */
    readonly reason?: string
    readonly addenda_information?: string | null
  }

/** Transfer that leaves. */
export type TransferRow = {
  readonly id: string
  readonly seq: string
  readonly amount: string
  readonly status: PayoutStatus
  readonly detail: string
  readonly version: number
  readonly returned: Money | null
  readonly made_at: string
  readonly document: TransferDocument
}

/** Bounds and place of a list, newest first; `to` is outside of it. */
export type Listing = {
  readonly before: string | null
  readonly from: string | null
  readonly to: string | null
  readonly limit: number
}

const TRANSFER = sql`id, seq::text, amount, status, detail, version, returned, made_at, document`

/** Finds a transfer as it is. */
export const readTransfer = (partner: ConnectionName, id: string): Promise<TransferRow | undefined> =>
  first(sql<TransferRow[]>`
    select ${TRANSFER} from sandbox_payouts where partner = ${partner} and id = ${id} and document is not null`)

/** Finds a transfer; under the fault `out_of_order`, as it was before its last change. */
export async function findTransfer(partner: ConnectionName, id: string): Promise<TransferRow | undefined> {
  const row = await first(sql<(TransferRow & { previous: Partial<TransferRow> | null })[]>`
    select ${TRANSFER}, previous from sandbox_payouts where partner = ${partner} and id = ${id} and document is not null`)
  if (!row) return undefined
  const { previous, ...now } = row
  if (previous === null || !(await takeFault(partner, ['out_of_order']))) return now
  const history = (now.document.history ?? []).slice(0, -1)
  return { ...now, ...previous, document: { ...now.document, history } }
}

/** Lists transfers of a kind, or of all, newest first. */
export const listTransfers = async (
  partner: ConnectionName,
  kind: TransferKind | null,
  { before, from, to, limit }: Listing,
): Promise<TransferRow[]> => [
  ...(await sql<TransferRow[]>`
    select ${TRANSFER} from sandbox_payouts p
    where partner = ${partner} and document ->> 'kind' = coalesce(${kind}, document ->> 'kind')
      and seq < coalesce(${before}::bigint, ${'9223372036854775807'}::bigint)
      and made_at >= coalesce(${from}::timestamptz, '-infinity')
      and made_at < coalesce(${to}::timestamptz, 'infinity')
    order by p.seq desc limit ${limit}`),
]

/** Changes members of a transfer that waits for its next step, and calls back; false if it is none. */
export const amendTransfer = (
  partner: ConnectionName,
  id: string,
  document: Partial<TransferDocument>,
  { starts = false }: { readonly starts?: boolean } = {},
): Promise<boolean> =>
  transaction(async (tx) => {
    const due = starts
      ? sql`case when not manual then clock_timestamp() + make_interval(secs => ${STEP_SECONDS}) end`
      : sql`due_at`
    const rows = await tx<{ partner: ConnectionName; id: string; version: number }[]>`
      update sandbox_payouts p set version = version + 1, updated_at = clock_timestamp(), due_at = ${due},
        document = document || ${sql.json(document as never)}
          || ${withStep(sql`document`, sql`status`, sql`version + 1`)}
      where partner = ${partner} and id = ${id} and document is not null returning partner, id, version`
    await queueCallbacks(tx, rows.map(changeOf))
    await notifyDispatcher(tx)
    return rows.length > 0
  })

export type InboundKind =
  | 'inbound_ach_transfer'
  | 'inbound_wire_transfer'
  | 'inbound_real_time_payments_transfer'
  | 'inbound_fednow_transfer'

/** Members of a transfer that arrives; those of one that the sandbox let arrive are made of its amount. */
export type InboundDocument = Partial<Origin> & {
  readonly kind?: InboundKind
  /** Order of the simulation. */
  readonly order?: object
  /** End of the time in which it can be declined; before that it is no money. */
  readonly resolve_at?: string
  readonly declined?: { readonly at: string; readonly reason: string }
}
export type InboundRow = {
  readonly id: string
  readonly seq: string
  readonly kind: InboundKind
  readonly account: string
  readonly account_number_id: string
  readonly amount: string
  readonly sender: Sender
  readonly status: 'received' | 'returned'
  readonly return_reason: string | null
  readonly reference: string
  readonly version: number
  readonly received_at: string
  readonly document: InboundDocument | null
}

/** Amount from which money arrives by wire, unless a simulation says how. */
export const WIRE_FROM = '1000000.00'
export const inboundKind = (row: Fragment): Fragment => sql`
  coalesce(${row}.document ->> 'kind', case when ${row}.amount::numeric >= ${WIRE_FROM}::numeric
    then 'inbound_wire_transfer' else 'inbound_ach_transfer' end)`

const inboundOf = (row: Fragment): Fragment => sql`
  ${row}.id, ${row}.seq::text, ${inboundKind(row)} as kind, ${row}.account, ${row}.amount, ${row}.sender, ${row}.status,
  ${row}.return_reason, ${row}.reference, ${row}.version, ${row}.received_at, ${row}.document,
  coalesce((select a.account from sandbox_accounts a where a.partner = ${row}.partner
    and a.details ->> 'account_number' = ${row}.account limit 1), ${row}.account) as account_number_id`

export const findInbound = (partner: ConnectionName, id: string): Promise<InboundRow | undefined> =>
  first(
    sql<
      InboundRow[]
    >`select ${inboundOf(sql`d`)} from sandbox_deposits d where d.partner = ${partner} and d.id = ${id}`,
  )

/** Lists transfers of a kind that arrived, newest first. */
export const listInbound = async (
  partner: ConnectionName,
  kind: InboundKind,
  { before, from, to, limit }: Listing,
): Promise<InboundRow[]> => [
  ...(await sql<InboundRow[]>`
    select ${inboundOf(sql`d`)} from sandbox_deposits d
    where d.partner = ${partner} and ${inboundKind(sql`d`)} = ${kind}
      and d.seq < coalesce(${before}::bigint, ${'9223372036854775807'}::bigint)
      and d.received_at >= coalesce(${from}::timestamptz, '-infinity')
      and d.received_at < coalesce(${to}::timestamptz, 'infinity')
    order by d.seq desc limit ${limit}`),
]
