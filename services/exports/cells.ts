/** Rows of a page as one text: cells of the transaction, and of what it belongs to. */
import type { Row } from '../../domain/exports/report.ts'
import { formatAmount } from '../../domain/money/money.ts'
import { type Fragment, sql } from '../../db/postgres/sql.ts'
import { hasAttachments, selectNames } from '../attachments/attachments.ts'
import type { Counterparties } from './counterparties.ts'

/** Separators of rows and cells (ASCII). */
export const [ROW_END, CELL_END] = ['\u001e', '\u001f']
/** Stands for notes of a payment that are too long for this page (ASCII, cancel). */
export const TOO_LONG = '\u0018'
/** Notes with more bytes than this are read with few others: they have up to 64 Ki characters. */
export const NOTES_BYTES = 4000

/** `whole` reads long notes too, `clean` removes separators, which a partner may have sent. */
export type How = { readonly whole: boolean; readonly clean: boolean }
export type Accounts = Awaited<ReturnType<Counterparties['open']>>

/** Cells of account codes, tax codes and labels of a bill. */
const CODING_CELLS = 3

const notesMax = (): Fragment => sql.unsafe(String(NOTES_BYTES))

const columns = (t: Fragment, names: string): Fragment[] => names.split(' ').map((name) => sql`${t}.${sql(name)}::text`)

/** Joins cells; faster by a sixth than concat(). */
const join = (cells: readonly Fragment[]): Fragment =>
  cells.map((cell) => sql`coalesce(${cell}, '')`).reduce((all, one) => sql`${all} || chr(31) || ${one}`)

/**
 * Selects cells of another row only if the transaction names one: a join would cost each row something. `more`: cells that
 * the last one has beside its own.
 */
const cellsOf = (id: Fragment, cells: readonly Fragment[], from: Fragment, more = 0): Fragment => {
  const none = sql`repeat(chr(31), ${sql.unsafe(String(cells.length - 1 + more))})`
  return sql`case when ${id} is null then ${none} else coalesce((select ${join(cells)} ${from} = ${id}), ${none}) end`
}

/**
 * Writes the row of a transaction `t` as text, with its cursor at the end. A payee does not see the payer's payment, and
 * so none of its notes and references.
 */
export function rowText(t: Fragment, { whole, clean }: How): Fragment {
  const text = (column: Fragment) => (clean ? sql`translate(${column}, chr(30) || chr(31), '')` : column)
  const notes = (column: Fragment, otherwise: Fragment) =>
    whole ? text(column) : sql`case when octet_length(${column}) <= ${notesMax()} then ${text(column)} ${otherwise} end`
  const own = [
    ...columns(t, 'id posted_at occurred_at type direction amount currency running_balance'),
    text(sql`${t}.counterparty`),
    text(sql`${t}.description`),
    text(sql`${t}.category`),
    notes(sql`${t}.internal_notes`, sql``),
    ...columns(t, 'payment_id deposit_id swap_id bill_id'),
    text(filesOf(t)),
    labelsOf(t),
  ]
  // an external id is one line, which has no separators
  const bill = [sql`b.external_id`, text(sql`b.bill_number`), text(sql`b.payment_reference`), codingOf(sql`b`)]
  const sender = (name: string) => text(sql`d.source ->> ${name}`)
  const deposit = [sql`d.rail`, sender('reference'), sender('account_reference')]
  const invoices = sql`
    case when ${t}.direction = 'in' then (
      select string_agg(i.number, ', ' order by a.inserted_at, a.id)
      from invoice_allocations a join invoices i on i.id = a.invoice_id
      where a.transaction_id = ${t}.id and a.taken_back_at is null) end`
  const payment = [
    sql`p.payment_batch_id::text`,
    sql`p.rail`,
    notes(sql`p.internal_notes`, sql`when p.internal_notes is not null then chr(24)`),
    text(sql`r.reference`),
    labelsOf(sql`p`),
    sql`p.external_id`,
    sql`p.destination_id::text`,
  ]
  const elsewhere = join([
    cellsOf(sql`${t}.bill_id`, bill, sql`from bills b where b.id`, CODING_CELLS - 1),
    cellsOf(sql`${t}.deposit_id`, deposit, sql`from deposits d where d.id`),
    invoices,
    cellsOf(
      sql`${t}.payment_id`,
      payment,
      sql`from payments p left join payment_batch_rows r on r.payment_id = p.id where p.id`,
    ),
  ])
  const isAlone = sql`${t}.payment_id is null and ${t}.deposit_id is null and ${t}.bill_id is null`
  return sql`${join(own)} || case when ${isAlone} then '' else chr(31) || ${elsewhere} end || chr(31) || ${t}.seq`
}

/** Selects the cells of account codes, tax codes and labels of a bill; a bill without coding costs one probe. */
const codingOf = (b: Fragment): Fragment => sql`
  case when exists (select from bill_codings s where s.bill_id = ${b}.id) then coding_cells(${b}.id)
    else repeat(chr(31), ${sql.unsafe(String(CODING_CELLS - 1))}) end`

/** Selects the labels of a row as text. */
const labelsOf = (t: Fragment): Fragment => sql`
  case when ${t}.labels <> '[]' then (
    select string_agg((l ->> 'dimension') || ':' || (l ->> 'value'), ', ') from jsonb_array_elements(${t}.labels) l) end`

/** Selects names of the files of a transaction, its payment and bill; fast if there are none. */
const filesOf = (t: Fragment): Fragment => sql`
  case when (select ${hasAttachments(sql`current_organization()`)}) then
    ${selectNames(sql`${t}.organization_id`, sql`array_remove(array[${t}.id, ${t}.payment_id, ${t}.bill_id], null)`)} end`

/** Lists the destinations of payments: the cells before the cursor. */
export function destinationsIn(lines: readonly string[]): string[] {
  const found = new Set<string>()
  for (const line of lines) {
    const end = line.lastIndexOf(CELL_END)
    const id = line.slice(line.lastIndexOf(CELL_END, end - 1) + 1, end)
    if (UUID.test(id)) found.add(id)
  }
  return [...found]
}
const UUID = /^[0-9a-f-]{36}$/

/** Cells of a transaction, of what it belongs to, and of its cursor. */
const [OWN_CELLS, OTHER_CELLS, CURSOR] = [18, 17, 1]
/** Cells of the files and of the labels, which become later ones. */
const [FILES_CELL, LABELS_CELL] = [16, 17]

/** Splits a text into cells of TRANSACTION_COLUMNS, and of DETAILS if wanted; null if a cell has a separator. */
export function toRow(line: string, accounts: Accounts, withDetails: boolean): Row | null {
  const row = line.split(CELL_END)
  const isAlone = row.length === OWN_CELLS + CURSOR
  if (!isAlone && row.length !== OWN_CELLS + OTHER_CELLS + CURSOR) return null
  if (isAlone) row.pop()
  const at = (piece: number): string => row[piece] ?? ''
  const [currency, balance] = [at(6), at(7)]
  row[1] = instantOf(at(1))
  row[2] = instantOf(at(2))
  row[5] = formatAmount(at(5), currency)
  row[7] = balance && formatAmount(balance, currency)
  row[11] ||= at(30)
  const isReceived = at(3) === 'payment' && at(4) === 'in'
  // a fee has no party; the payer of a payment by service ID is not ours to look up
  const party = at(34) && at(3) !== 'fee' ? accounts.get(at(34)) : undefined
  const reference = at(31) || at(20) || at(25)
  const invoice = at(19) || at(27)
  const rail = at(29) || at(24) || (isReceived ? 'svc_id' : '')
  const batchId = at(28)
  const account = party?.account ?? at(26)
  const labels = at(LABELS_CELL) || at(32) || at(23)
  const coding = [at(21), at(22), labels]
  const external = at(33) || at(18)
  const files = at(FILES_CELL)
  row.length = FILES_CELL
  row.push(batchId, reference, invoice, account, files, ...coding, external)
  if (withDetails) row.push(rail, party?.bic ?? '')
  return row
}

/** Converts an instant of Postgres in UTC to ISO 8601. */
const instantOf = (text: string): string => text && `${text.slice(0, 10)}T${text.slice(11, -3)}Z`
