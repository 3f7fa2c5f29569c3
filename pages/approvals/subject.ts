/** Subjects of approvals in words: what approvers see, from the same data as evidence. */
import { html } from 'hono/html'
import type { AccountChange } from '../../domain/account-changes/change.ts'
import type { Subject } from '../../domain/approvals/approval.ts'
import type { Money } from '../../domain/money/money.ts'
import { compareAccounts, describeChanges } from './changed-accounts.ts'
import type { PayeeCheckTotal, PayeeResult } from '../../domain/payee-checks/payee-check.ts'
import { instant, isolate, isolateQuoted } from '../frame/layout.ts'
import { table } from '../frame/parts.ts'
import { describeCreditNote, describeInvoice } from './invoice.ts'
import { addressRows, describeCheck, describeContact, sepaRow } from './payee.ts'
import { type Description, type Row, type View, longDay, money } from '../frame/rows.ts'

const same = (one: Money, other: Money): boolean => one.amount === other.amount && one.currency === other.currency

/** Describes the subject of an approval of any type. */
export function describe(subject: Subject): Description {
  switch (subject.type) {
    case 'internal_transfer':
      return describeTransfer(subject.internal_transfer)
    case 'fiat_outgoing':
      return describeBankPayment(subject.fiat_outgoing)
    case 'crypto_outgoing':
      return describeCryptoPayment(subject.crypto_outgoing)
    case 'payment_batch':
      return describeBatch(subject.payment_batch)
    case 'payment_contact':
      return describeContact(subject.payment_contact)
    case 'organization_invitation':
      return describeInvitation(subject.organization_invitation)
    case 'billing_invoice':
      return subject.credit_note
        ? describeCreditNote(subject.billing_invoice, subject.credit_note)
        : describeInvoice(subject.billing_invoice)
  }
}

/** Writes the day of a payment on a date, in large letters: it is not paid before. */
const onDay = ({ execute_on: day }: { readonly execute_on?: string | undefined }): Row[] =>
  day ? [['Paid on', html`<strong class="day">${longDay(day)}</strong>`]] : []

const describeTransfer = ({ amount, currency, destination, ...rest }: View<'internal_transfer'>): Description => ({
  title: 'Payment to a service ID',
  amount: money({ amount, currency }),
  rows: [...onDay(rest), ...payee(rest), ['Service ID', destination.svc_id], ...purpose(rest)],
  ...showChange(rest),
})

/** Shows the account that was paid before, if the payment is to another one. */
const showChange = ({ account_change: change }: { readonly account_change?: AccountChange | null | undefined }) =>
  change
    ? {
        more: html`<h2>The account has changed</h2>
          ${compareAccounts(change)}`,
      }
    : {}

const describeBankPayment = (view: View<'fiat_outgoing'>): Description => ({
  title: 'Payment to a bank account',
  amount: money(view.landing),
  rows: [
    ...onDay(view),
    ...payee(view),
    ['Account holder', isolate(view.destination.account_holder_name)],
    sepaRow('Holder in letters of SEPA', view.destination.account_holder_name, view.landing.currency),
    ['⚠ The account is known as', view.destination.known_holder && isolate(view.destination.known_holder)],
    ['Account', `${view.destination.account ?? ''} (${view.destination.country_code})`],
    ['The bank says', view.payee_check && describeCheck(view.payee_check)],
    ...addressRows(view.payee_address),
    ['Leaves the balance', same(view.deducting, view.landing) ? null : money(view.deducting)],
    ['At most on that day', view.max_deducting && money(view.max_deducting)],
    ['Fee', money(view.fee)],
    ['Rate', view.rate],
    ...purpose(view),
    sepaRow('Statement in letters of SEPA', view.statement_description, view.landing.currency),
  ],
  ...showChange(view),
})

function describeCryptoPayment(view: View<'crypto_outgoing'>): Description {
  const { amount, amount_with_fees: whole, coin, destination, txid, internal_notes: notes } = view
  return {
    title: 'Payment on a blockchain',
    amount: `${amount} ${coin.symbol}`,
    rows: [
      ...onDay(view),
      ...payee(view),
      ['Network', coin.network_name],
      ['Address', isolate(destination.address)],
      ['Memo', destination.memo && isolate(destination.memo)],
      ['Leaves the balance', whole && whole !== amount ? `${whole} ${coin.symbol}` : null],
      ['Notes', notes && isolate(notes)],
      ['Transaction', txid],
    ],
    ...showChange(view),
  }
}

const describeBatch = ({
  name,
  rows,
  totals,
  fees,
  largest,
  sha256,
  account_change: changed,
  ...rest
}: View<'payment_batch'>): Description => ({
  title: 'Payment batch',
  amount: totals.map(money).join(' + '),
  rows: [
    ...onDay(rest),
    ['Name', isolate(name)],
    ['Payments', String(rows)],
    ['Fees', fees.map(money).join(' + ')],
    ['Without an address', rest.without_address ? String(rest.without_address) : null],
    ['⚠ Accounts known under other names', rest.holders_differ ? String(rest.holders_differ) : null],
    ...rest.payee_checks.map(payeeTotal),
    ['Hash of all rows', html`<code>${sha256}</code>`],
  ],
  more: html`${changed ? describeChanges(changed) : ''}
    <h2>Largest payments</h2>
    ${table({
      caption: 'Largest payments',
      columns: [{ name: 'Row' }, { name: 'Payee' }, { name: 'Amount', figure: true }],
      rows: largest.map((row) => [String(row.row_number), isolateQuoted(row.payee), money(row.amount)]),
    })}`,
})

const SAID: Readonly<Record<PayeeResult, string>> = {
  match: 'Names that belong to their accounts',
  close_match: '⚠ Accounts of similar names',
  no_match: '⚠ Accounts of other names',
  not_possible: 'Names that could not be compared',
}

const payeeTotal = ({ result, rows, totals }: PayeeCheckTotal): Row => [
  SAID[result],
  `${rows} (${totals.map(money).join(' + ')})`,
]

const describeInvitation = ({ email, role, expires_at: until }: View<'organization_invitation'>): Description => ({
  title: 'Invitation',
  amount: email,
  rows: [
    ['Role', role],
    ['Can be accepted until', instant(until)],
  ],
})

type ToPayee = { readonly payment_contact: { readonly name: string; readonly deleted_at: string | null } }

const payee = ({ payment_contact: { name, deleted_at: deleted } }: ToPayee): Row[] => [
  ['Payee', html`${isolate(name)}${deleted ? ' (deleted)' : ''}`],
]

type Purpose = {
  readonly payout_reason: string
  readonly statement_description: string
  readonly internal_notes: string | null
}

const purpose = (given: Purpose): Row[] => [
  ['Reason', given.payout_reason.replaceAll('_', ' ')],
  ['On the statement', isolate(given.statement_description)],
  ['Notes', given.internal_notes && isolate(given.internal_notes)],
]
