/** Payment of a bill: a preview first, then the request, once. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Bill, BillDetail } from '../../domain/bills/bill.ts'
import { ACKNOWLEDGEMENTS, type PaymentPreview } from '../../domain/bills/preview.ts'
import type { PaymentContact } from '../../domain/contacts/contact.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import { groupInFours } from '../../domain/text.ts'
import { type Act, type ApiCall, type Fault, act } from '../frame/act.ts'
import { type CompanyShell, companyPage, may, notFound } from '../frame/company.ts'
import { type Page, isolate, keepFields } from '../frame/layout.ts'
import { blocker, messageOf } from '../frame/messages.ts'
import { type Choice, field, head, notice, select } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Viewer } from '../frame/viewer.ts'
import { feeOf } from '../payments/fees.ts'
import { type Payees, findChosen, findPayees, payeeSearch, withChosen } from '../payments/payees.ts'
import type { Words } from '../words/en.ts'
import { findBill } from './find.ts'
import { labelOf } from './fields.ts'

/** Choices of the viewer, which the check and the request share. */
const NAMES = ['payee', 'when', 'day', 'text'] as const
type Choices = Readonly<Record<(typeof NAMES)[number], string>>

const choicesOf = (of: (name: string) => string): Choices =>
  Object.fromEntries(NAMES.map((name) => [name, of(name).trim()])) as Choices // each name is a key

/** Writes the body of the request, which the preview takes, too. */
const bodyOfChoices = ({ payee, when, day, text }: Choices): object => ({
  ...(payee && { payment_contact_id: payee }),
  ...(when === 'due' && { on_due_date: true }),
  ...(when === 'day' && day && { execute_on: day }),
  ...(text && { statement_description: text }),
})

export const showPayBill = (viewer: Viewer): Promise<Page | Response> => payPage()(viewer)

const payPage = (fault?: Fault) =>
  companyPage('bills', async (viewer, shell) => {
    const { words, http } = viewer
    const { pay } = words.bills
    const found = await findBill(viewer, shell)
    if (!found) return notFound(viewer).frame
    const { bill } = found
    const of = `/o/${shell.company.id}/bills/${bill.id}`
    if (bill.status !== 'extracted') return http.redirect(of, 303)
    const choices = choicesOf((name) => (fault ? fault.sent.get(name) : (http.req.query(name) ?? '')))
    const [answer, payees, chosen] = await Promise.all([
      viewer.call<PaymentPreview>('POST', `/bills/${bill.id}/preflight`, bodyOfChoices(choices)),
      may(shell, 'payment_contacts.list') ? findPayees(viewer, shell.company.id, { type: 'bank' }) : NO_PAYEES,
      findChosen(viewer, shell.company.id, choices.payee),
    ])
    const wrong = answer.ok ? undefined : messageOf(answer.error)
    const isUsed = fault?.type === 'idempotency_key_reused'
    const text = isUsed ? pay.again : (fault?.text ?? wrong)
    return {
      title: pay.heading,
      ...(text && { status: fault?.status ?? (422 as const) }),
      body: html`${head(pay.heading, { below: bill.supplier_name ? isolate(bill.supplier_name) : html`` })}
        ${text ? notice('fault', text) : ''}
        ${answer.ok ? previewOf(answer.body, { found, choices, shell, words, viewer, key: isUsed ? '' : (fault?.sent.get('key') ?? '') }) : ''}
        ${changeForm(bill, choices, { payees, chosen, page: `${of}/pay` }, viewer)}
        <p><a class="button second" href="${of}">${pay.back}</a></p>`,
    }
  })

type PreviewContext = {
  readonly found: BillDetail
  readonly choices: Choices
  readonly shell: CompanyShell
  readonly words: Words
  readonly viewer: Viewer
  readonly key: string
}

/** Shows what the request would do, and the form that asks for it; or what blocks it. */
function previewOf(preview: PaymentPreview, { found, choices, shell, words, viewer, key }: PreviewContext): Markup {
  const { formats, company } = shell
  const { pay } = words.bills
  const { bill, duplicates } = found
  const { landing, deducting, schedule, payee_check: check, blocked_by: blocked } = preview
  if (blocked.length > 0) return blockers(preview, bill, shell, viewer)
  const asks = preview.acknowledgements
  const isFirst = preview.waits_for_contact
  const amount = landing ?? (bill.amount && bill.currency ? { amount: bill.amount, currency: bill.currency } : null)
  return html`${isFirst ? notice('info', pay.firstContact) : ''}
    ${preview.warnings.map(({ type, message }) => notice('warn', (pay.warnings as Readonly<Record<string, string>>)[type] ?? message))}
    <form class="card" method="post" action="/o/${company.id}/bills/${bill.id}/pay">
      <h2>${pay.says}</h2>
      <p class="amount">${amount ? formats.money(amount) : ''}</p>
      ${rowsOf([
        [
          words.bills.one.payee,
          html`${isolate(preview.payee ?? '')}
          ${preview.payment_contact_id === null ? html`<span class="small">${pay.newPayee}</span>` : ''}`,
        ],
        [pay.account, preview.account && isolate(groupInFours(preview.account))],
        [pay.billSays, accountOf(bill, preview)],
        [words.pay.bankSays, check && words.pay.checks[check.result]],
        [words.pay.bankName, check?.name ? isolate(check.name) : null],
        [pay.day, isFirst ? null : schedule ? formats.longDay(schedule.execute_on) : pay.atOnce],
        [pay.leaves, deducting && formats.money(deducting)],
        ...preview.fees.map((fee) => [feeOf(fee.name, words), formats.money(fee.amount)] as const),
        [words.pay.arrives, preview.estimated_arrival && formats.instant(preview.estimated_arrival)],
        [words.pay.approvers, preview.approvers_needed === null ? null : words.pay.people(preview.approvers_needed)],
      ])}
      ${keepFields([['key', key || randomUUID()], ...NAMES.map((name) => [name, choices[name]] as const)])}
      ${asks.map(
        (name) =>
          html`<label class="choice"
              ><input type="checkbox" name="${name}" value="yes" required /> ${pay.acknowledge[name]}</label
            >
            ${name === 'acknowledge_duplicate' ? copiesOf(duplicates, company.id, words) : ''}`,
      )}
      <div class="actions"><button>${isFirst ? pay.askPayee : pay.ask}</button></div>
    </form>`
}

/** Shows the account of the bill if another one is paid. */
const accountOf = ({ iban, account_number: number }: Bill, { account }: PaymentPreview): Markup | null => {
  const named = iban ?? number
  return named && account && named !== account ? html`<strong>${isolate(groupInFours(named))}</strong>` : null
}

const copiesOf = (duplicates: BillDetail['duplicates'], companyId: string, { bills: { one } }: Words): Markup =>
  html`<p class="small">
    ${duplicates.map(
      ({ bill_id: id, reason }) =>
        html`<a href="/o/${companyId}/bills/${id}" target="_blank" rel="noopener"
          >${one.otherBill} (${one.duplicateReasons[reason]})</a
        > `,
    )}
  </p>`

function blockers({ blocked_by: blocked, missing }: PaymentPreview, bill: Bill, shell: CompanyShell, viewer: Viewer) {
  const { words } = viewer
  const { pay, why } = words.bills
  const reason = bill.not_payable
  return html`<div class="card">
    <h2>${pay.blocked}</h2>
    ${reason ? notice('warn', why[reason]) : blocked.map((one) => blocker(one, shell.company.id, viewer))}
    ${missing.length > 0 ? html`<p>${pay.missing} ${missing.map((name) => labelOf(name, words)).join(', ')}.</p>` : ''}
    <div class="actions">
      <a class="button" href="/o/${shell.company.id}/bills/${bill.id}">${pay.fix}</a>
    </div>
  </div>`
}

const NO_PAYEES: Payees = { found: [], hasMore: false, q: '' }

type Payable = { readonly payees: Payees; readonly chosen: PaymentContact | null; readonly page: string }

/** Lets its viewer choose another payee, day or text, and shows the check again. */
function changeForm(bill: Bill, choices: Choices, { payees: found, chosen, page }: Payable, viewer: Viewer): Markup {
  const { words } = viewer
  const { pay } = words.bills
  const { now, due, day } = pay.whens
  const payees = withChosen(chosen, found).map(({ id, name }): Choice => [id, markAlike(name)])
  const kept = NAMES.map((name) => [name, choices[name]] as const)
  const whens: Choice[] = [['', now], ...(bill.due_date ? [['due', due] as const] : []), ['day', day]]
  return html`<details ${found.q || NAMES.some((name) => choices[name]) ? 'open' : ''}>
    <summary>${pay.change}</summary>
    ${payeeSearch(found, { action: page, kept }, viewer)}
    <form class="card" method="get">
      ${select({ id: 'payee', label: words.bills.one.payee, value: choices.payee, choices: [['', pay.choose], ...payees] })}
      <div class="pair">
        ${select({ id: 'when', label: pay.when, value: choices.when, choices: whens })}
        ${field({ id: 'day', label: pay.onDay, value: choices.day, type: 'date' }, words.pay.optional)}
      </div>
      ${field({ id: 'text', label: pay.text, value: choices.text, hint: pay.textHint, more: html`maxlength="140"` }, words.pay.optional)}
      <div class="actions"><button class="second">${pay.look}</button></div>
    </form>
  </details>`
}

/** Asks for the payment; the key of the form asks once. */
export const payBill = act<Bill>({
  ask: ({ id, form }: Act): ApiCall => ({
    path: `/bills/${id}/request-payment`,
    body: {
      ...bodyOfChoices(choicesOf((name) => form.get(name))),
      ...Object.fromEntries(ACKNOWLEDGEMENTS.flatMap((name) => (form.get(name) ? [[name, true]] : []))),
    },
    key: form.get('key'),
  }),
  then: ({ status, waits_for: waits }, { company, id }) =>
    `/o/${company}/bills/${id}?done=${waits || status !== 'payment_requested' ? 'waits' : 'asked'}`,
  again: (viewer, fault) => payPage(fault)(viewer),
})
