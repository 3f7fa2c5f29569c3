/** Forms of customers: a new one, a change, and the end of one. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { BillingContact } from '../../../domain/billing-contacts/billing-contact.ts'
import { INVOICE_LANGUAGES } from '../../../domain/invoice-documents/document.ts'
import { type Act, type Fault, act } from '../../frame/act.ts'
import { companyPage, notFound } from '../../frame/company.ts'
import { keepFields } from '../../frame/layout.ts'
import { type Choice, field, head, notice, select } from '../../frame/parts.ts'
import type { Viewer } from '../../frame/viewer.ts'
import { customerPage, findCustomer } from './customers.ts'
import { countryChoices } from '../../frame/forms/countries.ts'

const ADDRESS = ['line1', 'line2', 'postal_code', 'city'] as const

/** Values of the form of a customer, by the names of its fields. */
type Values = Readonly<Record<string, string>>

const valuesOf = (customer: BillingContact): Values => {
  const { postal_address: place } = customer
  return {
    company_name: customer.company_name,
    emails: customer.emails?.join(', ') ?? '',
    phone_number: customer.phone_number ?? '',
    vat_id: customer.vat_id ?? '',
    tax_id: customer.tax_id ?? '',
    language: customer.language,
    ...(place && { ...place, line2: place.line2 ?? '' }),
  }
}

export const showNewCustomer = (viewer: Viewer) => formPage(undefined)(viewer)
export const showChangeCustomer = (viewer: Viewer) => formPage(undefined)(viewer)

/** Writes the form of a customer, empty or with their data; with what was sent, and why it was not taken. */
const formPage = (fault: Fault | undefined) =>
  companyPage('invoices', async (viewer, shell) => {
    const { words } = viewer
    const { customers } = words.invoices
    const isChange = viewer.http.req.param('id') !== undefined
    const customer = isChange ? await findCustomer(viewer, shell) : null
    if (isChange && !customer) return notFound(viewer).frame
    const sent: Values | undefined = fault && Object.fromEntries(fault.sent.entries)
    const values =
      sent ??
      (customer ? valuesOf(customer) : { country_code: shell.company.country_code ?? '', language: viewer.language })
    const at = `/o/${shell.company.id}/invoices/customers`
    const title = customer ? customers.change : customers.add
    return {
      title,
      ...(fault && { status: fault.status }),
      body: html`${head(title)} ${fault ? notice('fault', fault.text) : ''}
        <form class="card" method="post" action="${customer ? `${at}/${customer.id}/change` : at}">
          ${customer ? '' : keepFields([['key', values['key'] || randomUUID()]])}
          ${await fieldsOf(viewer, values, fault?.wrong ?? {})}
          <div class="actions">
            <button>${customer ? customers.save : customers.addThis}</button>
            <a class="button second" href="${customer ? `${at}/${customer.id}` : at}">${words.pay.back}</a>
          </div>
        </form>`,
    }
  })

async function fieldsOf(viewer: Viewer, values: Values, wrong: Values): Promise<Markup> {
  const { words } = viewer
  const { customers } = words.invoices
  const { optional } = words.pay
  const text = (id: string, label: string, path: string = id, hint?: string) =>
    field({ id, label, value: values[id], wrong: wrong[path], hint, more: html`maxlength="255"` }, optional)
  return html`${field({
      id: 'company_name',
      label: customers.name,
      value: values['company_name'],
      required: true,
      wrong: wrong['company_name'],
      more: html`maxlength="255" autocomplete="off"`,
    })}
    ${field({ id: 'emails', label: customers.emails, value: values['emails'], hint: customers.emailsHint, wrong: faultBelow(wrong, 'emails') }, optional)}
    <h2>${customers.addressHead}</h2>
    <p class="small">${customers.addressWhy}</p>
    <div class="pair">
      ${text('line1', customers.line1, 'postal_address.line1')}
      ${text('line2', customers.line2, 'postal_address.line2')}
      ${text('postal_code', customers.postalCode, 'postal_address.postal_code')}
      ${text('city', customers.city, 'postal_address.city')}
    </div>
    ${select({
      id: 'country_code',
      label: customers.country,
      value: values['country_code'],
      required: true,
      wrong: wrong['postal_address.country_code'],
      choices: countryChoices(viewer.language),
    })}
    <h2>${customers.more}</h2>
    <div class="pair">
      ${text('vat_id', customers.vatId, 'vat_id', customers.vatHint)} ${text('tax_id', customers.taxId)}
    </div>
    <div class="pair">
      ${text('phone_number', customers.phone)}
      ${select({
        id: 'language',
        label: customers.language,
        value: values['language'],
        required: true,
        hint: customers.languageHint,
        choices: languagesIn(viewer),
      })}
    </div>`
}

/** Finds the fault of a value, or of one of its items. */
const faultBelow = (wrong: Values, path: string): string | undefined =>
  wrong[path] ?? Object.entries(wrong).find(([one]) => one.startsWith(`${path}.`))?.[1]

const languagesIn = ({ language }: Viewer): Choice[] => {
  const names = new Intl.DisplayNames(language, { type: 'language' })
  return INVOICE_LANGUAGES.map((one): Choice => [one, names.of(one) ?? one])
}

/** Reads the form as the body of an operation: what is empty is null. An address is whole, or none. */
function bodyIn({ form }: Act): object {
  const value = (name: string) => form.get(name).trim()
  const optional = (name: string) => [name, value(name) || null] as const
  const hasAddress = ADDRESS.some((name) => value(name) !== '')
  return {
    company_name: value('company_name'),
    language: value('language'),
    emails: value('emails')
      ? value('emails')
          .split(/[\s,;]+/)
          .filter(Boolean)
      : null,
    ...Object.fromEntries(['phone_number', 'vat_id', 'tax_id'].map(optional)),
    postal_address: hasAddress
      ? { ...Object.fromEntries(ADDRESS.map(optional)), country_code: value('country_code') }
      : null,
  }
}

export const addCustomer = act<BillingContact>({
  ask: (sent) => ({
    path: `/organizations/${encodeURIComponent(sent.company)}/billing-contacts`,
    body: bodyIn(sent),
    key: sent.form.get('key'),
  }),
  then: ({ id }, { company }) => `/o/${company}/invoices/customers/${id}?done=added`,
  again: (viewer, fault) => formPage(fault)(viewer),
})

export const changeCustomer = act<BillingContact>({
  ask: (sent) => ({ method: 'PATCH', path: `/billing-contacts/${sent.id}`, body: bodyIn(sent) }),
  then: ({ id }, { company }) => `/o/${company}/invoices/customers/${id}?done=changed`,
  again: (viewer, fault) => formPage(fault)(viewer),
})

export const removeCustomer = act({
  ask: ({ id }) => ({ method: 'DELETE', path: `/billing-contacts/${id}` }),
  then: (_, { company }) => `/o/${company}/invoices/customers?done=removed`,
  again: (viewer, fault) => customerPage(fault.text)(viewer),
})
