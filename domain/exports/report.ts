/** The content of an export without its format: columns, sections, and rows that are read while they are written. */
import type { ReportType } from './export.ts'

/**
 * A column. `text` is free text, `word` an id, a currency or a constant, `time` ISO 8601 in UTC, `number` a decimal at
 * the precision of its currency.
 */
export type Column = {
  readonly name: string
  readonly kind: 'text' | 'word' | 'time' | 'number'
  /** In characters. */
  readonly width: number
}

/** Cells in the order of the columns. */
export type Row = readonly string[]
export type Pages = AsyncIterable<readonly Row[]>

const column = (name: string, kind: Column['kind'], width: number): Column => ({ name, kind, width })
const [ID, TIME, AMOUNT] = [38, 26, 16]

export const TRANSACTION_COLUMNS: readonly Column[] = [
  column('id', 'word', ID),
  column('posted_at', 'time', TIME),
  column('occurred_at', 'time', TIME),
  column('type', 'word', 12),
  column('direction', 'word', 10),
  column('amount', 'number', AMOUNT),
  column('currency', 'word', 10),
  column('running_balance', 'number', AMOUNT),
  column('counterparty', 'text', 30),
  column('description', 'text', 40),
  column('category', 'text', 20),
  column('internal_notes', 'text', 40),
  column('payment_id', 'word', ID),
  column('deposit_id', 'word', ID),
  column('swap_id', 'word', ID),
  column('bill_id', 'word', ID),
  column('payment_batch_id', 'word', ID),
  column('reference', 'text', 30),
  column('invoice_number', 'text', 20),
  column('counterparty_account', 'text', 34),
  column('attachments', 'text', 30),
  column('account_code', 'text', 20),
  column('tax_code', 'text', 20),
  column('labels', 'text', 30),
  column('external_id', 'text', 30),
]

/** Cells of a row of a statement behind those of TRANSACTION_COLUMNS. */
export const DETAILS = ['rail', 'counterparty_bic'] as const

/** Names the cells of a row that statements and PDFs show. */
export const lineOf = (row: Row) => {
  const [id = '', postedAt = '', occurredAt = '', type = '', direction = '', amount = '', currency = ''] = row
  const [balance = '', counterparty = '', description = '', , , paymentId = ''] = row.slice(7, 13)
  const [reference = '', invoiceNumber = '', account = '', , , , , , rail = '', bic = ''] = row.slice(17)
  const money = { direction, amount, currency, balance }
  const counterpart = { counterparty, account, bic, rail }
  return { id, postedAt, occurredAt, type, ...money, ...counterpart, description, paymentId, reference, invoiceNumber }
}
export type Line = ReturnType<typeof lineOf>

const STATEMENT_COLUMNS: readonly Column[] = [
  column('line', 'word', 16),
  column('currency', 'word', 10),
  column('posted_at', 'time', TIME),
  column('id', 'word', ID),
  column('type', 'word', 12),
  column('counterparty', 'text', 30),
  column('description', 'text', 40),
  column('money_in', 'number', AMOUNT),
  column('money_out', 'number', AMOUNT),
  column('balance', 'number', AMOUNT),
]

const EXPENSE_COLUMNS: readonly Column[] = [
  column('id', 'word', ID),
  column('occurred_at', 'time', TIME),
  column('person', 'text', 30),
  column('merchant', 'text', 30),
  column('category', 'text', 20),
  column('amount', 'number', AMOUNT),
  column('currency', 'word', 10),
  column('description', 'text', 40),
]

export type Account = {
  /** Id of the account of available money. */
  readonly id: string
  readonly currency: string
  /** Balances before and after the range: available and held together. */
  readonly opening: string
  readonly closing: string
  /** Number of the statement: the exports of this format that have the account, up to this one. */
  readonly number: number
  /** The account at the bank at which money in this currency arrives; null without one. */
  readonly bank: { readonly iban: string | null; readonly number: string | null; readonly bic: string | null } | null
}

/** Sums of rows, by direction. */
export type Sums = Readonly<Record<'in' | 'out', { readonly rows: number; readonly amount: string }>>

/** Rows of one kind, oldest first; in a statement those of one currency. */
export type Section = {
  readonly account: Account | null
  /** Counts the rows. */
  readonly rows: () => Promise<number>
  /** Adds up the rows of an account. */
  readonly sums: () => Promise<Sums>
  /** Can be read once. */
  readonly pages: Pages
}

export type Report = {
  readonly id: string
  readonly type: ReportType
  readonly from: string
  readonly to: string
  /** The instant of the snapshot. */
  readonly at: string
  readonly organization: {
    readonly id: string
    readonly name: string
    readonly address: string | null
    readonly tax_id: string | null
    /** A webp. */
    readonly logo: Uint8Array | null
  }
  readonly sections: readonly Section[]
}

/** A report as one table. */
export type Table = { readonly columns: readonly Column[]; readonly pages: Pages }

/** Converts a report to one table; a statement gets a line for the balances before and after each account. */
export function tableOf({ type, sections }: Report): Table {
  if (type === 'expenses') return { columns: EXPENSE_COLUMNS, pages: pagesOf(sections) }
  if (type === 'transactions') return { columns: TRANSACTION_COLUMNS, pages: pagesOf(sections) }
  return { columns: STATEMENT_COLUMNS, pages: statementPages(sections) }
}

async function* pagesOf(sections: readonly Section[]): AsyncGenerator<readonly Row[]> {
  for (const { pages } of sections) yield* pages
}

async function* statementPages(sections: readonly Section[]): AsyncGenerator<readonly Row[]> {
  for (const { account, pages } of sections) {
    if (!account) throw new Error('a statement is of accounts')
    const balance = (line: string, amount: string): Row => [line, account.currency, '', '', '', '', '', '', '', amount]
    yield [balance('opening_balance', account.opening)]
    for await (const page of pages) yield page.map(statementRow)
    yield [balance('closing_balance', account.closing)]
  }
}

function statementRow(row: Row): Row {
  const { id, postedAt, type, direction, amount, currency, balance, counterparty, description } = lineOf(row)
  const [moneyIn, moneyOut] = direction === 'in' ? [amount, ''] : ['', amount]
  return ['transaction', currency, postedAt, id, type, counterparty, description, moneyIn, moneyOut, balance]
}
