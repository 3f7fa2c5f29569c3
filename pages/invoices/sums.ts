/** Lines of an invoice or credit note with their tax, and how they add up. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { INVOICE_LANGUAGES } from '../../domain/invoice-documents/document.ts'
import { unitAt } from '../../domain/invoice-documents/unit.ts'
import type { Invoice } from '../../domain/invoices/invoice.ts'
import { type Totals, rateOf } from '../../domain/invoices/totals.ts'
import { isolate } from '../frame/layout.ts'
import { table } from '../frame/parts.ts'
import type { Formats } from '../frame/formats.ts'
import type { Words } from '../words/en.ts'
import type { Language } from '../words/words.ts'
import { toTyped } from './drafts/draft.ts'

type Speech = { readonly formats: Formats; readonly words: Words }

/** Shows totals of a form; a script keeps them up while lines are typed, the button asks the service. */
export function sumFields(totals: Totals | null, currency: string, { formats, words }: Speech): Markup {
  const { form, sum } = words.invoices
  const of = (amount: string | undefined): string => (amount === undefined ? '–' : formats.plain({ amount, currency }))
  return html`<section data-sums>
    <h2>${form.totals}</h2>
    ${totals === null ? html`<p class="small">${form.totalsLater}</p>` : ''}
    <dl>
      <dt>${sum.netTotal}</dt>
      <dd data-sum="net">${of(totals?.net)}</dd>
      <dt>${words.invoices.sum.taxes}</dt>
      <dd data-sum="tax">${of(totals?.tax)}</dd>
      <dt>${sum.total}</dt>
      <dd data-sum="total"><strong>${of(totals?.total)}</strong></dd>
    </dl>
  </section>`
}

type Document = Pick<
  Invoice,
  | 'currency'
  | 'line_items'
  | 'discounts'
  | 'charges'
  | 'taxes'
  | 'net_total'
  | 'total'
  | 'discount_total'
  | 'charge_total'
>

/** Shows the lines of an invoice or credit note, and its sums. */
export function linesOf(of: Document, language: Language, { formats, words }: Speech): Markup {
  const { sum } = words.invoices
  const money = (amount: string) => formats.money({ amount, currency: of.currency })
  const sums: readonly (readonly [label: Markup | string, amount: Markup | string])[] = [
    ...(isNone(of.discount_total) ? [] : [[sum.discount, html`−${money(of.discount_total)}`] as const]),
    ...(isNone(of.charge_total) ? [] : [[sum.charge, money(of.charge_total)] as const]),
    [sum.netTotal, money(of.net_total)],
    ...of.taxes.map(
      (tax) =>
        [nameTax(tax, formats.plain({ amount: tax.base, currency: of.currency }), words), money(tax.amount)] as const,
    ),
    [html`<strong>${sum.total}</strong>`, html`<strong>${money(of.total)}</strong>`],
  ]
  return html`<section class="card">
    ${table({
      caption: sum.caption,
      columns: [{ name: sum.what }, { name: sum.net, figure: true }],
      rows: [
        ...of.line_items.map((line) => [
          describeLine(line, of.currency, language, { formats, words }),
          money(line.total),
        ]),
        ...sums,
      ],
    })}
  </section>`
}

const isNone = (amount: string): boolean => !/[1-9]/.test(amount)

type Line = Invoice['line_items'][number]

function describeLine(line: Line, currency: string, language: Language, { formats, words }: Speech): Markup {
  const { sum, categories } = words.invoices
  const money = (amount: string) => formats.money({ amount, currency })
  const { tax_category: category, tax_percentage: rate, tax_exemption_reason: why, discount, charge } = line
  const count = [toTyped(line.quantity, language), unitAt(line.unit, INVOICE_LANGUAGES.indexOf(language))]
  const tax = category === 'S' ? `${toTyped(rateOf(rate), language)} %` : categories[category]
  return html`<span
    >${isolate(line.description)}<br /><span class="small"
      >${count.filter(Boolean).join(' ')} × ${money(line.price)},
      ${tax}${why ? html`, ${isolate(why)}` : ''}${
        discount ? html`<br />${sum.discount}: −${money(discount.total)}` : ''
      }${charge ? html`<br />${sum.charge}: ${money(charge.total)}` : ''}</span
    ></span
  >`
}

type Tax = Invoice['taxes'][number]

const nameTax = (
  { tax_percentage: rate, tax_category: category }: Tax,
  base: string,
  { invoices: { sum, categories } }: Words,
): string => (category === 'S' ? sum.tax(rateOf(rate), base) : sum.untaxed(categories[category], base))
