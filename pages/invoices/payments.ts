/** Money that pays an invoice: what is matched with it, and what came that may be. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Transaction } from '../../domain/accounts/transaction.ts'
import type { Allocation } from '../../domain/invoices/allocation.ts'
import type { Invoice } from '../../domain/invoices/invoice.ts'
import { type CompanyShell, may } from '../frame/company.ts'
import { filterForm, wordsFilter } from '../frame/forms/filters.ts'
import { isolate, keepFields } from '../frame/layout.ts'
import { sure, table } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import { LOOKED_AT, OFFERED_MAX, type IncomingMoney, fitOf, offerMatch } from './match.ts'

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
    .toSorted((one, other) => fitOf(moneyOf(other), invoice) - fitOf(moneyOf(one), invoice))
    .slice(0, OFFERED_MAX)
}

/** Takes a transaction as money to match. */
const moneyOf = ({ amount, description: text }: Transaction): IncomingMoney => ({ amount, text })

function offer(invoice: Invoice, money: readonly Transaction[], viewer: Viewer, shell: CompanyShell): Markup {
  const { words } = viewer
  const { match } = words.invoices
  const q = viewer.http.req.query('q') ?? ''
  return html`<h3>${match.find}</h3>
    ${filterForm(viewer, wordsFilter(viewer, match.search))}
    ${money.length === 0 ? html`<p>${q ? match.findNoneFound : match.findNone}</p>` : ''}
    ${money.map((one, at) => offerOne(invoice, one, at, { viewer, shell }))}`
}

type Scene = { readonly viewer: Viewer; readonly shell: CompanyShell }

/** Offers one transaction. */
function offerOne(invoice: Invoice, money: Transaction, at: number, { viewer, shell }: Scene): Markup {
  const { company, formats } = shell
  const offer = {
    title: html`${formats.money(money.amount)} ${money.counterparty ? isolate(money.counterparty) : ''}`,
    below: html`${formats.instant(money.occurred_at)} ${money.description ? html`· ${isolate(money.description)}` : ''}`,
    action: `/o/${company.id}/invoices/${invoice.id}/match`,
    kept: [['transaction', money.id]] as const,
  }
  return offerMatch({ money: moneyOf(money), invoice, at, ...offer }, viewer)
}
