/** Transactions of a company: search, filters, and one of them with what it belongs to. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Deposit } from '../../domain/deposits/deposit.ts'
import { TRANSACTION_TYPES, type Transaction } from '../../domain/accounts/transaction.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, may, nextOf, notFound, queryOf } from '../frame/company.ts'
import { type Fault, act } from '../frame/act.ts'
import { readAmount } from '../frame/forms/amounts.ts'
import { type Page, isolate } from '../frame/layout.ts'
import { type Choice, badge, empty, field, head, icon, notice } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { askMatch } from '../invoices/deposits/deposit.ts'
import { type Incoming, invoicesFor } from '../invoices/deposits/invoices.ts'
import { transactionTable } from './home.ts'
import { filterOf, wordsFilter, choiceFilter, dayFilter } from '../frame/forms/filters.ts'

const FILTERS = ['q', 'type', 'direction', 'currency', 'status', 'from', 'to', 'amount_min', 'amount_max', 'category']
const AMOUNTS = ['amount_min', 'amount_max'] as const

export const showTransactions = companyPage('home', async (viewer, shell) => {
  const { words } = viewer
  const { query, wrong } = filtersOf(viewer)
  const answer = await viewer.call<Rows<Transaction>>('GET', `/organizations/${shell.company.id}/transactions?${query}`)
  const isFiltered = FILTERS.some((name) => viewer.http.req.query(name))
  const none = isFiltered
    ? empty('search', words.list.none, words.home.searchOther)
    : empty('clock', words.home.noTransactions, words.home.noTransactionsYet)
  const rows = bodyOf(answer)
  return {
    title: words.home.allTransactions,
    body: html`${head(words.home.allTransactions, {
        actions: html`<a class="button second" href="/o/${shell.company.id}/books/exports/new?type=transactions"
          >${icon('download')}${words.home.exportAll}</a
        >`,
      })}
      ${wrong ? notice('warn', wrong) : ''} ${filters(viewer, isFiltered)}
      <div class="card">${rows.data.length > 0 ? transactionTable(rows.data, shell, words) : none}</div>
      ${nextOf(viewer, rows)}`,
  }
})

/** Writes the query of the list: amounts as the API reads them; one that is not clear is left out, and said. */
function filtersOf(viewer: Viewer): { readonly query: string; readonly wrong: string | null } {
  const query = new URLSearchParams(queryOf(viewer, [...FILTERS, 'cursor']))
  let wrong: string | null = null
  for (const name of AMOUNTS) {
    const given = query.get(name)
    if (given === null) continue
    const amount = readAmount(given, viewer.language)
    if (amount === null) {
      wrong = viewer.words.pay.noAmount
      query.delete(name)
    } else query.set(name, amount)
  }
  return { query: query.toString(), wrong }
}

function filters(viewer: Viewer, isFiltered: boolean): Markup {
  const { home, list, pay } = viewer.words
  const of = (name: string): string => filterOf(viewer, name)
  const hasMore = ['status', 'from', 'to', 'amount_min', 'amount_max', 'currency', 'category'].some((name) => of(name))
  const kinds = TRANSACTION_TYPES.map((type): Choice => [type, home.type[type]])
  return html`<form method="get" role="search">
    <div class="filters">
      ${wordsFilter(viewer)} ${choiceFilter(viewer, 'type', home.kind, [['', home.allKinds], ...kinds])}
      ${choiceFilter(viewer, 'direction', home.direction, [
        ['', home.both],
        ['in', home.in],
        ['out', home.out],
      ])}
      <button class="second">${list.find}</button>
      ${isFiltered ? html`<a class="button second" href="?">${home.allAgain}</a>` : ''}
    </div>
    <details ${hasMore ? 'open' : ''}>
      <summary>${home.moreFilters}</summary>
      <div class="filters">
        ${dayFilter(viewer, 'from', home.from)} ${dayFilter(viewer, 'to', home.to)}
        <label>${home.least} <input name="amount_min" value="${of('amount_min')}" inputmode="decimal" /></label>
        <label>${home.most} <input name="amount_max" value="${of('amount_max')}" inputmode="decimal" /></label>
        <label>${pay.currency} <input name="currency" value="${of('currency')}" maxlength="16" size="6" /></label>
        <label>${home.ofCategory} <input name="category" value="${of('category')}" maxlength="255" /></label>
        ${choiceFilter(viewer, 'status', home.state, [
          ['', home.allStates],
          ['pending', home.pending],
          ['posted', home.posted],
        ])}
      </div>
    </details>
  </form>`
}

export const showTransaction = (viewer: Viewer): Promise<Page | Response> => transactionPage()(viewer)

const transactionPage = (fault?: Fault) =>
  companyPage('home', async (viewer, shell) => {
    const { words } = viewer
    const answer = await viewer.call<Transaction>(
      'GET',
      `/transactions/${encodeURIComponent(viewer.http.req.param('id') ?? '')}`,
    )
    if (answer.status === 404) return notFound(viewer).frame
    const row = bodyOf(answer)
    if (row.organization_id !== shell.company.id) return notFound(viewer).frame
    const { formats } = shell
    const deposit = row.deposit_id === null ? null : await viewer.call<Deposit>('GET', `/deposits/${row.deposit_id}`)
    const source = deposit?.ok ? deposit.body.source : null
    return {
      title: words.home.type[row.type],
      ...(fault && { status: fault.status }),
      body: html`${doneNotice(viewer, { ...words.home.doneOf, matched: words.invoices.one.done.matched })}
        ${fault ? notice('fault', fault.text) : ''}
        ${head(html`<span class="amount">${row.direction === 'in' ? '+' : '−'}${formats.money(row.amount)}</span>`, {
          below: html`${words.home.type[row.type]} ${row.status === 'pending' ? badge(words.home.pending, 'warn') : ''}`,
        })}
        <div class="card">
          ${rowsOf([
            [words.home.with, row.counterparty && isolate(row.counterparty)],
            [words.home.text, row.description && isolate(row.description)],
            [words.home.sender, source?.name && source.name !== row.counterparty ? isolate(source.name) : null],
            [words.home.senderText, source?.reference ? isolate(source.reference) : null],
            [words.home.when, formats.instant(row.occurred_at)],
            [words.home.bookedAt, row.posted_at && formats.instant(row.posted_at)],
            [words.home.balanceAfter, row.running_balance && formats.money(row.running_balance)],
          ])}
        </div>
        ${links(row, shell, words)}
        ${canPay(row) && may(shell, 'billing_invoices.allocate') ? await invoicesFor(incoming(row), viewer, shell) : ''}
        ${notesForm(row, shell, words, fault)}`,
    }
  })

/** Tells if money can pay an invoice: it came in, by a deposit or by a payment of another organization. */
const canPay = ({ direction, status, type }: Transaction): boolean =>
  direction === 'in' && status === 'posted' && (type === 'deposit' || type === 'payment')

const incoming = ({ id, organization_id: company, amount, description: text }: Transaction): Incoming => ({
  transactionId: id,
  amount,
  text,
  action: `/o/${company}/transactions/${id}/match`,
})

/** Leads to what a transaction belongs to. */
function links(row: Transaction, { company }: CompanyShell, words: Words): Markup | '' {
  const of = `/o/${company.id}`
  const { payment_id: payment, deposit_id: deposit, bill_id: bill, swap_id: swap } = row
  const found: readonly (readonly [path: string, text: string])[] = [
    ...(payment ? [[`${of}/payments/${payment}`, words.home.type.payment] as const] : []),
    ...(deposit ? [[`${of}/deposits/${deposit}`, words.home.type.deposit] as const] : []),
    ...(bill ? [[`${of}/bills/${bill}`, words.home.bill] as const] : []),
    ...(swap ? [[`${of}/books/exchange/${swap}`, words.home.type.swap] as const] : []),
    ...(row.type === 'subscription' ? [[`${of}/books/plan`, words.home.type.subscription] as const] : []),
  ]
  return found.length === 0
    ? ''
    : html`<div class="actions">
        ${found.map(([path, text]) => html`<a class="button second" href="${path}">${text}</a>`)}
      </div>`
}

/** Shows category and notes as a form: they are the company's own words, and no part of the books. */
function notesForm(row: Transaction, { company }: CompanyShell, words: Words, fault?: Fault): Markup {
  const { home, pay } = words
  const value = (name: 'category' | 'internal_notes') => fault?.sent.get(name) ?? row[name] ?? ''
  return html`<form class="card" method="post" action="/o/${company.id}/transactions/${row.id}/notes">
    <h2>${home.ownWords}</h2>
    ${field(
      {
        id: 'category',
        label: home.ofCategory,
        value: value('category'),
        wrong: fault?.wrong['category'],
        more: html`maxlength="255"`,
      },
      pay.optional,
    )}
    <div class="field">
      <label for="internal_notes">${words.payments.notes} <span class="small">${pay.optional}</span></label>
      <div class="hint" id="internal_notes-hint">${pay.notesHint}</div>
      <textarea id="internal_notes" name="internal_notes" rows="3" aria-describedby="internal_notes-hint">
${value('internal_notes')}</textarea>
    </div>
    <div class="actions"><button>${home.save}</button></div>
  </form>`
}

/** Keeps category and notes of a transaction; an empty one is cleared. */
export const saveNotes = act<Transaction>({
  ask: ({ form, id }) => ({
    method: 'PATCH',
    path: `/transactions/${encodeURIComponent(id)}`,
    body: { category: form.get('category').trim() || null, internal_notes: form.get('internal_notes').trim() || null },
  }),
  then: ({ id }, { company }) => `/o/${company}/transactions/${id}?done=saved`,
  again: (viewer, fault) => transactionPage(fault)(viewer),
})

/** Matches incoming money with an invoice. */
export const matchTransaction = act({
  ask: askMatch,
  then: (_, { company, id }) => `/o/${company}/transactions/${id}?done=matched`,
  again: (viewer, fault) => transactionPage(fault)(viewer),
})
