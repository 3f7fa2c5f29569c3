/** Batches of a company: a list by state, with their sums. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Batch } from '../../domain/batches/batch.ts'
import { BATCH_STATUSES, type BatchStatus } from '../../domain/batches/flow.ts'
import type { Money } from '../../domain/money/money.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, may, nextOf, queryOf } from '../frame/company.ts'
import type { Formats } from '../frame/formats.ts'
import { isolate } from '../frame/layout.ts'
import { type Mood, badge, empty, head, icon, table, type Choice } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { filterForm, choiceFilter } from '../frame/forms/filters.ts'

export const showBatches = companyPage('batches', async (viewer, shell) => {
  const { words } = viewer
  const path = `/organizations/${shell.company.id}/payment-batches?${queryOf(viewer, ['status', 'cursor'])}`
  const rows = bodyOf(await viewer.call<Rows<Batch>>('GET', path))
  return {
    title: words.places.batches,
    body: html`${doneNotice(viewer, words.batches.done)}
      ${head(words.places.batches, { actions: addButton(shell, words) })} ${filters(viewer)}
      <div class="card">${rows.data.length > 0 ? batchTable(rows.data, shell, words) : nothing(viewer)}</div>
      ${nextOf(viewer, rows)}`,
  }
})

const addButton = (shell: CompanyShell, { batches }: Words): Markup =>
  may(shell, 'payments.send_fiat')
    ? html`<a class="button" href="/o/${shell.company.id}/batches/new">${icon('plus')}${batches.add}</a>`
    : html``

const nothing = ({ http, words: { batches, list } }: Viewer): Markup =>
  http.req.query('status') ? empty('search', list.none, '') : empty('batches', batches.none, batches.noneYet)

function filters(viewer: Viewer): Markup {
  const { payments, batches } = viewer.words
  const choices = BATCH_STATUSES.map((one): Choice => [one, batches.states[one]])
  return filterForm(viewer, choiceFilter(viewer, 'status', payments.state, [['', payments.all], ...choices]))
}

const MOODS: Readonly<Partial<Record<BatchStatus, Mood>>> = {
  cancelling: 'warn',
  completed: 'good',
  partially_completed: 'warn',
  failed: 'bad',
}

/** Shows the state of a batch in a word; a draft with rows that cannot be paid says so. */
export const batchBadge = ({ status, rows_invalid: invalid }: Batch, { batches }: Words): Markup =>
  status === 'draft' && invalid > 0
    ? html`${badge(batches.states.draft)} ${badge(`${batches.rows(invalid)} ${batches.rowStates.invalid}`, 'bad')}`
    : badge(batches.states[status], MOODS[status])

/** Shows sums, one for each currency. */
export const sumsOf = (sums: readonly Money[], formats: Formats): Markup =>
  html`${sums.map((one, at) => html`${at > 0 ? html`<br />` : ''}${formats.money(one)}`)}`

const batchTable = (all: readonly Batch[], { company, formats }: CompanyShell, words: Words): Markup =>
  table({
    caption: words.places.batches,
    columns: [
      { name: words.batches.made },
      { name: words.batches.name },
      { name: words.payments.state },
      { name: words.batches.filters, figure: true },
      { name: words.batches.sum, figure: true },
    ],
    rows: all.map((one) => [
      formats.instant(one.inserted_at),
      html`<a href="/o/${company.id}/batches/${one.id}">${isolate(one.name)}</a>`,
      batchBadge(one, words),
      formats.figure(String(one.rows_total)),
      one.totals.length > 0 ? sumsOf(one.totals, formats) : '',
    ]),
  })
