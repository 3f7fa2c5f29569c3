/**
 * Rows of the feed for a file, oldest first, page by page. A page is one text, since the driver takes longer to parse
 * single cells than Postgres to read the rows (`npm run bench exports`).
 */
import { setImmediate as immediate } from 'node:timers/promises'
import { timeRange } from '../filters.ts'
import { type Row, TRANSACTION_COLUMNS } from '../../domain/exports/report.ts'
import type { UserId } from '../../domain/ids.ts'
import { formatAmount } from '../../domain/money/money.ts'
import { type Fragment, type Reader, first, sql } from '../sql.ts'

const PAGE_ROWS = 5000
/** Rows of a page in which a note has more bytes than this: notes have up to 64 Ki characters. */
const [NOTES_BYTES, LONG_PAGE_ROWS] = [4000, 100]
/** Rows that are passed on at once. */
const PART_ROWS = 250
/** Separators of rows and cells (ASCII). */
const [ROW_END, CELL_END] = ['\u001e', '\u001f']

/** A selection of an organization's feed. */
export type Range = {
  readonly from: string
  readonly to: string
  readonly currency: string | null
  /** Only rows that this person caused. */
  readonly creator: UserId | null
}

/** A part of the selection: its lower bound, and all other conditions. */
type Part = { readonly begin: Fragment; readonly where: Fragment }

const matching = ({ organizationId }: Reader, { currency, creator }: Range): Fragment => sql`
  t.organization_id = ${organizationId} and t.discarded_at is null
  ${currency ? sql`and t.currency = ${currency}` : sql``} ${creator ? sql`and t.created_by = ${creator}` : sql``}`

const postedPart = (reader: Reader, range: Range): Part => ({
  begin: timeRange(sql`t.feed_at`, { from: range.from }),
  where: sql`${matching(reader, range)} and t.feed_at < 'infinity' ${timeRange(sql`t.feed_at`, { to: range.to })}`,
})
const pending = (reader: Reader, range: Range): Part => ({
  begin: sql``,
  where: sql`${matching(reader, range)} and t.feed_at = 'infinity' ${timeRange(sql`t.occurred_at`, range)}`,
})

/** Counts rows up to `most`, with or without pending ones. */
export async function countRows(
  reader: Reader,
  range: Range,
  { withPending, most = null }: { withPending: boolean; most?: number | null },
): Promise<number> {
  const rowsOf = ({ where, begin }: Part) => sql`(select 1 from transactions t where ${where} ${begin})`
  const parts = withPending
    ? sql`${rowsOf(postedPart(reader, range))} union all ${rowsOf(pending(reader, range))}`
    : rowsOf(postedPart(reader, range))
  const row = await first(
    reader<{ rows: number }>(sql`select count(*)::int as rows from (${parts} limit ${most}) counted`),
  )
  return row?.rows ?? 0
}

/** Reads posted rows of TRANSACTION_COLUMNS in the order of the ledger. */
export const readPosted = (reader: Reader, range: Range): AsyncGenerator<readonly Row[]> =>
  pagesOf(reader, postedPart(reader, range))

/** Reads posted rows, and then pending ones. */
export async function* feedPages(reader: Reader, range: Range): AsyncGenerator<readonly Row[]> {
  yield* readPosted(reader, range)
  yield* pagesOf(reader, pending(reader, range))
}

/**
 * Reads the next page while one is written. A later page has only the keyset condition: with both bounds Postgres would
 * use the other one, and read all pages again.
 */
async function* pagesOf(reader: Reader, { begin, where }: Part): AsyncGenerator<readonly Row[]> {
  let next: Promise<Page> | undefined = readPage(reader, sql`${where} ${begin}`)
  try {
    while (next) {
      let page: Page = await next
      next = page.isFull ? readPage(reader, sql`${where} ${isAfter(page)}`) : undefined
      next?.catch(() => {}) // is thrown where it is awaited, unless nobody wants it any more
      for (let at = 0; at < page.lines.length; at += PART_ROWS) {
        await immediate() // sends the query of the next page
        let rows = page.lines.slice(at, at + PART_ROWS).map(toRow)
        if (!rows.every(isWhole)) {
          page = await page.readAnew()
          rows = page.lines.slice(at, at + PART_ROWS).map(toRow)
        }
        yield rows
      }
    }
  } finally {
    await next?.catch(() => {}) // the transaction is not over before
  }
}

const isWhole = (row: Row): boolean => row.length === TRANSACTION_COLUMNS.length

/** A page whose rows are split into cells only when they are written, which saves memory. */
type Page = {
  readonly lines: readonly string[]
  /** There may be more. */
  readonly isFull: boolean
  /** Reads the same page without separators in its texts. */
  readonly readAnew: () => Promise<Page>
}

const isAfter = ({ lines }: Page): Fragment => {
  const cells = lines.at(-1)?.split(CELL_END) ?? []
  const [id = '', postedAt = '', seq = ''] = [cells[0], cells[1], cells.at(-1)]
  return sql`and (t.feed_at, t.seq, t.id) > (${postedAt || 'infinity'}::timestamptz, ${seq}::bigint, ${id}::uuid)`
}

const NAMES = [...TRANSACTION_COLUMNS.map(({ name }) => name), 'seq']
const TEXTS: ReadonlySet<string> = new Set(
  TRANSACTION_COLUMNS.flatMap(({ name, kind }) => (kind === 'text' ? [name] : [])),
)

/** `whole` reads long notes too, `clean` removes separators, which a partner may have sent. */
type How = { readonly whole: boolean; readonly clean: boolean }

function cell(name: string, { whole, clean }: How): Fragment {
  if (name === 'payment_batch_id')
    return sql`(select p.payment_batch_id::text from payments p where p.id = t.payment_id)`
  const column = sql`t.${sql(name)}`
  const text = clean && TEXTS.has(name) ? sql`translate(${column}, chr(30) || chr(31), '')` : sql`${column}::text`
  return name === 'internal_notes' && !whole
    ? sql`case when octet_length(${column}) <= ${sql.unsafe(String(NOTES_BYTES))} then ${text} end`
    : text
}

/** Reads a page; again without separators in its texts if they make rows indistinguishable. */
async function readPage(reader: Reader, where: Fragment): Promise<Page> {
  const short = await readTexts(reader, where, { whole: false, clean: false })
  const whole = short.has_long_notes
  const page = whole ? await readTexts(reader, where, { whole, clean: false }) : short
  const readAnew = async (): Promise<Page> => ({
    ...(await readTexts(reader, where, { whole, clean: true })),
    readAnew,
  })
  return page.lines.length === page.rows ? { ...page, readAnew } : readAnew()
}

async function readTexts(
  reader: Reader,
  where: Fragment,
  how: How,
): Promise<Pick<Page, 'lines' | 'isFull'> & { readonly rows: number; readonly has_long_notes: boolean }> {
  // faster by a sixth than concat()
  const cells = NAMES.map((name) => sql`coalesce(${cell(name, how)}, '')`).reduce(
    (all, one) => sql`${all} || chr(31) || ${one}`,
  )
  const limit = how.whole ? LONG_PAGE_ROWS : PAGE_ROWS
  const page = await first(
    reader<{ text: string | null; rows: number; has_long_notes: boolean | null }>(sql`
      select string_agg(${cells}, chr(30)) as text, count(*)::int as rows,
        bool_or(octet_length(t.internal_notes) > ${sql.unsafe(String(NOTES_BYTES))}) as has_long_notes
      from (
        select * from transactions t where ${where}
        order by t.feed_at, t.seq, t.id limit ${sql.unsafe(String(limit))}) t`),
  )
  const rows = page?.rows ?? 0
  const lines = page?.text?.split(ROW_END) ?? []
  return { lines, rows, isFull: rows === limit, has_long_notes: page?.has_long_notes ?? false }
}

/** Splits a row into cells as the API answers them, without its cursor. */
function toRow(line: string): Row {
  const cells = line.split(CELL_END)
  const [, postedAt = '', occurredAt = '', , , amount = '', currency = '', balance = ''] = cells
  cells[1] = instantOf(postedAt)
  cells[2] = instantOf(occurredAt)
  cells[5] = formatAmount(amount, currency)
  cells[7] = balance && formatAmount(balance, currency)
  cells.pop()
  return cells
}

/** Converts an instant of Postgres in UTC to ISO 8601. */
const instantOf = (text: string): string => text && `${text.slice(0, 10)}T${text.slice(11, -3)}Z`
