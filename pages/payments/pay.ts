/**
 * A new payment in two steps: what is asked for, and what it would do. The first step makes the key of the payment: it is
 * made once, whatever is sent again.
 */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { PaymentContact } from '../../domain/contacts/contact.ts'
import type { Balances } from '../../domain/accounts/account.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import type { Quote } from '../../domain/payments/quote.ts'
import { readAmount } from '../frame/forms/amounts.ts'
import { type CompanyShell, companyPage } from '../frame/company.ts'
import { type HiddenFields, type Page, isolate, keepFields } from '../frame/layout.ts'
import { blocker, messageOf } from '../frame/messages.ts'
import { type Choice, empty, field, head, notice, select } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Fields, Viewer } from '../frame/viewer.ts'
import { feeOf } from './fees.ts'
import { choicesOf, currencyOf, findChosen, findPayees, payeeSearch, withChosen } from './payees.ts'
import { reasonChoices } from './reasons.ts'
import { findInstant, paceFor, speedChoice, speedWord } from './speed.ts'
import type { Words } from '../words/en.ts'

/** Names of the form, which both steps carry. */
const NAMES = ['payee', 'amount', 'currency', 'reason', 'speed', 'text', 'day', 'notes', 'former', 'key'] as const
type Draft = Readonly<Record<(typeof NAMES)[number], string>>

const draftOf = (of: (name: string) => string): Draft =>
  Object.fromEntries(NAMES.map((name) => [name, of(name).trim()])) as Draft // each name is a key

export const showNewPayment = (viewer: Viewer): Promise<Page | Response> =>
  askPage(
    draftOf((name) => viewer.http.req.query(name) ?? ''),
    undefined,
  )(viewer)

/** Writes the first step: a form. */
const askPage = (draft: Draft, fault: string | undefined) =>
  companyPage('payments', async (viewer, shell) => {
    const { company } = shell
    const { words } = viewer
    const of = `/organizations/${company.id}`
    const [payees, chosen, balances, instant] = await Promise.all([
      findPayees(viewer, company.id),
      findChosen(viewer, company.id, draft.payee),
      viewer.call<Balances>('GET', `${of}/balances`),
      findInstant(viewer, company.id),
    ])
    const contacts = withChosen(chosen, payees)
    const kept = NAMES.map((name) => [name, draft[name]] as const)
    const currencies = balances.ok ? balances.body.data.map(({ currency }) => currency) : []
    const body =
      contacts.length === 0 && payees.q === ''
        ? html`<div class="card">${empty('payees', words.pay.noPayee, words.pay.noPayeeYet)}</div>`
        : html`${payeeSearch(payees, { action: `/o/${company.id}/payments/new`, kept }, viewer)}
          ${form(draft, { company, contacts, currencies, instant }, words)}`
    return {
      title: words.pay.heading,
      ...(fault && { status: 422 as const }),
      body: html`${head(words.pay.heading)} ${fault ? notice('fault', fault) : ''} ${body}`,
    }
  })

type Choices = {
  readonly company: CompanyShell['company']
  readonly contacts: readonly PaymentContact[]
  readonly currencies: readonly string[]
  /** Currencies of instant payments. */
  readonly instant: readonly string[]
}

function form(draft: Draft, { company, contacts, currencies, instant }: Choices, words: Words): Markup {
  const { pay } = words
  const all = [...new Set([...currencies, ...contacts.map((contact) => currencyOf(contact))])].toSorted()
  const chosen = contacts.find(({ id }) => id === draft.payee)
  return html`<form class="card" method="get" action="/o/${company.id}/payments/check">
    ${keepFields([
      ['key', draft.key || randomUUID()],
      ['former', draft.former],
    ])}
    ${select({ id: 'payee', label: words.payments.payee, value: draft.payee, required: true, choices: [['', '…'], ...choicesOf(contacts)] })}
    <div class="pair">
      ${field({ id: 'amount', label: words.home.amount, value: draft.amount, required: true, hint: pay.amountHint, more: html`inputmode="decimal"` })}
      ${select({
        id: 'currency',
        label: pay.currency,
        value: draft.currency || currencyOf(chosen),
        required: true,
        choices: all.map((one): Choice => [one, one]),
      })}
    </div>
    ${select({
      id: 'reason',
      label: pay.reason,
      value: draft.reason || 'services',
      required: true,
      choices: reasonChoices(words),
    })}
    ${speedChoice(
      draft.speed,
      all.filter((one) => instant.includes(one)),
      words,
    )}
    ${field({ id: 'text', label: pay.text, value: draft.text, required: true, hint: pay.textHint, more: html`maxlength="255"` })}
    ${field({ id: 'day', label: pay.day, value: draft.day, type: 'date', hint: pay.dayHint }, pay.optional)}
    ${field({ id: 'notes', label: words.payments.notes, value: draft.notes, hint: pay.notesHint }, pay.optional)}
    <div class="actions">
      <button>${pay.next}</button> <a class="button second" href="/o/${company.id}/payments">${pay.back}</a>
    </div>
  </form>`
}

/** Shows what a payment would do, the second step. */
export async function checkPayment(viewer: Viewer): Promise<Page | Response> {
  const draft = draftOf((name) => viewer.http.req.query(name) ?? '')
  const amount = readAmount(draft.amount, viewer.language)
  if (amount === null) return askPage(draft, viewer.words.pay.noAmount)(viewer)
  const contact = await viewer.call<PaymentContact>('GET', `/payment-contacts/${encodeURIComponent(draft.payee)}`)
  const isOwn = contact.ok && currencyOf(contact.body) === draft.currency
  const body = {
    payment_contact_id: draft.payee,
    amount: { amount, currency: draft.currency },
    side: isOwn ? 'landing' : 'deducting',
    ...paceFor(draft.speed),
  }
  const quote = await viewer.call<Quote>('POST', '/payments/preflight', body)
  if (!quote.ok) return askPage(draft, messageOf(quote.error))(viewer)
  return quotePage(draft, quote.body, contact.ok ? contact.body.name : '', undefined)(viewer)
}

/** Writes the second step: a quote, and the form that asks for it. */
const quotePage = (draft: Draft, quote: Quote, payee: string, fault: string | undefined) =>
  companyPage('payments', (viewer, shell) => {
    const { words } = viewer
    const { pay } = words
    const warnings: Readonly<Record<string, string>> = words.bills.pay.warnings
    const { formats, company } = shell
    const { payee_check: check, landing, deducting } = quote
    const kept: HiddenFields = [...NAMES.map((name) => [name, draft[name]] as const), ['quote_id', quote.quote_id]]
    const asks = check?.result === 'no_match' || check?.result === 'close_match'
    const back = new URLSearchParams(draft)
    return Promise.resolve({
      title: pay.check,
      ...(fault && { status: 422 as const }),
      body: html`${head(pay.check)} ${fault ? notice('fault', fault) : ''}
        ${quote.blocked_by.map((one) => blocker(one, company.id, viewer))}
        ${quote.warnings.map(({ type, message }) => notice('warn', warnings[type] ?? message))}
        <div class="card">
          <p class="amount">${formats.money(landing)}</p>
          ${rowsOf([
            [words.payments.payee, isolate(payee)],
            [pay.bankSays, check && pay.checks[check.result]],
            [pay.bankName, check?.name ? isolate(check.name) : null],
            [words.payments.leaves, formats.money(deducting)],
            ...quote.fees.map(({ name, amount }) => [feeOf(name, words), formats.money(amount)] as const),
            [pay.rate, quote.rate],
            [pay.speed, speedWord(quote, words)],
            [pay.arrives, formats.instant(quote.estimated_arrival)],
            [words.payments.paidOn, draft.day ? formats.longDay(draft.day) : null],
            [pay.approvers, pay.people(quote.approvers_needed)],
            [pay.text, isolate(draft.text)],
          ])}
          <form method="post" action="/o/${company.id}/payments">
            ${keepFields(kept)}
            ${asks ? html`<label class="choice"><input type="checkbox" name="acknowledged" value="yes" required /> ${pay.acknowledge}</label>` : ''}
            <div class="actions">
              <button ${quote.blocked_by.length > 0 ? 'disabled' : ''}>${pay.ask}</button>
              <a class="button second" href="/o/${company.id}/payments/new?${back.toString()}">${pay.change}</a>
            </div>
          </form>
        </div>`,
    })
  })

/** Asks for the payment of a quote. A repeat answers the same payment; with another quote it is refused. */
export async function askForPayment(viewer: Viewer, sent: Fields): Promise<Page | Response> {
  const draft = draftOf((name) => sent.get(name))
  const id = sent.get('quote_id')
  const body = {
    quote_id: id,
    payout_reason: draft.reason,
    statement_description: draft.text,
    ...(draft.notes && { internal_notes: draft.notes }),
    ...(draft.day && { execute_on: draft.day }),
    ...(draft.former && { former_approval_id: draft.former }),
    ...(sent.get('acknowledged') && { acknowledge_payee_check: true }),
  }
  const answer = await viewer.call<Payment>('POST', '/payments/execute', body, draft.key)
  if (answer.ok) {
    const { organization_id: companyId, id: paymentId } = answer.body
    return viewer.http.redirect(`/o/${companyId}/payments/${paymentId}?done=asked`, 303)
  }
  const isRepeat = answer.error.type === 'idempotency_key_reused'
  return askPage(
    { ...draft, ...(isRepeat && { key: '' }) },
    isRepeat ? viewer.words.pay.asked : messageOf(answer.error),
  )(viewer)
}
