/** Form of a credit note: all of an invoice, or the lines of it that are taken back. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { CreditNote } from '../../../domain/credit-notes/credit-note.ts'
import type { Invoice } from '../../../domain/invoices/invoice.ts'
import { type Fault, Unclear, act } from '../../frame/act.ts'
import { companyPage, notFound } from '../../frame/company.ts'
import { keepFields } from '../../frame/layout.ts'
import { field, head, notice } from '../../frame/parts.ts'
import type { Fields, Viewer } from '../../frame/viewer.ts'
import { type Line, ROWS_MAX, draftIn, itemsIn, toLine, wrongIn } from '../drafts/draft.ts'
import { findInvoice } from '../find.ts'
import { lineFields } from '../drafts/lines.ts'

export const showCreditForm = (viewer: Viewer) => formPage()(viewer)

const formPage = (fault?: Fault) =>
  companyPage('invoices', async (viewer, shell) => {
    const invoice = await findInvoice(viewer, shell)
    if (!invoice) return notFound(viewer).frame
    const { words } = viewer
    const { notes } = words.invoices
    const at = `/o/${shell.company.id}/invoices/${invoice.id}`
    const sent = fault?.sent
    const lines = sent && sent.get('rows') ? draftIn(sent).lines : linesOf(invoice, viewer)
    const wrong = wrongIn(fault?.wrong ?? {}, sent ? keepChosen(lines, sent) : lines)
    const reason = (id: string) =>
      field({
        id,
        label: notes.reason,
        value: sent?.get(id),
        required: true,
        hint: notes.reasonHint,
        wrong: sent?.get(id) === undefined ? undefined : wrong['reason'],
        more: html`maxlength="1000"`,
      })
    const key = keepFields([['key', randomUUID()]])
    const isPart = sent?.get('rows') !== undefined && sent.get('rows') !== ''
    return {
      title: notes.add,
      ...(fault && { status: fault.status }),
      body: html`${head(notes.add, { below: html`${words.invoices.one.invoice(invoice.number ?? '')}` })}
        ${fault ? notice('fault', fault.text) : ''}
        <form class="card" method="post" action="${at}/credit">
          ${key}
          <h2>${notes.whole}</h2>
          <p>${notes.wholeWhat(shell.formats.plain({ amount: invoice.total, currency: invoice.currency }))}</p>
          ${reason('reason')}
          <div class="actions"><button name="full" value="1">${notes.save}</button></div>
        </form>
        <details class="card" ${isPart ? 'open' : ''}>
          <summary>${notes.byLines}</summary>
          <form method="post" action="${at}/credit">
            ${key}
            <p class="small">${notes.byLinesWhat}</p>
            ${reason('why')} ${lineFields({ lines, wrong, chooses: sent ?? true }, viewer)}
            <div class="actions"><button class="second">${notes.save}</button></div>
          </form>
        </details>`,
    }
  })

const linesOf = ({ line_items: lines }: Invoice, { language }: Viewer): Line[] =>
  lines.slice(0, ROWS_MAX).map((line) => toLine(line, language))

/** Empties the lines that are not chosen. */
const keepChosen = (lines: readonly Line[], form: Fields): Line[] =>
  lines.map((line, row) => (form.get(`include_${row}`) ? line : { ...line, description: '' }))

export const addCreditNote = act<CreditNote>({
  ask: ({ viewer, form, id }) => {
    const request = { path: `/invoices/${encodeURIComponent(id)}/credit-notes`, key: form.get('key') }
    if (form.get('full')) return { ...request, body: { full: true, reason: form.get('reason').trim() } }
    const items = itemsIn(keepChosen(draftIn(form).lines, form), viewer)
    if (items.length === 0) throw new Unclear(viewer.words.invoices.notes.noLines)
    return { ...request, body: { line_items: items, reason: form.get('why').trim() } }
  },
  then: ({ id }, { company }) => `/o/${company}/invoices/credit-notes/${id}?done=saved`,
  again: (viewer, fault) => formPage(fault)(viewer),
})
