/** The only statement that writes a status: guarded by the present one, with its event, together or not at all. */
import { canonicalJson } from './model/canonical.ts'
import { type RefusalType, refuse } from './model/errors.ts'
import { type Flow, eventsFrom } from './model/flow.ts'
import type { Fragment, Tx } from './sql.ts'
import { sql } from './sql.ts'

export type Move<Event extends string> = {
  /** One event, or several in a row that happen in one instant. */
  events: readonly [Event, ...Event[]]
  /** The decision, partner callback, transfer key or request that asks for it. */
  cause: string
  /** Further columns to set with the status: `sql`transaction_id = ${id}``. */
  set?: Fragment
  payload?: Readonly<Record<string, unknown>>
  /** The operation's own refusal for a wrong state; 409 `invalid_state` otherwise. */
  otherwise?: RefusalType
}

/** Moves a row along its flow. The same cause again changes nothing; any other move from a wrong state is refused. */
export async function transition<State extends string, Event extends string>(
  tx: Tx,
  machine: Flow<State, Event>,
  id: string,
  move: Move<Event>,
): Promise<void> {
  const steps = move.events.map((name) => machine.events[name])
  const [firstStep, lastStep] = [steps[0], steps.at(-1)]
  if (!firstStep || !lastStep) throw new Error('a move needs an event')
  const { actor } = tx
  const types = steps.map((step) => `${machine.noun}.${step.logs}`)
  const [moved] = await tx`
    with moved as (
      update ${sql(machine.table)} set status = ${lastStep.to}, updated_at = business_now()
        ${move.set ? sql`, ${move.set}` : sql``}
      where id = ${id} and organization_id = ${tx.organizationId} and status = any (${[...firstStep.from]})
      returning id
    )
    insert into events (organization_id, stream, subject_id, type, actor_kind, actor_user_id, correlation_id, cause, payload)
    select ${tx.organizationId}, ${machine.table}, moved.id, step.type, ${actor.kind},
      ${actor.kind === 'user' ? actor.userId : null}, ${tx.correlationId}, ${move.cause},
      ${move.payload ? canonicalJson(move.payload) : null}
    from moved, unnest(${types}::text[]) with ordinality step (type, position) order by step.position
    returning id`
  if (!moved) await explain(tx, machine, id, types, move)
}

/** Nothing moved: because this cause did it before, or because the state forbids it. */
async function explain<State extends string, Event extends string>(
  tx: Tx,
  machine: Flow<State, Event>,
  id: string,
  types: string[],
  move: Move<Event>,
): Promise<void> {
  const [found] = await tx<{ status: State; repeated: boolean }[]>`
    select status, exists (select from events e
      where e.subject_id = ${id} and e.cause = ${move.cause} and e.type = any (${types})) as repeated
    from ${sql(machine.table)} where id = ${id}`
  if (!found) refuse('not_found')
  if (found.repeated) return
  refuse(move.otherwise ?? 'invalid_state', { current: found.status, allowed: eventsFrom(machine, found.status) })
}
