/** Forms of the verification of a company. */
import type { UploadSlot } from '../../../domain/files/file.ts'
import { typeByFirstBytes } from '../../../domain/files/first-bytes.ts'
import { DOCUMENT_BYTES_MAX, DOCUMENT_TYPES } from '../../../domain/onboarding/document.ts'
import { Unclear, act, faultOf } from '../../frame/act.ts'
import { readAmount } from '../../frame/forms/amounts.ts'
import type { Page } from '../../frame/layout.ts'
import { toSignIn } from '../../frame/return.ts'
import type { Fields, Viewer } from '../../frame/viewer.ts'
import { MEMBERS } from './entity.ts'
import { onboardingPage } from './page.ts'

const pathOf = (company: string, done = 'saved'): string => `/o/${company}/company/onboarding?done=${done}`
const api = (company: string, rest: string): string => `/organizations/${company}/onboarding${rest}`

const valueOf = (form: Fields, name: string): string | null => form.get(name).replaceAll('\r\n', '\n').trim() || null

const listOf = (form: Fields, name: string): string[] =>
  form
    .get(name)
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter(Boolean)

/** Reads an object of a form by its members; null if all of it is empty. */
function objectIn(form: Fields, names: Readonly<Record<string, string>>): object | null {
  const members = Object.entries(names).map(([member, name]) => [member, valueOf(form, name)] as const)
  return members.every(([, value]) => value === null)
    ? null
    : Object.fromEntries(
        members.map(([member, value]) => [member, value ?? (member === 'line2' || member === 'register' ? null : '')]),
      )
}

const ADDRESS = { line1: 'line1', line2: 'line2', postal_code: 'postal_code', city: 'city', country_code: 'country' }

const PLAIN = ['legal_name', 'trading_name', 'tax_id', 'incorporated_on', 'website'] as const

export const saveEntity = act({
  ask: ({ viewer, form, company }) => ({
    method: 'PUT',
    path: api(company, '/entity'),
    body: {
      ...Object.fromEntries(PLAIN.map((name) => [name, valueOf(form, name)])),
      form: form.get('form_of'),
      registration: objectIn(form, { number: 'number', country: 'register_country', register: 'register' }),
      address: objectIn(form, ADDRESS),
      activity: objectIn(form, { scheme: 'scheme', code: 'code', description: 'description' }),
      expected: readExpected(viewer, form),
    },
  }),
  then: (_, { company }) => pathOf(company),
  again: (viewer, fault) => onboardingPage(fault)(viewer),
})

function readExpected({ words, language }: Viewer, form: Fields): object | null {
  const volume = valueOf(form, 'volume')
  const [currencies, countries] = [listOf(form, 'currencies'), listOf(form, 'countries')]
  if (volume === null && currencies.length + countries.length === 0) return null
  const amount = readAmount(volume ?? '', language)
  if (amount === null) throw new Unclear(words.company.onboarding.noVolume, MEMBERS['volume'])
  const currency = (valueOf(form, 'volume_currency') ?? 'EUR').toUpperCase()
  return { monthly_volume: { amount, currency }, currencies, countries }
}

/** Reads a person of a form; of their own part what they may say. */
function personIn(form: Fields): object {
  const isWhole = form.all('share').length > 0
  return {
    name: valueOf(form, 'name'),
    born_on: valueOf(form, 'born_on'),
    nationality: valueOf(form, 'nationality'),
    identity_number: valueOf(form, 'identity_number'),
    address: objectIn(form, ADDRESS),
    ...(isWhole && { roles: form.all('roles'), share: valueOf(form, 'share'), user_id: valueOf(form, 'member') }),
  }
}

export const addPerson = act({
  ask: ({ form, company }) => ({ path: api(company, '/people'), body: personIn(form) }),
  then: (_, { company }) => pathOf(company),
  again: (viewer, fault) => onboardingPage(fault)(viewer),
})

export const savePerson = act({
  ask: ({ form, company, id }) => ({ method: 'PATCH', path: api(company, `/people/${id}`), body: personIn(form) }),
  then: (_, { company }) => pathOf(company),
  again: (viewer, fault) => onboardingPage(fault)(viewer),
})

export const removePerson = act({
  ask: ({ company, id }) => ({ method: 'DELETE', path: api(company, `/people/${id}`) }),
  then: (_, { company }) => pathOf(company),
  again: (viewer, fault) => onboardingPage(fault)(viewer),
})

export const removePaper = act({
  ask: ({ company, id }) => ({ method: 'DELETE', path: api(company, `/documents/${id}`) }),
  then: (_, { company }) => pathOf(company),
  again: (viewer, fault) => onboardingPage(fault)(viewer),
})

export const submitOnboarding = act({
  ask: ({ company }) => ({ path: api(company, '/submit'), body: {} }),
  then: (_, { company }) => pathOf(company, 'submitted'),
  again: (viewer, fault) => onboardingPage(fault)(viewer),
})

/** Adds a paper by the file of a form; the same form adds it once. */
export async function addPaper(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const of = viewer.words.company.onboarding
  const company = viewer.http.req.param('company') ?? ''
  const refuse = (text: string) => onboardingPage({ text, status: 422, wrong: {}, sent: form })(viewer)
  const [file] = form.files('file')
  if (!file || file.bytes.length === 0) return refuse(of.noFile)
  const sign = typeByFirstBytes(file.bytes)
  const type = DOCUMENT_TYPES.find((one) => one === sign)
  if (!type || file.bytes.length > DOCUMENT_BYTES_MAX) return refuse(type ? of.paperHint : of.fileType)
  const [kind, person] = form.get('kind').split('.')
  const filename =
    file.name
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 255) || 'paper'
  const body = {
    kind,
    ...(person && { person_id: person }),
    filename,
    byte_size: file.bytes.length,
    content_type: type,
  }
  const slot = await viewer.call<UploadSlot>(
    'POST',
    api(encodeURIComponent(company), '/documents'),
    body,
    form.get('key'),
  )
  const sent = slot.ok ? await viewer.upload(slot.body.upload_url, type, file.bytes) : slot
  if (sent.ok) return viewer.http.redirect(pathOf(company), 303)
  if (sent.error.type === 'not_authenticated') return toSignIn(viewer)
  return onboardingPage(faultOf(sent.error, form))(viewer)
}
