/** Invoices that incoming money may pay, those that fit best first. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { Invoice } from '../../../domain/invoices/invoice.ts'
import type { CompanyShell } from '../../frame/company.ts'
import { filterForm, wordsFilter } from '../../frame/forms/filters.ts'
import { isolate } from '../../frame/layout.ts'
import type { Rows, Viewer } from '../../frame/viewer.ts'
import { LOOKED_AT, OFFERED_MAX, type IncomingMoney, dueOf, fitOf, offerMatch } from '../match.ts'

/** Newest open invoices of each state that are compared, and most that are offered. */
const OPEN = ['sent', 'finalized'] as const

/** Money that came in, with the words of its sender. */
export type Incoming = IncomingMoney & {
  readonly transactionId: string
  /** Address that takes the form of a match. */
  readonly action: string
}

/** Offers open invoices in the currency of incoming money to be matched with it. */
export async function invoicesFor(money: Incoming, viewer: Viewer, shell: CompanyShell): Promise<Markup> {
  const { words } = viewer
  const { match } = words.invoices
  const q = viewer.http.req.query('q')?.trim() ?? ''
  const answers = await Promise.all(
    OPEN.map((state) => {
      const query = new URLSearchParams({ state, currency: money.amount.currency, limit: String(LOOKED_AT) })
      if (q) query.set('full_text_search', q)
      return viewer.call<Rows<Invoice>>('GET', `/organizations/${shell.company.id}/invoices?${query.toString()}`)
    }),
  )
  const open = answers
    .flatMap((answer) => (answer.ok ? answer.body.data : []))
    .toSorted((one, other) => fitOf(money, other) - fitOf(money, one))
    .slice(0, OFFERED_MAX)
  return html`<section class="card">
    <h2>${match.money}</h2>
    ${filterForm(viewer, wordsFilter(viewer))}
    ${open.length === 0 ? html`<p>${q ? words.list.none : match.noneOpen}</p>` : ''}
    ${open.map((invoice, at) => offerOne(money, invoice, at, { viewer, shell }))}
  </section>`
}

type Scene = { readonly viewer: Viewer; readonly shell: CompanyShell }

/** Offers one invoice. */
function offerOne(money: Incoming, invoice: Invoice, at: number, { viewer, shell }: Scene): Markup {
  const { list, notes } = viewer.words.invoices
  const { company, formats } = shell
  const customer = isolate(invoice.billing_contact.company_name)
  const offer = {
    title: html`${isolate(invoice.number ?? '')}, ${customer}: ${formats.money(dueOf(invoice))}`,
    below: html`${list.due} ${formats.day(invoice.due_date)} ·
      <a href="/o/${company.id}/invoices/${invoice.id}">${notes.invoice}</a>`,
    action: money.action,
    kept: [
      ['invoice', invoice.id],
      ['transaction', money.transactionId],
    ] as const,
  }
  return offerMatch({ money, invoice, at, ...offer }, viewer)
}
