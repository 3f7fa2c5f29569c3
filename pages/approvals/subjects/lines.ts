/** Lines of invoices and credit notes, with the tax of each, and how they add up. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { Adjustment, AdjustmentItem } from '../../../domain/invoice-documents/adjustment.ts'
import { INVOICE_LANGUAGES } from '../../../domain/invoice-documents/document.ts'
import { unitAt } from '../../../domain/invoice-documents/unit.ts'
import { WORDS } from '../../../domain/invoice-documents/words.ts'
import { rateOf, totalsOf } from '../../../domain/invoices/totals.ts'
import { fromMinor, toMinor } from '../../../domain/money/money.ts'
import { isolate } from '../../frame/layout.ts'
import type { Texts, View } from './description.ts'

type Document = Pick<View<'billing_invoice'>, 'currency' | 'total' | 'line_items' | 'discounts' | 'charges'>
type Line = Document['line_items'][number]

/** Shows each line, and how they add up. */
export function linesOf(document: Document, texts: Texts): Markup {
  const { currency, line_items: lines, discounts, charges, total } = document
  const { formats } = texts
  const { request: words } = texts.words
  const amount = (value: string) => formats.money({ amount: value, currency })
  const parts = { discounts: discounts.flatMap(toParts), charges: charges.flatMap(toParts) }
  const sums = totalsOf(lines.map(toItem), currency, parts)
  const row = (label: Markup | string, value: Markup | string) =>
    html`<tr>
      <th scope="row">${label}</th>
      <td class="figure">${value}</td>
    </tr>`
  return html`<h2>${words.lines}</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">${words.lineText}</th>
          <th scope="col" class="figure">${words.net}</th>
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          (line) =>
            html`<tr>
              <td>${describeLine(line, currency, texts)}</td>
              <td class="figure">${amount(line.total)}</td>
            </tr>`,
        )}
      </tbody>
      <tfoot>
        ${discounts.map((one) => row(nameAdjustment(words.discount, one, texts), amount(less(one.total, currency))))}
        ${charges.map((one) => row(nameAdjustment(words.charge, one, texts), amount(one.total)))}
        ${row(words.net, amount(sums.net))}
        ${sums.taxes.map((tax) => row(nameTax(tax, texts, amount(tax.base)), amount(tax.amount)))}
        ${row(html`<strong>${words.total}</strong>`, html`<strong>${amount(total)}</strong>`)}
      </tfoot>
    </table>`
}

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
  texts: Texts,
): Markup {
  const { formats, language } = texts
  const { request: words } = texts.words
  const count = [formats.figure(quantity), unitAt(unit, INVOICE_LANGUAGES.indexOf(language))].filter(Boolean).join(' ')
  const deducted = discount && formats.figure(less(discount.total, currency))
  return html`${isolate(description)}<br /><span class="small"
      >${count} × ${formats.money({ amount: price, currency })},
      ${nameTax(tax, texts)}${
        discount ? html`<br />${nameAdjustment(words.discount, discount, texts)}: ${deducted}` : ''
      }${
        charge ? html`<br />${nameAdjustment(words.charge, charge, texts)}: ${formats.figure(charge.total)}` : ''
      }</span
    >`
}

type AdjustmentView = Pick<Adjustment, 'reason' | 'percentage'>

const nameAdjustment = (kind: string, { reason, percentage }: AdjustmentView, { words, formats }: Texts): Markup =>
  html`${kind}${percentage === null ? '' : ` ${words.request.of} ${formats.figure(percentage)} %`}${reason ? html`, ${isolate(reason)}` : ''}`

type TaxView = Pick<Line, 'tax_percentage' | 'tax_category' | 'tax_exemption_reason'>

/** Names a tax by its rate, or by the reason why there is none; in a sum with what it is of. */
function nameTax(
  { tax_percentage: rate, tax_category: category, tax_exemption_reason: reason }: TaxView,
  { words: { request: words }, formats, language }: Texts,
  of?: Markup,
) {
  const on = of === undefined ? '' : html` ${words.on} ${of}`
  if (category === 'S')
    return html`${of === undefined ? words.tax : words.taxOf} ${formats.figure(rateOf(rate))} %${on}`
  return html`${WORDS[language].untaxed[category]}${reason ? html`, ${isolate(reason)}` : ''}${on}`
}
