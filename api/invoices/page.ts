/** Public page of an invoice: plain HTML without script, in the language of the customer. */
import { html, raw } from 'hono/html'
import { encode } from 'uqr'
import { creditWords } from '../../domain/invoice-documents/credit-note-words.ts'
import type { InvoiceDocument } from '../../domain/invoice-documents/document.ts'
import { swissBillOf, swissCodeOf } from '../../domain/invoice-documents/swiss-code.ts'
import { paymentCodeOf } from '../../domain/invoice-documents/payment-code.ts'
import { NOT_HERE, NOT_NOW, type PublicInvoice } from '../../domain/invoices/public-invoice.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import {
  type LabelledValue,
  adjustmentRows,
  earlyRows,
  headRows,
  partyRows,
  paymentRows,
  quantityIn,
  sumRows,
} from '../../domain/invoice-documents/rows.ts'
import { WORDS, dayIn, decimalIn, moneyIn, rateIn } from '../../domain/invoice-documents/words.ts'
import { decimalsOf, isZero } from '../../domain/money/money.ts'
import { type Markup, Page, htmlPage } from '../http/http.ts'
import { PAGE_POLICY, STYLE } from './page-style.ts'

/**
 * Writes the page. Its links are relative: to the files beneath its own address, and to the logo.
 * @param token the last part of its address
 */
export async function invoicePage(invoice: PublicInvoice, token: string): Promise<Page> {
  const { document, logoId } = invoice
  const words = WORDS[document.language]
  const title = `${words.title} ${document.number}`
  const page = html`
    <header>
      <div>
        <p class="name" dir="auto">${markAlike(document.seller.name)}</p>
        <h1>${title}</h1>
      </div>
      ${logoId === null ? '' : html`<img src="../api/v1/logos/${logoId}" alt="" width="64" height="64" />`}
    </header>
    ${owed(invoice)} ${files(invoice, token)}
    <section>${describeRows(headRows(document))}</section>
    <section class="parties">${party(document, 'seller')} ${party(document, 'buyer')}</section>
    <section aria-labelledby="lines">${lines(document)} ${sums(invoice)}</section>
    ${[document.comments, document.notes].map((text) =>
      text?.trim() ? html`<section><p class="written" dir="auto">${text.trim()}</p></section>` : '',
    )}
    ${payment(invoice)} ${creditNotes(invoice, token)}
  `
  return new Page(
    await renderPage(document.language, `${title} · ${markAlike(document.seller.name)}`, page),
    PAGE_POLICY,
  )
}

/** Style exactly as its hash in the policy of the page. */
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`)

const renderPage = (language: string, title: string, page: Markup): Promise<string> =>
  htmlPage({ language, title, style: STYLE_ELEMENT, body: html`<main>${page}</main>` })

/** Writes the page of a refusal in every language, the same whether an invoice exists or not. */
export async function refusalPage(status: number): Promise<Page> {
  const said = Object.entries(status === 404 ? NOT_HERE : NOT_NOW)
  const page = html`${said.map(
    ([language, [title, sentence]], index) =>
      html`<div class="elsewhere" lang="${language}">
        ${index === 0 ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`}
        <p>${sentence}</p>
      </div>`,
  )}`
  const title = (status === 404 ? NOT_HERE : NOT_NOW).en[0]
  return new Page(await renderPage('en', title, page), PAGE_POLICY)
}

function owed({ document, paidOn, isCredited, isOverdue, due, early: offers }: PublicInvoice): Markup {
  const words = WORDS[document.language]
  if (paidOn !== null) {
    const tag = isCredited ? creditWords(document).credited : words.paid
    return html`<p class="owed"><strong class="tag paid">${tag}</strong> ${day(document, paidOn)}</p>`
  }
  const tag = isOverdue ? html`<strong class="tag overdue">${words.overdue}</strong>` : ''
  const said = WORDS[document.language].owed(moneyIn(document, due), dayIn(document, document.due_date))
  // of what is due now
  const offered = offers.map(({ payable: amount, ...one }) => ({ ...one, amount, days: 0 }))
  const early = isOverdue ? [] : earlyRows({ ...document, early_payment_discounts: offered })
  return html`<p class="owed">${tag} ${said}</p>
    ${early.map((row) => html`<p class="early">${row}</p>`)}`
}

const day = (document: InvoiceDocument, date: string): Markup =>
  html`<time datetime="${date}">${dayIn(document, date)}</time>`

function files({ document, files: { pdf, xml } }: PublicInvoice, token: string): Markup | '' {
  const words = WORDS[document.language]
  const link = (name: string, label: string) => html`<li><a href="${token}/${name}" download>${label}</a></li>`
  if (!pdf) return ''
  return html`<nav aria-label="${words.files}">
    <ul>
      ${link('pdf', words.pdf)} ${xml ? link('xml', words.xml) : ''}
    </ul>
  </nav>`
}

/** Lists the credit notes with their files, which are beneath the page's own address. */
function creditNotes({ document, creditNotes: notes, files: { xml } }: PublicInvoice, token: string): Markup | '' {
  if (notes.length === 0) return ''
  const words = WORDS[document.language]
  const link = (id: string, name: string, label: string) =>
    html`<a href="${token}/credit-notes/${id}/${name}" download>${label}</a>`
  return html`<section aria-labelledby="credit-notes">
    <h2 id="credit-notes">${creditWords(document).notes}</h2>
    <ul>
      ${notes.map(
        ({ id, number, total }) =>
          html`<li>
            <span class="name">${number}</span> · ${moneyIn(document, total)} · ${link(id, 'pdf', words.pdf)}
            ${xml ? html`· ${link(id, 'xml', words.xml)}` : ''}
          </li>`,
      )}
    </ul>
  </section>`
}

const describeRows = (rows: readonly LabelledValue[]): Markup =>
  html`<dl>
    ${rows.map(
      ([label, value]) =>
        html`<dt>${label}</dt>
          <dd dir="auto">${value}</dd>`,
    )}
  </dl>`

function party(document: InvoiceDocument, which: 'seller' | 'buyer'): Markup {
  const { from, billTo } = WORDS[document.language]
  return html`<div>
    <h2>${which === 'seller' ? from : billTo}</h2>
    <p class="name" dir="auto">${document[which].name}</p>
    ${partyRows(document, which).map((row) => html`<p class="written" dir="auto">${row}</p>`)}
  </div>`
}

const COLUMNS = ['quantity', 'price', 'tax', 'amount'] as const

/** Writes the lines with ARIA roles: the narrow layout as blocks loses those of a table. */
function lines(document: InvoiceDocument): Markup {
  const words = WORDS[document.language]
  const decimals = decimalsOf(document.currency)
  const adjusted = (line: InvoiceDocument['lines'][number]) =>
    adjustmentRows(document, line).map((said) => html`<div class="small">${said}</div>`)
  const row = (line: InvoiceDocument['lines'][number]) => {
    const figures = {
      quantity: quantityIn(document, line),
      price: decimalIn(document, line.price, decimals),
      tax: rateIn(document, line.tax_percentage),
      amount: decimalIn(document, line.total, decimals),
    }
    return html`<tr role="row">
      <td role="cell" dir="auto">${line.description}${adjusted(line)}</td>
      ${COLUMNS.map((name) => html`<td role="cell" class="figure" data-label="${words[name]}">${figures[name]}</td>`)}
    </tr>`
  }
  return html`<h2 id="lines">${WORDS[document.language].lines}</h2>
    <table role="table" aria-labelledby="lines">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">${words.description}</th>
          ${COLUMNS.map((name) => html`<th role="columnheader" scope="col" class="figure">${words[name]}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${document.lines.map(row)}
      </tbody>
    </table>`
}

function sums({ document, accepted, settled, credited, due, discount }: PublicInvoice): Markup {
  const words = WORDS[document.language]
  const { currency } = document
  const rows = [
    ...(accepted !== null && accepted !== document.total ? [[words.accepted, accepted] as const] : []),
    ...(discount === null ? [] : [[words.discount, discount] as const]),
    ...(isZero({ amount: settled, currency }) ? [] : [[words.settled, settled] as const]),
    ...(isZero({ amount: credited, currency }) ? [] : [[creditWords(document).creditedSoFar, credited] as const]),
  ]
  const last = html`<dt class="last">${words.payable}</dt>
    <dd class="last">${moneyIn(document, due)}</dd>`
  return html`<dl class="sums">
    ${sumRows(document).map(
      ({ label, value, reason }) =>
        html`<dt>${label}</dt>
          <dd>${value}</dd>
          ${reason ? html`<dd class="small">${reason}</dd>` : ''}`,
    )}
    ${rows.map(
      ([label, amount]) =>
        html`<dt>${label}</dt>
          <dd>${moneyIn(document, amount)}</dd>`,
    )}
    ${last}
  </dl>`
}

function payment({ document, paidOn, due }: PublicInvoice): Markup | '' {
  const words = WORDS[document.language]
  const rows = paymentRows(document)
  if (paidOn !== null || rows.length === 0) return ''
  const bill = swissBillOf({ ...document, total: due })
  const code = bill ? swissCodeOf(bill) : paymentCodeOf({ ...document, total: due })
  const figure =
    code &&
    html`<figure>
      ${qrCode(code, words.scan, bill !== null)}
      <figcaption class="small">${words.scan}</figcaption>
    </figure>`
  return html`<section class="pay" aria-labelledby="pay">
    <div>
      <h2 id="pay">${words.pay}</h2>
      ${describeRows(rows)}
    </div>
    ${figure ?? ''}
  </section>`
}

/** Quiet zone around the code, in modules (ISO/IEC 18004). */
const QUIET = 4

/**
 * Draws a QR code, each module a unit wide.
 * @param isSwiss draws the Swiss cross in its middle: 7 of 46 parts of its width
 */
export function qrCode(text: string, label: string, isSwiss = false): Markup {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET })
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  const scale = ((size - QUIET * 2) * 7) / 46 / 21
  const cross = html`<g transform="translate(${size / 2} ${size / 2}) scale(${scale})">
    <rect x="-10.5" y="-10.5" width="21" height="21" fill="#fff" />
    <rect x="-9" y="-9" width="18" height="18" />
    <path d="M-1.6-5.2h3.2v3.6h3.6v3.2h-3.6v3.6h-3.2v-3.6h-3.6v-3.2h3.6z" fill="#fff" />
  </g>`
  return html`<svg role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
    <path d="${modules.join('')}" />
    ${isSwiss ? cross : ''}
  </svg>`
}
