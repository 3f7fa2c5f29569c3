/** Copies of a settled payment with all its rows: valid books and a valid chain of events, by SQL alone. */
import { owner } from '../owner.ts'

/** Tables of a payment, each with the condition of its rows; a table comes after those that it refers to. */
const TABLES: readonly (readonly [table: string, rows: string])[] = [
  ['events', `subject_id in (select id from a_payment union select approval_request_id from a_payment)`],
  ['approvals', `id = (select approval_request_id from a_payment)`],
  ['approval_decisions', `approval_id = (select approval_request_id from a_payment)`],
  ['ledger_transfers', `key like '%' || (select id from a_payment) || '%'`],
  ['payments', `id = (select id from a_payment)`],
  ['transactions', `payment_id = (select id from a_payment)`],
  [
    'ledger_entries',
    `transfer_id in (select id from ledger_transfers where key like '%' || (select id from a_payment) || '%')`,
  ],
]
/** Columns that the database fills, or that belong to a transaction. */
const FILLED = ['xact', 'feed_at']
/** Members that hold the time of the copy. */
const TIMES = ['inserted_at', 'updated_at', 'posted_at', 'occurred_at', 'processed_at']
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const CHUNK = 2000

/** An entry of the payment: the place of its amount among those of its account, and the sum of them up to it. */
type Entry = {
  readonly transfer_id: string
  readonly account_id: string
  readonly organization_id: string
  readonly kind: string
  readonly place: number
  readonly places: number
  readonly upTo: string
  readonly total: string
}
type Row = { readonly table: string; readonly columns: string; readonly text: string }
type Template = { readonly rows: readonly Row[]; readonly ids: number; readonly entries: readonly Entry[] }

/** Reads the rows of a payment as formats: `%n$s` stands for an id, a place in an account, a balance, a time. */
export async function readTemplate(paymentId: string): Promise<Template> {
  return owner.begin(async (tx) => {
    await tx`create temporary table a_payment on commit drop as select * from payments where id = ${paymentId}`
    const shared = await tx<{ id: string }[]>`
      select id from organizations union select id from people union select id from payment_contacts
      union select id from payment_destinations union select id from devices union select id from step_ups
      union select id from ledger_accounts union select id from sessions union select wait_id from approvals`
    const known = new Set(shared.map(({ id }) => id))
    const found: { table: string; columns: string; text: string }[] = []
    for (const [table, rows] of TABLES) {
      const [columns] = await tx<{ names: string }[]>`
        select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as names
        from information_schema.columns
        where table_schema = 'public' and table_name = ${table} and column_name <> all (${FILLED})`
      const texts = await tx<{ text: string }[]>`
        select (to_jsonb(t) - ${FILLED}::text[])::text as text from ${tx(table)} t where ${tx.unsafe(rows)}`
      for (const { text } of texts) found.push({ table, columns: columns?.names ?? '', text })
    }
    const entries = await tx<Entry[]>`
      select e.transfer_id, e.account_id, a.organization_id, a.kind,
        row_number() over one::int as place, count(*) over one_whole::int as places,
        (sum(e.amount) over one)::text as "upTo", (sum(e.amount) over one_whole)::text as total
      from ledger_entries e join ledger_accounts a on a.id = e.account_id
      where e.transfer_id in (select id from ledger_transfers where key like '%' || ${paymentId}::text || '%')
      window one as (partition by e.account_id order by e.seq), one_whole as (partition by e.account_id)`
    const ids = [...new Set(found.flatMap(({ text }) => text.match(UUID) ?? []))].filter((id) => !known.has(id))
    const rows = found.map(({ table, columns, text }) => ({ table, columns, text: toFormat(text, table) }))
    return { rows, ids: ids.length, entries }

    /** Makes a format of a row: ids first, then for each account its place and balance, and the time. */
    function toFormat(text: string, table: string): string {
      let format = text.replaceAll('%', '%%')
      for (const [index, id] of ids.entries()) format = format.replaceAll(id, `%${index + 1}$s`)
      const time = ids.length + entries.length * 2 + 1
      for (const name of TIMES) format = format.replace(new RegExp(`"${name}": "[^"]+"`), `"${name}": "%${time}$s"`)
      const entry = entries.findIndex((one) =>
        table === 'ledger_entries'
          ? text.includes(one.transfer_id) && text.includes(one.account_id)
          : table === 'transactions' &&
            one.kind === 'available' &&
            text.includes(`"organization_id": "${one.organization_id}"`),
      )
      if (entry < 0) return format
      const place = ids.length + entry * 2 + 1
      return format
        .replace(/"seq": \d+/, `"seq": %${place}$s`)
        .replace(/"(running_balance|balance)": [\d.]+/, `"$1": %${place + 1}$s`)
    }
  })
}

/** Inserts copies in transactions of 2,000, moves the accounts on, and chains the events. */
export async function insertClones({ rows, ids, entries }: Template, count: number): Promise<void> {
  for (let done = 0; done < count; done += CHUNK) {
    const size = Math.min(CHUNK, count - done)
    await owner.begin(async (tx) => {
      await tx`set local synchronous_commit = off`
      await tx.unsafe(`create temporary table clones (i integer, given text[]) on commit drop`)
      const places = entries.map(
        ({ place, places: of, upTo, total }, index) =>
          `(a${index}.seq + (i - 1) * ${of} + ${place})::text, (a${index}.balance + (i - 1) * ${total} + ${upTo})::text`,
      )
      const joined = entries.map(
        ({ account_id: id }, index) => `join ledger_accounts a${index} on a${index}.id = '${id}'`,
      )
      await tx.unsafe(`
        insert into clones
        select i, (select array_agg(uuidv7()::text) from generate_series(1, ${ids} + 0 * i))
          || array[${places.join(', ')}, (clock_timestamp() + i * interval '1 microsecond')::text]
        from generate_series(1, ${size}) i ${joined.join(' ')}`)
      for (const { table, columns, text } of rows) {
        await tx.unsafe(
          `insert into ${table} (${columns})
          select ${columns} from clones, jsonb_populate_record(null::${table}, format($1, variadic given)::jsonb) order by i`,
          [text],
        )
      }
      for (const { account_id: id, places: of, total } of entries.filter(({ place }) => place === 1)) {
        await tx`
          update ledger_accounts set seq = seq + ${size * of}, balance = balance + ${size} * ${total}::numeric,
            last_posted_at = clock_timestamp() where id = ${id}`
      }
    })
    await owner`select extend_event_chain(${CHUNK * 20})`
  }
}
