/** Account of a payee in a form: how it is paid, then what its country and currency ask for. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { DESTINATION_TYPES, type DestinationType, NewDestination } from '../../domain/destinations/destination.ts'
import type { AddressRequirements } from '../../domain/destinations/payee-address.ts'
import { now } from '../../platform/clock.ts'
import type { Fault } from '../frame/act.ts'
import { bodyOf } from '../frame/company.ts'
import { type Choice, field, select } from '../frame/parts.ts'
import type { Fields, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { countryChoices } from '../frame/forms/countries.ts'

export type Value = (name: string) => string

/** Part of the answer that says which fields an account has. */
type Requirements = {
  readonly schema: {
    readonly properties: Readonly<Record<string, unknown>>
    readonly required: readonly string[]
  }
  readonly payee_address: AddressRequirements
}

/** Reads how an account is paid; null before it is chosen. */
export const typeIn = (value: Value): DestinationType | null =>
  DESTINATION_TYPES.find((one) => one === value('kind')) ?? null

/** Asks how a payee is paid, the first step. */
export async function typeForm(viewer: Viewer, country: string): Promise<Markup> {
  const { words } = viewer
  const { payees, pay } = words
  const kinds = DESTINATION_TYPES.toSorted((one) => (one === 'bank' ? -1 : 1))
  return html`<form class="card" method="get">
    ${select({ id: 'kind', label: payees.how, required: true, choices: kinds.map((one): Choice => [one, payees.kinds[one]]) })}
    <div class="pair">
      ${select({ id: 'country', label: payees.country, value: country, hint: payees.ofBank, choices: countryChoices(viewer.language) }, pay.optional)}
      ${field({ id: 'currency', label: pay.currency, value: 'EUR', hint: payees.currencyHint, more: html`maxlength="3"` }, pay.optional)}
    </div>
    <div class="actions"><button>${payees.next}</button></div>
  </form>`
}

/** Fields that are asked for apart, or not at all. */
const NOT_ASKED = new Set(['type', 'country_code', 'currency', 'label', 'default', 'payee_address'])
const CRYPTO = NewDestination.options[2].entries
const CRYPTO_FIELDS = ['network', 'coin', 'address', 'memo'] as const

type AccountField = { readonly name: string; readonly required: boolean; readonly choices?: readonly string[] }
type AccountNeeds = { readonly fields: readonly AccountField[]; readonly address: AddressRequirements | null }

/** Reads which fields an account needs; what its country and currency do not have is left out. */
export async function readNeeds(viewer: Viewer, type: DestinationType, value: Value): Promise<AccountNeeds> {
  if (type === 'svc_id') return { fields: [{ name: 'svc_id', required: true }], address: null }
  if (type === 'crypto') {
    const choicesOf = (name: (typeof CRYPTO_FIELDS)[number]) =>
      name === 'network' || name === 'coin' ? { choices: CRYPTO[name].options } : {}
    return {
      fields: CRYPTO_FIELDS.map((name) => ({ name, required: name !== 'memo', ...choicesOf(name) })),
      address: null,
    }
  }
  const query = new URLSearchParams({ country_code: value('country'), currency: currencyIn(value) })
  const { schema, payee_address: address } = bodyOf(
    await viewer.call<Requirements>('GET', `/payment-destinations/requirements?${query.toString()}`),
  )
  const known = Object.keys(schema.properties).filter((name) => !NOT_ASKED.has(name))
  return { fields: known.map((name) => ({ name, required: schema.required.includes(name) })), address }
}

const currencyIn = (value: Value): string => value('currency').trim().toUpperCase()

/** Shows the fields of an account; `path` is its place in the body that is sent. */
export function accountFields(
  { fields }: AccountNeeds,
  { value, fault, path }: { readonly value: Value; readonly fault: Fault | undefined; readonly path: string },
  words: Words,
): Markup {
  return html`${fields.map(({ name, required, choices }) => {
    const wrong = fault?.wrong[path + name]
    const of = { id: name, label: labelOf(name, words), value: value(name), required, wrong }
    return choices
      ? select({ ...of, choices: choices.map((one): Choice => [one, one]) }, words.pay.optional)
      : field(of, words.pay.optional)
  })}`
}

const labelOf = (name: string, { payees }: Words): string =>
  (payees.fields as Readonly<Record<string, string>>)[name] ?? name.replaceAll('_', ' ')

/** Members of an address in a form; its country has a name of its own beside that of a bank. */
export const ADDRESS = ['street', 'building_number', 'postal_code', 'town', 'region'] as const

type AddressFields = {
  readonly value: Value
  readonly fault: Fault | undefined
  readonly isRequired: boolean
  readonly countries: readonly Choice[]
}

/** Shows the fields of the address of a payee. */
export const addressFields = ({ value, fault, isRequired, countries }: AddressFields, { payees, pay }: Words): Markup =>
  html`<h2>${payees.addressHead}</h2>
    <p class="small">${payees.addressWhy}</p>
    <div class="pair">
      ${ADDRESS.map((name) =>
        field(
          {
            id: name,
            label: payees.fields[name],
            value: value(name),
            required: isRequired && name === 'town',
            wrong: fault?.wrong[`payee_address.${name}`],
          },
          pay.optional,
        ),
      )}
      ${select({ id: 'address_country', label: payees.country, value: value('address_country') || value('country'), wrong: fault?.wrong['payee_address.country_code'], choices: countries })}
    </div>`

/** Tells if banks ask for an address now. */
export const needsAddress = ({ address }: AccountNeeds): boolean =>
  address !== null && address.required_from !== null && address.required_from <= now().toISOString().slice(0, 10)

/** Reads the address of a form; null if none was entered. */
export function addressIn(value: Value): object | null {
  const given = ADDRESS.flatMap((name) => (value(name) ? [[name, value(name)]] : []))
  return given.length === 0
    ? null
    : { country_code: value('address_country') || value('country'), ...Object.fromEntries(given) }
}

/** Reads the account of a form, as the API takes it. */
export async function accountIn(viewer: Viewer, form: Fields): Promise<object> {
  const value: Value = (name) => form.get(name).trim()
  const type = typeIn(value) ?? 'bank'
  const { fields } = await readNeeds(viewer, type, value)
  return {
    type,
    ...Object.fromEntries(fields.flatMap(({ name }) => (value(name) ? [[name, value(name)]] : []))),
    ...(type === 'bank' && { country_code: value('country'), currency: currencyIn(value) }),
  }
}
