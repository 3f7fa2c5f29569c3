/** Moves of rows along their flow: the only writer of a status, and of its event. */
import { canonicalJson } from '../../domain/canonical.ts'
import type { EventType, PayloadArguments, Moves, PayloadOf } from '../../domain/event-type.ts'
import { type RefusalType, refuse } from '../../domain/errors.ts'
import { type Flow, publicStateOf, eventsFrom, isDriven } from '../../domain/flow.ts'
import { type Fragment, type Transaction, type Tx, sql } from '../postgres/sql.ts'
import { wake } from '../postgres/wakes.ts'

export type Move<Event extends string, Payload = unknown> = {
  /** One event, or several of one instant in a row, with one payload. */
  events: readonly [Event, ...Event[]]
  /** Decision, partner callback, transfer key or request behind it; by row if there are several. */
  cause: string | ((id: string) => string)
  /** Further columns to set with the status: `sql`transaction_id = ${id}``. */
  set?: Fragment
  /** Actor, if not the one of this transaction. */
  actor?: { readonly kind: 'system' | 'webhook' } | undefined
  /** Refusal for a wrong state; 409 `invalid_state` by default. */
  otherwise?: RefusalType
  /** False for rows that no run drives. */
  wakes?: boolean
} & PayloadArguments<Payload | ((id: string) => Payload)>

type Types<Event extends string> = Readonly<Record<Event, EventType>>

/**
 * Moves a row, or a set of rows, along its flow, and wakes its run. Idempotent by cause. Refuses any other move from a
 * wrong state, and with it the whole transaction.
 */
export async function transition<
  State extends string,
  Event extends string,
  Logged extends Types<Event>,
  Happening extends Event,
>(
  tx: Tx,
  { flow, types: logged }: Moves<State, Event, Logged>,
  target: string | readonly string[],
  move: Move<Happening, PayloadOf<Logged[Happening]>>,
): Promise<void> {
  const steps = move.events.map((name) => flow.events[name])
  const [firstStep, lastStep] = [steps[0], steps.at(-1)]
  if (!firstStep || !lastStep) throw new Error('a move needs an event')
  const ids = typeof target === 'string' ? [target] : [...target]
  const { cause } = move
  const causes = ids.map((id) => (typeof cause === 'string' ? cause : cause(id)))
  const types = move.events.map((name) => logged[name].type)
  const { payload, actor = tx.actor } = move
  // no payload is a function itself
  const payloadOf = typeof payload === 'function' ? (payload as (id: string) => unknown) : undefined
  const ofAll = payload == null || payloadOf ? null : canonicalJson(payload)
  const ofEach = payloadOf ? ids.map((id) => canonicalJson(payloadOf(id))) : []
  const moved = await tx<{ subject_id: string; was: State }[]>`
    with moved as (
      update ${sql(flow.table)} set status = ${lastStep.to}, updated_at = business_now()
        ${move.set ? sql`, ${move.set}` : sql``}
      where id = any (${ids}) and status = any (${[...firstStep.from]})
      returning id, old.status as was
    ), logged as (
    insert into events (organization_id, stream, subject_id, type, actor_kind, actor_user_id, correlation_id, cause, payload)
    select ${tx.organizationId}, ${flow.table}, moved.id, step.type, ${actor.kind},
      ${actor.kind === 'user' ? actor.userId : null}, ${tx.correlationId}, asked.cause,
      coalesce(asked.payload, ${ofAll})
    from moved join unnest(${ids}::uuid[], ${causes}::text[], ${ofEach}::text[]) asked (id, cause, payload) using (id),
      unnest(${types}::text[]) with ordinality step (type, position)
    order by step.position
    returning subject_id)
    select logged.subject_id, moved.was from logged join moved on moved.id = logged.subject_id`.execute()
  const woken = moved.filter(({ was }) => move.wakes !== false && (isDriven(flow, was) || isDriven(flow, lastStep.to)))
  wake(tx, flow, { ids: woken.map((row) => row.subject_id), why: lastStep.logs, status: lastStep.to })
  if (moved.length === ids.length * types.length) return
  const done = new Set(moved.map((row) => row.subject_id))
  for (const [index, id] of ids.entries()) {
    if (!done.has(id)) await explain(tx, flow, { id, cause: causes[index] ?? '', types, otherwise: move.otherwise })
  }
}

/**
 * Moves a row whose flow is not logged, and wakes its run. Returns false, and changes nothing, if the event does not
 * apply in the row's state.
 */
export async function move<State extends string, Event extends string>(
  tx: Transaction,
  flow: Flow<State, Event>,
  id: string,
  { event, set }: { event: NoInfer<Event>; set?: Fragment },
): Promise<boolean> {
  const { from, to, logs } = flow.events[event]
  const moved = await tx`
    update ${sql(flow.table)} set status = ${to}, updated_at = business_now() ${set ? sql`, ${set}` : sql``}
    where id = ${id} and status = any (${[...from]}) returning id`
  if (moved.length === 0) return false
  if (flow.driven.length > 0) wake(tx, flow, { ids: [id], why: logs, status: to })
  return true
}

/** Explains why a row did not move: this cause moved it before, or the state forbids it, which is refused. */
async function explain<State extends string, Event extends string>(
  tx: Tx,
  flow: Flow<State, Event>,
  asked: { id: string; cause: string; types: string[]; otherwise: RefusalType | undefined },
): Promise<void> {
  const [found] = await tx<{ status: State; repeated: boolean }[]>`
    select status, exists (select from events e
      where e.subject_id = ${asked.id} and e.cause = ${asked.cause} and e.type = any (${asked.types})) as repeated
    from ${sql(flow.table)} where id = ${asked.id}`
  if (!found) refuse('not_found')
  if (found.repeated) return
  refuse(asked.otherwise ?? 'invalid_state', {
    current: publicStateOf(flow, found.status),
    allowed: eventsFrom(flow, found.status),
  })
}
