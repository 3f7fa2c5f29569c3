/** The rows of a batch in the order of its file: found, listed, and written as a file of results. */
import { setImmediate as immediate } from 'node:timers/promises'
import type { Rule } from '../../domain/approvals/policy.ts'
import {
  type PayeeFacts,
  type RequestFacts,
  type RequestOrigin,
  areRouted,
  compareCoding,
} from '../../domain/approvals/routing.ts'
import type { BatchRow, RowFilters, RowStatus } from '../../domain/batches/batch.ts'
import type { Cells, Column } from '../../domain/batches/columns.ts'
import { type ResultRow, resultHeader, resultLine } from '../../domain/batches/results.ts'
import type { Remark } from '../../domain/batches/remark.ts'
import type { Labels } from '../../domain/coding/label.ts'
import { maskCoordinates } from '../../domain/destinations/destination.ts'
import type { Separator } from '../../domain/csv.ts'
import { refuse } from '../../domain/errors.ts'
import type { BatchId, BatchRowId, OrganizationId } from '../../domain/ids.ts'
import { moneyOf } from '../../domain/money/money.ts'
import { type Page, refuseCursor } from '../../domain/pagination.ts'
import { type EncryptedCoordinates, accountAt, holderOf } from '../contacts/destinations.ts'
import { selectAccounts, selectLabels } from '../coding/bill-lines.ts'
import { type PaidAccount, countryOf, isPaidBefore, selectAccount, withMail } from '../routing/payees.ts'
import { type PayeeCheckRow, openCheck, payeeCheckJson, toPayeeCheck } from '../payee-checks/checks.ts'
import { withWords } from '../../db/postgres/filters.ts'
import { toPage } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, type Tx, first, inSnapshot, sql, within } from '../../db/postgres/sql.ts'
import { type SealedCells, bankDetailsOf, readableCells } from './cells.ts'

/** A row of a batch, by both ids. */
export type RowRef = { readonly batchId: BatchId; readonly rowId: BatchRowId }

type RowRecord = Omit<
  BatchRow,
  'amount' | 'credits' | 'cells' | 'errors' | 'warnings' | 'payee_check' | 'known_holder'
> &
  SealedCells & {
    readonly errors: Remark[]
    readonly warnings: Remark[]
    readonly payee_check: PayeeCheckRow | null
    readonly known: EncryptedCoordinates | null
    readonly amount: string | null
    readonly currency: string | null
    readonly credits: { readonly bill_id: string; readonly amount: string }[]
  }

/** The status of rows `r`: that of the payment once there is one. */
const rowStatus = (r: Fragment): Fragment => sql`
  case when ${r}.payment_id is null then ${r}.status else (
    select case when p.status = 'succeeded' then 'succeeded' when has_ended_unpaid(p.status) then 'failed' else 'processing' end
    from payments p where p.id = ${r}.payment_id) end`

/** Selects the credit notes of row `r` as json. */
const creditsOf = (r: Fragment): Fragment => sql`(
  select coalesce(json_agg(json_build_object('bill_id', c.bill_id, 'amount', c.amount::text) order by c.bill_id), '[]')
  from payment_batch_credits c where c.row_id = ${r}.id)`

const selectRow = (): Fragment => sql`
  select r.id, r.row_number, r.line, ${rowStatus(sql`r`)} as status, r.errors, r.warnings, r.payment_id, r.amount, r.currency,
    r.payee, r.bill_id, ${creditsOf(sql`r`)} as credits, encode(r.sealed, 'hex') as sealed, ${accountAt(sql`r.known_as`)} as known,
    (select ${payeeCheckJson(sql`k`)} from payee_checks k where k.id = r.payee_check_id) as payee_check
  from payment_batch_rows r`

/** Reads one row of a batch of the reader's organization. Throws `not_found`. */
export async function findRow(reader: Reader, { batchId, rowId }: RowRef): Promise<BatchRow> {
  const row = await first(
    reader<RowRecord>(sql`
      ${selectRow()} where r.id = ${rowId} and r.payment_batch_id = ${batchId}
      and r.organization_id = ${reader.organizationId}`),
  )
  return row ? toRow(row) : refuse('not_found')
}

/** Lists rows of a batch that the caller has found. */
export async function listRows(reader: Reader, batchId: BatchId, filters: RowFilters): Promise<Page<BatchRow>> {
  const { limit, cursor, status, order, q, remarked } = filters
  const own = () => sql`payment_batch_id = ${batchId} and organization_id = ${reader.organizationId}`
  const ofCursor = (place: Fragment) =>
    sql`(select ${place} from payment_batch_rows where id = ${cursor ?? null} and ${own()})`
  const byAmount = sql`coalesce(amount, -1), -row_number`
  const after =
    order === 'amount'
      ? sql`and (${byAmount}) < ${ofCursor(byAmount)}`
      : sql`and row_number > ${ofCursor(sql`row_number`)}`
  const sorted = order === 'amount' ? sql`coalesce(amount, -1) desc, row_number` : sql`row_number`
  const rows = await reader<RowRecord>(sql`
    ${selectRow()} where ${own()} ${cursor ? after : sql``} ${status ? withStatus(sql`r`, status) : sql``} ${withWords(q, [sql`r.payee`])}
      ${remarked ? withRemarks(sql`r`) : sql``}
    order by ${sorted} limit ${sql.unsafe(String(limit + 1))}`)
  if (rows.length === 0 && cursor) {
    const known = await reader(sql`select id from payment_batch_rows where id = ${cursor} and ${own()}`)
    if (known.length === 0) refuseCursor()
  }
  const page = toPage(rows, limit)
  return { ...page, data: page.data.map(toRow) }
}

/** Filters rows `r` that an approver looks at: with warnings, or a payee of another name. */
const withRemarks = (r: Fragment): Fragment => sql`
  and (${r}.warnings <> '[]' or ${r}.known_as is not null or ${r}.account_changed or exists (
    select from payee_checks k where k.id = ${r}.payee_check_id and k.result in ('close_match', 'no_match')))`

/** Filters rows `r` by status, through indexes of the rows where they have no payment. */
function withStatus(r: Fragment, status: RowStatus): Fragment {
  if (status === 'valid') return sql`and ${r}.status = 'valid' and ${r}.payment_id is null`
  if (status === 'invalid' || status === 'skipped') return sql`and ${r}.status = ${status}`
  return sql`and ${r}.payment_id is not null and ${rowStatus(r)} = ${status}`
}

function toRow({ sealed, amount, currency, known, payee_check: check, credits, ...row }: RowRecord): BatchRow {
  const money = amount !== null && currency !== null ? moneyOf(amount, currency) : null
  const payee_check = check && toPayeeCheck(openCheck(check))
  return {
    ...row,
    known_holder: known && holderOf(known),
    payee_check,
    amount: money,
    credits: credits.map(({ bill_id, amount: less }) => ({ bill_id, amount: moneyOf(less, currency ?? '') })),
    cells: maskCells({ id: row.id, sealed }, row.errors),
  }
}

/** Masks IBAN and account number unless they are wrong, so that they can be corrected. */
function maskCells(row: SealedCells, errors: readonly Remark[]): Record<string, string> {
  const cells: Cells = readableCells(row)?.cells ?? {}
  const wrong = new Set(errors.map(({ column }) => column))
  const { iban, account_number: number } = cells
  const accounts = Object.entries(maskCoordinates({ iban: iban ?? null, account_number: number ?? null }))
  const hidden = wrong.has(null) ? [] : accounts.filter(([column]) => !wrong.has(column as 'iban' | 'account_number'))
  return { ...cells, ...Object.fromEntries(hidden.flatMap(([column, cell]) => (cell ? [[column, cell]] : []))) }
}

/** Rows that are opened at once, so that other requests get the processor. */
const RESULTS_PAGE = 250

type Result = Omit<ResultRow, 'cells'> & SealedCells & { readonly row_number: number }

/** The columns and the separator of the imported file, which results are written with. */
type Form = { readonly columns: readonly Column[]; readonly separator: Separator }

/**
 * Passes the file of results to `take` piece by piece. All rows are of one instant. It holds a connection, so `take`
 * must not wait for who reads the file. Throws `not_found`.
 */
export const withResults = (
  organizationId: OrganizationId,
  id: BatchId,
  take: (piece: Buffer) => unknown,
): Promise<void> =>
  inSnapshot(organizationId, async (reader) => {
    const batch = await first(
      reader<Form>(sql`
        select columns, separator from payment_batches
        where id = ${id} and organization_id = ${organizationId} and deleted_at is null`),
    )
    if (!batch) refuse('not_found')
    await take(Buffer.from(`\uFEFF${resultHeader(batch.columns, batch.separator)}`))
    for (let after: number | undefined = 0; after !== undefined;) {
      const rows: Result[] = await reader<Result>(sql`
        select r.id, r.row_number, encode(r.sealed, 'hex') as sealed, ${rowStatus(sql`r`)} as status, r.errors, r.payment_id,
          p.status_detail, case when r.payment_id is not null then p.fee_amount::text end as fee,
          p.deducting_currency as currency, t.posted_at as settled_at, r.bill_id
        from payment_batch_rows r
        left join payments p on p.id = r.payment_id
        left join transactions t on t.id = p.transaction_id and t.organization_id = p.organization_id
        where r.payment_batch_id = ${id} and r.row_number > ${after}
        order by r.row_number limit ${RESULTS_PAGE}`)
      await take(Buffer.from(rows.map((row) => lineOf(batch, row)).join('')))
      after = rows.length === RESULTS_PAGE ? rows.at(-1)?.row_number : undefined
      await immediate()
    }
  })

/** Writes the line of a row, without its cells if they do not open. */
function lineOf({ columns, separator }: Form, row: Result): string {
  const opened = readableCells(row)
  if (opened) return resultLine(columns, separator, { ...row, ...opened })
  return resultLine(columns, separator, { ...row, cells: {}, errors: [UNREADABLE, ...row.errors] })
}

const UNREADABLE = { column: null, code: 'unreadable', message: 'the cells of this row cannot be opened' }

type PaidRow = SealedCells & {
  readonly batch_id: string
  readonly contact_id: string | null
  readonly rail: string
  readonly paid: boolean
  readonly destination: PaidAccount | null
  readonly labels: Labels
  readonly account_codes: readonly string[]
}

/** Reads what conditions of rules compare of a batch; nothing of its rows where no rule has conditions. */
export async function factsOfBatch(
  tx: Tx,
  id: BatchId,
  { rules, origins: ways, billIds }: BatchAsked,
): Promise<RequestFacts> {
  // their coding stays as it is compared here until the batch waits for approval
  if (billIds.length > 0 && compareCoding(rules))
    await tx`select from bills where id = any (${[...billIds]}::uuid[]) order by id for share`
  const origins = await withMail(within(tx), rules, ways, billIds)
  if (!areRouted(rules)) return { origins, payees: [] }
  return { origins, payees: (await payeesOfBatches(within(tx), [id], compareCoding(rules))).get(id) ?? [] }
}

type BatchAsked = {
  readonly rules: readonly Rule[]
  readonly origins: readonly RequestOrigin[]
  /** Bills that rows pay. */
  readonly billIds: readonly string[]
}

/** Refuses `coding_required` for bills of a batch without what its rule requires. */
export async function requireCodedRows(tx: Tx, { require = [] }: Rule, billIds: readonly string[]): Promise<void> {
  if (require.length === 0 || billIds.length === 0) return
  const uncoded = await tx<{ id: string }[]>`
    select id from unnest(${[...billIds]}::uuid[]) b (id) where not is_coded(id) order by id`
  if (uncoded.length > 0) refuse('coding_required', { bill_ids: uncoded.map(({ id: bill }) => bill), fields: require })
}

/**
 * Reads the payees of batches as of their submission, one for each account that is paid; `byBill` one for each bill, with
 * its coding.
 */
export async function payeesOfBatches(
  reader: Reader,
  ids: readonly BatchId[],
  byBill: boolean,
): Promise<Map<string, PayeeFacts[]>> {
  const bill = byBill ? sql`r.bill_id, ` : sql``
  const rows = await reader<PaidRow>(sql`
    select distinct on (${bill} r.payment_batch_id, r.account_id, contact_id) r.payment_batch_id as batch_id, r.id,
      encode(r.sealed, 'hex') as sealed, r.rail, coalesce(r.payment_contact_id, d.payment_contact_id) as contact_id,
      ${isPaidBefore(reader.organizationId, sql`r.account_id`, sql`b.submitted_at`)} as paid,
      case when d.id is not null then ${selectAccount(sql`d`)} end as destination,
      ${byBill ? selectLabels(sql`r.bill_id`) : sql`'[]'::jsonb`} as labels,
      ${byBill ? selectAccounts(sql`r.bill_id`) : sql`'[]'::jsonb`} as account_codes
    from payment_batch_rows r join payment_batches b on b.id = r.payment_batch_id
    left join payment_destinations d on d.id = coalesce(r.destination_id, r.known_as)
    where r.payment_batch_id = any (${ids}) and b.organization_id = ${reader.organizationId} and r.status = 'valid'
    order by ${bill} r.payment_batch_id, r.account_id, contact_id, r.row_number`)
  const payees = new Map<string, PayeeFacts[]>()
  for (const row of rows) {
    const facts = {
      contact_id: row.contact_id,
      country: countryOfRow(row),
      is_new: !row.paid,
      labels: row.labels,
      account_codes: row.account_codes,
    }
    const others = payees.get(row.batch_id)
    if (others) others.push(facts)
    else payees.set(row.batch_id, [facts])
  }
  return payees
}

/** Reads the country of the account of a row; null for a service ID, a wallet, and cells that do not open. */
function countryOfRow({ destination, rail, ...row }: PaidRow): string | null {
  if (destination) return countryOf(destination)
  if (rail !== 'fiat' || !readableCells(row)) return null
  return bankDetailsOf(row).country_code ?? null
}
