/** Settings of a company: what it says of itself, and what its owners decide for all. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { OrganizationSettings } from '../../domain/organizations/settings.ts'
import { PAYEE_CHECK_MODES } from '../../domain/payee-checks/payee-check.ts'
import type { Fault } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, may, notFound } from '../frame/company.ts'
import { type Page, keepFields } from '../frame/layout.ts'
import { type Choice, type Field, area, field, head, notice, select } from '../frame/parts.ts'
import type { Viewer } from '../frame/viewer.ts'
import { handleCard, logoCard } from './identity.ts'
import { countryChoices } from '../frame/forms/countries.ts'

export const showSettings = (viewer: Viewer): Promise<Page | Response> => settingsPage()(viewer)

/** Shows all settings; with a fault, the form that was sent has what was entered. */
export const settingsPage = (fault?: Pick<Fault, 'text' | 'status' | 'wrong' | 'sent'>) =>
  companyPage('company', async (viewer, shell) => {
    const { words } = viewer
    const { settings: of, heading } = words.company
    const at = `/o/${shell.company.id}/company`
    if (!may(shell, 'organization.update')) return notFound(viewer).frame
    const isOwner = shell.company.role === 'owner'
    const settings = isOwner
      ? bodyOf(await viewer.call<OrganizationSettings>('GET', `/organizations/${shell.company.id}/settings`))
      : null
    const [profile, own] = await Promise.all([
      profileForm(viewer, shell, fault),
      settings ? settingsForm(viewer, shell, settings, fault) : '',
    ])
    return {
      title: of.heading,
      ...(fault && { status: fault.status }),
      body: html`${head(of.heading, { below: html`<a href="${at}">${heading}</a>` })}
      ${fault ? notice('fault', fault.text) : ''} ${doneNotice(viewer, { saved: of.done })} ${profile}
      ${logoCard(viewer, shell)} ${handleCard(viewer, shell, fault)}
      ${settings ? own : html`<p class="small">${of.onlyOwner}</p>`}`,
    }
  })

type Shown = Pick<Fault, 'wrong' | 'sent'> | undefined

/**
 * Makes the fields of a form: each keeps the value that it was shown with, so that the form changes what was changed in
 * it, and nothing that another person changed meanwhile.
 */
function fieldsOf(viewer: Viewer, form: string, fault: Shown) {
  const { optional } = viewer.words.company
  const sent = fault?.sent.get('form') === form ? fault.sent : undefined
  const of = (id: string, label: string, now: string | null, more: Partial<Field> = {}) => ({
    id,
    label,
    value: sent ? sent.get(id) : (now ?? ''),
    wrong: sent ? fault?.wrong[more.id ?? id] : undefined,
    ...more,
    before: keepFields([[`was_${id}`, sent ? sent.get(`was_${id}`) : (now ?? '')]]),
  })
  const mark = ({ required }: Partial<Field>) => (required ? '' : optional)
  return {
    text: (id: string, label: string, now: string | null, more: Partial<Field> = {}): Markup => {
      const { before, ...input } = of(id, label, now, more)
      return html`${before}${field(input, mark(more))}`
    },
    lines: (id: string, label: string, now: string | null): Markup => {
      const { before, ...input } = of(id, label, now)
      return html`${before}${area(input, optional)}`
    },
    choice: (id: string, label: string, now: string | null, choices: readonly Choice[], more: Partial<Field> = {}) => {
      const { before, type: _, ...input } = of(id, label, now, more)
      return html`${before}${select({ ...input, choices }, mark(more))}`
    },
    tick: (id: string, label: string, now: boolean): Markup => {
      const isOn = sent ? sent.get(id) !== '' : now
      return html`${keepFields([[`was_${id}`, sent ? sent.get(`was_${id}`) : now ? 'yes' : '']])}
        <label class="choice"
          ><input type="checkbox" name="${id}" value="yes" ${isOn ? 'checked' : ''} /> ${label}</label
        >`
    },
  }
}

async function profileForm(viewer: Viewer, { company }: CompanyShell, fault: Shown): Promise<Markup> {
  const { settings: of, save } = viewer.words.company
  const { text, lines, choice } = fieldsOf(viewer, 'profile', fault)
  const countries = countryChoices(viewer.language)
  return html`<form class="card" method="post" action="/o/${company.id}/company/settings/profile">
    <h2>${of.profile}</h2>
    ${keepFields([['form', 'profile']])} ${text('name', of.name, company.name, { required: true })}
    <div class="pair">
      ${choice('country_code', of.country, company.country_code, [['', '…'], ...countries])}
      ${text('contact_email', of.contactEmail, company.contact_email, { type: 'email' })}
    </div>
    <div class="pair">
      ${text('tax_id', of.taxId, company.tax_id)} ${text('invoice_name', of.invoiceName, company.invoice_name)}
    </div>
    ${lines('company_address', of.address, company.company_address)}
    ${lines('invoice_notes', of.invoiceNotes, company.invoice_notes)}
    <div class="actions"><button class="second">${save}</button></div>
  </form>`
}

/** Fields of the postal address. */
export const ADDRESS = ['line1', 'line2', 'postal_code', 'city', 'country'] as const
/** Members of the postal address, by their fields. */
export const ADDRESS_MEMBERS = {
  line1: 'line1',
  line2: 'line2',
  postal_code: 'postal_code',
  city: 'city',
  country: 'country_code',
}

function settingsForm(viewer: Viewer, shell: CompanyShell, now: OrganizationSettings, fault: Shown): Markup {
  const { settings: of, save } = viewer.words.company
  const { formats, company } = shell
  const { text, choice, tick } = fieldsOf(viewer, 'settings', fault)
  const { account_change_free_amount: free, postal_address: address, time_zone_from: from } = now
  const ofAddress = (id: (typeof ADDRESS)[number], label: string, value: string | null | undefined) =>
    text(id, label, value ?? null, { wrong: fault?.wrong[`postal_address.${ADDRESS_MEMBERS[id]}`] })
  return html`<form class="card" method="post" action="/o/${company.id}/company/settings">
    <h2>${of.rules}</h2>
    ${keepFields([['form', 'settings']])}
    ${text('time_zone', of.timeZone, now.time_zone, { required: true, hint: of.timeZoneHint })}
    ${from && Date.parse(from) > Date.now() ? html`<p class="small">${of.timeZoneFrom} ${formats.instant(from)}</p>` : ''}
    ${tick('requires_authenticator', of.authenticator, now.requires_authenticator)}
    <p class="small">${of.authenticatorHint}</p>
    ${text('account_change_hours', of.hours, String(now.account_change_hours), { type: 'number', hint: of.hoursHint, required: true })}
    <div class="pair">
      ${text('free', of.free, free && formats.figure(free.amount), { wrong: fault?.wrong['account_change_free_amount.amount'] })}
      ${text('free_currency', of.freeCurrency, free?.currency ?? 'EUR', { wrong: fault?.wrong['account_change_free_amount.currency'] })}
    </div>
    ${choice(
      'payee_check',
      of.check,
      now.payee_check,
      PAYEE_CHECK_MODES.map((mode): Choice => [mode, of.checks[mode]]),
      { required: true },
    )}
    <h2>${of.invoices}</h2>
    <div class="pair">
      ${text('invoice_prefix', of.invoicePrefix, now.invoice_prefix)}
      ${text('credit_note_prefix', of.creditNotePrefix, now.credit_note_prefix)}
    </div>
    <div class="pair">
      ${text('vat_id', of.vatId, now.vat_id)}
      ${text('reminders', of.reminders, now.invoice_reminder_days.join(', '), { hint: of.remindersHint })}
    </div>
    <div class="pair">
      ${text('contact_name', of.contactName, now.contact_name)}
      ${text('contact_phone', of.contactPhone, now.contact_phone, { type: 'tel' })}
    </div>
    <p class="small">${of.addressHint}</p>
    <div class="pair">
      ${ofAddress('line1', of.line1, address?.line1)} ${ofAddress('line2', of.line2, address?.line2)}
    </div>
    <div class="pair">
      ${ofAddress('postal_code', of.postalCode, address?.postal_code)} ${ofAddress('city', of.city, address?.city)}
    </div>
    <div class="pair">${ofAddress('country', of.countryCode, address?.country_code)}</div>
    <div class="actions"><button class="second">${save}</button></div>
  </form>`
}
