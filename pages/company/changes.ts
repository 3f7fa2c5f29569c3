/** Changes of the settings of a company. */
import type { Organization } from '../../domain/organizations/organization.ts'
import { Unclear, act, faultOf } from '../frame/act.ts'
import { readAmount } from '../frame/forms/amounts.ts'
import type { Page } from '../frame/layout.ts'
import { toSignIn } from '../frame/return.ts'
import type { Fields, Viewer } from '../frame/viewer.ts'
import { ADDRESS, ADDRESS_MEMBERS, settingsPage } from './settings.ts'

/** Reads a value as it is kept: lines end with one sign, as in what was shown. */
const valueOf = (form: Fields, name: string): string => form.get(name).replaceAll('\r\n', '\n').trim()

/** Tells if a value of the form was changed in it. */
const isChanged = (form: Fields, name: string): boolean => valueOf(form, name) !== valueOf(form, `was_${name}`)

const PROFILE = [
  'name',
  'country_code',
  'contact_email',
  'tax_id',
  'invoice_name',
  'company_address',
  'invoice_notes',
] as const

/** Lists what was changed among these; null for what was emptied. */
const changesIn = (form: Fields, names: readonly string[]): [string, string | null][] =>
  names.filter((name) => isChanged(form, name)).map((name) => [name, valueOf(form, name) || null])

export const saveProfile = act({
  ask: ({ form, company }) => ({
    method: 'PATCH',
    path: `/organizations/${company}`,
    body: Object.fromEntries(changesIn(form, PROFILE)),
  }),
  then: (_, { company }) => pathOf(company),
  again: (viewer, fault) => settingsPage(fault)(viewer),
})

const TEXTS = ['time_zone', 'payee_check'] as const
const CLEARABLE = ['vat_id', 'contact_name', 'contact_phone'] as const
const PREFIXES = ['invoice_prefix', 'credit_note_prefix'] as const

function settingsIn({ words: { company: words }, language }: Viewer, form: Fields): object {
  const { settings: of } = words
  const reminders = valueOf(form, 'reminders')
    .split(/[\s,;]+/)
    .filter(Boolean)
  if (reminders.some((day) => !/^-?\d{1,3}$/.test(day))) throw new Unclear(of.noReminders, 'reminders')
  const free = valueOf(form, 'free')
  const amount = readAmount(free, language)
  const isFree = isChanged(form, 'free') || (free !== '' && isChanged(form, 'free_currency'))
  if (isFree && free !== '' && amount === null) throw new Unclear(of.noAmount, 'account_change_free_amount.amount')
  const address = ADDRESS.map((name) => [ADDRESS_MEMBERS[name], valueOf(form, name) || null] as const)
  return {
    ...Object.fromEntries(changesIn(form, [...TEXTS, ...CLEARABLE])),
    ...Object.fromEntries(PREFIXES.filter((name) => isChanged(form, name)).map((name) => [name, valueOf(form, name)])),
    ...(isChanged(form, 'requires_authenticator') && {
      requires_authenticator: form.get('requires_authenticator') !== '',
    }),
    ...(isChanged(form, 'account_change_hours') && { account_change_hours: Number(form.get('account_change_hours')) }),
    ...(isChanged(form, 'reminders') && { invoice_reminder_days: reminders.map(Number) }),
    ...(isFree && {
      account_change_free_amount:
        free === '' ? null : { amount, currency: valueOf(form, 'free_currency').toUpperCase() },
    }),
    ...(ADDRESS.some((name) => isChanged(form, name)) && {
      postal_address: address.every(([, value]) => value === null) ? null : Object.fromEntries(address),
    }),
  }
}

export const saveSettings = act({
  ask: ({ viewer, form, company }) => ({
    method: 'PATCH',
    path: `/organizations/${company}/settings`,
    body: settingsIn(viewer, form),
  }),
  then: (_, { company }) => pathOf(company),
  again: (viewer, fault) => settingsPage(fault)(viewer),
})

const pathOf = (companyId: string): string => `/o/${companyId}/company/settings?done=saved`

export const claimHandle = act({
  ask: ({ form, company }) => ({
    path: `/organizations/${company}/claim-handle`,
    body: { svc_id: form.get('svc_id').trim().toLowerCase() },
  }),
  then: (_, { company }) => pathOf(company),
  again: (viewer, fault) => settingsPage(fault)(viewer),
})

export const removeLogo = act({
  ask: ({ company }) => ({ method: 'DELETE', path: `/organizations/${company}/logo` }),
  then: (_, { company }) => pathOf(company),
  again: (viewer, fault) => settingsPage(fault)(viewer),
})

/** Sets the logo by the file of a form. */
export async function setLogo(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const company = viewer.http.req.param('company') ?? ''
  const [file] = form.files('file')
  if (!file)
    return settingsPage({ text: viewer.words.company.settings.logoNone, status: 422, wrong: {}, sent: form })(viewer)
  const answer = await viewer.sendFile<Organization>(`/organizations/${encodeURIComponent(company)}/logo`, 'file', file)
  if (answer.ok) return viewer.http.redirect(pathOf(company), 303)
  if (answer.error.type === 'not_authenticated') return toSignIn(viewer)
  return settingsPage(faultOf(answer.error, form))(viewer)
}
