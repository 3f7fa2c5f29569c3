/** Form of the legal entity. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import { ACTIVITY_SCHEMES, ENTITY_FORMS } from '../../../domain/onboarding/entity.ts'
import type { Onboarding } from '../../../domain/onboarding/onboarding.ts'
import type { CompanyShell } from '../../frame/company.ts'
import { countryChoices } from '../../frame/forms/countries.ts'
import { keepFields } from '../../frame/layout.ts'
import { type Choice, type Field, field, select } from '../../frame/parts.ts'
import type { Viewer } from '../../frame/viewer.ts'
import type { Shown } from './page.ts'

/** Members of the body, by the fields of the form. */
export const MEMBERS: Readonly<Record<string, string>> = {
  legal_name: 'legal_name',
  trading_name: 'trading_name',
  form_of: 'form',
  number: 'registration.number',
  register: 'registration.register',
  register_country: 'registration.country',
  tax_id: 'tax_id',
  incorporated_on: 'incorporated_on',
  line1: 'address.line1',
  line2: 'address.line2',
  postal_code: 'address.postal_code',
  city: 'address.city',
  country: 'address.country_code',
  website: 'website',
  scheme: 'activity.scheme',
  code: 'activity.code',
  description: 'activity.description',
  volume: 'expected.monthly_volume.amount',
  volume_currency: 'expected.monthly_volume.currency',
  currencies: 'expected.currencies',
  countries: 'expected.countries',
}

/** Fields that no review asks for; the others may be empty until it is submitted. */
const OPTIONAL: ReadonlySet<string> = new Set(['trading_name', 'register', 'line2', 'website'])

/** Reads the value of a member by its path. */
function valueAt(entity: Onboarding['entity'], path: string): string {
  const found = path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], entity)
  return Array.isArray(found) ? found.join(', ') : typeof found === 'string' ? found : ''
}

export function entityForm(viewer: Viewer, { company }: CompanyShell, { entity }: Onboarding, fault: Shown): Markup {
  const { optional, save, onboarding: of } = viewer.words.company
  const sent = fault?.sent.get('form') === 'entity' ? fault.sent : undefined
  const at = (id: string, more: Partial<Field> = {}): Omit<Field, 'type'> => ({
    id,
    label: of.fields[(id === 'form_of' ? 'form' : id) as keyof typeof of.fields],
    value: sent ? sent.get(id) : valueAt(entity, MEMBERS[id] ?? ''),
    wrong: sent ? fault?.wrong[MEMBERS[id] ?? id] : undefined,
    ...more,
  })
  const text = (id: string, more: Partial<Field> = {}) => field(at(id, more), OPTIONAL.has(id) ? optional : '')
  const choice = (id: string, choices: readonly Choice[], required = false) =>
    select({ ...at(id, { required }), choices: required ? choices : [['', '…'], ...choices] })
  const countries = countryChoices(viewer.language)
  const forms = ENTITY_FORMS.map((form): Choice => [form, of.forms[form]])
  const schemes = ACTIVITY_SCHEMES.map((scheme): Choice => [scheme, scheme.toUpperCase()])
  return html`<form class="card" method="post" action="/o/${company.id}/company/onboarding/entity">
    <h2>${of.entity}</h2>
    ${keepFields([['form', 'entity']])}
    <div class="pair">${text('legal_name', { required: true })} ${text('trading_name')}</div>
    <div class="pair">${choice('form_of', forms, true)} ${text('incorporated_on', { type: 'date' })}</div>
    <div class="pair">${text('number')} ${text('register')}</div>
    <div class="pair">${choice('register_country', countries)} ${text('tax_id')}</div>
    <h3>${of.place}</h3>
    <div class="pair">${text('line1')} ${text('line2')}</div>
    <div class="pair">${text('postal_code')} ${text('city')}</div>
    ${choice('country', countries)}
    <h3>${of.fields.activity}</h3>
    ${text('website')}
    <div class="pair">${choice('scheme', schemes)} ${text('code')}</div>
    ${text('description')}
    <h3>${of.fields.expected}</h3>
    <div class="pair">${text('volume')} ${text('volume_currency')}</div>
    <div class="pair">${text('currencies')} ${text('countries')}</div>
    <div class="actions"><button class="second">${save}</button></div>
  </form>`
}
