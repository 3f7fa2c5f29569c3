/** The feed: money that came or went, listed and searched. */
import { canonicalJson } from '../../domain/canonical.ts'
import { requireLabels } from '../labels/labels.ts'
import { hashOf } from '../idempotency.ts'
import { newCause, record } from '../events.ts'
import { amountRange, equalTo, withWords } from '../../db/postgres/filters.ts'
import { transactionEvents } from '../../domain/accounts/events.ts'
import { refuse } from '../../domain/errors.ts'
import type { TransactionId, UserId } from '../../domain/ids.ts'
import { moneyOf } from '../../domain/money/money.ts'
import { type Page, refuseCursor } from '../../domain/pagination.ts'
import {
  SEARCHED_PER_PAGE_MAX,
  type Transaction,
  type TransactionChanges,
  type TransactionFilters,
} from '../../domain/accounts/transaction.ts'
import { toPage } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql, within } from '../../db/postgres/sql.ts'
import { cursorKey, isNotDiscarded, newestRows, placesOf, sortKey } from './feed-places.ts'

type TransactionRow = Omit<Transaction, 'amount' | 'running_balance' | 'charges'> & {
  amount: string
  charges_amount: string | null
  charges_currency: string | null
  currency: string
  running_balance: string | null
}

const columns = (t: Fragment): Fragment => sql`
  ${t}.id, ${t}.organization_id, ${t}.type, ${t}.direction, ${t}.amount, ${t}.currency, ${t}.running_balance, ${t}.counterparty, ${t}.description,
  ${t}.payment_id, ${t}.deposit_id, ${t}.swap_id, ${t}.bill_id, ${t}.status, ${t}.category, ${t}.internal_notes, ${t}.occurred_at, ${t}.posted_at,
  ${t}.charges_amount, ${t}.charges_currency, ${labelsOf(t)} as labels`

/** Selects the labels of a row, else those of its payment, which its payer alone sees. */
const labelsOf = (t: Fragment): Fragment => sql`
  case when ${t}.labels <> '[]' or ${t}.payment_id is null then ${t}.labels else coalesce((
    select p.labels from payments p where p.id = ${t}.payment_id and p.organization_id = ${t}.organization_id), '[]') end`

/** Selects rows `t` of the organization; with `creator`, only what that person caused. */
const ofOrganization = (t: Fragment, reader: Reader, creator: UserId | undefined): Fragment => sql`
  ${t}.organization_id = ${reader.organizationId} ${creator ? sql`and ${t}.created_by = ${creator}` : sql``}`
/** Selects them if they are not discarded. */
const visible = (t: Fragment, reader: Reader, creator: UserId | undefined): Fragment => sql`
  ${ofOrganization(t, reader, creator)} and ${isNotDiscarded(t)}`

/** Reads a row of the feed; with `creator`, only if that person caused it. Refuses `not_found`. */
export async function findTransaction(reader: Reader, id: TransactionId, creator?: UserId): Promise<Transaction> {
  const row = await first(
    reader<TransactionRow>(sql`
      select ${columns(sql`t`)} from transactions t where t.id = ${id} and ${visible(sql`t`, reader, creator)}`),
  )
  return row ? toTransaction(row) : refuse('not_found')
}

/**
 * Changes notes, category and labels of a row; with `creator`, only if that person caused it. Refuses `not_found` and
 * `invalid_coding`.
 */
export async function annotateTransaction(
  tx: Tx,
  id: TransactionId,
  changes: TransactionChanges,
  creator?: UserId,
): Promise<void> {
  await requireLabels(tx, changes.labels ?? [])
  const [before] = await tx<Required<TransactionChanges>[]>`
    select t.internal_notes, t.category, t.labels from transactions t
    where t.id = ${id} and ${visible(sql`t`, within(tx), creator)} for no key update`
  if (!before) refuse('not_found')
  const { internal_notes: notes = before.internal_notes, category = before.category, labels = before.labels } = changes
  const changed = [
    ...(category === before.category ? [] : (['category'] as const)),
    ...(notes === before.internal_notes ? [] : (['internal_notes'] as const)),
    ...(canonicalJson(labels) === canonicalJson(before.labels) ? [] : (['labels'] as const)),
  ]
  if (changed.length === 0) return
  await tx`
    update transactions set internal_notes = ${notes ?? null}, category = ${category ?? null},
      labels = ${sql.json([...(labels ?? [])])} where id = ${id}`
  await record(tx, transactionEvents.annotated, {
    subjectId: id,
    cause: newCause(),
    payload: {
      changed,
      hash: hashOf({ category, internal_notes: notes, ...(changed.includes('labels') && { labels }) }),
    },
  })
}

/**
 * Lists the feed, newest first, pending rows before posted ones; with `creator`, only
 * what that person caused. `from` and `to` go by the posting, or by when it occurred while it is pending. Refuses an
 * unknown cursor as `invalid_request`.
 */
export function listTransactions(
  reader: Reader,
  filters: TransactionFilters,
  creator?: UserId,
): Promise<Page<Transaction>> {
  const { cursor, q } = filters
  const after = cursor ? sql`and ${sortKey(sql`t`)} < ${cursorKey(reader, cursor)}` : sql``
  const where = sql`${ofOrganization(sql`t`, reader, creator)} ${matching(sql`t`, filters)} ${after}`
  return q ? searchFeed(reader, { where, filters, creator }, q) : listFeed(reader, { where, filters, creator })
}

/** Tells if more rows are read than the page has: then their places are found first. */
const isFiltered = (filters: TransactionFilters, creator: UserId | undefined): boolean =>
  creator !== undefined ||
  Object.entries(filters).some(([name, value]) => value !== undefined && name !== 'limit' && name !== 'cursor')

type Selection = {
  readonly where: Fragment
  readonly filters: TransactionFilters
  readonly creator: UserId | undefined
}

/** Lists rows under a condition. If it filters, an index finds the page before any row is read. */
async function listFeed(reader: Reader, { where, filters, creator }: Selection): Promise<Page<Transaction>> {
  const { limit, cursor } = filters
  const part = { where, limit: limit + 1, filters, creator }
  const rows = await reader<TransactionRow>(
    isFiltered(filters, creator)
      ? sql`select ${columns(sql`t`)} from (${placesOf(reader, part)}) place
          cross join lateral (select * from transactions where id = place.id offset 0) t order by place.feed_at desc, place.seq desc, place.id desc`
      : newestRows({
          ...part,
          columns,
          source: sql`transactions`,
          where: (t) => sql`${where} and ${isNotDiscarded(t)}`,
          range: filters,
        }),
  )
  if (rows.length === 0 && cursor) {
    const known = await reader(sql`
      select id from transactions where id = ${cursor} and organization_id = ${reader.organizationId}`)
    if (known.length === 0) refuseCursor()
  }
  const page = toPage(rows, limit)
  return { ...page, data: page.data.map(toTransaction) }
}

/**
 * Lists rows that have the words, among the first SEARCHED_PER_PAGE_MAX under the condition. If there are more,
 * `has_more` says so, and the next page begins after them; this one may be short, or empty.
 */
async function searchFeed(reader: Reader, selection: Selection, q: string): Promise<Page<Transaction>> {
  const end = await searchWindowEnd(reader, selection)
  const where = sql`${selection.where} ${end ? sql`and ${sortKey(sql`t`)} >= ${cursorKey(reader, end)}` : sql``}
    ${withWords(q, [sql`t.counterparty`, sql`t.description`, sql`t.internal_notes`, sql`t.category`])}`
  const page = await listFeed(reader, { ...selection, where })
  return end && !page.has_more ? { ...page, has_more: true, next_cursor: end } : page
}

/** Finds the last row that a search reads for a page; undefined if it reads all. */
async function searchWindowEnd(reader: Reader, selection: Selection): Promise<string | undefined> {
  const row = await first(
    reader<{ id: string }>(sql`
      select place.id from (${placesOf(reader, { ...selection, limit: SEARCHED_PER_PAGE_MAX })}) place
      order by place.feed_at desc, place.seq desc, place.id desc offset ${sql.unsafe(String(SEARCHED_PER_PAGE_MAX - 1))}`),
  )
  return row?.id
}

const matching = (t: Fragment, f: TransactionFilters): Fragment => sql`
  ${equalTo('t', f, ['type', 'direction', 'currency', 'payment_contact_id', 'payment_id', 'deposit_id', 'swap_id', 'category'])}
  ${f.status ? (f.status === 'pending' ? sql`and ${t}.feed_at = 'infinity'` : sql`and ${t}.feed_at < 'infinity'`) : sql``}
  ${amountRange(sql`${t}.amount`, f)}`

function toTransaction({ currency, charges_amount: kept, charges_currency: of, ...row }: TransactionRow): Transaction {
  const money = (amount: string) => moneyOf(amount, currency)
  return {
    ...row,
    amount: money(row.amount),
    running_balance: row.running_balance === null ? null : money(row.running_balance),
    charges: kept !== null && of !== null ? moneyOf(kept, of) : null,
  }
}
