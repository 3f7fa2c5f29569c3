/** Customers that invoices go to: a list with search, and one of them. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { BillingContact } from '../../../domain/billing-contacts/billing-contact.ts'
import { markAlike } from '../../../domain/look-alikes.ts'
import {
  type CompanyShell,
  bodyOf,
  companyPage,
  doneNotice,
  may,
  nextOf,
  notFound,
  queryOf,
} from '../../frame/company.ts'
import { isolate } from '../../frame/layout.ts'
import { badge, empty, head, icon, notice, sure, table } from '../../frame/parts.ts'
import { rowsOf } from '../../frame/rows.ts'
import type { Rows, Viewer } from '../../frame/viewer.ts'
import type { Words } from '../../words/en.ts'
import { invoiceTabs } from '../tabs.ts'
import { filterForm, wordsFilter } from '../../frame/forms/filters.ts'

export const showCustomers = companyPage('invoices', async (viewer, shell) => {
  const { words } = viewer
  const { customers } = words.invoices
  const path = `/organizations/${shell.company.id}/billing-contacts?${queryOf(viewer, ['q', 'cursor'])}`
  const rows = bodyOf(await viewer.call<Rows<BillingContact>>('GET', path))
  const q = viewer.http.req.query('q') ?? ''
  const none = q ? empty('search', words.list.none, '') : empty('payees', customers.none, customers.noneYet)
  return {
    title: customers.heading,
    body: html`${doneNotice(viewer, { removed: customers.removed })}
      ${head(words.invoices.heading, { actions: addButton(shell, words) })} ${invoiceTabs('customers', shell, words)}
      ${filterForm(viewer, wordsFilter(viewer))}
      <div class="card">${rows.data.length > 0 ? customerTable(rows.data, shell, words) : none}</div>
      ${nextOf(viewer, rows)}`,
  }
})

const addButton = (shell: CompanyShell, { invoices: { customers } }: Words): Markup =>
  may(shell, 'billing_contacts.create')
    ? html`<a class="button" href="/o/${shell.company.id}/invoices/customers/new">${icon('plus')}${customers.add}</a>`
    : html``

const customerTable = (rows: readonly BillingContact[], { company }: CompanyShell, words: Words): Markup => {
  const { customers } = words.invoices
  return table({
    caption: customers.heading,
    columns: [{ name: customers.name }, { name: customers.emails }, { name: customers.place }],
    rows: rows.map((row) => [
      html`<a href="/o/${company.id}/invoices/customers/${row.id}">${isolate(row.company_name)}</a>`,
      row.emails ? isolate(row.emails.join(', ')) : html`<span class="small">${customers.noEmail}</span>`,
      row.postal_address ? isolate(row.postal_address.city) : '',
    ]),
  })
}

/** Reads a customer of the company; null if it has none of this id. */
export async function findCustomer(
  viewer: Viewer,
  { company }: CompanyShell,
  id = viewer.http.req.param('id') ?? '',
): Promise<BillingContact | null> {
  const answer = await viewer.call<BillingContact>('GET', `/billing-contacts/${encodeURIComponent(id)}`)
  if (answer.status === 404) return null
  const customer = bodyOf(answer)
  return customer.organization_id === company.id ? customer : null
}

export const showCustomer = (viewer: Viewer) => customerPage()(viewer)

/** Writes the page of a customer; with why it was not removed. */
export const customerPage = (fault?: string) =>
  companyPage('invoices', async (viewer, shell) => {
    const { words, language } = viewer
    const { customers } = words.invoices
    const customer = await findCustomer(viewer, shell)
    if (!customer) return notFound(viewer).frame
    const at = `/o/${shell.company.id}/invoices`
    const { postal_address: place, deleted_at: removed } = customer
    const regions = new Intl.DisplayNames(language, { type: 'region' })
    const languages = new Intl.DisplayNames(language, { type: 'language' })
    const canInvoice = !removed && may(shell, 'billing_invoices.create')
    return {
      title: markAlike(customer.company_name),
      ...(fault && { status: 422 as const }),
      body: html`${doneNotice(viewer, { added: customers.added, changed: customers.changed })}
        ${fault ? notice('fault', fault) : ''}
        ${head(isolate(customer.company_name), {
          below: removed ? badge(customers.isRemoved) : html`${customers.customer}`,
          actions: canInvoice
            ? html`<a class="button" href="${at}/new?customer=${customer.id}">${icon('plus')}${words.invoices.add}</a>`
            : html``,
        })}
        <div class="card">
          ${rowsOf([
            [customers.emails, customer.emails && isolate(customer.emails.join(', '))],
            [customers.phone, customer.phone_number && isolate(customer.phone_number)],
            [
              customers.addressHead,
              place &&
                isolate(
                  [place.line1, place.line2, [place.postal_code, place.city].join(' '), regions.of(place.country_code)]
                    .filter(Boolean)
                    .join(', '),
                ),
            ],
            [customers.freeAddress, customer.address && isolate(customer.address)],
            [customers.vatId, customer.vat_id && isolate(customer.vat_id)],
            [customers.taxId, customer.tax_id && isolate(customer.tax_id)],
            [customers.language, languages.of(customer.language)],
          ])}
        </div>
        <div class="actions">
          ${may(shell, 'billing_invoices.list_own') ? html`<a class="button second" href="${at}?customer=${customer.id}">${customers.invoices}</a>` : ''}
          ${!removed && may(shell, 'billing_contacts.update') ? html`<a class="button second" href="${at}/customers/${customer.id}/change">${customers.change}</a>` : ''}
          ${
            !removed && may(shell, 'billing_contacts.delete')
              ? sure({
                  ask: customers.remove,
                  text: customers.removeWhat,
                  action: `${at}/customers/${customer.id}/remove`,
                  button: customers.remove,
                })
              : ''
          }
        </div>`,
    }
  })
