/** Payments of a company: a list with search and states. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { PAYMENT_STATUSES } from '../../domain/payments/flow.ts'
import { type Payment, stateOf } from '../../domain/payments/payment.ts'
import { type CompanyShell, bodyOf, companyPage, nextOf, queryOf } from '../frame/company.ts'
import { isolate, keepFields } from '../frame/layout.ts'
import { type Mood, badge, empty, head, icon, table } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

/** Filters of the list; those of a payee and of a batch are links of their pages. */
const FILTERS = ['q', 'status', 'from', 'to', 'payment_contact_id', 'payment_batch_id', 'cursor'] as const

const pathOf = (viewer: Viewer, of: string): string => `${of}/payments?${queryOf(viewer, FILTERS)}`

const listPayments = async (viewer: Viewer, shell: CompanyShell) => {
  const { words } = viewer
  const path = pathOf(viewer, `/organizations/${shell.company.id}`)
  const rows = bodyOf(await viewer.call<Rows<Payment>>('GET', path))
  return {
    title: words.places.payments,
    body: html`${head(words.places.payments, { actions: payButton(shell, words) })} ${filters(viewer)}
      <div class="card">${rows.data.length > 0 ? paymentTable(rows.data, shell, words) : nothing(viewer)}</div>
      ${nextOf(viewer, rows)}`,
  }
}

export const showPayments = companyPage('payments', listPayments, (viewer, of) => [pathOf(viewer, of)])

/** Leads to a new payment, for those who may ask for one. */
export const payButton = ({ company }: CompanyShell, words: Words): Markup =>
  company.permissions.includes('payments.send_fiat')
    ? html`<a class="button" href="/o/${company.id}/payments/new">${icon('payments')}${words.home.pay}</a>`
    : html``

function nothing({ http, words }: Viewer): Markup {
  const filtered = FILTERS.some((name) => http.req.query(name))
  return filtered
    ? empty('search', words.list.none, '')
    : empty('payments', words.payments.none, words.payments.noneYet)
}

const LINKED = ['payment_contact_id', 'payment_batch_id'] as const

function filters({ http, words }: Viewer): Markup {
  const of = (name: (typeof FILTERS)[number]): string => http.req.query(name) ?? ''
  const status = of('status')
  return html`<form class="filters" method="get" role="search">
    <label>${words.list.search} <input type="search" name="q" value="${of('q')}" maxlength="255" /></label>
    <label
      >${words.payments.state}
      <select name="status">
        <option value="">${words.payments.all}</option>
        ${PAYMENT_STATUSES.map(
          (one) =>
            html`<option value="${one}" ${one === status ? 'selected' : ''}>${words.payments.states[one]}</option>`,
        )}
      </select></label
    >
    <label>${words.payments.from} <input type="date" name="from" value="${of('from')}" /></label>
    <label>${words.payments.until} <input type="date" name="to" value="${of('to')}" /></label>
    ${keepFields(LINKED.flatMap((name) => (of(name) ? [[name, of(name)] as const] : [])))}
    <button class="second">${words.list.find}</button>
    ${LINKED.some((name) => of(name)) ? html`<a class="button second" href="?">${words.payments.allOfThem}</a>` : ''}
  </form>`
}

const MOODS: Readonly<Partial<Record<ReturnType<typeof stateOf>, Mood>>> = {
  on_hold: 'warn',
  succeeded: 'good',
  failed: 'bad',
  reversed: 'bad',
}

/** Shows the state of a payment in a word. */
export function stateBadge(payment: Payment, words: Words): Markup {
  const state = stateOf(payment)
  return badge(words.payments.states[state], MOODS[state])
}

/** Shows payments in a table. */
export const paymentTable = (rows: readonly Payment[], { company, formats }: CompanyShell, words: Words): Markup =>
  table({
    caption: words.places.payments,
    columns: [
      { name: words.payments.asked },
      { name: words.payments.payee },
      { name: words.payments.state },
      { name: words.home.amount, figure: true },
    ],
    rows: rows.map((row) => [
      formats.instant(row.created_at),
      html`<a href="/o/${company.id}/payments/${row.id}">${isolate(row.destination_name)}</a>`,
      stateBadge(row, words),
      formats.money(row.landing),
    ]),
  })
