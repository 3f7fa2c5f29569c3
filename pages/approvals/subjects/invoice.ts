/** Invoices and credit notes in words: when they are due, and what they say beside their lines. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import { daysBetween } from '../../../domain/instants.ts'
import type { Subject } from '../../../domain/approvals/approval.ts'
import { now } from '../../../platform/clock.ts'
import { isolate } from '../../frame/layout.ts'
import type { Row } from '../../frame/rows.ts'
import type { Description, Texts, View } from './description.ts'
import { linesOf } from './lines.ts'

type CreditNote = NonNullable<Extract<Subject, { type: 'billing_invoice' }>['credit_note']>

/** Describes an invoice that waits to be sent. */
export function describeInvoice(invoice: View<'billing_invoice'>, texts: Texts): Description {
  const { contact, total, currency, due_date: due, issue_date: issued, period } = invoice
  const { longDay } = texts.formats
  const { request: words } = texts.words
  return {
    title: words.titles.invoice,
    amounts: [{ amount: total, currency }],
    name: contact.company_name,
    rows: [
      [words.customer, isolate(contact.company_name)],
      [words.sentTo, (contact.emails ?? []).join(', ')],
      [words.dated, issued && longDay(issued)],
      [words.due, sayDue(due, texts)],
      ...invoice.early_payment_discounts.map((one): Row => [words.paidEarly, words.early(one.percentage, one.days)]),
      [words.supplied, invoice.delivery_date && longDay(invoice.delivery_date)],
      [words.forTime, period && words.fromTo(longDay(period.from), longDay(period.to))],
      [words.order, invoice.order_number && isolate(invoice.order_number)],
      [words.theirReference, invoice.buyer_reference && isolate(invoice.buyer_reference)],
      [words.remarks, invoice.comments && isolate(invoice.comments)],
      ...invoice.attachments.map((file): Row => [words.attachment, sayFile(file)]),
    ],
    more: linesOf(invoice, texts),
  }
}

/** Describes a credit note that waits to be sent. */
export function describeCreditNote(invoice: View<'billing_invoice'>, note: CreditNote, texts: Texts): Description {
  const { contact, total, currency } = invoice
  const { formats } = texts
  const { request: words } = texts.words
  return {
    title: words.titles.creditNote,
    amounts: [{ amount: note.total, currency: note.currency }],
    name: contact.company_name,
    rows: [
      [words.customer, isolate(contact.company_name)],
      [words.sentTo, (contact.emails ?? []).join(', ')],
      [words.credits, isolate(note.invoice_number)],
      [words.totalOfInvoice, formats.money({ amount: total, currency })],
      [words.reason, isolate(note.reason)],
      [words.dated, formats.longDay(note.issue_date)],
    ],
    more: linesOf(note, texts),
  }
}

/** Writes the day on which an invoice is due, and how far away it is. */
function sayDue(due: string, { formats, language }: Texts): Markup {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: formats.timeZone }).format(now()) // as ISO 8601 writes it
  const days = daysBetween(today, due)
  const away = new Intl.RelativeTimeFormat(language === 'en' ? 'en-GB' : language, { numeric: 'auto' })
  return html`<strong>${formats.longDay(due)}</strong>, ${away.format(days, 'day')}`
}
const sayFile = ({ filename, description }: View<'billing_invoice'>['attachments'][number]): Markup =>
  html`${isolate(filename)}${description ? html`: ${isolate(description)}` : ''}`
