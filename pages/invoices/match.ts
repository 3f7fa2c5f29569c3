/** Offers to match money that came in with an invoice: the same from the side of either. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Invoice } from '../../domain/invoices/invoice.ts'
import { type Money, compare } from '../../domain/money/money.ts'
import { type HiddenFields, keepFields } from '../frame/layout.ts'
import { badge } from '../frame/parts.ts'
import type { Viewer } from '../frame/viewer.ts'
import { toTyped } from './drafts/draft.ts'

/** Most offers on a page, and most invoices or transactions that are looked at for them. */
export const [OFFERED_MAX, LOOKED_AT] = [5, 50]

/** Money that came in, with the words of its sender. */
export type IncomingMoney = { readonly amount: Money; readonly text: string | null }

export const dueOf = ({ due_amount: amount, currency }: Invoice): Money => ({ amount, currency })

const isSameAmount = ({ amount }: IncomingMoney, invoice: Invoice): boolean => compare(amount, dueOf(invoice)) === 0

const namesNumber = ({ text }: IncomingMoney, { number }: Invoice): boolean =>
  number !== null && (text ?? '').includes(number)

/** Ranks how well money fits an invoice: its number counts more than its amount. */
export const fitOf = (money: IncomingMoney, invoice: Invoice): number =>
  (namesNumber(money, invoice) ? 2 : 0) + (isSameAmount(money, invoice) ? 1 : 0)

export type Offer = {
  readonly money: IncomingMoney
  readonly invoice: Invoice
  /** Place among the offers of the page. */
  readonly at: number
  readonly title: Markup
  readonly below: Markup
  /** Address that takes the match, and what it is given beside the amount. */
  readonly action: string
  readonly kept: HiddenFields
}

/** Offers one match, with how much of the money: at most what is due. */
export function offerMatch({ money, invoice, at, title, below, action, kept }: Offer, viewer: Viewer): Markup {
  const { match } = viewer.words.invoices
  const due = dueOf(invoice)
  const { amount } = compare(money.amount, due) < 0 ? money.amount : due
  return html`<details class="offer">
    <summary>
      ${title} ${isSameAmount(money, invoice) ? badge(match.same, 'good') : ''}
      ${namesNumber(money, invoice) ? badge(match.names, 'good') : ''}
    </summary>
    <p class="small">${below}</p>
    <form method="post" action="${action}">
      ${keepFields([...kept, ['key', randomUUID()]])}
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
