/** Subjects of approvals in words: what approvers see, from the same data as evidence. */
import { html } from 'hono/html'
import type { AccountChange } from '../../../domain/account-changes/change.ts'
import type { Subject } from '../../../domain/approvals/approval.ts'
import { addressLine } from '../../../domain/party.ts'
import type { Payer } from '../../../domain/organizations/payer.ts'
import type { Money } from '../../../domain/money/money.ts'
import { isolate } from '../../frame/layout.ts'
import type { Row } from '../../frame/rows.ts'
import { describeBatch } from './batch.ts'
import { compareAccounts } from './changed-accounts.ts'
import { type Description, type Texts, type View, onDay, markLabel } from './description.ts'
import { describeCreditNote, describeInvoice } from './invoice.ts'
import { addressRows, describeCheck, describeContact, sepaRow } from './payee.ts'

const same = (one: Money, other: Money): boolean => one.amount === other.amount && one.currency === other.currency

/** Describes the subject of an approval of any type. */
export function describe(subject: Subject, texts: Texts): Description {
  switch (subject.type) {
    case 'internal_transfer':
      return describeTransfer(subject.internal_transfer, texts)
    case 'fiat_outgoing':
      return describeBankPayment(subject.fiat_outgoing, texts)
    case 'crypto_outgoing':
      return describeCryptoPayment(subject.crypto_outgoing, texts)
    case 'payment_batch':
      return describeBatch(subject.payment_batch, texts)
    case 'payment_contact':
      return describeContact(subject.payment_contact, texts)
    case 'organization_invitation':
      return describeInvitation(subject.organization_invitation, texts)
    case 'billing_invoice':
      return subject.credit_note
        ? describeCreditNote(subject.billing_invoice, subject.credit_note, texts)
        : describeInvoice(subject.billing_invoice, texts)
  }
}

function describeTransfer(
  { amount, currency, destination, ...rest }: View<'internal_transfer'>,
  texts: Texts,
): Description {
  const { request: words } = texts.words
  return {
    title: words.titles.transfer,
    amounts: [{ amount, currency }],
    name: rest.payment_contact.name,
    rows: [...onDay(rest, texts), ...payee(rest, texts), [words.serviceId, destination.svc_id]],
    why: purpose(rest, texts),
    ...showChange(rest, texts),
  }
}

type WithChange = { readonly account_change?: AccountChange | null | undefined }

/** Shows the account that was paid before, if the payment is to another one. */
const showChange = ({ account_change: change }: WithChange, texts: Texts) =>
  change
    ? {
        more: html`<h2>${texts.words.request.changedHead}</h2>
          ${compareAccounts(change, texts)}`,
      }
    : {}

function describeBankPayment(view: View<'fiat_outgoing'>, texts: Texts): Description {
  const { formats } = texts
  const { request: words } = texts.words
  const { destination, landing } = view
  return {
    title: words.titles.bank,
    amounts: [landing],
    name: view.payment_contact.name,
    rows: [
      ...onDay(view, texts),
      ...payee(view, texts),
      [words.holder, isolate(destination.account_holder_name)],
      sepaRow(words.holderSepa, destination.account_holder_name, landing.currency),
      [markLabel(words.knownAs), destination.known_holder && isolate(destination.known_holder)],
      [words.account, `${destination.account ?? ''} (${destination.country_code})`],
      [words.bankSays, view.payee_check && describeCheck(view.payee_check, texts)],
      ...addressRows(view.payee_address, texts),
      [words.payer, view.payer && payerLine(view.payer)],
      [words.leaves, same(view.deducting, landing) ? null : formats.money(view.deducting)],
      [words.atMost, view.max_deducting && formats.money(view.max_deducting)],
      [words.fee, formats.money(view.fee)],
      [words.rate, view.rate && formats.figure(view.rate)],
    ],
    why: [...purpose(view, texts), sepaRow(words.statementSepa, view.statement_description, landing.currency)],
    ...showChange(view, texts),
  }
}

function describeCryptoPayment(view: View<'crypto_outgoing'>, texts: Texts): Description {
  const { amount, amount_with_fees: whole, coin, destination, txid, internal_notes: notes } = view
  const { request: words } = texts.words
  const inCoin = (of: string): Money => ({ amount: of, currency: coin.symbol })
  return {
    title: words.titles.crypto,
    amounts: [inCoin(amount)],
    name: view.payment_contact.name,
    rows: [
      ...onDay(view, texts),
      ...payee(view, texts),
      [words.network, coin.network_name],
      [words.address, isolate(destination.address)],
      [words.memo, destination.memo && isolate(destination.memo)],
      [words.payer, view.payer && payerLine(view.payer)],
      [words.leaves, whole && whole !== amount ? texts.formats.money(inCoin(whole)) : null],
      [words.transaction, txid],
    ],
    why: [[words.notes, notes && isolate(notes)]],
    ...showChange(view, texts),
  }
}

/** Writes name and address of a payer in one line. */
const payerLine = ({ name, address }: Payer) => isolate([name, addressLine(address)].filter(Boolean).join(', '))

function describeInvitation(
  { email, role, preset, expires_at: until }: View<'organization_invitation'>,
  { words: { request: words, company }, formats }: Texts,
): Description {
  return {
    title: words.titles.invitation,
    amounts: [],
    name: email,
    rows: [
      [words.role, words.roles[role as keyof typeof words.roles] ?? role],
      [company.people.preset, preset && company.people.presets[preset]],
      [words.acceptUntil, formats.instant(until)],
    ],
  }
}

type ToPayee = { readonly payment_contact: { readonly name: string; readonly deleted_at: string | null } }

const payee = ({ payment_contact: { name, deleted_at: deleted } }: ToPayee, { words }: Texts): Row[] => [
  [words.request.payee, html`${isolate(name)}${deleted ? ` ${words.request.deleted}` : ''}`],
]

type Purpose = {
  readonly payout_reason: string
  readonly statement_description: string
  readonly internal_notes: string | null
}

const purpose = (given: Purpose, { words: { request: words } }: Texts): Row[] => [
  [words.reason, nameReason(given.payout_reason, words.reasons)],
  [words.statement, isolate(given.statement_description)],
  [words.notes, given.internal_notes && isolate(given.internal_notes)],
]

/** Names a usual reason of a payment; any other text is the requester's own. */
const nameReason = (code: string, reasons: Readonly<Record<string, string>>) =>
  reasons[code] ?? isolate(code.replaceAll('_', ' '))
