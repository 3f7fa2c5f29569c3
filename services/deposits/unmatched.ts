/** Unmatched money: in suspense until an operator assigns it, or sends it back. */
import { lockIncoming } from '../../db/postgres/locks.ts'
import { SYSTEM_ORGANIZATION, findEarlierBooking, bookTransfer } from './booking.ts'
import { record } from '../events.ts'
import { credit, debit, post, system } from '../ledger/ledger.ts'
import type { BookingResult, IncomingTransfer, PartnersDeposit } from '../../domain/deposits/deposit.ts'
import { depositEvents } from '../../domain/deposits/events.ts'
import { type UnmatchedDepositStatus, unmatchedDepositFlow } from '../../domain/deposits/unmatched-flow.ts'
import { refuse } from '../../domain/errors.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { moneyOf } from '../../domain/money/money.ts'
import { type Fragment, type Tx, first, inOrganization, sql } from '../../db/postgres/sql.ts'
import { move } from '../../db/processes/transition.ts'
import { clearingAt } from '../connections/connections.ts'
import { pauseOf } from '../connections/pauses.ts'

type Row = Omit<IncomingTransfer, 'amount'> & {
  readonly id: string
  readonly amount: string
  readonly currency: string
  readonly status: UnmatchedDepositStatus
  readonly since: string
}
type UnmatchedDeposit = IncomingTransfer & Pick<Row, 'id' | 'status' | 'since'>

const selectUnmatched = (): Fragment => sql`
  select id, partner, partner_deposit_id as "partnerDepositId", amount, currency, network, account, source,
    partner_reference as reference, value_usd as "valueUsd", status, inserted_at as since
  from unmatched_deposits`

const toUnmatched = ({ amount, currency, ...row }: Row): UnmatchedDeposit => ({
  ...row,
  amount: moneyOf(amount, currency),
})

/** Selects what waits for an operator, or for a partner whom an operator has asked. */
const isUndecided = (): Fragment => sql`status in ('unmatched', 'returning')`

export async function listUnmatched(limit: number): Promise<UnmatchedDeposit[]> {
  const rows = await sql<Row[]>`${selectUnmatched()} where ${isUndecided()} order by inserted_at, id limit ${limit}`
  return rows.map(toUnmatched)
}

export async function countUnmatched(): Promise<number> {
  const row = await first(sql<{ n: number }[]>`
    select count(*)::int as n from unmatched_deposits where ${isUndecided()}`)
  return row?.n ?? 0
}

/**
 * Books an unmatched deposit for an organization; a repeat answers the same. Refuses `not_found` for an unknown one and
 * for an organization that is gone, and `invalid_state` if it was given to another or goes back.
 */
export async function assignUnmatched(id: string, organizationId: OrganizationId): Promise<BookingResult> {
  return inOrganization({ kind: 'admin' }, organizationId, async (tx) => {
    const deposit = await lockUnmatched(tx, id)
    const { status } = deposit
    if (status === 'assigned') {
      const before = await findEarlierBooking(tx, deposit)
      if (before?.kind === 'deposit' && before.organizationId === organizationId) return before
    }
    if (status !== 'unmatched') refuse('invalid_state', { current: status })
    const booked = await bookTransfer(tx, deposit, { unmatchedId: id })
    if (booked?.kind !== 'deposit') refuse('not_found')
    await move(tx, unmatchedDepositFlow, id, { event: 'assign', set: sql`deposit_id = ${booked.id}` })
    await record(tx, depositEvents.assigned, { subjectId: booked.id, cause: `unmatched:${id}` })
    return booked
  })
}

/** Finds a deposit before an operator decides about it; undefined if that is decided. Refuses `not_found`. */
export async function findUndecided(id: string): Promise<UnmatchedDeposit | undefined> {
  const row = await first(sql<Row[]>`${selectUnmatched()} where id = ${id}`)
  if (!row) refuse('not_found')
  return row.status === 'unmatched' ? toUnmatched(row) : undefined
}

const inSystem = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  inOrganization({ kind: 'admin' }, SYSTEM_ORGANIZATION, work)

/**
 * Marks a deposit before its partner is asked to send it back: from here on it cannot be assigned. Refuses
 * `invalid_state` while the connection is paused.
 */
export const beginReturn = (id: string): Promise<UnmatchedDeposit> =>
  inSystem(async (tx) => {
    const deposit = await lockUnmatched(tx, id)
    const [at] = await tx<{ paused: string | null }[]>`select ${pauseOf(sql`${deposit.partner}`)} as paused`
    if (at?.paused) refuse('invalid_state', { current: deposit.status, connection: 'paused' })
    if (deposit.status === 'assigned') refuse('invalid_state', { current: deposit.status })
    await move(tx, unmatchedDepositFlow, id, { event: 'begin_return' })
    return deposit
  })

/** Makes a deposit wait for an operator again: its partner has refused for good to send it back. */
export const recordUnmatchedReturnRefused = (id: string): Promise<boolean> =>
  inSystem((tx) => move(tx, unmatchedDepositFlow, id, { event: 'refuse_return' }))

/** Books the return by the partner, asked or not. A repeat changes nothing; refuses `invalid_state` if assigned. */
export const recordUnmatchedReturn = (id: string): Promise<void> =>
  inSystem(async (tx) => {
    const { status, partner, amount } = await lockUnmatched(tx, id)
    if (status === 'returned') return
    if (!(await move(tx, unmatchedDepositFlow, id, { event: 'return' }))) refuse('invalid_state', { current: status })
    const legs = [debit(system('suspense'), amount), credit(system(clearingAt(partner)), amount)]
    await post(tx, [{ key: `unmatched:${id}:return`, organizationId: SYSTEM_ORGANIZATION, legs }])
  })

/** Books the return of an unmatched deposit that its partner sent back by itself. */
export async function bookSentBack({ partner, partnerDepositId }: PartnersDeposit): Promise<BookingResult> {
  const row = await first(sql<{ id: string; status: string }[]>`
    select id, status from unmatched_deposits where partner = ${partner} and partner_deposit_id = ${partnerDepositId}`)
  if (!row || row.status === 'assigned') return { kind: 'nothing' }
  await recordUnmatchedReturn(row.id)
  return { kind: 'unmatched', id: row.id }
}

/** Locks a row, after the lock that every booking of the deposit takes. Refuses `not_found`. */
async function lockUnmatched(tx: Tx, id: string): Promise<UnmatchedDeposit> {
  const [known] = await tx<Row[]>`${selectUnmatched()} where id = ${id}`
  if (!known) refuse('not_found')
  await lockIncoming(tx, known)
  const [row] = await tx<Row[]>`${selectUnmatched()} where id = ${id} for update`
  return row ? toUnmatched(row) : refuse('not_found')
}
