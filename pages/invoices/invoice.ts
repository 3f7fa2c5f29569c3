/** One invoice: how far it is, what it says, who paid it, and what can be done about it. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { CreditNote } from '../../domain/credit-notes/credit-note.ts'
import type { HistoryEvent } from '../../domain/event.ts'
import type { Invoice } from '../../domain/invoices/invoice.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import type { OrganizationSettings } from '../../domain/organizations/settings.ts'
import type { Fault } from '../frame/act.ts'
import { type CompanyShell, companyPage, doneNotice, liveIn, notFound } from '../frame/company.ts'
import { isolate } from '../frame/layout.ts'
import { head, icon, notice } from '../frame/parts.ts'
import { type Row, rowsOf } from '../frame/rows.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { draftActions, openActions } from './actions.ts'
import { eventList, eventsQuery } from './events.ts'
import { findInvoice } from './find.ts'
import { paymentsOf } from './payments.ts'
import { notesOf } from './credit-notes/list.ts'
import { linesOf } from './sums.ts'
import { stateBadge } from './tabs.ts'

export const showInvoice = (viewer: Viewer) => invoicePage()(viewer)

/** Writes the page of an invoice; with why its form was not taken. */
export const invoicePage = (fault?: Fault) =>
  companyPage('invoices', async (viewer, shell) => {
    const live = await liveIn(shell.company)
    const invoice = await findInvoice(viewer, shell)
    if (!invoice) return notFound(viewer).frame
    const { words } = viewer
    const { one } = words.invoices
    const { id, number, state } = invoice
    const [events, notes, settings, matches] = await Promise.all([
      viewer.call<Rows<HistoryEvent>>('GET', `/invoices/${id}/events?${eventsQuery(viewer)}`),
      number === null ? null : viewer.call<Rows<CreditNote>>('GET', `/invoices/${id}/credit-notes`),
      viewer.call<OrganizationSettings>('GET', `/organizations/${shell.company.id}/settings`),
      number === null ? '' : paymentsOf(invoice, viewer, shell),
    ])
    const title = number === null ? one.draft : one.invoice(number)
    return {
      title: markAlike(title),
      live,
      ...(fault && { status: fault.status }),
      body: html`${doneNotice(viewer, one.done)} ${fault ? notice('fault', fault.text) : ''}
        ${head(number === null ? title : html`${one.invoice('').trim()} ${isolate(number)}`, {
          below: html`${stateBadge(invoice, words)} ${isolate(invoice.billing_contact.company_name)}`,
          actions: filesOf(invoice, shell, words),
        })}
        ${noticesOf(invoice, shell, words)} ${state === 'draft' ? draftActions(invoice, shell, words) : ''}
        <section class="card">
          <p class="amount">${shell.formats.money({ amount: invoice.total, currency: invoice.currency })}</p>
          ${factsOf(invoice, shell, words)}
        </section>
        ${linesOf(invoice, viewer.language, { formats: shell.formats, words })} ${matches}
        ${notes?.ok ? notesOf(invoice, notes.body.data, shell, words) : ''}
        ${number === null ? '' : openActions(invoice, settings.ok ? settings.body : null, shell, words)}
        ${events.ok ? eventList(events.body, shell, words) : ''}`,
    }
  })

/** Leads to the documents of a sent invoice. */
function filesOf({ id, number, profile }: Invoice, { company }: CompanyShell, { invoices: { one } }: Words): Markup {
  const at = `/o/${company.id}/invoices/${id}`
  if (number === null) return html`<a class="button second" href="${at}/preview">${icon('download')}${one.preview}</a>`
  return html`<div class="actions">
    <a class="button second" href="${at}/pdf">${icon('download')}${one.pdf}</a>
    ${profile === 'none' ? '' : html`<a class="button second" href="${at}/xml">${icon('download')}${one.xml}</a>`}
  </div>`
}

/** Says what a viewer should know before anything else: whom it waits for, and what keeps money away. */
function noticesOf(invoice: Invoice, shell: CompanyShell, { invoices: { one } }: Words): Markup {
  const { state, approval_request_id: request, warnings } = invoice
  return html`${
    state === 'awaiting_approval' && request
      ? html`${notice('info', html`${one.waits} <a href="/approve/${request}">${one.request}</a>`)}
          <form method="post" action="/o/${shell.company.id}/invoices/${invoice.id}/withdraw">
            <input type="hidden" name="request" value="${request}" />
            <button class="second">${one.withdraw}</button>
          </form>`
      : ''
  }
  ${warnings.map((name) => notice('warn', one.warnings[name]))}`
}

function factsOf(invoice: Invoice, { company, formats }: CompanyShell, words: Words): Markup {
  const { one, list, form } = words.invoices
  const { currency, billing_contact: customer, period, payment_terms: terms, created_by: writer } = invoice
  const some = (amount: string | null) => (amount && /[1-9]/.test(amount) ? formats.money({ amount, currency }) : null)
  const isOpen = invoice.state === 'sent' || invoice.state === 'finalized'
  const rows: readonly (readonly [string, Row[1] | false])[] = [
    [one.due, isOpen && html`<strong>${formats.money({ amount: invoice.due_amount, currency })}</strong>`],
    [one.accepted, invoice.accepted_amount === invoice.total ? null : some(invoice.accepted_amount)],
    [one.allocated, some(invoice.allocated)],
    [one.credited, some(invoice.credited)],
    [one.refund, some(invoice.refund_due)],
    [one.settledBy, invoice.settled_by && one.settled[invoice.settled_by]],
    [
      list.customer,
      html`<a href="/o/${company.id}/invoices/customers/${customer.id}">${isolate(customer.company_name)}</a>`,
    ],
    [list.dated, formats.day(invoice.issue_date)],
    [form.due, formats.day(invoice.due_date)],
    [one.sentOn, invoice.sent_at && formats.instant(invoice.sent_at)],
    [one.paidOn, invoice.paid_at && formats.instant(invoice.paid_at)],
    ...(terms?.early_payment_discounts ?? []).map(
      (early) =>
        [
          one.early,
          one.earlyOf(early.percentage, formats.day(early.until), formats.plain({ amount: early.amount, currency })),
        ] as const,
    ),
    [form.supplied, invoice.delivery_date && formats.day(invoice.delivery_date)],
    [one.period, period && `${formats.day(period.from)} – ${formats.day(period.to)}`],
    [form.order, invoice.order_number && isolate(invoice.order_number)],
    [form.theirReference, invoice.buyer_reference && isolate(invoice.buyer_reference)],
    [one.ourReference, invoice.internal_reference_number && isolate(invoice.internal_reference_number)],
    [form.comments, invoice.comments && isolate(invoice.comments)],
    [form.internal, invoice.internal_description && isolate(invoice.internal_description)],
    [
      one.attachments,
      invoice.attachments.length > 0 && isolate(invoice.attachments.map(({ filename }) => filename).join(', ')),
    ],
    [form.profile, invoice.profile === 'none' ? null : form.profiles[invoice.profile]],
    [one.writtenBy, writer && isolate([writer.first_name, writer.last_name].filter(Boolean).join(' '))],
  ]
  return rowsOf(rows.map(([label, value]): Row => [label, value || null]))
}
