/**
 * Rows of the feed for a file, oldest first, page by page. A page is one text, since the driver takes longer to parse
 * single cells than Postgres to read the rows (`npm run bench exports`).
 */
import { setImmediate as immediate } from 'node:timers/promises'
import { timeRange } from '../../db/postgres/filters.ts'
import type { Row, Sums } from '../../domain/exports/report.ts'
import type { UserId } from '../../domain/ids.ts'
import { isKept, isNotDiscarded } from '../ledger/feed-places.ts'
import { formatAmount } from '../../domain/money/money.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'
import {
  type Accounts,
  CELL_END,
  type How,
  NOTES_BYTES,
  ROW_END,
  TOO_LONG,
  destinationsIn,
  rowText,
  toRow,
} from './cells.ts'
import { Counterparties } from './counterparties.ts'

const PAGE_ROWS = 5000
/** Rows of a page that has long notes. */
const LONG_PAGE_ROWS = 100
/** Rows that are passed on at once. */
const PART_ROWS = 250

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

const matching = (t: Fragment, { organizationId }: Reader, { currency, creator }: Range): Fragment => sql`
  ${t}.organization_id = ${organizationId} ${currency ? sql`and ${t}.currency = ${currency}` : sql``}
  and ${creator ? sql`${isKept(t)} and ${t}.created_by = ${creator}` : isNotDiscarded(t)}`

const postedPart = (reader: Reader, range: Range): Part => ({
  begin: timeRange(sql`t.feed_at`, { from: range.from }),
  where: sql`${matching(sql`t`, reader, range)} and t.feed_at < 'infinity' ${timeRange(sql`t.feed_at`, { to: range.to })}`,
})
const pending = (reader: Reader, range: Range): Part => ({
  begin: sql``,
  where: sql`${matching(sql`t`, reader, range)} and t.feed_at = 'infinity' ${timeRange(sql`t.occurred_at`, range)}`,
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

/** Adds up posted rows of one currency, by direction. */
export async function sumRows(reader: Reader, range: Range & { readonly currency: string }): Promise<Sums> {
  const { where, begin } = postedPart(reader, range)
  const found = await reader<{ direction: 'in' | 'out'; rows: number; amount: string }>(sql`
    select t.direction, count(*)::int as rows, sum(t.amount)::text as amount
    from transactions t where ${where} ${begin} group by t.direction`)
  const sumOf = (wanted: 'in' | 'out') => {
    const { rows = 0, amount = '0' } = found.find(({ direction }) => direction === wanted) ?? {}
    return { rows, amount: formatAmount(amount, range.currency) }
  }
  return { in: sumOf('in'), out: sumOf('out') }
}

/** Reads posted rows, cells of TRANSACTION_COLUMNS and DETAILS, in the order of the ledger. */
export const readPosted = (reader: Reader, range: Range): AsyncGenerator<readonly Row[]> =>
  pagesOf(reader, postedPart(reader, range), true)

/** Reads posted rows of TRANSACTION_COLUMNS, and then pending ones. */
export async function* feedPages(reader: Reader, range: Range): AsyncGenerator<readonly Row[]> {
  yield* pagesOf(reader, postedPart(reader, range), false)
  yield* pagesOf(reader, pending(reader, range), false)
}

/**
 * Reads the next page while one is written. A later page has only the keyset condition: with both bounds Postgres would
 * use the other one, and read all pages again.
 */
async function* pagesOf(reader: Reader, { begin, where }: Part, withDetails: boolean): AsyncGenerator<readonly Row[]> {
  const parties = new Counterparties(reader)
  let next: Promise<Page> | undefined = readPage(reader, parties, sql`${where} ${begin}`)
  try {
    while (next) {
      let page: Page = await next
      next = page.isFull ? readPage(reader, parties, sql`${where} ${isAfter(sql`t`, page)}`) : undefined
      next?.catch(() => {}) // is thrown where it is awaited, unless nobody wants it any more
      for (let at = 0; at < page.lines.length; at += PART_ROWS) {
        await immediate() // sends the query of the next page
        let rows = rowsFrom(page, at, withDetails)
        if (!rows) {
          page = await page.readAnew()
          rows = rowsFrom(page, at, withDetails)
        }
        if (!rows) throw new Error('a row has not the cells that it was read with')
        yield rows
      }
    }
  } finally {
    await next?.catch(() => {}) // the transaction is not over before
  }
}

/** Splits rows into cells; null if a cell has a separator. */
function rowsFrom({ lines, accounts }: Page, at: number, withDetails: boolean): Row[] | null {
  const rows = lines.slice(at, at + PART_ROWS).map((line) => toRow(line, accounts, withDetails))
  return rows.every((row) => row !== null) ? rows : null
}

/** A page whose rows are split into cells only when they are written, which saves memory. */
type Page = {
  readonly lines: readonly string[]
  /** Accounts of its payments by destination. */
  readonly accounts: Accounts
  /** There may be more. */
  readonly isFull: boolean
  /** Reads the same page without separators in its texts. */
  readonly readAnew: () => Promise<Page>
}

const isAfter = (t: Fragment, { lines }: Page): Fragment => {
  const cells = lines.at(-1)?.split(CELL_END) ?? []
  const [id = '', postedAt = '', seq = ''] = [cells[0], cells[1], cells.at(-1)]
  return sql`and (${t}.feed_at, ${t}.seq, ${t}.id) > (${postedAt || 'infinity'}::timestamptz, ${seq}::bigint, ${id}::uuid)`
}

/** Reads a page; again without separators in its texts if they make rows indistinguishable. */
async function readPage(reader: Reader, parties: Counterparties, where: Fragment): Promise<Page> {
  const short = await readTexts(reader, where, { whole: false, clean: false })
  const whole = short.hasLongNotes
  const page = whole ? await readTexts(reader, where, { whole, clean: false }) : short
  const readAnew = async (): Promise<Page> => withAccounts(await readTexts(reader, where, { whole, clean: true }))
  const withAccounts = async ({ lines, isFull }: Texts): Promise<Page> => {
    const accounts = await parties.open(destinationsIn(lines))
    return { lines, isFull, accounts, readAnew }
  }
  return page.lines.length === page.rows ? withAccounts(page) : readAnew()
}

type Texts = Pick<Page, 'lines' | 'isFull'> & { readonly rows: number; readonly hasLongNotes: boolean }

async function readTexts(reader: Reader, where: Fragment, how: How): Promise<Texts> {
  const limit = how.whole ? LONG_PAGE_ROWS : PAGE_ROWS
  const page = await first(
    reader<{ text: string | null; rows: number; has_long_notes: boolean | null }>(sql`
      select string_agg(${rowText(sql`t`, how)}, chr(30)) as text, count(*)::int as rows,
        bool_or(octet_length(t.internal_notes) > ${sql.unsafe(String(NOTES_BYTES))}) as has_long_notes
      from (
        select * from transactions t where ${where}
        order by t.feed_at, t.seq, t.id limit ${sql.unsafe(String(limit))}) t`),
  )
  const { text, rows = 0, has_long_notes: isLong } = page ?? {}
  const hasLongNotes = isLong === true || (text?.includes(TOO_LONG) ?? false)
  return { lines: text?.split(ROW_END) ?? [], rows, isFull: rows === limit, hasLongNotes }
}
