/** Answers of connections as workers hear them: when each last answered, and since when its calls fail. */
import type { ConnectionName } from '../../domain/partner.ts'
import { sql } from '../../db/postgres/sql.ts'

/** Answer or silence of a connection, as one process has met it; times by its own clock. */
export type Heard = {
  readonly connection: ConnectionName
  readonly answeredAt: number | null
  /** Its first call that failed since it last answered. */
  readonly silentSince: number | null
}

/** Writes what this process has heard: an answer to any process ends the silence that others have met before it. */
export async function recordHeard(heard: readonly Heard[]): Promise<void> {
  if (heard.length === 0) return
  const now = Date.now()
  const ago = (at: number | null) => (at === null ? null : Math.max(now - at, 0) / 1000)
  const rows = heard.map(({ connection, answeredAt, silentSince }) => ({
    connection,
    answered: ago(answeredAt),
    silent: ago(silentSince),
  }))
  await sql`
    insert into connection_answers as a (connection, answered_at, silent_since)
    select h.connection, clock_timestamp() - make_interval(secs => h.answered),
      clock_timestamp() - make_interval(secs => h.silent)
    from jsonb_to_recordset(${sql.json(rows)}) h (connection text, answered float8, silent float8)
    on conflict (connection) do update set answered_at = greatest(a.answered_at, excluded.answered_at),
      silent_since = (select min(s) from unnest(array[a.silent_since, excluded.silent_since]) s
        where s > coalesce(greatest(a.answered_at, excluded.answered_at), '-infinity'))`
}

export type HeardConnection = {
  readonly connection: ConnectionName
  readonly answered_at: string | null
  readonly silent_seconds: number | null
}

export const listAnswers = (): Promise<HeardConnection[]> => sql<HeardConnection[]>`
  select connection, answered_at, extract(epoch from clock_timestamp() - silent_since)::float8 as silent_seconds
  from connection_answers`
