/** A company of the viewer: the page that creates it. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Organization } from '../../domain/organizations/organization.ts'
import { type Fault, act } from '../frame/act.ts'
import { Page, keepFields } from '../frame/layout.ts'
import { type Choice, field, head, select } from '../frame/parts.ts'
import { toSignIn } from '../frame/return.ts'
import { shellOf } from '../frame/shell.ts'
import type { Viewer } from '../frame/viewer.ts'
import { faultNotice } from './frame.ts'
import { countryChoices } from '../frame/forms/countries.ts'

const ZONES = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])]

export const showNewCompany = (viewer: Viewer): Promise<Page | Response> => newCompanyPage(viewer)

async function newCompanyPage(viewer: Viewer, fault?: Fault): Promise<Page | Response> {
  const shell = await shellOf(viewer)
  if (!shell) return toSignIn(viewer)
  const { company: words } = viewer.words.me
  const { optional } = viewer.words.pay
  const countries = countryChoices(viewer.language)
  const german = viewer.language === 'de'
  const value = (name: string, otherwise = '') => fault?.sent.get(name) ?? otherwise
  const wrong = fault?.wrong ?? {}
  return new Page({
    title: words.heading,
    status: fault?.status ?? 200,
    place: null,
    shell,
    body: html`${head(words.heading)} ${faultNotice(fault)}
      <p>${words.text}</p>
      ${shell.company ? '' : html`<p class="small">${words.invited}</p>`}
      <form class="card" method="post" action="/companies">
        ${keepFields([['key', value('key') || randomUUID()]])}
        ${field({ id: 'name', label: words.name, value: value('name'), required: true, hint: words.nameHint, wrong: wrong['name'], more: html`autocomplete="organization" maxlength="255"` })}
        <div class="pair">
          ${select({ id: 'country_code', label: words.country, value: value('country_code', german ? 'DE' : ''), required: true, wrong: wrong['country_code'], choices: [['', '…'], ...countries] })}
          ${select({
            id: 'time_zone',
            label: words.zone,
            value: value('time_zone', german ? 'Europe/Berlin' : 'UTC'),
            required: true,
            wrong: wrong['time_zone'],
            choices: ZONES.map((zone): Choice => [zone, zone.replaceAll('_', ' ')]),
            more: fault ? html`` : html`data-zone`,
          })}
        </div>
        ${field({ id: 'tax_id', label: words.taxId, value: value('tax_id'), wrong: wrong['tax_id'], more: html`maxlength="255"` }, optional)}
        ${field({ id: 'contact_email', label: words.email, type: 'email', value: value('contact_email'), hint: words.emailHint, wrong: wrong['contact_email'] }, optional)}
        <div class="actions"><button>${words.button}</button></div>
      </form>`,
  })
}

/** Creates the company; the key of the form makes it once. */
export const createCompany = act<Organization>({
  ask: ({ form }) => ({
    path: '/organizations',
    body: {
      name: form.get('name'),
      country_code: form.get('country_code'),
      time_zone: form.get('time_zone'),
      tax_id: form.get('tax_id').trim() || null,
      contact_email: form.get('contact_email').trim() || null,
    },
    key: form.get('key'),
  }),
  then: ({ id }) => `/o/${id}`,
  again: newCompanyPage,
})
