/** A new payee, and a further account of one, in two steps: how it is paid, then what that account needs. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { PaymentContact } from '../../domain/contacts/contact.ts'
import type { DestinationType } from '../../domain/destinations/destination.ts'
import { type Fault, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, notFound } from '../frame/company.ts'
import { type Page, isolate, keepFields } from '../frame/layout.ts'
import { field, head, notice, select } from '../frame/parts.ts'
import type { Viewer } from '../frame/viewer.ts'
import {
  type Value,
  accountFields,
  accountIn,
  addressFields,
  addressIn,
  readNeeds,
  needsAddress,
  typeForm,
  typeIn,
} from './account.ts'
import { countryChoices } from '../frame/forms/countries.ts'

const valueOf =
  (viewer: Viewer, fault: Fault | undefined): Value =>
  (name) =>
    (fault ? fault.sent.get(name) : (viewer.http.req.query(name) ?? '')).trim()

export const showNewPayee = (viewer: Viewer): Promise<Page | Response> => newPage()(viewer)

const newPage = (fault?: Fault) =>
  companyPage('payees', async (viewer, shell) => {
    const { add } = viewer.words.payees
    const value = valueOf(viewer, fault)
    const type = typeIn(value)
    return {
      title: add,
      ...(fault && { status: fault.status }),
      body: html`${head(add)} ${fault ? notice('fault', fault.text) : ''}
      ${type ? await payeeForm(viewer, shell, type, value, fault) : await typeForm(viewer, shell.company.country_code ?? 'DE')}`,
    }
  })

/** Asks who is paid, and for the account: the second step. */
async function payeeForm(
  viewer: Viewer,
  { company }: CompanyShell,
  type: DestinationType,
  value: Value,
  fault: Fault | undefined,
) {
  const { words } = viewer
  const { payees, pay } = words
  const needs = await readNeeds(viewer, type, value)
  return html`<form class="card" method="post" action="/o/${company.id}/payees">
    ${keepFields([['key', randomUUID()], ...CHOSEN.map((name) => [name, value(name)] as const)])}
    ${field({ id: 'name', label: payees.name, value: value('name'), required: true, wrong: fault?.wrong['name'], more: html`maxlength="255"` })}
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
    ${field({ id: 'email', label: payees.mail, type: 'email', value: value('email'), hint: payees.mailHint, wrong: fault?.wrong['email'] }, pay.optional)}
    ${accountFields(needs, { value, fault, path: 'destinations.0.' }, words)}
    ${type === 'bank' ? addressFields({ value, fault, isRequired: needsAddress(needs), countries: countryChoices(viewer.language) }, words) : ''}
    <p class="small">${payees.bankIsAsked}</p>
    <div class="actions">
      <button>${payees.add}</button> <a class="button second" href="/o/${company.id}/payees/new">${payees.back}</a>
    </div>
  </form>`
}

/** Choices of the first step, which the second one carries. */
const CHOSEN = ['kind', 'country', 'currency'] as const

/** Asks for the approval of a payee. The key of the form makes it once. */
export const addPayee = act<PaymentContact>({
  ask: async ({ viewer, form, company }) => {
    const address = addressIn((name) => form.get(name).trim())
    return {
      path: `/organizations/${company}/payment-contacts`,
      key: form.get('key'),
      body: {
        name: form.get('name'),
        type: form.get('type'),
        ...(form.get('email').trim() && { email: form.get('email').trim() }),
        ...(address && { payee_address: address }),
        destinations: [await accountIn(viewer, form)],
      },
    }
  },
  then: ({ id, status }, { company }) => `/o/${company}/payees/${id}?done=${status === 'active' ? 'ready' : 'added'}`,
  again: (viewer, fault) => newPage(fault)(viewer),
})

export const showNewAccount = (viewer: Viewer): Promise<Page | Response> => accountPage()(viewer)

const accountPage = (fault?: Fault) =>
  companyPage('payees', async (viewer, shell) => {
    const { words } = viewer
    const { payees, pay } = words
    const id = viewer.http.req.param('id') ?? ''
    const answer = await viewer.call<PaymentContact>('GET', `/payment-contacts/${id}`)
    if (answer.status === 404) return notFound(viewer).frame
    const payee = bodyOf(answer)
    if (payee.organization_id !== shell.company.id) return notFound(viewer).frame
    const value = valueOf(viewer, fault)
    const type = typeIn(value)
    const needs = type && (await readNeeds(viewer, type, value))
    const at = `/o/${shell.company.id}/payees/${id}`
    return {
      title: payees.addAccount,
      ...(fault && { status: fault.status }),
      body: html`${head(payees.addAccount, { below: isolate(payee.name) })} ${fault ? notice('fault', fault.text) : ''}
      ${
        needs
          ? html`<form class="card" method="post" action="${at}/accounts">
              ${keepFields([['key', randomUUID()], ...CHOSEN.map((name) => [name, value(name)] as const)])}
              ${accountFields(needs, { value, fault, path: '' }, words)}
              ${field({ id: 'label', label: payees.label, value: value('label'), hint: payees.labelHint, wrong: fault?.wrong['label'] }, pay.optional)}
              <label class="choice"
                ><input type="checkbox" name="default" value="yes" ${value('default') ? 'checked' : ''} />
                ${payees.becomeDefault}</label
              >
              ${notice('warn', payees.changeWarns)}
              <div class="actions">
                <button>${payees.addAccount}</button> <a class="button second" href="${at}">${pay.back}</a>
              </div>
            </form>`
          : await typeForm(viewer, shell.company.country_code ?? 'DE')
      }`,
    }
  })

/** Adds an account to a payee. The key of the form adds it once. */
export const addAccount = act({
  ask: async ({ viewer, form, id }) => ({
    path: `/payment-contacts/${id}/destinations`,
    key: form.get('key'),
    body: {
      ...(await accountIn(viewer, form)),
      ...(form.get('label').trim() && { label: form.get('label').trim() }),
      ...(form.get('default') && { default: true }),
    },
  }),
  then: (_, { company, id }) => `/o/${company}/payees/${id}?done=account`,
  again: (viewer, fault) => accountPage(fault)(viewer),
})
