/** Event log: audit trail, history and feed, written in the transaction of the change. */
import { randomUUID } from 'node:crypto'
import { canonicalJson } from '../domain/canonical.ts'
import type { HistoryEvent } from '../domain/event.ts'
import type { EventType, PayloadArguments, PayloadOf } from '../domain/event-type.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import { type Page, type PageRequest, refuseCursor } from '../domain/pagination.ts'
import { toPage } from '../db/postgres/pagination.ts'
import { type Fragment, type Reader, type Tx, sql, values } from '../db/postgres/sql.ts'

export type NewEvent<Type extends EventType> = {
  readonly id?: EventId
  readonly subjectId: string
  /** Decision, callback, transfer key or request behind it; unique for a subject and type. */
  readonly cause: string
} & PayloadArguments<PayloadOf<Type>> &
  (Type['kind'] extends 'evidence' ? Finder : { readonly [Name in keyof Finder]?: never })

type Finder = {
  /** Source of the evidence. */
  readonly provider: string
  /** Person for whom a language model acted; replaces the actor. */
  readonly modelFor?: UserId
}

/**
 * Writes an event of the catalogue. A duplicate of subject, cause and type rolls the transaction back. The database
 * finds its causing event: find_causation().
 */
export async function record<Type extends EventType>(tx: Tx, type: Type, event: NewEvent<Type>): Promise<void> {
  await insertEvent(tx, type, event)
}

/** Builds the statement of record(), for a pipeline. */
export function insertEvent<Type extends EventType>(tx: Tx, type: Type, event: NewEvent<Type>) {
  const { actor } = tx
  const { modelFor, payload } = event
  const userId = modelFor ?? (actor.kind === 'user' ? actor.userId : null)
  return tx`
    insert into events ${values({
      id: sql`coalesce(${event.id ?? null}, uuidv7())`,
      organization_id: tx.organizationId,
      stream: type.stream,
      subject_id: event.subjectId,
      type: type.type,
      actor_kind: modelFor ? 'llm_on_behalf_of_user' : actor.kind,
      actor_user_id: userId,
      correlation_id: tx.correlationId,
      cause: event.cause,
      payload: payload == null ? null : canonicalJson(payload),
      kind: type.kind,
      provider: event.provider ?? null,
    })}`
}

/** Makes a unique cause for a change without another one. */
export const newCause = (): string => `change:${randomUUID()}`

/** Tells if this cause has already changed a subject, for idempotent repeats. */
export async function isRecorded(tx: Tx, subjectId: string, cause: string): Promise<boolean> {
  const found = await tx`select from events where subject_id = ${subjectId} and cause = ${cause} limit 1`
  return found.length > 0
}

type OneOf<Type extends EventType> = { readonly id: string; readonly cause: string } & PayloadArguments<PayloadOf<Type>>

/** Writes events of one type about many subjects in one statement. */
export async function recordAll<Type extends EventType>(
  tx: Tx,
  { stream, type }: Type,
  subjects: readonly OneOf<Type>[],
): Promise<void> {
  const { actor } = tx
  await tx`
    insert into events (organization_id, stream, subject_id, type, actor_kind, actor_user_id, correlation_id, cause, payload)
    select ${tx.organizationId}, ${stream}, s.id, ${type}, ${actor.kind},
      ${actor.kind === 'user' ? actor.userId : null}, ${tx.correlationId}, s.cause, s.payload
    from unnest(${subjects.map(({ id }) => id)}::uuid[], ${subjects.map(({ cause }) => cause)}::text[],
      ${subjects.map(({ payload }) => (payload == null ? null : canonicalJson(payload)))}::text[]) s (id, cause, payload)`
}

/** Makes the latest event of a subject the cause of all later ones in this transaction. */
export async function causesWhatFollows(tx: Tx, subjectId: string): Promise<void> {
  await tx`select set_config('app.causation_id', ${latestEvent(tx, subjectId)}::text, true)`
}

/** Sets the causing event of each subject for the rest of the transaction. */
export async function causeEach(tx: Tx, events: Readonly<Record<string, EventId>>): Promise<void> {
  await tx`select set_config('app.causation_ids', ${JSON.stringify(events)}, true)`
}

/** Makes an event of an earlier transaction the cause of all that follow. */
export async function setCause(tx: Tx, event: EventId): Promise<void> {
  await tx`select set_config('app.causation_id', ${event}, true)`
}

export const latestEvent = ({ organizationId }: Tx, subjectId: string | Fragment): Fragment => sql`(
  select id from events where organization_id = ${organizationId} and subject_id = ${subjectId}
  order by occurred_at desc, id desc limit 1)`

/** Reads a page of a subject's history, oldest first, as the contract's BillEvent. */
export async function historyOf(
  reader: Reader,
  subjectId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<HistoryEvent>> {
  const own = eventsOf(reader, subjectId)
  const after = cursor
    ? sql`and (coalesce(written, 0), occurred_at, id) > (select coalesce(c.written, 0), c.occurred_at, c.id from events c
        where c.id = ${cursor} and c.organization_id = ${reader.organizationId} and c.subject_id = ${subjectId})`
    : sql``
  const rows = await reader<HistoryEvent>(sql`
    ${selectHistory(own)} ${after} ${inOrder} limit ${limit + 1}`)
  if (rows.length === 0 && cursor) {
    const known = await reader(sql`select id from events where id = ${cursor} and ${own}`)
    if (known.length === 0) refuseCursor()
  }
  return toPage(rows, limit)
}

export const wholeHistoryOf = (reader: Reader, subjectId: string): Promise<HistoryEvent[]> =>
  reader<HistoryEvent>(sql`${selectHistory(eventsOf(reader, subjectId))} ${inOrder}`)

/** The order of the log within a subject; those written before there was a number come first. */
const inOrder: Fragment = sql`order by coalesce(written, 0), occurred_at, id`

const eventsOf = ({ organizationId }: Reader, subjectId: string): Fragment =>
  sql`organization_id = ${organizationId} and subject_id = ${subjectId}`

const selectHistory = (own: Fragment): Fragment => sql`
  select id, kind, type as event_type, actor_kind, actor_user_id, causation_id, correlation_id, occurred_at,
    payload::jsonb as payload, provider
  from events where ${own}`

/** Chains the events of another database cluster after a logical restore; returns their number. */
export async function rechainEvents(most = 100_000): Promise<number> {
  let all = 0
  for (;;) {
    const [row] = await sql<{ chained: number }[]>`select rechain_events(${most}) as chained`
    all += row?.chained ?? 0
    if ((row?.chained ?? 0) < most) return all
  }
}
