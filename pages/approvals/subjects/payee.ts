/** Payees in words: a new or changed one with all that is approved, the answer of its bank, and its address. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import { type PayeeAddress, addressLines } from '../../../domain/destinations/payee-address.ts'
import type { PayeeCheck } from '../../../domain/payee-checks/payee-check.ts'
import { findUntransliterable, transliterate } from '../../../domain/transliterate.ts'
import { isolate } from '../../frame/layout.ts'
import { type Row, rowsOf } from '../../frame/rows.ts'
import { type Description, type Texts, type View, nameCountry, markLabel } from './description.ts'

/** Describes a new payee, or a change of one. */
export function describeContact(contact: View<'payment_contact'>, texts: Texts): Description {
  const { name, becomes_name: newName, type, email, payee_address: address, looks_like: alike, destinations } = contact
  const { request: words } = texts.words
  const moves = destinations.some((one) => one.becomes_default)
  const isChange = newName !== null || moves || destinations.some((one) => !one.new)
  return {
    title: isChange ? words.titles.changedPayee : words.titles.newPayee,
    amounts: [],
    name: newName ?? name,
    rows: [
      ...alike.map((one): Row => [
        markLabel(one.name === (newName ?? name) ? words.hasNameOf : words.looksLike),
        html`<strong>${isolate(one.name)}</strong>, ${words.anotherPayee}`,
      ]),
      [words.wasCalled, newName ? isolate(name) : null],
      [words.kind, words.payeeTypes[type as keyof typeof words.payeeTypes] ?? type],
      [words.email, email],
      ...addressRows(address, texts),
      [words.accounts, destinations.length === 0 ? words.noAccount : null],
    ],
    more: html`${destinations.map(
      (one) =>
        html`<h2>${titleOf(one, moves, texts)}</h2>
          ${rowsOf(accountRows(one, texts))}`,
    )}`,
  }
}

type ContactAccount = View<'payment_contact'>['destinations'][number]

/** Writes what a destination is, and if payments go there that name none; `moves` if another one becomes that. */
function titleOf(
  { type, new: isNew, default: isDefault, becomes_default: next }: ContactAccount,
  moves: boolean,
  { words: { request: words } }: Texts,
): string {
  const { default: standing } = words
  const named = words[isNew ? 'newAccounts' : 'knownAccounts'][type as keyof typeof words.newAccounts] ?? type
  if (next) return `${named}, ${standing.next}`
  return isDefault ? `${named}, ${moves ? standing.old : standing.now}` : named
}

/** Shows a destination of a payee: all that identifies it, and what the bank says about its holder. */
function accountRows(one: ContactAccount, texts: Texts): Row[] {
  const {
    words: { request: words },
    language,
  } = texts
  return [
    [words.holder, one.account_holder_name && isolate(one.account_holder_name)],
    sepaRow(words.holderSepa, one.account_holder_name, one.currency),
    [words.account, one.type === 'bank' ? (one.account ?? '…') : null],
    [words.country, one.country_code && nameCountry(one.country_code, language)],
    [words.network, one.network],
    [words.address, one.address && isolate(one.address)],
    [words.memo, one.memo && isolate(one.memo)],
    [words.serviceId, one.svc_id],
    [words.currency, one.currency],
    [words.label, one.label && isolate(one.label)],
    [words.bankSays, one.payee_check ? describeCheck(one.payee_check, texts) : notAsked(one, texts)],
    ...addressRows(one.payee_address, texts),
  ]
}

const notAsked = (one: ContactAccount, { words }: Texts): string | null =>
  one.type === 'bank' && one.new ? words.request.notAsked : null

/** Says what the bank answered about the name of an account's holder. */
export function describeCheck({ result, name, checked_at: at }: PayeeCheck, { words, formats }: Texts): Markup {
  const said = words.request.checks[result]
  const when = html`(${formats.instant(at)})`
  if (result === 'match' || result === 'not_possible') return html`${said} ${when}`
  if (result === 'no_match') return html`<strong>${markLabel(said)}</strong> ${when}`
  return html`<strong>${markLabel(said)}:</strong> ${isolate(name ?? '')} ${when}`
}

/** Shows a text as SEPA carries it, if that differs; letters that are lost are marked. SEPA payments are in euros. */
export function sepaRow(name: string, text: string | null, currency: string | null): Row {
  if (text === null || currency !== 'EUR') return [name, null]
  const carried = transliterate(text)
  if (carried === text) return [name, null]
  return [name, findUntransliterable(text) ? html`<strong>⚠ ${isolate(carried)}</strong>` : isolate(carried)]
}

/** Shows the address of a payee, and how a bank gets it if that differs. */
export function addressRows(address: PayeeAddress | null | undefined, { words: { request: words } }: Texts): Row[] {
  if (!address) return []
  const { transliterated } = address
  return [
    [words.address, isolate(addressLines(address).join(', '))],
    [words.sentAs, transliterated && isolate(addressLines(transliterated).join(', '))],
  ]
}
