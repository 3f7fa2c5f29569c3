import { config } from '../../platform/config.ts'
import type { OrganizationId, PaymentId } from '../../domain/ids.ts'
import type { ConnectionName, PayoutStatus, PartnerPayout } from '../../domain/partner.ts'
import type { Money } from '../../domain/money/money.ts'
import type { PaymentState } from '../../domain/payments/flow.ts'
import type { Speed } from '../../domain/payments/speed.ts'
import { type Change, notifyDispatcher, queueCallbacks } from './callbacks.ts'
import { takeFault } from './faults.ts'
import { type Fragment, type Transaction, first, sql, transaction, values } from '../../db/postgres/sql.ts'
import { MONEY_CONNECTIONS, railOf } from '../../services/connections/connections.ts'
import type { PartnerRail, Rail } from '../../domain/rails.ts'

const BATCH = 200
/** Seconds of each of the two steps to a settled payout. */
export const STEP_SECONDS = config.sandboxSettleMs / 2000
/** Seconds in which a `manual` payout can still be moved before its cancellation. */
const DECIDE_SECONDS = 3

export type SandboxPayout = PartnerPayout & {
  readonly id: string
  readonly amount: Money
  readonly updated_at: string
  readonly payee_address?: object
  readonly payer?: object
  readonly payee?: object
}
type PayoutRow = Omit<SandboxPayout, 'amount' | 'payee_address' | 'payer' | 'payee' | 'returned' | 'charges'> & {
  amount: string
  currency: string
  returned: Money | null
  charges: Money | null
  payee_address: object | null
  payer: object | null
  payee: object | null
}
type StoredPayout = PayoutRow & { body_hash: string }

export type NewPayout = {
  readonly id: string
  readonly partner: ConnectionName
  readonly bodyHash: string
  /** An instant payout ends at once. */
  readonly speed?: Speed
  readonly amount: Money
  /** Partner's own name of the payout; at the custodian the hash of its transaction. */
  readonly ownReference: string
  /** Address of the payee, as it was ordered. */
  readonly address: object | null
  /** Payer, as it was ordered. */
  readonly payer: object | null
  /** Payee of coins, as it was ordered. */
  readonly payee: object | null
  /** Members of the provider's protocol beside these; each change adds itself to their `history`. */
  readonly document?: object
  /** Waits for an approval at the provider. */
  readonly waits?: boolean
}

const CUSTODIANS = MONEY_CONNECTIONS.flatMap(({ name, kind }) => (kind === 'crypto' ? [name] : []))

const VIEW = sql`id, status, detail, reference, version, amount, currency, updated_at, payee_address, payer, payee,
  returned, charges`

const DETAIL: Readonly<Record<PartnerRail, Readonly<Record<PayoutStatus, string>>>> = {
  fiat: {
    pending: 'accepted by the bank',
    processing: 'sent to the clearing',
    on_hold: 'under review by compliance',
    settled: 'paid to the beneficiary',
    rejected: 'refused by the bank of the beneficiary',
    cancelled: 'cancelled on request',
    returned: 'returned by the bank of the beneficiary',
  },
  crypto: {
    pending: 'waiting for custody approval',
    processing: 'broadcast, waiting for confirmations',
    on_hold: 'under review by custody',
    settled: 'confirmed on chain',
    rejected: 'refused by custody',
    cancelled: 'cancelled before broadcast',
    returned: 'sent back by the receiver',
  },
}

/** Tells whether words about a bank's payout are those that it has without a reason. */
export const isUsualDetail = (status: PayoutStatus, detail: string): boolean => DETAIL.fiat[status] === detail

/** Makes a payout, once; undefined if the id was used with another body. A repeat answers its present state. */
export async function makePayout(payout: NewPayout): Promise<SandboxPayout | undefined> {
  const { id, partner, bodyHash, speed, amount, ownReference, address, payer, payee, document, waits = false } = payout
  const made = await transaction(async (tx) => {
    const rows = await tx<PayoutRow[]>`
      insert into sandbox_payouts ${values({
        partner,
        id,
        body_hash: bodyHash,
        amount: amount.amount,
        currency: amount.currency,
        status: 'pending',
        detail: DETAIL[railOf(partner)].pending,
        reference: railOf(partner) === 'fiat' ? ownReference : null,
        own_reference: ownReference,
        payee_address: address && sql.json(address as never),
        payer: payer && sql.json(payer as never),
        payee: payee && sql.json(payee as never),
        document: document ? sql.json(document as never) : null,
        due_at: waits ? null : sql`clock_timestamp() + make_interval(secs => ${STEP_SECONDS})`,
      })}
      on conflict do nothing returning ${VIEW}`
    if (rows.length === 1 && (await takeFault(partner, ['manual'], tx))) {
      await tx`update sandbox_payouts set manual = true, due_at = null where partner = ${partner} and id = ${id}`
    } else if (rows.length === 1 && speed === 'instant') await endInstantly(tx, partner, id)
    return rows
  })
  if (made[0]) return (speed === 'instant' && (await findPayout(partner, id))) || toPayout(made[0])
  const known = await first(sql<StoredPayout[]>`
    select ${VIEW}, body_hash from sandbox_payouts where partner = ${partner} and id = ${id}`)
  if (!known || known.body_hash !== bodyHash) return undefined
  const { body_hash: _, ...row } = known
  return toPayout(row)
}

/** Ends a new instant payout, paid or refused. One that gets no answer in time ends as a standard one does. */
export async function endInstantly(tx: Transaction, partner: ConnectionName, id: string): Promise<void> {
  const fault = await takeFault(partner, ['instant_rejected', 'instant_timeout'], tx)
  if (fault === 'instant_timeout') return
  const to = fault === 'instant_rejected' ? 'rejected' : 'settled'
  await moveIn(tx, partner, id, { from: ['pending'], to, unlessManual: true })
}

/** Finds a payout; under the fault `out_of_order`, its previous version. */
export async function findPayout(partner: ConnectionName, id: string): Promise<SandboxPayout | undefined> {
  const row = await first(sql<(PayoutRow & { previous: Partial<PayoutRow> | null })[]>`
    select ${VIEW}, previous from sandbox_payouts where partner = ${partner} and id = ${id}`)
  if (!row) return undefined
  const { previous, ...now } = row
  const stale = previous !== null && (await takeFault(partner, ['out_of_order'])) !== undefined
  return toPayout(stale ? { ...now, ...previous } : now)
}

export async function listPayouts(
  partner: ConnectionName,
  after: string | undefined,
  limit: number,
): Promise<SandboxPayout[]> {
  const rows = await sql<PayoutRow[]>`
    select ${VIEW} from sandbox_payouts
    where partner = ${partner} and seq > coalesce((select a.seq from sandbox_payouts a
      where a.partner = ${partner} and a.id = ${after ?? null}), 0)
    order by seq limit ${limit}`
  return rows.map(toPayout)
}

/** Cancels a pending payout; undefined if unknown. A `manual` one can still be moved for some seconds. */
export async function cancelPayout(partner: ConnectionName, id: string): Promise<SandboxPayout | undefined> {
  await sql`
    update sandbox_payouts
    set cancel_asked = true, due_at = clock_timestamp() + make_interval(secs => ${DECIDE_SECONDS})
    where partner = ${partner} and id = ${id} and manual and not cancel_asked and status = 'pending'`
  await movePayout(partner, id, { from: ['pending'], to: 'cancelled', unlessManual: true })
  return findPayout(partner, id)
}

export type Move = {
  readonly from: readonly PayoutStatus[]
  readonly to: PayoutStatus
  readonly detail?: string
  /** Part that comes back; all of it by default. */
  readonly returned?: Money | null
  readonly charges?: Money | null
  readonly unlessManual?: boolean
  /** Members of the provider's protocol that change with it. */
  readonly document?: object
}

/** Moves a payout and calls back; answers its new version, undefined if it stays. */
export const movePayout = (partner: ConnectionName, id: string, move: Move): Promise<number | undefined> =>
  transaction((tx) => moveIn(tx, partner, id, move))

async function moveIn(tx: Transaction, partner: ConnectionName, id: string, move: Move): Promise<number | undefined> {
  const rows = await tx<{ partner: ConnectionName; id: string; version: number }[]>`
    ${change(sql`${move.to}`, sql`${move.detail ?? DETAIL[railOf(partner)][move.to]}`, move.document)},
      returned = ${jsonOf(move.returned)}, charges = ${jsonOf(move.charges)}
    where p.partner = ${partner} and p.id = ${id} and p.status = any (${[...move.from]})
      and not (p.manual and ${move.unlessManual ?? false})
    returning p.partner, p.id, p.version`
  await queueCallbacks(tx, rows.map(changeOf))
  await notifyDispatcher(tx)
  return rows[0]?.version
}

const jsonOf = (money: Money | null | undefined): Fragment => sql`${money ? sql.json(money) : null}::jsonb`

export async function settleDuePayouts(): Promise<number> {
  return transaction(async (tx) => {
    const due = sql`
      select d.partner, d.id from sandbox_payouts d where d.due_at <= clock_timestamp()
      order by d.due_at limit ${BATCH} for update skip locked`
    const next = sql`case when p.status <> 'pending' then 'settled' when p.cancel_asked then 'cancelled'
      else 'processing' end`
    const step = (rail: PartnerRail) =>
      sql`case ${next} when 'cancelled' then ${DETAIL[rail].cancelled}
        when 'processing' then ${DETAIL[rail].processing} else ${DETAIL[rail].settled} end`
    const rows = await tx<{ partner: ConnectionName; id: string; version: number }[]>`
      with due as (${due})
      ${change(next, sql`case when p.partner = any (${CUSTODIANS}) then ${step('crypto')} else ${step('fiat')} end`)}
      from due where p.partner = due.partner and p.id = due.id
      returning p.partner, p.id, p.version`
    if (rows.length > 0) await queueCallbacks(tx, rows.map(changeOf))
    return rows.length
  })
}

/** Changes a payout: raises its version and keeps the previous one. */
const change = (to: Fragment, detail: Fragment, document: object = {}): Fragment => sql`
  update sandbox_payouts p set
    previous = jsonb_build_object('status', p.status, 'detail', p.detail, 'reference', p.reference, 'version', p.version,
      'returned', p.returned, 'charges', p.charges),
    status = ${to}, detail = ${detail}, version = p.version + 1, updated_at = clock_timestamp(),
    reference = case when ${to} in ('processing', 'settled') then p.own_reference else p.reference end,
    document = p.document || ${sql.json(document as never)} || ${withStep(sql`p.document`, to, sql`p.version + 1`)},
    due_at = case when ${to} = 'processing' and not p.manual
      then clock_timestamp() + make_interval(secs => ${STEP_SECONDS}) end`

/** Writes the history of a document with one more step. */
export const withStep = (document: Fragment, status: Fragment, version: Fragment): Fragment => sql`
  jsonb_build_object('history', coalesce(${document} -> 'history', '[]'::jsonb) || jsonb_build_object(
    'status', (${status})::text, 'version', ${version}, 'at', clock_timestamp()))`

export const changeOf = ({
  partner,
  id,
  version,
}: {
  partner: ConnectionName
  id: string
  version: number
}): Change => ({
  partner,
  type: 'payout.updated',
  subjectId: id,
  version,
})

/** Computes milliseconds until a payout or callback is due: 0 if one is, undefined without any. */
export async function nextDueMs(): Promise<number | undefined> {
  const row = await first(sql<{ ms: number | null }[]>`
    select (extract(epoch from least((select min(due_at) from sandbox_payouts where due_at is not null),
      (select min(due_at) from sandbox_callbacks)) - clock_timestamp()) * 1000)::float8 as ms`)
  return row?.ms === null || row?.ms === undefined ? undefined : Math.max(0, row.ms)
}

const toPayout = (payout: PayoutRow): SandboxPayout => {
  const { amount, currency, payee_address: address, payer, payee, returned, charges, ...row } = payout
  return {
    ...row,
    amount: { amount, currency },
    ...(returned && { returned }),
    ...(charges && { charges }),
    ...(address && { payee_address: address }),
    ...(payer && { payer }),
    ...(payee && { payee }),
  }
}

export type SandboxPayment = {
  readonly organization_id: OrganizationId
  readonly rail: Rail
  readonly connection: ConnectionName | null
  readonly status: PaymentState
  readonly partner_version: number
}

export const sandboxPayment = async (id: PaymentId): Promise<SandboxPayment | undefined> =>
  first(sql<SandboxPayment[]>`
    select organization_id, rail, connection, status, partner_version from payment_at_stand_in(${id})`)
