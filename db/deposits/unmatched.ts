/** Money that nobody could be found for: in suspense until an operator assigns it, or sends it back. */
import { randomUUID } from 'node:crypto'
import { lockArrival } from '../locks.ts'
import { bookedBefore, bookTransfer } from './arrivals.ts'
import { record } from '../events.ts'
import { credit, debit, post, system } from '../ledger/ledger.ts'
import { log } from '../../platform/log.ts'
import { type IncomingTransfer, type BookingResult, type Source } from '../../domain/deposits/deposit.ts'
import { depositEvents } from '../../domain/deposits/events.ts'
import { type UnmatchedDepositStatus, unmatchedDepositFlow } from '../../domain/flows/undriven/unmatched-deposit.ts'
import { refuse } from '../../domain/errors.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import type { MoneyPartner } from '../../domain/callbacks/partner.ts'
import { type Fragment, type Tx, first, inOrganization, sql } from '../sql.ts'
import { move } from '../transition.ts'
import { clearingOf, railOf } from '../../domain/rails.ts'

/** The owner of what nobody owns: system accounts alone move in its transactions. */
export const SYSTEM_ORGANIZATION = '00000000-0000-0000-0000-000000000000' as OrganizationId

/**
 * Books an arrival that nobody could be found for, in a transaction of the system's organization, and tells the
 * operator. A repeat answers what the first one did, also if it was assigned since.
 */
export async function recordUnmatched(tx: Tx, arrival: IncomingTransfer): Promise<BookingResult> {
  await lockArrival(tx, arrival)
  const before = await bookedBefore(tx, arrival)
  if (before) return before
  const { account, amount, network, partner, partnerDepositId, reference, source, valueUsd } = arrival
  const id = randomUUID()
  await tx`
    insert into unmatched_deposits (id, partner, partner_deposit_id, rail, network, amount, currency, account, source,
      partner_reference, value_usd, status)
    values (${id}, ${partner}, ${partnerDepositId}, ${railOf(partner)}, ${network}, ${amount.amount}, ${amount.currency},
      ${account}, ${sql.json(source)}, ${reference}, ${valueUsd}, 'unmatched')`
  const legs = [debit(system(clearingOf(partner)), amount), credit(system('suspense'), amount)]
  await post(tx, [{ key: `unmatched:${id}:receive`, organizationId: SYSTEM_ORGANIZATION, legs }])
  log.error({ unmatched_deposit_id: id, partner }, 'money arrived that nobody could be found for: it waits in suspense')
  return { kind: 'unmatched', id }
}

type UnmatchedRow = {
  id: string
  partner: MoneyPartner
  partner_deposit_id: string
  amount: string
  currency: string
  network: string | null
  account: string | null
  source: Source
  partner_reference: string | null
  value_usd: string | null
  status: UnmatchedDepositStatus
  inserted_at: string
}

/** What waits for an operator, as one is shown it. */
export type Unmatched = {
  readonly id: string
  readonly partner: MoneyPartner
  readonly amount: Money
  readonly account: string | null
  readonly source: Source
  readonly is_returning: boolean
  readonly since: string
}

/** What waits for an operator, or for a partner that he has asked. */
const undecided = (): Fragment => sql`status in ('unmatched', 'returning')`

const selectUnmatched = (): Fragment => sql`
  select id, partner, partner_deposit_id, amount, currency, network, account, source, partner_reference, value_usd,
    status, inserted_at
  from unmatched_deposits`

/** The oldest deposits that wait for an operator, oldest first. */
export async function listUnmatched(limit: number): Promise<Unmatched[]> {
  const rows = await sql<UnmatchedRow[]>`
    ${selectUnmatched()} where ${undecided()} order by inserted_at, id limit ${limit}`
  return rows.map(({ id, partner, amount, currency, account, source, status, inserted_at: since }) => ({
    id,
    partner,
    amount: moneyOf(amount, currency),
    account,
    source,
    is_returning: status === 'returning',
    since,
  }))
}

/** How many deposits wait for an operator. */
export async function countUnmatched(): Promise<number> {
  const row = await first(sql<{ n: number }[]>`
    select count(*)::int as n from unmatched_deposits where ${undecided()}`)
  return row?.n ?? 0
}

/**
 * Gives an unmatched deposit to an organization by the rules of any arrival, its money coming from suspense; a repeat
 * for the same organization answers the same. Refuses `not_found` for what is unknown and for an organization that is
 * gone, and `invalid_state` if it was given to another or goes back.
 */
export async function assignUnmatched(id: string, organizationId: OrganizationId): Promise<BookingResult> {
  return inOrganization({ kind: 'admin' }, organizationId, async (tx) => {
    const row = await lockUnmatched(tx, id)
    const arrival = arrivalOf(row)
    if (row.status === 'assigned') {
      const before = await bookedBefore(tx, arrival)
      if (before?.kind === 'deposit' && before.organizationId === organizationId) return before
    }
    if (row.status !== 'unmatched') refuse('invalid_state', { current: row.status })
    const booked = await bookTransfer(tx, arrival, { unmatchedId: id })
    if (booked?.kind !== 'deposit') refuse('not_found')
    await move(tx, unmatchedDepositFlow, id, { event: 'assign', set: sql`deposit_id = ${booked.id}` })
    await record(tx, depositEvents.assigned, { subjectId: booked.id, cause: `unmatched:${id}` })
    return booked
  })
}

/** What to ask the partner about before an operator decides; undefined if that is decided. Refuses `not_found`. */
export async function findUndecided(id: string): Promise<AtPartner | undefined> {
  const row = await first(sql<UnmatchedRow[]>`${selectUnmatched()} where id = ${id}`)
  if (!row) refuse('not_found')
  return row.status === 'unmatched' ? atPartner(row) : undefined
}

/** The partner has refused for good to send it back: it waits for an operator again. */
export async function recordUnmatchedReturnRefused(id: string): Promise<void> {
  await inOrganization({ kind: 'admin' }, SYSTEM_ORGANIZATION, (tx) =>
    move(tx, unmatchedDepositFlow, id, { event: 'refuse_return' }),
  )
}

/**
 * Who asks the partner to send it back first marks it so: from here on nobody is assigned to it. Answers what to ask.
 */
export function beginReturn(id: string): Promise<AtPartner> {
  return inOrganization({ kind: 'admin' }, SYSTEM_ORGANIZATION, async (tx) => {
    const row = await lockUnmatched(tx, id)
    if (row.status === 'assigned') refuse('invalid_state', { current: row.status })
    await move(tx, unmatchedDepositFlow, id, { event: 'begin_return' })
    return atPartner(row)
  })
}

/** The partner has sent it back, asked or not. A repeat changes nothing; refuses `invalid_state` if it was assigned. */
export function recordUnmatchedReturn(id: string): Promise<void> {
  return inOrganization({ kind: 'admin' }, SYSTEM_ORGANIZATION, async (tx) => {
    const row = await lockUnmatched(tx, id)
    if (row.status === 'returned') return
    if (!(await move(tx, unmatchedDepositFlow, id, { event: 'return' }))) {
      refuse('invalid_state', { current: row.status })
    }
    const amount = moneyOf(row.amount, row.currency)
    const legs = [debit(system('suspense'), amount), credit(system(clearingOf(row.partner)), amount)]
    await post(tx, [{ key: `unmatched:${id}:return`, organizationId: SYSTEM_ORGANIZATION, legs }])
  })
}

type AtPartner = { readonly partner: MoneyPartner; readonly partnerDepositId: string; readonly amount: Money }

const atPartner = (row: UnmatchedRow): AtPartner => ({
  partner: row.partner,
  partnerDepositId: row.partner_deposit_id,
  amount: moneyOf(row.amount, row.currency),
})

/** The row, after the lock that every booking of the deposit takes. Refuses `not_found`. */
async function lockUnmatched(tx: Tx, id: string): Promise<UnmatchedRow> {
  const [known] = await tx<{ partner: MoneyPartner; partnerDepositId: string }[]>`
    select partner, partner_deposit_id as "partnerDepositId" from unmatched_deposits where id = ${id}`
  if (!known) refuse('not_found')
  await lockArrival(tx, known)
  const [row] = await tx<UnmatchedRow[]>`${selectUnmatched()} where id = ${id} for update`
  return row ?? refuse('not_found')
}

const arrivalOf = (row: UnmatchedRow): IncomingTransfer => ({
  partner: row.partner,
  partnerDepositId: row.partner_deposit_id,
  account: row.account,
  network: row.network,
  amount: moneyOf(row.amount, row.currency),
  valueUsd: row.value_usd,
  source: row.source,
  reference: row.partner_reference,
})
