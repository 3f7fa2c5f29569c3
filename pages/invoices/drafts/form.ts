/** Form of an invoice, new or a draft: lines can be added and totals seen without a script before it is saved. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { BillingContact } from '../../../domain/billing-contacts/billing-contact.ts'
import { isUuid } from '../../../domain/ids.ts'
import { currencyOf } from '../../../domain/country.ts'
import { INVOICE_PROFILES } from '../../../domain/invoice-documents/document.ts'
import type { Invoice } from '../../../domain/invoices/invoice.ts'
import { markAlike } from '../../../domain/look-alikes.ts'
import { now } from '../../../platform/clock.ts'
import { type Fault, act } from '../../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, notFound } from '../../frame/company.ts'
import { type Page, keepFields } from '../../frame/layout.ts'
import { type Choice, empty, field, head, icon, notice, select } from '../../frame/parts.ts'
import type { Fields, Rows, Viewer } from '../../frame/viewer.ts'
import type { Words } from '../../words/en.ts'
import { type Draft, ROWS_MAX, bodyOfDraft, draftIn, draftOf, emptyDraft, totalsIn, wrongIn } from './draft.ts'
import { lineFields } from './lines.ts'
import { findInvoice } from '../find.ts'
import { sumFields } from '../sums.ts'
import { findCustomer } from '../customers/customers.ts'
import { daysAfter } from '../../../domain/instants.ts'

/** Most customers in the list of the form: those that were added last. */
const CUSTOMERS_LISTED = 25
const DUE_DAYS = 14

type Shown = { readonly draft?: Draft; readonly fault?: Fault }

export const showNewInvoice = (viewer: Viewer) => formPage({})(viewer)
export const showChangeInvoice = (viewer: Viewer) => formPage({})(viewer)

/** Writes the form; with what was sent, and why it was not taken. */
const formPage = ({ draft: sent, fault }: Shown) =>
  companyPage('invoices', async (viewer, shell) => {
    const { words } = viewer
    const { form } = words.invoices
    const isChange = viewer.http.req.param('id') !== undefined
    const invoice = isChange ? await findInvoice(viewer, shell) : null
    if (isChange && !invoice) return notFound(viewer).frame
    const draft = sent ?? (invoice ? draftOf(invoice, viewer.language) : begin(viewer, shell))
    const customers = await customersOf(viewer, shell, draft.billing_contact_id)
    const title = invoice ? form.change : words.invoices.add
    const isTooLong = invoice !== null && invoice.line_items.length > ROWS_MAX
    const body = isTooLong
      ? notice('warn', form.tooMany)
      : customers.length === 0
        ? noCustomer(shell, words)
        : writeForm({ draft, fault, invoice, customers }, viewer, shell)
    return {
      title,
      ...(fault && { status: fault.status }),
      body: html`${head(title, { below: html`${form.numberLater}` })}
      ${fault ? notice('fault', sayFault(fault, words)) : ''} ${body}`,
    }
  })

/** Says a fault; of lines alone it stands below their fields. */
const sayFault = ({ text, wrong }: Fault, { invoices: { form } }: Words): string =>
  Object.keys(wrong).some((path) => path.startsWith('line_items.')) ? form.inLine : text

const begin = ({ http }: Viewer, { company }: CompanyShell): Draft =>
  emptyDraft(
    {
      billing_contact_id: http.req.query('customer') ?? '',
      currency: currencyOf(company.country_code ?? '') ?? 'EUR',
      due_date: daysAfter(now().toISOString().slice(0, 10), DUE_DAYS),
      profile: 'none',
    },
    randomUUID(),
  )

const noCustomer = ({ company }: CompanyShell, words: Words): Markup =>
  html`<div class="card">
    ${empty(
      'payees',
      words.invoices.form.noCustomer,
      words.invoices.form.noCustomerYet,
      html`<a class="button" href="/o/${company.id}/invoices/customers/new"
        >${icon('plus')}${words.invoices.customers.add}</a
      >`,
    )}
  </div>`

/** Reads the newest customers, and the one of the draft. */
async function customersOf(viewer: Viewer, shell: CompanyShell, chosen: string): Promise<BillingContact[]> {
  const path = `/organizations/${shell.company.id}/billing-contacts?limit=${CUSTOMERS_LISTED}`
  const newest = bodyOf(await viewer.call<Rows<BillingContact>>('GET', path)).data
  if (!isUuid(chosen) || newest.some(({ id }) => id === chosen)) return [...newest]
  const other = await findCustomer(viewer, shell, chosen)
  return other ? [other, ...newest] : [...newest]
}

type FormParts = {
  readonly draft: Draft
  readonly fault: Fault | undefined
  readonly invoice: Invoice | null
  readonly customers: readonly BillingContact[]
}

function writeForm(
  { draft, fault, invoice, customers }: FormParts,
  viewer: Viewer,
  { company, formats }: CompanyShell,
): Markup {
  const { words } = viewer
  const { form } = words.invoices
  const at = `/o/${company.id}/invoices`
  const wrong = wrongIn(fault?.wrong ?? {}, draft.lines)
  const hasAdjustments = (invoice?.discounts.length ?? 0) + (invoice?.charges.length ?? 0) > 0
  const totals = hasAdjustments ? null : totalsIn(draft, viewer)
  const counts = !hasAdjustments && draft.lines.every(({ rest }) => rest === '')
  return html`<form
    class="card"
    method="post"
    action="${invoice ? `${at}/${invoice.id}/change` : at}"
    ${counts ? html`data-lines` : ''}
  >
    ${invoice ? '' : keepFields([['key', draft.key || randomUUID()]])} ${headFields(draft, customers, wrong, words)}
    <h2>${form.lines}</h2>
    <p class="small">${form.emptyLines}</p>
    ${lineFields({ lines: draft.lines, wrong }, viewer)}
    <div class="actions">
      <button class="second" name="do" value="lines" formnovalidate>${icon('plus')}${form.addLines}</button>
      <button class="second" name="do" value="totals" formnovalidate>${form.recalculate}</button>
    </div>
    ${sumFields(totals, draft.currency, { formats, words })} ${moreFields(draft, wrong, words)}
    <div class="actions">
      <button name="do" value="save">${form.save}</button>
      <a class="button second" href="${invoice ? `${at}/${invoice.id}` : at}">${words.pay.back}</a>
    </div>
  </form>`
}

type Wrong = Readonly<Record<string, string>>

function headFields(draft: Draft, customers: readonly BillingContact[], wrong: Wrong, words: Words): Markup {
  const { form, list } = words.invoices
  const of = (id: 'currency' | 'issue_date' | 'due_date' | 'delivery_date') => ({
    id,
    value: draft[id],
    wrong: wrong[id],
  })
  return html`${select({
      id: 'billing_contact_id',
      label: list.customer,
      value: draft.billing_contact_id,
      required: true,
      wrong: wrong['billing_contact_id'],
      hint: customers.length < CUSTOMERS_LISTED ? undefined : form.customerHint,
      choices: [['', form.choose], ...customers.map((one): Choice => [one.id, markAlike(one.company_name)])],
    })}
    <div class="pair">
      ${field({ ...of('currency'), label: form.currency, required: true, hint: form.currencyHint, more: html`maxlength="3"` })}
      ${field({ ...of('due_date'), label: form.due, required: true, type: 'date' })}
    </div>
    <div class="pair">
      ${field({ ...of('issue_date'), label: form.dated, type: 'date', hint: form.datedHint }, words.pay.optional)}
      ${field({ ...of('delivery_date'), label: form.supplied, type: 'date' }, words.pay.optional)}
    </div>`
}

const MORE = ['order_number', 'buyer_reference', 'comments', 'internal_description'] as const

function moreFields(draft: Draft, wrong: Wrong, words: Words): Markup {
  const { form } = words.invoices
  const labels = {
    order_number: form.order,
    buyer_reference: form.theirReference,
    comments: form.comments,
    internal_description: form.internal,
  }
  const isOpen = MORE.some((name) => draft[name] || wrong[name]) || draft.profile !== 'none'
  return html`<details ${isOpen ? 'open' : ''}>
    <summary>${form.more}</summary>
    ${MORE.map((id) =>
      field(
        {
          id,
          label: labels[id],
          value: draft[id],
          wrong: wrong[id],
          ...(id === 'buyer_reference' && { hint: form.theirReferenceHint }),
        },
        words.pay.optional,
      ),
    )}
    ${select({
      id: 'profile',
      label: form.profile,
      value: draft.profile,
      required: true,
      choices: INVOICE_PROFILES.map((one): Choice => [one, form.profiles[one]]),
    })}
  </details>`
}

/** Shows the form again with more lines or totals, or saves it. */
const unlessAsked =
  (save: (viewer: Viewer, form: Fields) => Promise<Page | Response>) =>
  (viewer: Viewer, form: Fields): Promise<Page | Response> => {
    const wanted = form.get('do')
    if (wanted === 'lines' || wanted === 'totals') return formPage({ draft: draftIn(form, wanted === 'lines') })(viewer)
    return save(viewer, form)
  }

const again = (viewer: Viewer, fault: Fault) => formPage({ draft: draftIn(fault.sent), fault })(viewer)
const pageOf = ({ id }: Invoice, { company }: { readonly company: string }) => `/o/${company}/invoices/${id}?done=saved`

export const addInvoice = unlessAsked(
  act<Invoice>({
    ask: ({ viewer, form, company }) => ({
      path: `/organizations/${encodeURIComponent(company)}/invoices`,
      body: bodyOfDraft(draftIn(form), viewer),
      key: form.get('key'),
    }),
    then: pageOf,
    again,
  }),
)

export const changeInvoice = unlessAsked(
  act<Invoice>({
    ask: ({ viewer, form, id }) => ({
      method: 'PATCH',
      path: `/invoices/${encodeURIComponent(id)}`,
      body: bodyOfDraft(draftIn(form), viewer),
    }),
    then: pageOf,
    again,
  }),
)
