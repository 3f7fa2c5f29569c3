/** Payees of a company: a list with search, states, and those whose address is missing. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { CONTACT_STATUSES } from '../../domain/contacts/flow.ts'
import type { PaymentContact } from '../../domain/contacts/contact.ts'
import {
  type CompanyShell,
  bodyOf,
  companyFile,
  companyPage,
  doneNotice,
  may,
  nextOf,
  queryOf,
} from '../frame/company.ts'
import { isolate } from '../frame/layout.ts'
import { badge, empty, head, icon, table, type Choice } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { filterForm, wordsFilter, choiceFilter, checkFilter } from '../frame/forms/filters.ts'

const FILTERS = ['q', 'status', 'incomplete', 'cursor'] as const

export const showPayees = companyPage('payees', async (viewer, shell) => {
  const { words } = viewer
  const path = `/organizations/${shell.company.id}/payment-contacts?${queryOf(viewer, FILTERS)}`
  const rows = bodyOf(await viewer.call<Rows<PaymentContact>>('GET', path))
  const isFiltered = FILTERS.some((name) => viewer.http.req.query(name))
  const none = isFiltered
    ? empty('search', words.list.none, '')
    : empty('payees', words.payees.none, words.payees.noneYet)
  return {
    title: words.places.payees,
    body: html`${doneNotice(viewer, words.payees.done)}
      ${head(words.places.payees, { actions: addButton(shell, words) })} ${filters(viewer)}
      <div class="card">${rows.data.length > 0 ? payeeTable(rows.data, shell, words) : none}</div>
      ${viewer.http.req.query('incomplete') ? incompleteFile(shell, words) : ''} ${nextOf(viewer, rows)}`,
  }
})

const addButton = (shell: CompanyShell, words: Words): Markup =>
  may(shell, 'payment_contacts.create')
    ? html`<a class="button" href="/o/${shell.company.id}/payees/new">${icon('plus')}${words.payees.add}</a>`
    : html``

/** Leads to the file of payees without an address. */
const incompleteFile = ({ company }: CompanyShell, { payees }: Words): Markup =>
  html`<p>
    <a class="button second" href="/o/${company.id}/payees/incomplete">${icon('download')}${payees.incompleteFile}</a>
  </p>`

function filters(viewer: Viewer): Markup {
  const { payments, payees } = viewer.words
  const choices = CONTACT_STATUSES.map((one): Choice => [one, payees.states[one]])
  return filterForm(viewer, [
    wordsFilter(viewer),
    choiceFilter(viewer, 'status', payments.state, [['', payments.all], ...choices]),
    checkFilter(viewer, 'incomplete', payees.incomplete),
  ])
}

const payeeTable = (rows: readonly PaymentContact[], { company }: CompanyShell, words: Words): Markup =>
  table({
    caption: words.places.payees,
    columns: [{ name: words.payments.payee }, { name: words.payees.account }, { name: words.payments.state }],
    rows: rows.map((row) => [
      html`<a href="/o/${company.id}/payees/${row.id}">${isolate(row.name)}</a>`,
      html`${row.destinations.map((one, at) => html`${at > 0 ? html`<br />` : ''}${isolate(sayAccount(one))}`)}`,
      stateOf(row, words),
    ]),
  })

/** Tells if a payee is paid at a bank, and no address of it is known. */
const lacksAddress = ({ status, payee_address: address, destinations }: PaymentContact): boolean =>
  status === 'active' &&
  address === null &&
  destinations.some((one) => one.type === 'bank' && one.status === 'active' && one.payee_address === null)

/** Shows the state of a payee in words. */
export const stateOf = (payee: PaymentContact, { payees }: Words): Markup =>
  html`${badge(payees.states[payee.status], payee.status === 'active' ? 'good' : undefined)}
  ${lacksAddress(payee) ? badge(payees.noAddress, 'warn') : ''}`

type Destination = PaymentContact['destinations'][number]

/** Writes the account of a payee on one line, with its currency. */
export function sayAccount(one: Destination): string {
  if (one.type === 'svc_id') return `${one.svc_id} (USD)`
  if (one.type === 'crypto') return [one.address, `(${one.coin}, ${one.network})`].join(' ')
  return `${one.iban ?? one.account_number ?? ''} (${one.currency}, ${one.country_code})`
}

/** Hands the file of payees without an address on. */
export const showIncomplete = companyFile(
  (_, companyId) => `/organizations/${companyId}/payment-contacts/incomplete.csv`,
)
