/**
 * Counters of what the service's own statements cost in the database of one file. The file imports this before
 * everything else: only sessions that begin later are counted.
 *
 * Statements are those of pg_stat_statements; commits, rows and bytes are read from the WAL itself. Other databases of
 * the cluster, the owner's statements and lookups of the test are left out.
 */
import { owner } from '../database.ts'

export type Costs = {
  /** Transactions that wrote or locked a row: each is one record in the WAL, waited for unless a statement says not. */
  readonly commits: number
  /** Bytes of records, as if no page had been full. */
  readonly wal_bytes: number
  /** Rows by table, and what was done with them. */
  readonly rows_written: Readonly<Record<string, number>>
  /** Calls by the beginning of a statement. */
  readonly statements: Readonly<Record<string, number>>
}

const [{ database, oid }] = await owner<[{ database: string; oid: string }]>`
  select datname as database, oid::text from pg_database where datname = current_database()`
await owner`create extension pg_stat_statements`
await owner`create extension pg_walinspect`
await owner`alter database ${owner(database)} set compute_query_id = on`
await owner`alter database ${owner(database)} set pg_stat_statements.track = top`

/**
 * Counts what the work costs. Nothing else may use the service meanwhile. Uses of sessions are not noted: one is once a
 * second, by the clock.
 */
export async function countCosts(work: () => Promise<unknown>): Promise<Costs> {
  await owner`update sessions set last_used_at = business_now() + interval '20 minutes' where ended_at is null`
  const before = await readCalls()
  const from = await markLog()
  await work()
  const until = await markLog()
  const statements = await statementsSince(before)
  return { ...(await readLog(from, until)), statements }
}

/** Writes a mark into the WAL, up to which all is on disk and can be read. */
async function markLog(): Promise<string> {
  const [mark] = await owner<{ at: string }[]>`
    select pg_logical_emit_message(false, 'costs', ''::text, true)::text as at`
  return mark?.at ?? ''
}

type Calls = { readonly id: string; readonly calls: number; readonly query: string }

/** Reads all calls so far. They are never reset: only a statement that is parsed shows its constants as parameters. */
const readCalls = () => owner<Calls[]>`
  select s.queryid::text as id, s.calls::float8, s.query
  from pg_stat_statements s join pg_roles r on r.oid = s.userid
  where s.dbid = ${oid}::oid and r.rolname = 'business_finance_app'`

/** Wrapper of read() in db/postgres/sql.ts. */
const GATE = /^select r\.\* from \(select set_config\(.*?\) gate, lateral \(select \* from \( ?/
const SHOWN = 100
/**
 * Ends of transactions, which each `begin` has; statements without a plan, since of those that are prepared a connection
 * counts only the first; the sample that the charts of the last hour take each 30 seconds (pages/operate/last-hour.ts);
 * and the log of requests, which is written once a second for all of them.
 */
const LEFT_OUT = /^(?:(?:commit|rollback|set|create|drop)\b|select (?:oldest_unseen_seconds|record_requests)\()/

async function statementsSince(before: readonly Calls[]): Promise<Costs['statements']> {
  const earlier = new Map(before.map(({ id, calls }) => [id, calls]))
  const counts = new Map<string, number>()
  for (const { id, calls, query } of await readCalls()) {
    const more = calls - (earlier.get(id) ?? 0)
    const text = query.trim().replaceAll(/\s+/g, ' ').replaceAll(/\$\d+/g, '?').replaceAll('"', '').replace(GATE, '')
    const shown = text.slice(0, SHOWN).trimEnd()
    if (more > 0 && !LEFT_OUT.test(shown)) counts.set(shown, (counts.get(shown) ?? 0) + more)
  }
  return sorted(counts)
}

type Written = { commits: number; bytes: number; rows: Record<string, number> | null }

async function readLog(from: string, until: string): Promise<Omit<Costs, 'statements'>> {
  const [written] = await owner<Written[]>`
    with records as materialized (
      select xid, resource_manager as manager, record_type as type, ${charged()} as length,
        substring(description from 'ntuples: (\\d+)')::int as tuples,
        substring(block_ref from ${`rel \\d+/${oid}/(\\d+)`})::oid as file
      from pg_get_wal_records_info(${from}::pg_lsn, ${until}::pg_lsn)),
    ours as (
      select distinct xid from records where file is not null and xid::text <> '0'
      except select xid from records where file = pg_relation_filenode('requests')),
    mine as (select r.* from records r where r.xid in (select xid from ours)),
    rows as (
      select c.oid::regclass::text || ' ' || lower(replace(split_part(m.type, '+', 1), 'HOT_', '')) as what,
        sum(coalesce(m.tuples, 1)) as count
      from mine m join pg_class c on pg_relation_filenode(c.oid) = m.file
      where m.manager in ('Heap', 'Heap2') and m.type ~ '^(INSERT|UPDATE|HOT_UPDATE|DELETE|MULTI_INSERT)'
        and c.relnamespace <> 'pg_catalog'::regnamespace -- of temporary tables
      group by 1)
    select (select count(*) from mine where manager = 'Transaction' and type = 'COMMIT')::float8 as commits,
      (select coalesce(sum(length), 0) from mine)::float8 as bytes,
      (select json_object_agg(what, count) from rows) as rows`
  if (!written) throw new Error('nothing was read')
  const { commits, bytes, rows } = written
  return { commits, wal_bytes: bytes, rows_written: sorted(new Map(Object.entries(rows ?? {}))) }
}

/** Bytes of an index entry's record beside the entry: header, place of the page, offset. */
const ENTRY_BYTES = 48

/**
 * Bytes that a record is charged with. A full page that splits or is tidied up costs the one that meets it; so a split
 * is charged as the entry that caused it.
 */
const charged = () => owner`
  case when resource_manager = 'Btree' and record_type like 'SPLIT%' and description like 'level: 0,%'
      then ${ENTRY_BYTES}::int + substring(description from 'newitemsz: (\\d+)')::int
    when resource_manager = 'Btree' and record_type !~ '^INSERT_(LEAF|POST)' then 0
    when record_type like 'PRUNE%' then 0
    else record_length end`

const sorted = (counts: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
