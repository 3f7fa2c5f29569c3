/** One account of a payee: all that identifies it, what the bank says, and what can be done about it. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { PaymentContact } from '../../domain/contacts/contact.ts'
import { BANK_COORDINATES } from '../../domain/destinations/bank-requirements.ts'
import { addressLines } from '../../domain/destinations/payee-address.ts'
import type { PayeeCheck } from '../../domain/payee-checks/payee-check.ts'
import type { Fault } from '../frame/act.ts'
import { type CompanyShell, may, mayDecide } from '../frame/company.ts'
import { isolate } from '../frame/layout.ts'
import { badge, field, notice, sure } from '../frame/parts.ts'
import { type Row, rowsOf } from '../frame/rows.ts'
import type { Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { sayAccount } from './list.ts'

type Destination = PaymentContact['destinations'][number]

/** Answer of the bank about an account. */
export type BankAnswer = { readonly id: string; readonly check: PayeeCheck }

export type AccountCard = {
  readonly viewer: Viewer
  readonly shell: CompanyShell
  readonly payee: PaymentContact
  readonly one: Destination
  readonly fault: Fault | undefined
  readonly answer: BankAnswer | undefined
  /** True if the account has changed, and waits for a call to the payee. */
  readonly isWaiting: boolean
}

/** Shows an account of a payee. */
export function accountCard(of: AccountCard): Markup {
  const { viewer, shell, one, answer, isWaiting } = of
  const { words } = viewer
  const { payees } = words
  return html`<section class="card" id="account-${one.id}">
    <h2>
      ${one.label ? isolate(one.label) : payees.kinds[one.type]} ${one.default ? badge(payees.standard, 'good') : ''}
      ${one.becomes_default ? badge(payees.becomesStandard) : ''}
      ${one.status === 'pending_approval' ? badge(payees.states.pending_approval) : ''}
    </h2>
    ${isWaiting ? notice('warn', payees.call.waits) : ''} ${answer ? bankSays(answer, shell, words) : ''}
    ${rowsOf(rowsOfAccount(one, shell, words))} ${acts(of)}
  </section>`
}

/** Says what the bank answered about the name of the holder. */
function bankSays({ check }: BankAnswer, { formats }: CompanyShell, { pay }: Words): Markup {
  const kind = check.result === 'match' ? 'done' : check.result === 'not_possible' ? 'info' : 'warn'
  return notice(
    kind,
    html`${pay.bankSays}: ${pay.checks[check.result]}
      ${check.name ? html`${pay.bankName}: <strong>${isolate(check.name)}</strong>.` : ''}
      <span class="small">${formats.instant(check.checked_at)}</span>`,
  )
}

function rowsOfAccount(one: Destination, { formats }: CompanyShell, { payees }: Words): readonly Row[] {
  const { call_back: call } = one
  const bank = one.type === 'bank' ? one : null
  return [
    [payees.holder, bank && isolate(bank.account_holder_name)],
    [payees.account, isolate(sayAccount(one))],
    ...BANK_COORDINATES.filter((name) => name !== 'iban' && name !== 'account_number').map((name): Row => [
      payees.fields[name],
      bank?.[name] ? isolate(bank[name]) : null,
    ]),
    [payees.memo, one.type === 'crypto' && one.memo ? isolate(one.memo) : null],
    [payees.addressHead, bank?.payee_address ? isolate(addressLines(bank.payee_address).join(', ')) : null],
    [
      payees.alsoAt,
      one.duplicate_of !== null && one.duplicate_of.length > 0 ? payees.others(one.duplicate_of.length) : null,
    ],
    [
      payees.call.done,
      call &&
        html`${isolate(call.spoken_to)}, ${formats.instant(call.confirmed_at)},
        ${call.confirmed_by.name ? isolate(call.confirmed_by.name) : ''}
        ${call.note ? html`<br />${isolate(call.note)}` : ''}`,
    ],
  ]
}

/** Tells if the number of an account is not shown whole. */
const isMasked = (one: Destination): boolean => one.type !== 'svc_id' && sayAccount(one).startsWith('…')

/** Shows what can be done about an account. */
function acts(of: AccountCard): Markup | '' {
  const { viewer, shell, payee, one } = of
  const { payees } = viewer.words
  const at = `/o/${shell.company.id}/payees/${payee.id}/accounts/${one.id}`
  const post = (verb: string, text: string): Markup =>
    html`<form method="post" action="${at}/${verb}"><button class="second">${text}</button></form>`
  const isFree = payee.status === 'active' && !payee.one_time
  const mayUpdate = isFree && may(shell, 'payment_destinations.update')
  return html`<div class="actions">
      ${isMasked(one) ? html`<a class="button second" href="?whole=${one.id}#account-${one.id}">${payees.whole}</a>` : ''}
      ${one.type === 'bank' && may(shell, 'payment_destinations.create') ? post('ask', payees.askBank) : ''}
      ${mayUpdate && !one.default ? post('default', payees.makeDefault) : ''}
    </div>
    ${mayUpdate ? labelForm(of, at) : ''}
    ${one.type === 'bank' && one.call_back === null && mayDecide(shell, 'payment_destinations.update') ? callForm(of, at) : ''}
    ${
      mayUpdate
        ? html`<div class="actions">
            ${sure({ ask: payees.removeAccount, text: payees.removeAccountSure, action: `${at}/remove`, button: payees.removeAccount })}
          </div>`
        : ''
    }`
}

/** Finds the fault of a form of this account, if that was sent. */
const faultAt = ({ viewer, fault }: AccountCard, action: string): Fault | undefined =>
  viewer.http.req.path === action ? fault : undefined

function labelForm(of: AccountCard, at: string): Markup {
  const { viewer, one } = of
  const { payees, pay } = viewer.words
  const fault = faultAt(of, `${at}/label`)
  return html`<details ${fault ? 'open' : ''}>
    <summary>${payees.rename}</summary>
    <form method="post" action="${at}/label">
      ${field({ id: `label-${one.id}`, sentAs: 'label', label: payees.label, value: fault ? fault.sent.get('label') : one.label, hint: payees.labelHint, wrong: fault?.wrong['label'] }, pay.optional)}
      <div class="actions"><button class="second">${payees.save}</button></div>
    </form>
  </details>`
}

/** Asks whom the viewer has called about the account; that ends the waiting after its change. */
function callForm(of: AccountCard, at: string): Markup {
  const { viewer, one, isWaiting } = of
  const { payees, pay } = viewer.words
  const fault = faultAt(of, `${at}/call`)
  return html`<details ${fault || isWaiting ? 'open' : ''}>
    <summary>${payees.call.ask}</summary>
    <form method="post" action="${at}/call">
      <p>${payees.call.how}</p>
      ${field({ id: `spoken-${one.id}`, sentAs: 'spoken_to', label: payees.call.spokenTo, value: fault?.sent.get('spoken_to'), required: true, wrong: fault?.wrong['spoken_to'], more: html`maxlength="255"` })}
      ${field({ id: `note-${one.id}`, sentAs: 'note', label: payees.call.note, value: fault?.sent.get('note'), hint: payees.call.noteHint, wrong: fault?.wrong['note'] }, pay.optional)}
      <div class="actions"><button class="${isWaiting ? '' : 'second'}">${payees.call.record}</button></div>
    </form>
  </details>`
}
