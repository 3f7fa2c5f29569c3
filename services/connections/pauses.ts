/** Pauses of connections, each alone: nothing new is sent there, and what is under way goes on. */
import { config } from '../../platform/config.ts'
import { type ConnectionName, DEFAULT_DESK } from '../../domain/partner.ts'
import { refuse } from '../../domain/errors.ts'
import { BOOKED_CONNECTIONS } from './connections.ts'
import { type Fragment, type Transaction, sql, transaction } from '../../db/postgres/sql.ts'

/** Builds the reason of the pause of a connection; null while it is not paused. One probe of an index. */
export const pauseOf = (connection: Fragment): Fragment => sql`
  (select c.reason from connection_pauses c where c.connection = ${connection} and c.resumed_at is null)`

/** Tells if a connection is paused, as a transaction sees it. */
export const isPaused = async (tx: Transaction, connection: ConnectionName): Promise<boolean> =>
  (await tx`select from connection_pauses where connection = ${connection} and resumed_at is null`).length > 0

/** Builds the reason of the pause of the connection that has a row. */
export const pauseOfRow = (row: Fragment): Fragment => pauseOf(sql`connection_of(${row}.rail, ${row}.connection)`)

/** Builds the name of the desk of a cover. */
export const deskOf = (cover: Fragment): Fragment => sql`coalesce(${cover}.connection, ${DEFAULT_DESK})`

/** Joins the pause `c` of the connection that has a payment; at most one. */
export const joinPause = (payment: Fragment): Fragment => sql`
  left join connection_pauses c on c.resumed_at is null
    and c.connection = connection_of(${payment}.rail, ${payment}.connection)`

/**
 * Builds the condition: the order of the payment has begun, so that the partner may have it, and is asked. What former code
 * has ordered is known by its questions.
 */
export const hasBegun = (payment: Fragment, connection: Fragment): Fragment => sql`(
  ${payment}.asks > 0 or ${payment}.callbacks_received > 0 or exists (select from partner_orders o
    where o.connection = ${connection} and o.subject = 'payment' and o.subject_id = ${payment}.id))`

/** Selects the reason of the pause, and if the order of the payment had begun before it. */
export const pauseColumns = (payment: Fragment, pause: Fragment): Fragment => sql`
  ${pause}.reason as paused,
  case when ${pause}.reason is not null then ${hasBegun(payment, sql`${pause}.connection`)} else false end as ordered`

/** Builds what waitsForPause() tells, for answers to people. One probe of an index for a payment that is submitted. */
export const isHeldByPause = (payment: Fragment): Fragment => sql`
  case when ${payment}.status = 'submitted' then exists (select from connection_pauses c where c.resumed_at is null
    and c.connection = connection_of(${payment}.rail, ${payment}.connection) and not ${hasBegun(payment, sql`c.connection`)})
  else false end`

/** Row of pauseColumns(). */
export type PauseRow = { readonly paused: string | null; readonly ordered: boolean }

/** Tells if a payment waits for the end of a pause: its order has not begun. */
export const waitsForPause = ({ status, paused, ordered }: PauseRow & { readonly status: string }): boolean =>
  status === 'submitted' && paused !== null && !ordered

/** Builds the reason of the pause of the desk that gets new trades. */
export const pauseOfDesk = (): Fragment => pauseOf(sql`${config.partners.rates?.name ?? DEFAULT_DESK}`)

/** Describes the wait of a row for the end of a pause. */
export const sayPause = (connection: ConnectionName, reason: string): string =>
  `Waits: the connection ${connection} is paused: ${reason.replace(/\.$/, '')}.`

type Pause = {
  readonly connection: ConnectionName
  readonly reason: string
  readonly by: string
  readonly since: string
}

/** Lists the pauses that last, oldest first. */
export const listPauses = (): Promise<Pause[]> => sql<Pause[]>`
  select connection, reason, paused_by as by, paused_at as since from connection_pauses
  where resumed_at is null order by paused_at, connection`

/**
 * Pauses a connection, for every process at once: each step that sends something new looks in its own transaction.
 * Refuses `not_found`, with those there are, for one that is not configured, or gets no orders, and `invalid_state` for one
 * that is paused.
 */
export async function pauseConnection(connection: ConnectionName, reason: string, by: string): Promise<void> {
  const connections = BOOKED_CONNECTIONS.map(({ name }) => name) // codes to phones cannot wait
  if (!connections.includes(connection)) refuse('not_found', { connections })
  const paused = await sql`
    insert into connection_pauses (connection, reason, paused_by) values (${connection}, ${reason}, ${by})
    on conflict (connection) where resumed_at is null do nothing returning id`
  if (paused.length === 0) refuse('invalid_state', { current: 'paused', allowed: ['resume'] })
}

/** Ends a pause, and wakes what waits for that; answers how many. Refuses `invalid_state` for one that is not paused. */
export async function resumeConnection(connection: ConnectionName, by: string): Promise<number> {
  const resumed = await sql`
    update connection_pauses set resumed_at = business_now(), resumed_by = ${by}
    where connection = ${connection} and resumed_at is null returning id`
  if (resumed.length === 0) refuse('invalid_state', { current: 'open', allowed: ['pause'] })
  return wakeResumed()
}

/**
 * Wakes what has waited for pauses that are over. After the commit of the end: a row that was looked at before it is
 * seen here, and one that is looked at later does not wait. The reconciler repeats it if a command was interrupted.
 */
export const wakeResumed = (): Promise<number> =>
  transaction(async (tx) => {
    const ended = await tx<{ id: string; connection: ConnectionName }[]>`
      select id, connection from connection_pauses where resumed_at is not null and woken_at is null
      order by id for update skip locked`
    if (ended.length === 0) return 0
    const names = [...new Set(ended.map(({ connection }) => connection))]
    const [row] = await tx<{ woken: number }[]>`select wake_resumed(${names}::text[]) as woken`
    await tx`
      update connection_pauses set woken_at = business_now() where id = any (${ended.map(({ id }) => id)}::uuid[])`
    return row?.woken ?? 0
  })
