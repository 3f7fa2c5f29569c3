/** Invoices and credit notes in words: lines with their tax, sums, and when it is due. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Subject } from '../../domain/approvals/approval.ts'
import type { Adjustment, AdjustmentItem } from '../../domain/invoice-documents/adjustment.ts'
import { unitAt } from '../../domain/invoice-documents/unit.ts'
import { rateOf, totalsOf } from '../../domain/invoices/totals.ts'
import { WORDS } from '../../domain/invoice-documents/words.ts'
import { fromMinor, toMinor } from '../../domain/money/money.ts'
import { now } from '../../platform/clock.ts'
import { isolate } from '../frame/layout.ts'
import { type Description, type Row, type View, longDay, money } from '../frame/rows.ts'

type CreditNote = NonNullable<Extract<Subject, { type: 'billing_invoice' }>['credit_note']>
type InvoiceView = Pick<View<'billing_invoice'>, 'currency' | 'total' | 'line_items' | 'discounts' | 'charges'>

/** Describes an invoice that waits to be sent. */
export function describeInvoice(invoice: View<'billing_invoice'>): Description {
  const { contact, total, currency, due_date: due, issue_date: issued, period } = invoice
  return {
    title: 'Invoice',
    amount: money({ amount: total, currency }),
    rows: [
      ['Customer', isolate(contact.company_name)],
      ['Sent to', (contact.emails ?? []).join(', ')],
      ['Dated', issued && longDay(issued)],
      ['Due', sayDue(due)],
      ...invoice.early_payment_discounts.map((one): Row => ['Paid early', sayEarly(one)]),
      ['Supplied', invoice.delivery_date && longDay(invoice.delivery_date)],
      ['For the time', period && `${longDay(period.from)} to ${longDay(period.to)}`],
      ['Order', invoice.order_number && isolate(invoice.order_number)],
      ['Their reference', invoice.buyer_reference && isolate(invoice.buyer_reference)],
      ['Remarks', invoice.comments && isolate(invoice.comments)],
      ...invoice.attachments.map((file): Row => ['Attachment', sayFile(file)]),
    ],
    more: linesOf(invoice),
  }
}

/** Describes a credit note that waits to be sent. */
export function describeCreditNote(invoice: View<'billing_invoice'>, note: CreditNote): Description {
  const { contact, total, currency } = invoice
  return {
    title: 'Credit note',
    amount: money({ amount: note.total, currency: note.currency }),
    rows: [
      ['Customer', isolate(contact.company_name)],
      ['Sent to', (contact.emails ?? []).join(', ')],
      ['Credits invoice', isolate(note.invoice_number)],
      ['Total of the invoice', money({ amount: total, currency })],
      ['Reason', isolate(note.reason)],
      ['Dated', longDay(note.issue_date)],
    ],
    more: linesOf(note),
  }
}

/** Writes the day on which an invoice is due, and how far away it is. */
function sayDue(due: string): Markup {
  const days = Math.round((Date.parse(due) - Date.parse(now().toISOString().slice(0, 10))) / DAY_MS)
  return html`<strong>${longDay(due)}</strong>, ${AWAY.format(days, 'day')}`
}
const DAY_MS = 86_400_000
const AWAY = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' })

const sayEarly = ({ percentage, days }: View<'billing_invoice'>['early_payment_discounts'][number]): string =>
  `${percentage} % less within ${days} ${days === 1 ? 'day' : 'days'} of its date`

const sayFile = ({ filename, description }: View<'billing_invoice'>['attachments'][number]): Markup =>
  html`${isolate(filename)}${description ? html`: ${isolate(description)}` : ''}`

/** Shows each line, and how they add up. */
function linesOf(written: InvoiceView): Markup {
  const { currency, line_items: lines, discounts, charges, total } = written
  const amount = (value: string) => money({ amount: value, currency })
  const parts = { discounts: discounts.flatMap(toParts), charges: charges.flatMap(toParts) }
  const sums = totalsOf(lines.map(toItem), currency, parts)
  const row = (label: Markup | string, value: Markup | string) =>
    html`<tr>
      <th scope="row">${label}</th>
      <td class="figure">${value}</td>
    </tr>`
  return html`<h2>Lines</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Description</th>
          <th scope="col" class="figure">Net</th>
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          (line) =>
            html`<tr>
              <td>${describeLine(line, currency)}</td>
              <td class="figure">${amount(line.total)}</td>
            </tr>`,
        )}
      </tbody>
      <tfoot>
        ${discounts.map((one) => row(nameAdjustment('Discount', one), amount(less(one.total, currency))))}
        ${charges.map((one) => row(nameAdjustment('Surcharge', one), amount(one.total)))}
        ${row('Net', amount(sums.net))}
        ${sums.taxes.map((tax) => row(nameTax(tax, amount(tax.base)), amount(tax.amount)))}
        ${row(html`<strong>Total</strong>`, html`<strong>${amount(total)}</strong>`)}
      </tfoot>
    </table>`
}

type Line = InvoiceView['line_items'][number]

const less = (amount: string, currency: string): string => fromMinor(-toMinor({ amount, currency }), currency).amount

const toItem = ({ discount, charge, ...line }: Line) => ({
  ...line,
  ...(discount && { discount }),
  ...(charge && { charge }),
})

/** Splits a discount or charge of the whole into those of each tax. */
const toParts = ({ taxes }: Adjustment): AdjustmentItem[] =>
  taxes.map(({ amount, base: _base, ...tax }) => ({ reason: null, percentage: null, amount, tax }))

function describeLine(
  { description, quantity, unit, price, discount, charge, ...tax }: Line,
  currency: string,
): Markup {
  const count = [quantity, unitAt(unit, 0)].filter(Boolean).join(' ')
  const deducted = discount && less(discount.total, currency)
  return html`${isolate(description)}<br /><span class="small"
      >${count} × ${money({ amount: price, currency })},
      ${nameTax(tax)}${
        discount ? html`<br />${nameAdjustment('Discount', discount)}: ${deducted}` : ''
      }${charge ? html`<br />${nameAdjustment('Surcharge', charge)}: ${charge.total}` : ''}</span
    >`
}

type AdjustmentView = Pick<Adjustment, 'reason' | 'percentage'>

const nameAdjustment = (kind: string, { reason, percentage }: AdjustmentView): Markup =>
  html`${kind}${percentage === null ? '' : ` of ${percentage} %`}${reason ? html`, ${isolate(reason)}` : ''}`

type TaxView = Pick<Line, 'tax_percentage' | 'tax_category' | 'tax_exemption_reason'>

/** Names a tax by its rate, or by the reason why there is none. */
function nameTax({ tax_percentage: rate, tax_category: category, tax_exemption_reason: reason }: TaxView, of?: string) {
  const on = of === undefined ? '' : ` on ${of}`
  if (category === 'S') return html`${of === undefined ? 'tax' : 'Tax'} ${rateOf(rate)} %${on}`
  return html`${WORDS.en.untaxed[category]}${reason ? html`, ${isolate(reason)}` : ''}${on}`
}
