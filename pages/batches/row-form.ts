/** Form of a row of a batch: cells by column, each with what is wrong with it. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { BatchRow } from '../../domain/batches/batch.ts'
import { COLUMNS, type Column } from '../../domain/batches/columns.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import { type Fault, keepShown } from '../frame/act.ts'
import { keepFields } from '../frame/layout.ts'
import { type Choice, field, select } from '../frame/parts.ts'
import { reasonChoices } from '../payments/reasons.ts'
import type { Words } from '../words/en.ts'

/** Beginning of a cell whose text is masked: it stays as it is unless another one is entered. */
const MASKED = '…'

/** Columns that a person fills in by hand, one group after the other. */
export const FIRST: readonly Column[] = [
  'payment_contact_id',
  'amount',
  'currency',
  'payout_reason',
  'statement_description',
  'reference',
  'internal_notes',
]
const LATER = COLUMNS.filter((column) => !FIRST.includes(column))

export type RowForm = {
  readonly action: string
  /** Query of the page with this form, and without it. */
  readonly at: string
  readonly closed: string
  /** Query of the page with the form of all cells. */
  readonly whole: string
  readonly row: BatchRow | null
  /** Fault of the form that was sent for this row. */
  readonly fault: Fault | undefined
  /** Payees to choose from. */
  readonly payees: readonly Choice[]
  readonly key?: string
}

/** Lists the columns of a row that have a fault. */
export const faultyColumns = ({ errors }: BatchRow): readonly Column[] =>
  COLUMNS.filter((column) => errors.some((error) => error.column === column))

/** Shows the cells of these columns; what they were stands beside them, so that only what was changed is sent. */
export function rowForm(of: RowForm, columns: readonly Column[] | 'all', words: Words): Markup {
  const { batches } = words
  const { row, action, at, closed, whole, key } = of
  const shown = columns === 'all' ? COLUMNS : columns
  const was = Object.fromEntries(shown.map((column) => [column, plainOf(row, column)]))
  return html`<form method="post" action="${action}">
    ${keepShown(was)} ${keepFields([['at', at], ...(key ? [['key', key] as const] : [])])}
    ${
      columns === 'all'
        ? html`<div class="pair">${FIRST.map((column) => cellField(of, column, words))}</div>
            <h3>${words.payees.kinds.bank}</h3>
            <div class="pair">${LATER.map((column) => cellField(of, column, words))}</div>`
        : html`<div class="pair">${columns.map((column) => cellField(of, column, words))}</div>`
    }
    <div class="actions">
      <button class="${key ? '' : 'second'}">${key ? batches.addRow : batches.save}</button>
      ${
        columns === 'all'
          ? html`<a class="button second" href="?${closed}">${batches.close}</a>`
          : html`<a class="button second" href="?${whole}">${batches.editAll}</a>`
      }
    </div>
  </form>`
}

const cellOf = (row: BatchRow | null, column: Column): string => row?.cells[column] ?? ''
const plainOf = (row: BatchRow | null, column: Column): string =>
  cellOf(row, column).startsWith(MASKED) ? '' : cellOf(row, column)

function cellField({ row, fault, payees }: RowForm, column: Column, words: Words): Markup {
  const { batches, pay } = words
  const cell = cellOf(row, column)
  const error = row?.errors.find((one) => one.column === column)
  const wrong = fault?.wrong[column] ?? (error && batches.remark(error.code, error.message))
  const value = fault ? fault.sent.get(column) : plainOf(row, column)
  const hint = cell.startsWith(MASKED)
    ? batches.kept(cell)
    : column === 'payment_contact_id'
      ? batches.payeeHint
      : undefined
  const of = {
    id: `${column}-${row?.row_number ?? 0}`,
    sentAs: column,
    label: batches.columns[column],
    value,
    hint,
    wrong,
  }
  const choices = choicesOf(column, payees, words)
  const optional = wrong ? '' : pay.optional
  if (!choices) return field({ ...of, required: NEEDED.has(column) }, optional)
  const isListed = value === '' || choices.some(([one]) => one === value)
  return select(
    {
      ...of,
      required: NEEDED.has(column),
      choices: isListed ? choices : [...choices, [value, nameOf(row, column, value)]],
    },
    optional,
  )
}

/** Names a value that no choice has: the payee of the row, or what its file says. */
const nameOf = (row: BatchRow | null, column: Column, value: string): string =>
  column === 'payment_contact_id' && row?.payee && value === plainOf(row, column) ? markAlike(row.payee) : value

/** Columns that no row goes without; its currency and its amount among them. */
const NEEDED: ReadonlySet<Column> = new Set(['amount', 'currency', 'payout_reason', 'statement_description'])

function choicesOf(column: Column, payees: readonly Choice[], words: Words): readonly Choice[] | null {
  if (column === 'payment_contact_id') return [['', words.batches.otherPayee], ...payees]
  if (column !== 'payout_reason') return null
  return [['', '…'], ...reasonChoices(words)]
}
