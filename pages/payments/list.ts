/** Payments of a company: a list with search and states. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { PAYMENT_STATUSES } from '../../domain/payments/flow.ts'
import { type Payment, stateOf } from '../../domain/payments/payment.ts'
import { type CompanyShell, bodyOf, companyPage, nextOf, queryOf } from '../frame/company.ts'
import { isolate, keepFields } from '../frame/layout.ts'
import { type Mood, badge, empty, head, icon, table, type Choice } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { filterOf, wordsFilter, choiceFilter, dayFilter, filterForm } from '../frame/forms/filters.ts'

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

function filters(viewer: Viewer): Markup {
  const { payments } = viewer.words
  const choices = PAYMENT_STATUSES.map((one): Choice => [one, payments.states[one]])
  const linked = LINKED.map((name) => [name, filterOf(viewer, name)] as const).filter(([, id]) => id !== '')
  const controls = [
    wordsFilter(viewer),
    choiceFilter(viewer, 'status', payments.state, [['', payments.all], ...choices]),
    dayFilter(viewer, 'from', payments.from),
    dayFilter(viewer, 'to', payments.until),
    keepFields(linked),
  ]
  const behind = linked.length > 0 ? html`<a class="button second" href="?">${payments.allOfThem}</a>` : ''
  return filterForm(viewer, controls, { behind })
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
