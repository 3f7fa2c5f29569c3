/** Invoices that incoming money may pay, those that fit best first. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { Invoice } from '../../../domain/invoices/invoice.ts'
import { type Money, compare } from '../../../domain/money/money.ts'
import type { CompanyShell } from '../../frame/company.ts'
import { isolate, keepFields } from '../../frame/layout.ts'
import { badge } from '../../frame/parts.ts'
import type { Rows, Viewer } from '../../frame/viewer.ts'
import { toTyped } from '../drafts/draft.ts'

/** Newest open invoices of each state that are compared, and most that are offered. */
const LOOKED_AT = 50
const OFFERED_MAX = 5
const OPEN = ['sent', 'finalized'] as const

const dueOf = ({ due_amount: amount, currency }: Invoice) => ({ amount, currency })

/** Money that came in, with the words of its sender. */
export type Incoming = {
  readonly transactionId: string
  readonly amount: Money
  readonly text: string | null
  /** Address that takes the form of a match. */
  readonly action: string
}

const isSameAmount = ({ amount }: Incoming, invoice: Invoice): boolean => compare(amount, dueOf(invoice)) === 0

const namesNumber = ({ text }: Incoming, { number }: Invoice): boolean =>
  number !== null && (text ?? '').includes(number)

const fitOf = (money: Incoming, invoice: Invoice): number =>
  (namesNumber(money, invoice) ? 2 : 0) + (isSameAmount(money, invoice) ? 1 : 0)

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
    <form class="filters" method="get" role="search">
      <label>${words.list.search} <input type="search" name="q" value="${q}" maxlength="255" /></label>
      <button class="second">${words.list.find}</button>
    </form>
    ${open.length === 0 ? html`<p>${q ? words.list.none : match.noneOpen}</p>` : ''}
    ${open.map((invoice, at) => offerOne(money, invoice, at, { viewer, shell }))}
  </section>`
}

type Scene = { readonly viewer: Viewer; readonly shell: CompanyShell }

/** Offers one invoice, with how much of the money: at most what is due. */
function offerOne(money: Incoming, invoice: Invoice, at: number, { viewer, shell }: Scene): Markup {
  const { match, list } = viewer.words.invoices
  const { company, formats } = shell
  const due = dueOf(invoice)
  const { amount } = compare(money.amount, due) < 0 ? money.amount : due
  return html`<details class="offer">
    <summary>
      ${isolate(invoice.number ?? '')}, ${isolate(invoice.billing_contact.company_name)}: ${formats.money(due)}
      ${isSameAmount(money, invoice) ? badge(match.same, 'good') : ''}
      ${namesNumber(money, invoice) ? badge(match.names, 'good') : ''}
    </summary>
    <p class="small">
      ${list.due} ${formats.day(invoice.due_date)} ·
      <a href="/o/${company.id}/invoices/${invoice.id}">${viewer.words.invoices.notes.invoice}</a>
    </p>
    <form method="post" action="${money.action}">
      ${keepFields([
        ['invoice', invoice.id],
        ['transaction', money.transactionId],
        ['key', randomUUID()],
      ])}
      <div class="field">
        <label for="amount_${at}">${match.what}</label>
        <input
          id="amount_${at}"
          name="amount"
          value="${toTyped(amount, viewer.language)}"
          required
          inputmode="decimal"
          maxlength="40"
        />
      </div>
      <div class="actions"><button class="second">${match.match}</button></div>
    </form>
  </details>`
}
