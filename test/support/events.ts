/** Logs of organizations: synthetic events, and reads. */
import postgres from 'postgres'
import { canonicalJson } from '../../domain/canonical.ts'
import type { LoggedEvent } from '../../domain/event.ts'
import { extendEventChain } from '../../services/webhooks/chain.ts'
import { request } from 'node:http'
import { type Answer, type TestPerson, api, baseUrl } from './api.ts'
import { owner } from './database.ts'
import { until } from './until.ts'

/** An event that has its place in the log. */
export type Chained = LoggedEvent & { seq: number; hash: string }

/** Given parts of an event; the rest is made up. */
export type Written = {
  id?: string
  type?: string
  stream?: string
  subjectId?: string
  occurredAt?: string
  payload?: object
}

/** Writes events into the log of an organization in one transaction, as the service does; returns their ids. */
export async function writeEvents(
  organizationId: string,
  events: readonly Written[],
  tx: postgres.Sql | postgres.TransactionSql = owner,
): Promise<string[]> {
  const given = events.map((event) => ({ ...event, payload: event.payload ? canonicalJson(event.payload) : null }))
  const rows = await tx<{ id: string }[]>`
    insert into events (id, organization_id, stream, subject_id, type, actor_kind, cause, payload, occurred_at)
    select coalesce(e.id, uuidv7()), ${organizationId}, coalesce(e.stream, 'payments'), coalesce(e."subjectId", uuidv7()),
      coalesce(e.type, 'payment.created'), 'system', uuidv7()::text, e.payload,
      coalesce(e."occurredAt", business_now())
    from rows from (jsonb_to_recordset(${tx.json(given)}) as (id uuid, stream text, "subjectId" uuid, type text,
      payload text, "occurredAt" timestamptz)) with ordinality e (id, stream, "subjectId", type, payload, "occurredAt", place)
    order by e.place
    returning id`
  return rows.map(({ id }) => id)
}

export const chained = (organizationId: string): Promise<boolean> =>
  until('the log is chained', async () => {
    while ((await extendEventChain()) > 0);
    const [left] = await owner`
      select from events e where e.organization_id = ${organizationId}
        and not exists (select from event_chain c where c.event_id = e.id) limit 1`
    return left === undefined
  })

export async function readLog(
  by: TestPerson,
  organizationId: string,
  query = 'order=asc&limit=100',
): Promise<Chained[]> {
  const events: Chained[] = []
  for (let cursor = ''; ;) {
    const { status, body } = await api('GET', `/organizations/${organizationId}/events?${query}${cursor}`, by)
    if (status !== 200) throw new Error(`events: ${status} ${JSON.stringify(body)}`)
    events.push(...body.data)
    if (!body.has_more) return events
    cursor = `&cursor=${body.next_cursor}`
  }
}

/** Verifies a log after a change past every trigger and key, and restores it. */
export async function tamperedLog(
  by: TestPerson,
  organizationId: string,
  change: (tx: postgres.TransactionSql) => Promise<unknown>,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<Answer['body']> {
  const past = (work: (tx: postgres.TransactionSql) => Promise<unknown>) =>
    owner.begin(async (tx) => {
      await tx`set local session_replication_role = 'replica'`
      await work(tx)
    })
  const saved = await Promise.all(
    ['events', 'event_chain'].map(async (table) => {
      const rows =
        await owner`select to_jsonb(t) as row from ${owner(table)} t where organization_id = ${organizationId}`
      return { table, rows: rows.map(({ row }) => row) }
    }),
  )
  await past(change)
  try {
    await meanwhile()
    return (await api('GET', `/organizations/${organizationId}/events/verify`, by)).body
  } finally {
    await past(async (tx) => {
      for (const { table, rows } of saved) {
        await tx`delete from ${tx(table)} where organization_id = ${organizationId}`
        await tx`insert into ${tx(table)} select * from jsonb_populate_recordset(null::${tx(table)}, ${tx.json(rows)})`
      }
    })
  }
}

/** A client's view of a log stream. */
export type Followed = {
  status: number
  /** The text received so far. */
  said: string
  isOver: boolean
  events: () => Chained[]
  close: () => void
}

export const follow = (
  by: { token: string },
  organizationId: string,
  { query = '', lastEventId, at = baseUrl }: { query?: string; lastEventId?: string | undefined; at?: string } = {},
): Promise<Followed> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${by.token}`, ...(lastEventId && { 'last-event-id': lastEventId }) }
    const url = `${at}/api/v1/organizations/${organizationId}/events/stream?${query}`
    const sent = request(url, { headers, agent: false }, (response) => {
      const followed: Followed = {
        status: response.statusCode ?? 0,
        said: '',
        isOver: false,
        events: () => framesIn(followed.said),
        close: () => sent.destroy(),
      }
      response.setEncoding('utf8').on('data', (piece: string) => (followed.said += piece))
      response.on('error', () => {}).on('close', () => (followed.isOver = true))
      resolve(followed)
    })
    sent.on('error', reject).end()
  })

/** Parses the complete event frames, checking each one's id and type. */
const framesIn = (said: string): Chained[] =>
  said
    .split('\n\n')
    .slice(0, -1)
    .filter((frame) => frame.startsWith('id: '))
    .map((frame) => {
      const [, id, type, data = ''] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(frame) ?? []
      const event = JSON.parse(data)
      if (event.id !== id || event.event_type !== type) throw new Error(`a frame contradicts itself: ${frame}`)
      return event
    })
