/** A new payee in two steps: how it is paid, then what that account needs. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { PaymentContact } from '../../domain/contacts/contact.ts'
import { type CompanyShell, bodyOf, companyPage } from '../frame/company.ts'
import type { ListedCountry } from '../../domain/reference.ts'
import { type Page, keepFields } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import { type Choice, field, head, notice, select } from '../frame/parts.ts'
import type { Fields, Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

const KINDS = ['bank', 'svc_id', 'crypto'] as const
type Kind = (typeof KINDS)[number]

/** Part of the answer that says which fields an account has. */
type Requirements = {
  readonly schema: {
    readonly properties: Readonly<Record<string, { readonly description?: string; readonly pattern?: string }>>
    readonly required: readonly string[]
  }
}
type Value = (name: string) => string

export const showNewPayee = (viewer: Viewer): Promise<Page | Response> =>
  payeePage((name) => viewer.http.req.query(name) ?? '', undefined)(viewer)

const payeePage = (value: Value, fault: string | undefined) =>
  companyPage('payees', async (viewer, shell) => {
    const { words } = viewer
    const kind = KINDS.find((one) => one === value('kind'))
    const body = kind ? await accountForm(viewer, shell, kind, value) : await kindForm(viewer, shell)
    return {
      title: words.payees.add,
      ...(fault && { status: 422 as const }),
      body: html`${head(words.payees.add)} ${fault ? notice('fault', fault) : ''} ${body}`,
    }
  })

/** Asks how the payee is paid, the first step. */
async function kindForm(viewer: Viewer, { company }: CompanyShell): Promise<Markup> {
  const { words, language } = viewer
  const countries = bodyOf(await viewer.call<Rows<Pick<ListedCountry, 'alpha2'>>>('GET', '/countries?limit=300')).data
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const choices = countries
    .map(({ alpha2 }): Choice => [alpha2, names.of(alpha2) ?? alpha2])
    .toSorted(([, one], [, other]) => one.localeCompare(other, language))
  return html`<form class="card" method="get">
    ${select({ id: 'kind', label: words.payees.how, required: true, choices: KINDS.map((one): Choice => [one, words.payees.kinds[one]]) })}
    <div class="pair">
      ${select({ id: 'country', label: words.payees.country, value: company.country_code ?? 'DE', hint: words.payees.ofBank, choices }, words.pay.optional)}
      ${field({ id: 'currency', label: words.pay.currency, value: 'EUR', hint: words.payees.currencyHint, more: html`maxlength="3"` }, words.pay.optional)}
    </div>
    <div class="actions"><button>${words.payees.next}</button></div>
  </form>`
}

/** Asks for the fields of an account of this kind, the second step. */
async function accountForm(viewer: Viewer, { company }: CompanyShell, kind: Kind, value: Value): Promise<Markup> {
  const { words } = viewer
  const { payees, pay } = words
  const fields = await fieldsOf(viewer, kind, value)
  return html`<form class="card" method="post" action="/o/${company.id}/payees">
    ${keepFields([
      ['key', value('key') || randomUUID()],
      ...(['kind', 'country', 'currency'] as const).map((name) => [name, value(name)] as const),
    ])}
    ${field({ id: 'name', label: payees.name, value: value('name'), required: true, more: html`maxlength="255"` })}
    ${select({
      id: 'type',
      label: payees.type,
      value: value('type') || 'business',
      required: true,
      choices: [
        ['business', payees.business],
        ['individual', payees.individual],
      ],
    })}
    ${fields.map(({ name, required }) => field({ id: name, label: labelOf(name, words), value: value(name), required }, pay.optional))}
    ${kind === 'bank' ? addressFields(value, words) : ''}
    <div class="actions">
      <button>${pay.ask}</button> <a class="button second" href="/o/${company.id}/payees/new">${pay.change}</a>
    </div>
  </form>`
}

const ADDRESS = ['street', 'building_number', 'postal_code', 'town'] as const

const addressFields = (value: Value, { payees, pay }: Words): Markup =>
  html`<h2>${payees.addressHead}</h2>
    <p class="small">${payees.addressWhy}</p>
    <div class="pair">
      ${ADDRESS.map((name) => field({ id: name, label: payees.fields[name], value: value(name) }, pay.optional))}
    </div>`

const labelOf = (name: string, { payees }: Words): string =>
  (payees.fields as Readonly<Record<string, string>>)[name] ?? name.replaceAll('_', ' ')

type FieldOfAccount = { readonly name: string; readonly required: boolean }

/** Reads which fields an account needs; what its country and currency do not have is left out. */
async function fieldsOf(viewer: Viewer, kind: Kind, value: Value): Promise<readonly FieldOfAccount[]> {
  if (kind === 'svc_id') return [{ name: 'svc_id', required: true }]
  if (kind === 'crypto')
    return ['network', 'coin', 'address', 'memo'].map((name) => ({ name, required: name !== 'memo' }))
  const query = new URLSearchParams({ country_code: value('country'), currency: value('currency').toUpperCase() })
  const { schema } = bodyOf(
    await viewer.call<Requirements>('GET', `/payment-destinations/requirements?${query.toString()}`),
  )
  const known = Object.keys(schema.properties).filter((name) => !NOT_ASKED.has(name))
  return known.map((name) => ({ name, required: schema.required.includes(name) }))
}

const NOT_ASKED = new Set(['type', 'country_code', 'currency', 'label', 'default', 'payee_address'])

/** Asks for the approval of a payee. The key of the form makes it once. */
export async function addPayee(viewer: Viewer, sent: Fields): Promise<Page | Response> {
  const companyId = viewer.http.req.param('company') ?? ''
  const value: Value = (name) => sent.get(name).trim()
  const kind = KINDS.find((one) => one === value('kind')) ?? 'bank'
  const fields = await fieldsOf(viewer, kind, value)
  const given = Object.fromEntries(fields.flatMap(({ name }) => (value(name) ? [[name, value(name)]] : [])))
  const town = value('town')
  const address = town && {
    payee_address: {
      country_code: value('country'),
      ...Object.fromEntries(ADDRESS.flatMap((name) => (value(name) ? [[name, value(name)]] : []))),
    },
  }
  const destination = {
    type: kind,
    ...given,
    ...(kind === 'bank' && { country_code: value('country'), currency: value('currency').toUpperCase() }),
  }
  const body = { name: value('name'), type: value('type'), ...address, destinations: [destination] }
  const path = `/organizations/${encodeURIComponent(companyId)}/payment-contacts`
  const answer = await viewer.call<PaymentContact>('POST', path, body, value('key'))
  if (answer.ok) return viewer.http.redirect(`/o/${companyId}/payees/${answer.body.id}?done=added`, 303)
  return payeePage(value, messageOf(answer.error))(viewer)
}
