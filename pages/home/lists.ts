/** All tasks and all transactions of a company, with search and filters. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { TRANSACTION_TYPES, type Transaction } from '../../domain/accounts/transaction.ts'
import type { AttentionItem } from '../../services/registries/attention-kinds.ts'
import { bodyOf, companyPage, nextOf, notFound, queryOf } from '../frame/company.ts'
import { isolate } from '../frame/layout.ts'
import { empty, head, icon } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import { itemList, transactionTable } from './home.ts'

export const showAttention = companyPage('home', async (viewer, shell) => {
  const { words } = viewer
  const path = `/organizations/${shell.company.id}/attention?${queryOf(viewer, ['cursor'])}`
  const items = bodyOf(await viewer.call<Rows<AttentionItem>>('GET', path))
  return {
    title: words.home.toDo,
    body: html`${head(words.home.toDo)} ${itemList(items.data, shell, words)} ${nextOf(viewer, items)}`,
  }
})

const FILTERS = ['q', 'type', 'direction', 'currency', 'cursor']

export const showTransactions = companyPage('home', async (viewer, shell) => {
  const { words } = viewer
  const path = `/organizations/${shell.company.id}/transactions?${queryOf(viewer, FILTERS)}`
  const rows = bodyOf(await viewer.call<Rows<Transaction>>('GET', path))
  const isFiltered = FILTERS.some((name) => viewer.http.req.query(name))
  const none = isFiltered
    ? empty('search', words.list.none, '')
    : empty('clock', words.home.noTransactions, words.home.noTransactionsYet)
  return {
    title: words.home.allTransactions,
    body: html`${head(words.home.allTransactions)} ${filters(viewer)}
      <div class="card">${rows.data.length > 0 ? transactionTable(rows.data, shell, words) : none}</div>
      ${nextOf(viewer, rows)}`,
  }
})

function filters({ http, words }: Viewer): Markup {
  const of = (name: string): string => http.req.query(name) ?? ''
  const option = (value: string, text: string, chosen: string): Markup =>
    html`<option value="${value}" ${value === chosen ? 'selected' : ''}>${text}</option>`
  return html`<form class="filters" method="get" role="search">
    <label>${words.list.search} <input type="search" name="q" value="${of('q')}" maxlength="255" /></label>
    <label
      >${words.home.kind}
      <select name="type">
        ${option('', words.home.allKinds, of('type'))}
        ${TRANSACTION_TYPES.map((type) => option(type, words.home.type[type], of('type')))}
      </select></label
    >
    <label
      >${words.home.direction}
      <select name="direction">
        ${option('', words.home.both, of('direction'))} ${option('in', words.home.in, of('direction'))}
        ${option('out', words.home.out, of('direction'))}
      </select></label
    >
    <button class="second">${words.list.find}</button>
  </form>`
}

export const showTransaction = companyPage('home', async (viewer, { company, formats }) => {
  const { words } = viewer
  const answer = await viewer.call<Transaction>('GET', `/transactions/${viewer.http.req.param('id') ?? ''}`)
  if (answer.status === 404) return notFound(viewer).frame
  const row = bodyOf(answer)
  if (row.organization_id !== company.id) return notFound(viewer).frame
  const { payment_id: payment } = row
  return {
    title: words.home.type[row.type],
    body: html`${head(html`<span class="amount">${row.direction === 'in' ? '+' : '−'}${formats.money(row.amount)}</span>`)}
      <div class="card">
        ${rowsOf([
          [words.home.kind, words.home.type[row.type]],
          [words.home.with, row.counterparty && isolate(row.counterparty)],
          [words.home.text, row.description && isolate(row.description)],
          [words.home.when, formats.instant(row.occurred_at)],
          [words.home.balance, row.running_balance && formats.money(row.running_balance)],
          [words.payments.notes, row.internal_notes && isolate(row.internal_notes)],
        ])}
      </div>
      <div class="actions">
        ${payment ? html`<a class="button second" href="/o/${company.id}/payments/${payment}">${icon('payments')}${words.home.type.payment}</a>` : ''}
      </div>`,
  }
})
