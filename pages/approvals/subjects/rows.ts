/** Rows of a batch that waits, largest first, with search; each can be reached. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { BatchRow } from '../../../domain/batches/batch.ts'
import { addressLines } from '../../../domain/destinations/payee-address.ts'
import { isMismatch } from '../../../domain/payee-checks/payee-check.ts'
import { bodyOf, nextOf } from '../../frame/company.ts'
import { isolate } from '../../frame/layout.ts'
import { empty, head, table, type Choice } from '../../frame/parts.ts'
import type { Rows, Viewer } from '../../frame/viewer.ts'
import { about, pageOf } from '../find.ts'
import { type Texts, markLabel } from './description.ts'
import { describeCheck } from './payee.ts'
import { filterForm, wordsFilter, choiceFilter, checkFilter } from '../../frame/forms/filters.ts'

/** Rows of a page. */
const ROWS = 50

/** Pages through the rows of a batch. */
export const showBatchRows = about((viewer, found) =>
  pageOf(viewer, found, async ({ approval, texts }) => {
    if (approval.subject.type !== 'payment_batch') return null
    const { request: words } = texts.words
    const rows = bodyOf(
      await viewer.call<Rows<BatchRow>>('GET', `/payment-batches/${approval.target_id}/rows?${queryOf(viewer)}`),
    )
    return {
      title: words.rowsOfBatch,
      body: html`<p><a href="/approve/${approval.approval_id}">${words.back}</a></p>
        ${head(words.rowsOfBatch, { below: isolate(approval.subject.payment_batch.name) })} ${filters(viewer)}
        <section class="card">
          ${rows.data.length > 0 ? rowTable(rows.data, texts, approval.approval_id) : empty('search', texts.words.list.none, '')}
        </section>
        ${nextOf(viewer, rows)}`,
    }
  }),
)

/** Writes the query of the rows: largest first, unless the order of the file is asked for. */
function queryOf({ http }: Viewer): string {
  const query = new URLSearchParams({ limit: String(ROWS) })
  if (http.req.query('order') !== 'file') query.set('order', 'amount')
  for (const name of ['q', 'cursor']) {
    const value = http.req.query(name)?.trim()
    if (value) query.set(name, value)
  }
  if (http.req.query('remarked')) query.set('remarked', 'true')
  return query.toString()
}

function filters(viewer: Viewer): Markup {
  const { request: of, approvals } = viewer.words
  const orders: readonly Choice[] = [
    ['amount', of.largestFirst],
    ['file', of.asInFile],
  ]
  return filterForm(viewer, [
    wordsFilter(viewer),
    choiceFilter(viewer, 'order', of.rowOrder, orders),
    checkFilter(viewer, 'remarked', approvals.warned),
  ])
}

function rowTable(rows: readonly BatchRow[], texts: Texts, id: string): Markup {
  const { request: words } = texts.words
  return table({
    caption: words.rowsOfBatch,
    columns: [
      { name: words.row },
      { name: words.payee },
      { name: words.account },
      { name: words.status },
      { name: words.amount, figure: true },
    ],
    rows: rows.map((row) => [
      String(row.row_number),
      html`${isolate(row.payee ?? '')}${billOf(row, texts, id)}${remarksOn(row, texts)}`,
      isolate(accountOf(row)),
      words.rowStatuses[row.status],
      row.amount ? texts.formats.money(row.amount) : '',
    ]),
  })
}

/** Leads to the papers of a bill and its credit notes, with the remarks on its row. */
function billOf({ bill_id: bill, credits, warnings }: BatchRow, { words, formats }: Texts, id: string): Markup | '' {
  if (bill === null) return ''
  const { batches } = words
  const of = `/approve/${id}/bill`
  return html`<br /><a href="${of}?bill=${bill}">${batches.bill}</a> ${credits.map(
      (one) =>
        html`<br /><a class="small" href="${of}?bill=${one.bill_id}"
            >${batches.credit} ${formats.money(one.amount)}</a
          >`,
    )}
    ${warnings.map(
      ({ code, message }) => html`<br /><span class="small">${isolate(batches.remark(code, message))}</span>`,
    )}`
}

/** Shows another name at the bank or in a contact, and the address in the row. */
function remarksOn({ payee_check: check, known_holder: holder, cells }: BatchRow, texts: Texts): Markup {
  const { address_town: town, address_country: country, address_street: street } = cells
  const address = addressLines({
    street: street ?? null,
    building_number: cells.address_building_number ?? null,
    postal_code: cells.address_postal_code ?? null,
    town: town ?? '',
    region: null,
    country_code: country ?? '',
  })
  const { knownAs } = texts.words.request
  return html`${isMismatch(check?.result ?? null) && check ? html`<br />${describeCheck(check, texts)}` : ''}
  ${holder === null ? '' : html`<br /><strong>${markLabel(knownAs)}:</strong> ${isolate(holder)}`}
  ${address.length > 0 ? html`<br /><span class="small">${isolate(address.join(', '))}</span>` : ''}`
}

/** Reads the account of a row as it was typed. */
const accountOf = ({ cells }: BatchRow): string =>
  ['iban', 'account_number', 'payee_svc_id'].map((name) => cells[name]).find(Boolean) ?? ''
