/** Forms of a payee: its details, its accounts, questions to the bank, calls, and its end. */
import { html } from 'hono/html'
import { TAGS } from '../../domain/contacts/contact.ts'
import type { Destination, DestinationChecks } from '../../domain/destinations/destination.ts'
import type * as v from 'valibot'
import { type Act, type ApiCall, type Fault, act, faultOf, keepShown, readChanges } from '../frame/act.ts'
import { companyPage, notFound } from '../frame/company.ts'
import type { Page } from '../frame/layout.ts'
import { field, head, notice, select } from '../frame/parts.ts'
import { toSignIn } from '../frame/return.ts'
import type { Fields, RefusalView, Viewer } from '../frame/viewer.ts'
import { ADDRESS, addressFields, addressIn } from './account.ts'
import { findPayee, payeePage } from './payee.ts'
import { countryChoices } from '../frame/forms/countries.ts'

const PLAIN = ['name', 'email', 'tag'] as const
const OF_ADDRESS = [...ADDRESS, 'address_country'] as const

export const showChange = (viewer: Viewer): Promise<Page | Response> => changePage()(viewer)

const changePage = (fault?: Fault) =>
  companyPage('payees', async (viewer, shell) => {
    const { words } = viewer
    const { payees, pay } = words
    const payee = await findPayee(viewer, shell)
    if (!payee) return notFound(viewer).frame
    const { payee_address: address, name, email, tag } = payee
    const shown = {
      name,
      email: email ?? '',
      tag: tag ?? '',
      ...Object.fromEntries(ADDRESS.map((one) => [one, address?.[one] ?? ''])),
      address_country: address?.country_code ?? shell.company.country_code ?? '',
    }
    const value = (of: string): string =>
      fault ? fault.sent.get(of) : ((shown as Readonly<Record<string, string>>)[of] ?? '')
    const at = `/o/${shell.company.id}/payees/${payee.id}`
    return {
      title: payees.change,
      ...(fault && { status: fault.status }),
      body: html`${head(payees.change)} ${fault ? notice('fault', fault.text) : ''}
        <form class="card" method="post" action="${at}/change">
          ${keepShown(shown)}
          ${field({ id: 'name', label: payees.name, value: value('name'), required: true, hint: payees.nameHint, wrong: fault?.wrong['name'], more: html`maxlength="255"` })}
          ${field({ id: 'email', label: payees.mail, type: 'email', value: value('email'), hint: payees.mailHint, wrong: fault?.wrong['email'] }, pay.optional)}
          ${select({ id: 'tag', label: payees.tag, value: value('tag'), choices: [['', '…'], ...TAGS.map((one) => [one, payees.tags[one]] as const)] }, pay.optional)}
          ${addressFields({ value, fault, isRequired: false, countries: countryChoices(viewer.language) }, words)}
          <div class="actions">
            <button>${payees.save}</button> <a class="button second" href="${at}">${pay.back}</a>
          </div>
        </form>`,
    }
  })

/** Changes details of a payee: those alone that are another text now. An address is sent whole. */
export const changePayee = act({
  ask: ({ form, id }): ApiCall => {
    const address = readChanges(form, OF_ADDRESS)
    const isMoved = Object.keys(address).some((name) => name !== 'address_country') || form.get('town').trim() !== ''
    const hasChanged = Object.keys(address).length > 0 && isMoved
    return {
      method: 'PATCH',
      path: `/payment-contacts/${id}`,
      body: {
        ...readChanges(form, PLAIN),
        ...(hasChanged && { payee_address: addressIn((name) => form.get(name).trim()) }),
      },
    }
  },
  then: (_, { company, id }) => `/o/${company}/payees/${id}?done=saved`,
  again: (viewer, fault) => changePage(fault)(viewer),
})

const accountPath = ({ http }: Viewer): string => `/payment-destinations/${http.req.param('account') ?? ''}`
const backWith =
  (done: string) =>
  (_: unknown, { company, id }: Act): string =>
    `/o/${company}/payees/${id}?done=${done}`
const again = (viewer: Viewer, fault: Fault): Promise<Page | Response> => payeePage(fault)(viewer)

export const labelAccount = act({
  ask: ({ viewer, form }): ApiCall => ({
    method: 'PATCH',
    path: accountPath(viewer),
    body: { label: form.get('label').trim() || null },
  }),
  then: backWith('saved'),
  again,
})

/** Makes an account the one that is paid; that may wait for approval. */
export const makeDefault = act({
  ask: ({ viewer }): ApiCall => ({ method: 'PATCH', path: accountPath(viewer), body: { default: true } }),
  then: backWith('account'),
  again,
})

export const removeAccount = act({
  ask: ({ viewer }): ApiCall => ({ method: 'DELETE', path: accountPath(viewer) }),
  then: backWith('saved'),
  again,
})

/** Records that the payee confirmed the account when called; the API asks for a proof of identity. */
export const recordCall = act({
  ask: ({ viewer, form }): ApiCall => ({
    path: `${accountPath(viewer)}/confirm-by-callback`,
    body: { spoken_to: form.get('spoken_to'), ...(form.get('note').trim() && { note: form.get('note').trim() }) },
  }),
  then: backWith('called'),
  again,
})

export const archivePayee = act({
  ask: ({ id }): ApiCall => ({ method: 'DELETE', path: `/payment-contacts/${id}` }),
  then: (_, { company }) => `/o/${company}/payees?done=archived`,
  again,
})

/** Asks the bank whether an account belongs to its holder, and shows the answer. Nothing is kept. */
export async function askBank(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const refused = (error: RefusalView): Page | Response | Promise<Page | Response> =>
    error.type === 'not_authenticated' ? toSignIn(viewer) : again(viewer, faultOf(error, form))
  const account = await viewer.call<Destination>('GET', accountPath(viewer))
  if (!account.ok) return refused(account.error)
  const body = { ...whole(account.body), check_payee: true }
  const checks = await viewer.call<v.InferOutput<typeof DestinationChecks>>(
    'POST',
    '/payment-destinations/validate',
    body,
  )
  if (!checks.ok) return refused(checks.error)
  const { payee_check: check } = checks.body
  return payeePage(undefined, check ? { id: account.body.id, check } : undefined)(viewer)
}

/** Picks what a new account would be sent with. */
const whole = (account: Destination): object =>
  Object.fromEntries(Object.entries(account).filter(([name, value]) => !OF_ANSWER.has(name) && value !== null))

/** Members of an account that only answers have. */
const OF_ANSWER = new Set([
  'id',
  'payment_contact_id',
  'becomes_default',
  'status',
  'approval_request_id',
  'inserted_at',
  'duplicate_of',
  'call_back',
  'payee_address',
])
