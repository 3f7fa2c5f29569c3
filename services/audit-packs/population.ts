/** Population of an audit pack: everything that began in its period, as the log had it at the cut. */
import { FIRST_EVENTS, type Noun, movesOf, statusAfter } from '../../domain/exports/audit-pack.ts'
import { type ListRow, lineOrNull } from '../../documents/audit-pack/lists.ts'
import { formatAmount } from '../../domain/money/money.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'

/** A part of a log: the places behind one up to another, and the instants of a period. */
export type Period = {
  readonly after: number
  readonly upTo: number
  /** The first instant, and the first one after it, in ISO 8601. */
  readonly beginsAt: string
  readonly endsBefore: string
}

const ROWS_A_PAGE = 200
/** Rows without an event of their own that are listed: each is a fault. */
const UNLOGGED_MAX = 100

type Money = { readonly amount: string; readonly currency: string }
type Payload = {
  readonly payment_batch_id?: string | null
  readonly file_id?: string
  readonly rail?: string
  readonly deducting?: Money
  readonly landing?: Money
  readonly fee?: Money
  readonly rate?: string | null
} | null
type Details = Readonly<Record<string, string | null>>
type PlacedRow = {
  readonly id: string
  readonly seq: number | null
  readonly created_at: string
  readonly created_by: string | null
  readonly payload: Payload
  readonly moves: readonly string[] | null
  readonly details: Details | null
}

/** Columns that the log does not have, by noun, of a row `t` of the table. */
const DETAILS: Readonly<Record<Noun, { readonly table: string; readonly columns: (t: Fragment) => Fragment }>> = {
  payment: {
    table: 'payments',
    columns: (t) => sql`'payee', ${t}.destination_name, 'bill_id', ${t}.bill_id, 'approval_id',
      coalesce(${t}.approval_request_id,
        (select b.approval_request_id from payment_batches b where b.id = ${t}.payment_batch_id))`,
  },
  bill: {
    table: 'bills',
    columns: (t) => sql`'bill_number', ${t}.bill_number, 'supplier', ${t}.supplier_name, 'amount', ${t}.amount::text,
      'currency', ${t}.currency, 'payment_id', ${t}.payment_id`,
  },
  invoice: {
    table: 'invoices',
    columns: (t) => sql`'number', ${t}.number, 'total', ${t}.total::text, 'currency', ${t}.currency,
      'approval_id', ${t}.approval_request_id`,
  },
  approval: {
    table: 'approvals',
    columns: (t) => sql`'action_type', ${t}.action_type, 'target_type', ${t}.target_type, 'target_id', ${t}.target_id,
      'subject_hash', ${t}.subject_hash`,
  },
}

/** Counts what began in a period. */
export async function countPopulation(reader: Reader, period: Period): Promise<number> {
  const row = await first(
    reader<{ rows: number }>(sql`
      select count(*)::int as rows from event_chain c
      where c.organization_id = ${reader.organizationId} and c.type = any (${Object.values(FIRST_EVENTS)})
        and ${isIn(sql`c`, period)}`),
  )
  return row?.rows ?? 0
}

const isIn = (c: Fragment, { after, upTo, beginsAt, endsBefore }: Period): Fragment => sql`
  ${c}.seq > ${after} and ${c}.seq <= ${upTo} and ${c}.occurred_at >= ${beginsAt}::timestamptz
  and ${c}.occurred_at < ${endsBefore}::timestamptz`

/** Reads one list in the order of the log, page by page, and then rows without an event. */
export async function* populationPages(reader: Reader, noun: Noun, period: Period): AsyncGenerator<readonly ListRow[]> {
  let after = period.after
  for (;;) {
    const rows = await reader<PlacedRow>(selectPage(reader, noun, { ...period, after }))
    if (rows.length > 0) yield rows.map((row) => toListRow(noun, row))
    const last = rows.at(-1)
    if (rows.length < ROWS_A_PAGE || !last || last.seq === null) break
    after = last.seq
  }
  const unlogged = await reader<PlacedRow>(selectUnlogged(reader, noun, period))
  if (unlogged.length > 0) yield unlogged.map((row) => toListRow(noun, row))
}

function selectPage({ organizationId }: Reader, noun: Noun, period: Period): Fragment {
  const { table, columns } = DETAILS[noun]
  return sql`
    select c.subject_id as id, c.seq::float8 as seq, e.occurred_at as created_at, e.actor_user_id as created_by,
      e.payload::jsonb as payload, moved.moves, own.details
    from (select c.* from event_chain c
      where c.organization_id = ${organizationId} and c.type = ${FIRST_EVENTS[noun]} and ${isIn(sql`c`, period)}
      order by c.seq limit ${sql.unsafe(String(ROWS_A_PAGE))}) c
    cross join lateral (select * from events where id = c.event_id offset 0) e
    cross join lateral (
      select array_agg(m.type order by m.seq) as moves from event_chain m
      where m.organization_id = ${organizationId} and m.subject_id = c.subject_id and m.seq <= ${period.upTo}
        and m.type = any (${movesOf(noun)})) moved
    left join lateral (
      select json_build_object(${columns(sql`t`)}) as details from ${sql(table)} t where t.id = c.subject_id offset 0) own on true
    order by c.seq`
}

/** Selects rows of a period that have no event at all; those whose event is behind the cut have one. */
function selectUnlogged({ organizationId }: Reader, noun: Noun, { beginsAt, endsBefore }: Period): Fragment {
  const { table, columns } = DETAILS[noun]
  return sql`
    select t.id, null::float8 as seq, t.inserted_at as created_at, null::uuid as created_by, null::jsonb as payload,
      null::text[] as moves, json_build_object(${columns(sql`t`)}) as details
    from ${sql(table)} t
    where t.organization_id = ${organizationId} and t.inserted_at >= ${beginsAt}::timestamptz
      and t.inserted_at < ${endsBefore}::timestamptz
      and not exists (select from events e where e.subject_id = t.id and e.type = ${FIRST_EVENTS[noun]})
    order by t.id limit ${sql.unsafe(String(UNLOGGED_MAX))}`
}

function toListRow(noun: Noun, { payload, moves, details, ...row }: PlacedRow): ListRow {
  const { id, seq, created_at, created_by } = row
  const status = statusAfter(noun, payload, moves ?? [])
  const common = { id, seq, created_at, created_by, status, stored: details !== null }
  const text = (name: string) => lineOrNull(details?.[name] ?? null)
  if (noun === 'payment') {
    const { rail = null, deducting, landing, fee, rate = null, payment_batch_id: batch = null } = payload ?? {}
    return {
      ...common,
      rail,
      deducting_amount: deducting?.amount ?? null,
      deducting_currency: deducting?.currency ?? null,
      landing_amount: landing?.amount ?? null,
      landing_currency: landing?.currency ?? null,
      fee_amount: fee?.amount ?? null,
      rate,
      payee: text('payee'),
      approval_id: text('approval_id'),
      payment_batch_id: batch,
      bill_id: text('bill_id'),
    }
  }
  const others = Object.fromEntries(Object.keys(details ?? {}).map((name) => [name, text(name)]))
  if (noun !== 'invoice' || !others['total'] || !others['currency']) return { ...common, ...others }
  return { ...common, ...others, total: formatAmount(others['total'], others['currency']) }
}
