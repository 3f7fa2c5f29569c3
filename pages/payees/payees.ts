/** Payees of a company: a list with search, and one of them with its accounts. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { PaymentContact } from '../../domain/contacts/contact.ts'
import { addressLines } from '../../domain/destinations/payee-address.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import { type CompanyShell, bodyOf, companyPage, nextOf, notFound, queryOf } from '../frame/company.ts'
import { isolate } from '../frame/layout.ts'
import { badge, empty, head, icon, notice, table } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Rows } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

export const showPayees = companyPage('payees', async (viewer, shell) => {
  const { words } = viewer
  const { company } = shell
  const path = `/organizations/${company.id}/payment-contacts?${queryOf(viewer, ['q', 'cursor'])}`
  const rows = bodyOf(await viewer.call<Rows<PaymentContact>>('GET', path))
  const q = viewer.http.req.query('q') ?? ''
  const none = q ? empty('search', words.list.none, '') : empty('payees', words.payees.none, words.payees.noneYet)
  return {
    title: words.places.payees,
    body: html`${head(words.places.payees, { actions: addButton(shell, words) })}
      <form class="filters" method="get" role="search">
        <label>${words.list.search} <input type="search" name="q" value="${q}" maxlength="255" /></label>
        <button class="second">${words.list.find}</button>
      </form>
      <div class="card">${rows.data.length > 0 ? payeeTable(rows.data, shell, words) : none}</div>
      ${nextOf(viewer, rows)}`,
  }
})

const addButton = ({ company }: CompanyShell, words: Words): Markup =>
  company.permissions.includes('payment_contacts.create')
    ? html`<a class="button" href="/o/${company.id}/payees/new">${icon('plus')}${words.payees.add}</a>`
    : html``

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

const stateOf = ({ status }: PaymentContact, words: Words): Markup =>
  badge(words.payees.states[status], status === 'active' ? 'good' : undefined)

type Destination = PaymentContact['destinations'][number]

/** Writes the account of a payee on one line, with its currency. */
export function sayAccount(one: Destination): string {
  if (one.type === 'svc_id') return `${one.svc_id} (USD)`
  if (one.type === 'crypto') return [one.address, `(${one.coin}, ${one.network})`].join(' ')
  return `${one.iban ?? one.account_number ?? ''} (${one.currency}, ${one.country_code})`
}

export const showPayee = companyPage('payees', async (viewer, shell) => {
  const { words } = viewer
  const answer = await viewer.call<PaymentContact>('GET', `/payment-contacts/${viewer.http.req.param('id') ?? ''}`)
  if (answer.status === 404) return notFound(viewer).frame
  const payee = bodyOf(answer)
  const { company, formats } = shell
  if (payee.organization_id !== company.id) return notFound(viewer).frame
  const { approval_request_id: request, payee_address: address, destinations } = payee
  return {
    title: markAlike(payee.name),
    body: html`${viewer.http.req.query('done') === 'added' ? notice('done', payee.status === 'active' ? words.payees.ready : words.payees.added) : ''}
      ${head(isolate(payee.name), {
        below: stateOf(payee, words),
        actions:
          payee.status === 'active' && company.permissions.includes('payments.send_fiat')
            ? html`<a class="button" href="/o/${company.id}/payments/new?payee=${payee.id}"
                >${icon('payments')}${words.home.pay}</a
              >`
            : html``,
      })}
      ${
        request && payee.status === 'pending_approval'
          ? notice('info', html`${words.payees.waits} <a href="/approve/${request}">${words.payments.request}</a>`)
          : ''
      }
      <div class="card">
        ${rowsOf([
          [words.payees.mail, payee.email],
          [words.payees.addressHead, address && isolate(addressLines(address).join(', '))],
          [words.payments.asked, formats.instant(payee.inserted_at)],
        ])}
      </div>
      ${destinations.map(
        (one) =>
          html`<section class="card">
            <h2>${words.payees.kinds[one.type]} ${one.default ? badge(words.payees.standard, 'good') : ''}</h2>
            ${rowsOf([
              [words.payees.holder, one.type === 'bank' ? isolate(one.account_holder_name) : null],
              [words.payees.account, isolate(sayAccount(one))],
              [words.payees.memo, one.type === 'crypto' && one.memo ? isolate(one.memo) : null],
            ])}
          </section>`,
      )}`,
  }
})
