/** Money that pays an invoice: what is matched with it, and what came that may be. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Transaction } from '../../domain/accounts/transaction.ts'
import type { Allocation } from '../../domain/invoices/allocation.ts'
import type { Invoice } from '../../domain/invoices/invoice.ts'
import { compare } from '../../domain/money/money.ts'
import { type CompanyShell, may } from '../frame/company.ts'
import { isolate, keepFields } from '../frame/layout.ts'
import { badge, sure, table } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import { toTyped } from './drafts/draft.ts'

/** Newest money that is looked at for an invoice, and most of it that is offered. */
const LOOKED_AT = 50
const OFFERED_MAX = 5

/** Shows what pays an invoice, and offers money that may. */
export async function paymentsOf(invoice: Invoice, viewer: Viewer, shell: CompanyShell): Promise<Markup> {
  const { match } = viewer.words.invoices
  const isOpen = invoice.state === 'sent' || invoice.state === 'finalized'
  const [allocations, money] = await Promise.all([
    may(shell, 'billing_invoices.list_allocations')
      ? viewer.call<Rows<Allocation>>('GET', `/invoices/${invoice.id}/allocations?limit=100`)
      : null,
    isOpen && may(shell, 'billing_invoices.allocate') ? moneyFor(invoice, viewer, shell) : null,
  ])
  const rows = allocations?.ok ? allocations.body.data : []
  return html`<section class="card">
    <h2>${match.heading}</h2>
    ${rows.length > 0 ? allocationTable(rows, viewer, shell) : html`<p>${match.none}</p>`}
    ${money ? offer(invoice, money, viewer, shell) : ''}
  </section>`
}

function allocationTable(rows: readonly Allocation[], viewer: Viewer, shell: CompanyShell): Markup {
  const { match } = viewer.words.invoices
  const { company, formats } = shell
  const canTakeBack = may(shell, 'billing_invoices.allocate')
  return table({
    caption: match.heading,
    columns: [
      { name: match.when },
      { name: match.by },
      { name: match.amount, figure: true },
      ...(canTakeBack ? [{ name: match.takeBack }] : []),
    ],
    rows: rows.map((row) => [
      html`<a href="/o/${company.id}/transactions/${row.transaction_id}">${formats.instant(row.inserted_at)}</a>`,
      row.created_by_id === null ? match.service : match.person,
      formats.money({ amount: row.amount, currency: row.currency }),
      canTakeBack
        ? sure({
            ask: match.takeBack,
            text: match.takeBackWhat,
            action: `/o/${company.id}/invoices/${row.invoice_id}/unmatch`,
            button: match.takeBack,
            fields: keepFields([['allocation', row.id]]),
          })
        : '',
    ]),
  })
}

/** Reads the newest money in the currency of an invoice, those that fit best first. */
async function moneyFor(invoice: Invoice, viewer: Viewer, { company }: CompanyShell): Promise<readonly Transaction[]> {
  const q = viewer.http.req.query('q')?.trim()
  const query = new URLSearchParams({
    direction: 'in',
    status: 'posted',
    currency: invoice.currency,
    limit: String(LOOKED_AT),
    ...(q && { q }),
  })
  const found = await viewer.call<Rows<Transaction>>(
    'GET',
    `/organizations/${company.id}/transactions?${query.toString()}`,
  )
  if (!found.ok) return []
  return found.body.data
    .filter(({ type }) => ['deposit', 'payment', 'refund'].includes(type))
    .toSorted((one, other) => fitOf(other, invoice) - fitOf(one, invoice))
    .slice(0, OFFERED_MAX)
}

const isSameAmount = ({ amount }: Transaction, { due_amount: due, currency }: Invoice): boolean =>
  compare(amount, { amount: due, currency }) === 0

const namesNumber = ({ description }: Transaction, { number }: Invoice): boolean =>
  number !== null && (description ?? '').includes(number)

const fitOf = (money: Transaction, invoice: Invoice): number =>
  (namesNumber(money, invoice) ? 2 : 0) + (isSameAmount(money, invoice) ? 1 : 0)

function offer(invoice: Invoice, money: readonly Transaction[], viewer: Viewer, shell: CompanyShell): Markup {
  const { words } = viewer
  const { match } = words.invoices
  const q = viewer.http.req.query('q') ?? ''
  return html`<h3>${match.find}</h3>
    <form class="filters" method="get" role="search">
      <label>${match.search} <input type="search" name="q" value="${q}" maxlength="255" /></label>
      <button class="second">${words.list.find}</button>
    </form>
    ${money.length === 0 ? html`<p>${q ? match.findNoneFound : match.findNone}</p>` : ''}
    ${money.map((one, at) => offerOne(invoice, one, at, { viewer, shell }))}`
}

type Scene = { readonly viewer: Viewer; readonly shell: CompanyShell }

/** Offers one transaction: with how much of it, at most what is due. */
function offerOne(invoice: Invoice, money: Transaction, at: number, { viewer, shell }: Scene): Markup {
  const { match } = viewer.words.invoices
  const { company, formats } = shell
  const due = { amount: invoice.due_amount, currency: invoice.currency }
  const { amount } = compare(money.amount, due) < 0 ? money.amount : due
  return html`<details class="offer">
    <summary>
      ${formats.money(money.amount)} ${money.counterparty ? isolate(money.counterparty) : ''}
      ${isSameAmount(money, invoice) ? badge(match.same, 'good') : ''}
      ${namesNumber(money, invoice) ? badge(match.names, 'good') : ''}
    </summary>
    <p class="small">
      ${formats.instant(money.occurred_at)} ${money.description ? html`· ${isolate(money.description)}` : ''}
    </p>
    <form method="post" action="/o/${company.id}/invoices/${invoice.id}/match">
      ${keepFields([
        ['transaction', money.id],
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
