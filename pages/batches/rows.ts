/** Rows of a batch: filtered by state, page by page; in a draft each can be mended, added and removed. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { type Batch, type BatchRow, ROW_STATUSES, type RowStatus } from '../../domain/batches/batch.ts'
import type { Fault } from '../frame/act.ts'
import { type CompanyShell, bodyOf, may } from '../frame/company.ts'
import { isolate, keepFields } from '../frame/layout.ts'
import { type Choice, type Mood, badge, empty, icon, sure, table, tabs } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import { type Payees, choicesOf, findPayees, payeeSearch } from '../payments/payees.ts'
import type { Words } from '../words/en.ts'
import { faultyColumns, rowForm } from './row-form.ts'

/** Rows of a page, and those of a page where each is a form. */
const [LISTED, FORMS] = [50, 10]

/** Part of the rows that is shown: their state, the page, and the row whose cells can all be changed. */
export class Here {
  constructor(private readonly query: URLSearchParams) {}

  get status(): string {
    return this.query.get('status') ?? ''
  }

  get cursor(): string {
    return this.query.get('cursor') ?? ''
  }

  /** Id of a row, `new` for one that is added, or empty. */
  get edit(): string {
    return this.query.get('edit') ?? ''
  }

  /** Query of the same rows, with the form of this one. */
  with(edit: string): string {
    const query = Object.entries({ status: this.status, cursor: this.cursor, edit, q: this.query.get('q') ?? '' })
    return new URLSearchParams(query.filter(([, value]) => value !== '')).toString()
  }
}

export type RowsPart = {
  readonly viewer: Viewer
  readonly shell: CompanyShell
  readonly batch: Batch
  readonly here: Here
  readonly fault: Fault | undefined
}

/** Shows the rows of a batch; those that cannot be paid come first. */
export async function rowsPart(of: RowsPart): Promise<Markup> {
  const { viewer, shell, batch, here } = of
  const { batches } = viewer.words
  const canChange = batch.status === 'draft' && may(shell, 'payments.send_fiat')
  const status = statusOf(batch, here)
  const asForms = canChange && status === 'invalid'
  const rows = await listRows(of, status, asForms ? FORMS : LISTED)
  const isForm = canChange && here.edit !== ''
  const found = isForm || asForms ? await findPayees(viewer, shell.company.id) : null
  const payees = found ? choicesOf(found.found) : []
  return html`<section id="rows">
    ${batch.rows_total > 0 ? tabsOf(batch, status, batches) : ''} ${found ? searchOf(of, found) : ''}
    ${canChange ? adding(of, payees) : ''}
    ${rows.data.length === 0 ? html`<div class="card">${noRows(batch, batches)}</div>` : ''}
    ${asForms || isForm ? rows.data.map((row) => (asForms || row.id === here.edit ? oneRow(of, row, payees) : '')) : ''}
    ${rows.data.length > 0 && !asForms ? html`<div class="card">${rowTable(of, rows.data, canChange)}</div>` : ''}
    ${
      rows.next_cursor === null
        ? ''
        : html`<p>
            <a href="?${new URLSearchParams({ status: status ?? 'all', cursor: rows.next_cursor }).toString()}#rows"
              >${batches.older}</a
            >
          </p>`
    }
  </section>`
}

/** Searches payees for the forms of the page, which stays at its rows. */
const searchOf = ({ viewer, shell, batch, here }: RowsPart, found: Payees): Markup | '' =>
  payeeSearch(
    found,
    {
      action: `/o/${shell.company.id}/batches/${batch.id}#rows`,
      kept: [
        ['status', here.status],
        ['cursor', here.cursor],
        ['edit', here.edit],
      ],
    },
    viewer,
  )

/** Tells which rows are shown: in a draft those that cannot be paid, if nothing else is asked for. */
function statusOf({ status, rows_invalid: invalid }: Batch, here: Here): RowStatus | undefined {
  if (here.status === '' && status === 'draft' && invalid > 0) return 'invalid'
  return ROW_STATUSES.find((one) => one === here.status)
}

async function listRows({ viewer, batch, here }: RowsPart, status: RowStatus | undefined, limit: number) {
  const query = Object.entries({ status: status ?? '', cursor: here.cursor, limit: String(limit) })
  const given = new URLSearchParams(query.filter(([, value]) => value !== ''))
  return bodyOf(await viewer.call<Rows<BatchRow>>('GET', `/payment-batches/${batch.id}/rows?${given.toString()}`))
}

const tabsOf = (batch: Batch, here: RowStatus | undefined, { tabs: names, filters }: Words['batches']): Markup =>
  tabs(filters, [
    { path: '?status=all', text: names.all, here: here === undefined, count: batch.rows_total },
    ...ROW_STATUSES.filter((one) => (batch.submitted_at === null) === (one === 'valid' || one === 'invalid')).map(
      (one) => ({ path: `?status=${one}`, text: names[one], here: one === here, ...countOf(batch, one) }),
    ),
  ])

/** Counts the rows of a state, where the batch says it. */
function countOf(batch: Batch, status: RowStatus): { readonly count?: number } {
  const { rows_invalid: invalid, rows_succeeded: paid, rows_failed: failed, rows_skipped: skipped } = batch
  const counts = { valid: batch.rows_valid, invalid, succeeded: paid, failed, skipped }
  return status === 'processing' ? {} : { count: counts[status] }
}

const noRows = ({ rows_total: total, status }: Batch, batches: Words['batches']): Markup =>
  total > 0 || status !== 'draft'
    ? empty('search', batches.noRowsHere, '')
    : empty('batches', batches.noRows, batches.noRowsYet)

/** Shows the form of a new row, or leads to it. */
function adding({ viewer, shell, batch, here, fault }: RowsPart, payees: readonly Choice[]): Markup {
  const { words } = viewer
  const action = `/o/${shell.company.id}/batches/${batch.id}/rows`
  if (here.edit !== 'new')
    return html`<p>
      <a class="button second" href="?${here.with('new')}#rows">${icon('plus')}${words.batches.addRow}</a>
    </p>`
  const form = {
    action,
    at: here.with('new'),
    closed: here.with(''),
    whole: '',
    row: null,
    fault,
    payees,
    key: randomUUID(),
  }
  return html`<div class="card">
    <h2>${words.batches.addRow}</h2>
    ${rowForm(form, 'all', words)}
  </div>`
}

/** Shows a row as a form: of its faulty cells, or of all. */
function oneRow({ viewer, shell, batch, here, fault }: RowsPart, row: BatchRow, payees: readonly Choice[]): Markup {
  const { words } = viewer
  const { batches } = words
  const action = `/o/${shell.company.id}/batches/${batch.id}/rows/${row.id}`
  const isWhole = row.id === here.edit
  const isSent = viewer.http.req.path === action
  const columns = faultyColumns(row)
  const form = {
    action,
    at: here.with(isWhole ? row.id : ''),
    closed: here.with(''),
    whole: here.with(row.id),
    row,
    fault: isSent ? fault : undefined,
    payees,
  }
  return html`<div class="card" id="row-${row.row_number}">
    <h2>${batches.row(row.row_number)}${row.payee ? html` · ${isolate(row.payee)}` : ''}</h2>
    <p class="small">${batches.line(row.line)}${row.amount ? html` · ${shell.formats.money(row.amount)}` : ''}</p>
    ${remarksOf(row, batches, (column) => isWhole || row.bill_id !== null || column === null || !columns.some((one) => one === column))}
    ${row.bill_id === null ? rowForm(form, isWhole ? 'all' : columns, words) : ''}
    <div class="actions">
      ${sure({
        ask: batches.remove,
        text: batches.removeSure,
        action: `${action}/remove`,
        button: batches.remove,
        fields: keepFields([['at', here.with('')]]),
      })}
    </div>
  </div>`
}

/** Shows the faults of a row that no field of its form shows, and its warnings. */
function remarksOf(
  { errors, warnings, known_holder: holder }: BatchRow,
  batches: Words['batches'],
  isShown: (column: string | null) => boolean,
): Markup | '' {
  const faults = errors.filter(({ column }) => isShown(column))
  if (faults.length + warnings.length === 0 && holder === null) return ''
  const nameOf = (column: string | null): string =>
    column === null ? '' : `${batches.columns[column as keyof Words['batches']['columns']]}: ` // a column of ours
  return html`<ul class="warnings">
    ${faults.map(({ column, code, message }) => html`<li>${icon('bad')}<span>${nameOf(column)}${isolate(batches.remark(code, message))}</span></li>`)}
    ${warnings.map(({ column, code, message }) => html`<li class="warn">${icon('warn')}<span>${nameOf(column)}${isolate(batches.remark(code, message))}</span></li>`)}
    ${holder === null ? '' : html`<li class="warn">${icon('warn')}<span>${batches.knownAs} ${isolate(holder)}</span></li>`}
  </ul>`
}

const MOODS: Readonly<Partial<Record<RowStatus, Mood>>> = { invalid: 'bad', succeeded: 'good', failed: 'bad' }

const rowTable = ({ viewer, shell, here }: RowsPart, rows: readonly BatchRow[], canChange: boolean): Markup => {
  const { words } = viewer
  const { batches, payments, home } = words
  return table({
    caption: batches.filters,
    columns: [
      { name: batches.number },
      { name: payments.payee },
      { name: payments.state },
      { name: home.amount, figure: true },
    ],
    rows: rows.map((row) => [
      html`${row.row_number}${canChange ? html` <a href="?${here.with(row.id)}#row-${row.row_number}">${batches.edit}</a>` : ''}`,
      html`${row.payee ? isolate(row.payee) : '—'}${textOf(row)}${billOf(row, shell, batches)}${row.errors.length + row.warnings.length > 0 || row.known_holder !== null ? remarksOf(row, batches, () => true) : ''}`,
      html`${badge(batches.rowStates[row.status], MOODS[row.status])}${row.payment_id ? html` <a href="/o/${shell.company.id}/payments/${row.payment_id}">${batches.payment}</a>` : ''}`,
      row.amount ? shell.formats.money(row.amount) : '—',
    ]),
  })
}

/** Leads to the bill of a row, and to the credit notes that lower it. */
function billOf({ bill_id: bill, credits }: BatchRow, shell: CompanyShell, words: Words['batches']): Markup | '' {
  if (bill === null) return ''
  const of = `/o/${shell.company.id}/bills`
  return html`<br /><a href="${of}/${bill}">${words.bill}</a> ${credits.map(
      (one) =>
        html`<br /><a class="small" href="${of}/${one.bill_id}">${words.credit} ${shell.formats.money(one.amount)}</a>`,
    )}`
}

const textOf = ({ cells }: BatchRow): Markup | '' => {
  const text = cells['statement_description']
  return text ? html`<br /><span class="small">${isolate(text)}</span>` : ''
}
