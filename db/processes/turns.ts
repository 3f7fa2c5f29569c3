/** Leases of organizations on queues of long work: a flood of files delays its own organization. */
import type { Flow } from '../../domain/flow.ts'
import type { ProcessRef } from '../../domain/process.ts'
import { lockTurns } from '../postgres/locks.ts'
import { type Fragment, type Tx, sql } from '../postgres/sql.ts'
import { wake } from '../postgres/wakes.ts'

/** Concurrent steps of an organization; documents take only about 20 ms each. */
const PLACES = { bills: 1, heavy: 1, documents: 4 } as const
export type TurnQueue = keyof typeof PLACES

/** Long work of a noun: its queue, and the states in which its rows need a turn. */
export type LongWork = {
  readonly flow: Pick<Flow, 'workflow' | 'table'>
  readonly queue: TurnQueue
  readonly states: readonly string[]
}
type Piece = LongWork & { readonly id: ProcessRef['id'] }

/** Lease, longer than any step on these queues and than the grace of a lost run. */
const TURN_MINUTES = 13
/** Fallback, with jitter, for a queued process whose wake-up was lost. */
const BACKSTOP_MINUTES = 15

export type TurnRow = {
  /** Queued: its organization has no free place. */
  readonly waits_for_turn: boolean
  /** Instant at which it looks if it is not woken before. */
  readonly turn_backstop: string
}

/** Lists the columns of a TurnRow, for rows that take turns while `needed`. An expired lease frees its place. */
export const turnColumns = (queue: TurnQueue, table: Fragment, needed = sql`true`): Fragment => sql`
  (${needed} and exists (select from turns t where t.process_id = ${table}.id and t.until is null)
    and (select count(*) from turns t where t.organization_id = ${table}.organization_id and t.queue = ${queue}
      and t.process_id <> ${table}.id and t.until > clock_timestamp()) >= ${PLACES[queue]}) as waits_for_turn,
  business_now() + make_interval(mins => ${BACKSTOP_MINUTES}) * (1 + random()) as turn_backstop`

export const WAITS_FOR_TURN = 'Waits until another file of its organization is done.'

/**
 * Takes or keeps the turn of an organization for a piece of long work; false if it is queued. A row that needs no turn
 * any more leaves the queue.
 */
export async function acquireTurn(tx: Tx, piece: Piece): Promise<boolean> {
  const { flow, states, id } = piece
  const needed = await tx`
    select from ${sql(flow.table)} where id = ${id} and status = any (${[...states]}) for share`
  if (needed.length === 0) {
    await leaveTurn(tx, id)
    return false
  }
  if (await enterTurn(tx, piece)) return true
  wake(tx, flow, { ids: [id], why: 'queued' })
  return false
}

async function enterTurn(tx: Tx, { flow, queue, id }: Piece): Promise<boolean> {
  await lockTurns(tx)
  await tx`
    delete from turns where organization_id = ${tx.organizationId} and queue = ${queue} and process_id <> ${id}
      and until <= clock_timestamp()`
  const [row] = await tx<{ held: boolean }[]>`
    insert into turns (process_id, workflow, organization_id, queue, until)
    select ${id}, ${flow.workflow}, ${tx.organizationId}, ${queue}, case when (
        select count(*) from turns t where t.organization_id = ${tx.organizationId} and t.queue = ${queue}
          and t.process_id <> ${id} and t.until is not null) < ${PLACES[queue]}
      then clock_timestamp() + make_interval(mins => ${TURN_MINUTES}) end
    on conflict (process_id) do update set until = excluded.until
    returning until is not null as held`
  return row?.held ?? false
}

/** Releases the turn or place in the queue, and wakes the process that has waited longest. */
export async function leaveTurn(tx: Tx, id: string): Promise<void> {
  const known = await tx`select from turns where process_id = ${id}`
  if (known.length === 0) return
  await lockTurns(tx)
  const [left] = await tx<{ queue: TurnQueue; held: boolean }[]>`
    delete from turns where process_id = ${id} returning queue, until is not null as held`
  if (!left?.held) return
  const [next] = await tx<{ process_id: string; workflow: string }[]>`
    update turns set until = clock_timestamp() + make_interval(mins => ${TURN_MINUTES})
    where process_id = (
      select t.process_id from turns t where t.organization_id = ${tx.organizationId} and t.queue = ${left.queue}
        and t.until is null order by t.since, t.process_id limit 1)
    returning process_id, workflow`
  if (next) wake(tx, { workflow: next.workflow }, { ids: [next.process_id], why: 'turn' })
}
