/** Credit notes: those of a company, those of an invoice, and their states. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { CreditNote } from '../../../domain/credit-notes/credit-note.ts'
import type { Invoice } from '../../../domain/invoices/invoice.ts'
import { CREDIT_NOTE_STATES } from '../../../domain/invoices/credit-note-flow.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, may, nextOf, queryOf } from '../../frame/company.ts'
import { isolate } from '../../frame/layout.ts'
import { badge, empty, head, icon, table, type Choice } from '../../frame/parts.ts'
import type { Rows, Viewer } from '../../frame/viewer.ts'
import type { Words } from '../../words/en.ts'
import { invoiceTabs } from '../tabs.ts'
import { filterForm, choiceFilter } from '../../frame/forms/filters.ts'

export const showCreditNotes = companyPage('invoices', async (viewer, shell) => {
  const { words } = viewer
  const { notes, one } = words.invoices
  const path = `/organizations/${shell.company.id}/credit-notes?${queryOf(viewer, ['state', 'cursor'])}`
  const rows = bodyOf(await viewer.call<Rows<CreditNote>>('GET', path))
  const none = viewer.http.req.query('state')
    ? empty('search', words.list.none, '')
    : empty('invoices', notes.none, notes.noneYet)
  return {
    title: notes.heading,
    body: html`${doneNotice(viewer, { deleted: one.done.deleted })} ${head(words.invoices.heading)}
      ${invoiceTabs('credit-notes', shell, words)} ${filters(viewer)}
      <div class="card">${rows.data.length > 0 ? noteTable(rows.data, shell, words) : none}</div>
      ${nextOf(viewer, rows)}`,
  }
})

function filters(viewer: Viewer): Markup {
  const { list, notes } = viewer.words.invoices
  const choices = CREDIT_NOTE_STATES.map((one): Choice => [one, notes.states[one]])
  return filterForm(viewer, choiceFilter(viewer, 'state', list.state, [['', list.all], ...choices]))
}

export const noteBadge = ({ state }: Pick<CreditNote, 'state'>, { invoices }: Words): Markup =>
  badge(invoices.notes.states[state], state === 'sent' ? 'good' : undefined)

const noteTable = (rows: readonly CreditNote[], { company, formats }: CompanyShell, words: Words): Markup => {
  const { notes, list } = words.invoices
  return table({
    caption: notes.heading,
    columns: [
      { name: notes.number },
      { name: notes.invoice },
      { name: list.customer },
      { name: list.state },
      { name: list.amount, figure: true },
    ],
    rows: rows.map((row) => [
      html`<a href="/o/${company.id}/invoices/credit-notes/${row.id}"
        >${row.number ? isolate(row.number) : list.noNumber}</a
      >`,
      isolate(row.invoice_number),
      isolate(row.billing_contact.company_name),
      noteBadge(row, words),
      formats.money({ amount: row.total, currency: row.currency }),
    ]),
  })
}

/** Shows the credit notes of a sent invoice, and leads to a new one. */
export function notesOf(invoice: Invoice, rows: readonly CreditNote[], shell: CompanyShell, words: Words): Markup {
  const { notes } = words.invoices
  const canAdd = may(shell, 'billing_invoices.create')
  if (rows.length === 0 && !canAdd) return html``
  return html`<section class="card">
    <h2>${notes.heading}</h2>
    ${rows.length > 0 ? noteTable(rows, shell, words) : ''}
    ${
      canAdd
        ? html`<a class="button second" href="/o/${shell.company.id}/invoices/${invoice.id}/credit"
            >${icon('plus')}${notes.add}</a
          >`
        : ''
    }
  </section>`
}
