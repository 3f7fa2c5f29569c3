/** Invoices of a company: sums, search and filters, and one line for each. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { BillingContact } from '../../domain/billing-contacts/billing-contact.ts'
import { isUuid } from '../../domain/ids.ts'
import type { InvoiceSummary } from '../../domain/invoices/allocation.ts'
import { INVOICE_STATES } from '../../domain/invoices/flow.ts'
import type { Invoice } from '../../domain/invoices/invoice.ts'
import { toMinor } from '../../domain/money/money.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, may, nextOf } from '../frame/company.ts'
import { isolate, keepFields } from '../frame/layout.ts'
import { empty, head, icon, table, type Choice } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { invoiceTabs, stateBadge } from './tabs.ts'
import { findCustomer } from './customers/customers.ts'
import { filterOf, filterForm, wordsFilter, choiceFilter, dayFilter } from '../frame/forms/filters.ts'

/** Filters of the page, by the names that the API has for them. */
const FILTERS = {
  q: 'full_text_search',
  state: 'state',
  customer: 'billing_contact_id',
  from: 'issue_date_from',
  to: 'issue_date_to',
  cursor: 'cursor',
} as const
const LATE = 'overdue'
const LISTED = '50'

export const showInvoices = companyPage('invoices', async (viewer, shell) => {
  const { words } = viewer
  const of = `/organizations/${shell.company.id}/invoices`
  const [rows, sums, customer] = await Promise.all([
    viewer.call<Rows<Invoice>>('GET', `${of}?${queryOf(viewer)}`),
    may(shell, 'billing_invoices.view_summary') ? viewer.call<InvoiceSummary>('GET', `${of}/summary`) : null,
    customerOf(viewer, shell),
  ])
  const listed = bodyOf(rows)
  return {
    title: words.places.invoices,
    body: html`${doneNotice(viewer, { deleted: words.invoices.one.done.deleted })}
      ${head(words.places.invoices, { actions: addButton(shell, words) })} ${invoiceTabs('invoices', shell, words)}
      ${sums?.ok ? sumsOf(sums.body, shell, words) : ''} ${filters(viewer)} ${customer ? onlyTo(customer, words) : ''}
      <div class="card">
        ${listed.data.length > 0 ? invoiceTable(listed.data, shell, words) : nothing(viewer, shell)}
      </div>
      ${nextOf(viewer, listed)} ${sums?.ok ? monthsOf(sums.body, shell, viewer) : ''}`,
  }
})

function queryOf({ http }: Viewer): string {
  const query = new URLSearchParams({ limit: LISTED })
  for (const [name, theirs] of Object.entries(FILTERS)) {
    const value = http.req.query(name)?.trim()
    if (value) query.set(theirs, value)
  }
  if (query.get('state') === LATE) {
    query.delete('state')
    query.set('overdue', 'true')
  }
  return query.toString()
}

async function customerOf(viewer: Viewer, shell: CompanyShell): Promise<BillingContact | null> {
  const id = viewer.http.req.query('customer')
  return isUuid(id) ? findCustomer(viewer, shell, id) : null
}

/** Leads to a new invoice, for those who may write one. */
const addButton = (shell: CompanyShell, { invoices }: Words): Markup =>
  may(shell, 'billing_invoices.create')
    ? html`<a class="button" href="/o/${shell.company.id}/invoices/new">${icon('plus')}${invoices.add}</a>`
    : html``

const onlyTo = ({ company_name: name }: BillingContact, { invoices: { list } }: Words): Markup =>
  html`<p>${list.only} ${isolate(name)}. <a href="?">${list.everyone}</a></p>`

function nothing({ http, words }: Viewer, shell: CompanyShell): Markup {
  const isFiltered = Object.keys(FILTERS).some((name) => http.req.query(name))
  return isFiltered
    ? empty('search', words.list.none, '')
    : empty('invoices', words.invoices.list.none, words.invoices.list.noneYet, addButton(shell, words))
}

type Sums = InvoiceSummary['by_currency'][number]

/** Shows what is open, late and paid, a card for each currency that has something. */
function sumsOf(
  { by_currency: all }: InvoiceSummary,
  { formats }: CompanyShell,
  { invoices: { sums } }: Words,
): Markup {
  const one = ({ currency, ...of }: Sums) => {
    const money = (amount: string) => formats.money({ amount, currency })
    const isSome = (amount: string) => toMinor({ amount, currency }) > 0n
    return html`<section class="card">
      <h2>${sums.open}</h2>
      <p class="amount">${money(of.outstanding)}</p>
      <dl>
        ${
          isSome(of.overdue)
            ? html`<dt>${sums.overdue}</dt>
                <dd><a href="?state=${LATE}">${money(of.overdue)}</a></dd>`
            : ''
        }
        <dt>${sums.paid}</dt>
        <dd>${money(of.paid)}</dd>
        ${
          isSome(of.draft)
            ? html`<dt>${sums.draft}</dt>
                <dd>${money(of.draft)}</dd>`
            : ''
        }
        ${
          isSome(of.credited)
            ? html`<dt>${sums.credited}</dt>
                <dd>${money(of.credited)}</dd>`
            : ''
        }
      </dl>
    </section>`
  }
  return all.length === 0 ? html`` : html`<div class="columns">${all.map(one)}</div>`
}

function monthsOf({ by_month: months }: InvoiceSummary, { formats }: CompanyShell, viewer: Viewer): Markup {
  const { sums } = viewer.words.invoices
  if (months.length === 0) return html``
  const names = new Intl.DateTimeFormat(viewer.language, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return html`<section class="card">
    <h2>${sums.byMonth}</h2>
    ${table({
      caption: sums.byMonth,
      columns: [{ name: sums.month }, { name: sums.invoiced, figure: true }, { name: sums.paid, figure: true }],
      rows: months
        .toReversed()
        .map(({ month, currency, invoiced, paid }) => [
          names.format(new Date(`${month}-01T00:00:00Z`)),
          formats.money({ amount: invoiced, currency }),
          formats.money({ amount: paid, currency }),
        ]),
    })}
  </section>`
}

function filters(viewer: Viewer): Markup {
  const { list, states } = viewer.words.invoices
  const customer = filterOf(viewer, 'customer')
  const choices = [LATE, ...INVOICE_STATES].map((one): Choice => [one, states[one as keyof typeof states]])
  return filterForm(viewer, [
    keepFields(customer ? [['customer', customer]] : []),
    wordsFilter(viewer),
    choiceFilter(viewer, 'state', list.state, [['', list.all], ...choices]),
    dayFilter(viewer, 'from', list.from),
    dayFilter(viewer, 'to', list.to),
  ])
}

const invoiceTable = (rows: readonly Invoice[], { company, formats }: CompanyShell, words: Words): Markup => {
  const { list } = words.invoices
  return table({
    caption: words.invoices.heading,
    columns: [
      { name: list.number },
      { name: list.customer },
      { name: list.due },
      { name: list.state },
      { name: list.amount, figure: true },
    ],
    rows: rows.map((row) => [
      html`<a href="/o/${company.id}/invoices/${row.id}">${row.number ? isolate(row.number) : list.noNumber}</a>`,
      isolate(row.billing_contact.company_name),
      formats.day(row.due_date),
      stateBadge(row, words),
      formats.money({ amount: row.total, currency: row.currency }),
    ]),
  })
}
