/** Payees in words: a new or changed one with all that is approved, the answer of its bank, and its address. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { type PayeeAddress, addressLines } from '../../domain/destinations/payee-address.ts'
import type { PayeeCheck } from '../../domain/payee-checks/payee-check.ts'
import { findUntransliterable, transliterate } from '../../domain/transliterate.ts'
import { instant, isolate } from '../frame/layout.ts'
import { type Description, type Row, type View, rowsOf } from '../frame/rows.ts'

/** Describes a new payee, or a change of one. */
export function describeContact({
  name,
  becomes_name: newName,
  type,
  email,
  payee_address: address,
  looks_like: alike,
  destinations,
}: View<'payment_contact'>): Description {
  const moves = destinations.some((one) => one.becomes_default)
  const isChange = newName !== null || moves || destinations.some((one) => !one.new)
  return {
    title: isChange ? 'Change of a payee' : 'New payee',
    amount: newName ?? name,
    rows: [
      ...alike.map((one): Row => [
        one.name === (newName ?? name) ? '⚠ Has the name of' : '⚠ Looks like',
        html`<strong>${isolate(one.name)}</strong>, another payee of yours`,
      ]),
      ['Was called', newName ? isolate(name) : null],
      ['Kind', type],
      ['E-mail', email],
      ...addressRows(address),
      ['Accounts', destinations.length === 0 ? 'None yet' : null],
    ],
    more: html`${destinations.map(
      (one) =>
        html`<h2>${titleOf(one, moves)}</h2>
          ${rowsOf(accountRows(one))}`,
    )}`,
  }
}

type ContactAccount = View<'payment_contact'>['destinations'][number]

const KIND: Readonly<Record<string, string>> = { bank: 'bank account', crypto: 'wallet', svc_id: 'service ID' }

/** Writes what a destination is, and if payments go there that name none; `moves` if another one becomes that. */
function titleOf({ type, new: isNew, default: isDefault, becomes_default: next }: ContactAccount, moves: boolean) {
  const kind = KIND[type] ?? 'account'
  const named = isNew ? `New ${kind}` : `${kind[0]?.toUpperCase()}${kind.slice(1)}`
  if (next) return `${named}, the default from now on`
  return isDefault ? `${named}, the default${moves ? ' until now' : ''}` : named
}

/** Shows a destination of a payee: all that identifies it, and what the bank says about its holder. */
const accountRows = (one: ContactAccount): Row[] => [
  ['Account holder', one.account_holder_name && isolate(one.account_holder_name)],
  sepaRow('Holder in letters of SEPA', one.account_holder_name, one.currency),
  ['Account', one.type === 'bank' ? (one.account ?? '…') : null],
  ['Country', one.country_code && nameCountry(one.country_code)],
  ['Network', one.network],
  ['Address', one.address && isolate(one.address)],
  ['Memo', one.memo && isolate(one.memo)],
  ['Service ID', one.svc_id],
  ['Currency', one.currency],
  ['Label', one.label && isolate(one.label)],
  ['The bank says', one.payee_check ? describeCheck(one.payee_check) : notAsked(one)],
  ...addressRows(one.payee_address),
]

const notAsked = (one: ContactAccount): string | null =>
  one.type === 'bank' && one.new ? 'It was not asked; it is before each payment' : null

/** Names a country, as far as its code is known. */
const nameCountry = (code: string): string => {
  const name = /^[A-Z]{2}$/.test(code) ? COUNTRIES.of(code) : undefined
  return name && name !== code ? `${name} (${code})` : code
}
const COUNTRIES = new Intl.DisplayNames('en-GB', { type: 'region', fallback: 'code' })

/** Says what the bank answered about the name of an account's holder. */
export function describeCheck({ result, name, checked_at: at }: PayeeCheck): Markup {
  const when = html`(${instant(at)})`
  if (result === 'match') return html`The name belongs to the account ${when}`
  if (result === 'no_match') return html`<strong>⚠ The account belongs to another name</strong> ${when}`
  if (result === 'not_possible') return html`The name could not be compared ${when}`
  return html`<strong>⚠ The account belongs to a similar name:</strong> ${isolate(name ?? '')} ${when}`
}

/** Shows a text as SEPA carries it, if that differs; letters that are lost are marked. SEPA payments are in euros. */
export function sepaRow(name: string, text: string | null, currency: string | null): Row {
  if (text === null || currency !== 'EUR') return [name, null]
  const carried = transliterate(text)
  if (carried === text) return [name, null]
  return [name, findUntransliterable(text) ? html`<strong>⚠ ${isolate(carried)}</strong>` : isolate(carried)]
}

/** Shows the address of a payee, and how a bank gets it if that differs. */
export function addressRows(address: PayeeAddress | null | undefined): Row[] {
  if (!address) return []
  const { transliterated } = address
  return [
    ['Address', isolate(addressLines(address).join(', '))],
    ['Sent to the bank as', transliterated && isolate(addressLines(transliterated).join(', '))],
  ]
}
