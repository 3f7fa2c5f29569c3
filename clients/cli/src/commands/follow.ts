/** Events behind a place, without a gap: also after a lost connection and while the service is away. */
import { type Event, type Operations, ServiceError } from 'business-finance-client'
import type { Context } from '../context.ts'

type Filters = Operations['streamEvents']['input']

const AWAY_MS = 2000

/** Finds the latest event of an organization; undefined if there is none. */
export async function findHead({ client }: Context, organization_id: string): Promise<string | undefined> {
  const { data } = await client.listEvents({ organization_id, limit: 1 })
  return data[0]?.id
}

/** Reads events for ever. One counts as read once the reader asks for the next. */
export async function* followEvents(
  { client, io, output }: Context,
  filters: Filters,
  from: string | undefined,
): AsyncGenerator<Event> {
  let last = from
  while (!io.signal.aborted) {
    try {
      const options = { signal: io.signal, ...(last !== undefined && { lastEventId: last }) }
      for await (const event of client.streamEvents(filters, options)) {
        yield event
        last = event.id
      }
    } catch (error) {
      const isAway = error instanceof ServiceError && (error.status === 429 || error.status >= 500)
      if (!isAway) throw error
      output.progress('the service is away; waiting')
      await io.pause(AWAY_MS)
    }
  }
}
