/** One sentence for each request for approval: lists, mails, pages, step-ups and evidence say the same. */
import { type Money, groupThousands } from '../money/money.ts'
import { sumsOf } from './approval.ts'
import type { Pace } from '../payments/speed.ts'
import type { Preset } from '../permissions.ts'
import { quoteName } from '../text.ts'
import { type Warning, sayStops } from './warning.ts'

type PaymentRequest = {
  readonly kind: 'payment'
  /** Amount that arrives. */
  readonly landing: Money
  /** Amount that leaves the balance, with the fee. */
  readonly deducting: Money
  readonly fee: Money
  /** Name of the payee. */
  readonly name: string
  /** Account in words, as payeeInWords() writes it. */
  readonly account: string
  readonly execute_on?: string | undefined
  /** Present of an instant payment. */
  readonly instant?: Pick<Pace, 'fallback'>
  /** Remark for approvers, without a capital and a full stop. */
  readonly note?: string | null | undefined
}

type BatchRequest = {
  readonly kind: 'batch'
  readonly name: string
  readonly rows: number
  readonly totals: readonly Money[]
  readonly fees: readonly Money[]
  /** Largest payment, its payee in words. */
  readonly largest?: { readonly amount: Money; readonly payee: string } | undefined
  readonly execute_on?: string | undefined
}

type PayeeRequest =
  /** `account`: where payments go that name none, in words; null without one. */
  | { readonly kind: 'new_payee'; readonly name: string; readonly account: string | null; readonly others: number }
  | { readonly kind: 'new_name'; readonly name: string; readonly next: string; readonly account: string | null }
  | { readonly kind: 'new_account'; readonly name: string; readonly account: string; readonly isDefault: boolean }
  | { readonly kind: 'new_default'; readonly name: string; readonly account: string }

type InvoiceRequest = { readonly name: string; readonly total: Money }

/** Content of a request for approval. */
export type RequestContent =
  | PaymentRequest
  | BatchRequest
  | PayeeRequest
  | ({ readonly kind: 'invoice'; readonly due_date: string } & InvoiceRequest)
  | ({ readonly kind: 'credit_note'; readonly number: string } & InvoiceRequest)
  | { readonly kind: 'invitation'; readonly email: string; readonly role: string; readonly preset?: Preset | null }

/** Says what a request asks for. Names of outsiders are quoted and marked. */
export function sentenceOf(request: RequestContent): string {
  switch (request.kind) {
    case 'payment':
      return sayPayment(request)
    case 'batch':
      return sayBatch(request)
    case 'invoice':
      return `Send the invoice of ${money(request.total)} to ${quoteName(request.name)}, due on ${request.due_date}.`
    case 'credit_note': {
      const { total, number, name } = request
      return `Send the credit note of ${money(total)} for invoice ${quoteName(number)} to ${quoteName(name)}.`
    }
    case 'invitation':
      return `Invite ${request.email} as ${request.role}${request.preset ? `, limited as ${request.preset}` : ''}.`
    default:
      return sayPayee(request)
  }
}

function sayPayment({ landing, deducting, fee, name, account, instant, note, ...rest }: PaymentRequest): string {
  const isWhole = landing.currency === deducting.currency && landing.amount === deducting.amount
  const leaving = `${money(deducting)} leave the balance`
  return joinSentences(
    `Pay ${money(landing)} to ${quoteName(name)} (${accountIn(account, name)})${onDay(rest)}`,
    instant && (instant.fallback === 'none' ? 'Instant, or not at all' : 'Instant; if the bank refuses that, standard'),
    isZero(fee) ? (isWhole ? null : leaving) : `Fee ${groupThousands(fee.amount)}; ${leaving}`,
    note && `Note: ${note}`,
  )
}

function sayBatch({ name, rows, totals, fees, largest, ...rest }: BatchRequest): string {
  const count = `${rows} ${rows === 1 ? 'payment' : 'payments'}`
  return joinSentences(
    `Pay the batch ${quoteName(name)}: ${count}, ${joinAmounts(totals)}${onDay(rest)}`,
    fees.length > 0 ? `Fees ${joinAmounts(fees)}` : null,
    largest && `The largest: ${money(largest.amount)} to ${largest.payee}`,
  )
}

function sayPayee(request: PayeeRequest): string {
  const { name } = request
  const payee = quoteName(name)
  const at = request.account === null ? '' : ` (${accountIn(request.account, name)})`
  switch (request.kind) {
    case 'new_payee': {
      const { others } = request
      const more = others > 0 ? `It has ${others} more ${others === 1 ? 'account' : 'accounts'}` : null
      return joinSentences(`Add the payee ${payee}${at || ', without an account'}`, more)
    }
    case 'new_name':
      return `Rename the payee ${payee} to ${quoteName(request.next)}${at}.`
    case 'new_account':
      return joinSentences(
        `Add an account to the payee ${payee}${at}`,
        request.isDefault ? 'It becomes the account that payments go to' : null,
      )
    case 'new_default':
      return `Pay the payee ${payee} at another account from now on${at}.`
  }
}

/** Writes an account beside the name of its payee: its holder is named only if that is another. */
function accountIn(account: string, name: string): string {
  const holder = `${quoteName(name)}, `
  if (account.startsWith(holder)) return account.slice(holder.length)
  return account.startsWith('"') ? `holder ${account}` : account
}

const onDay = ({ execute_on: day }: { readonly execute_on?: string | undefined }): string => (day ? ` on ${day}` : '')

const isZero = ({ amount }: Money): boolean => /^[0.]*$/.test(amount)

const money = ({ amount, currency }: Money): string => `${groupThousands(amount)} ${currency}`

const joinAmounts = (amounts: readonly Money[]): string => amounts.map(money).join(', ')

/** Joins sentences, each with a full stop: requests of earlier releases have none. */
export const joinSentences = (...sentences: readonly (string | null | undefined)[]): string =>
  sentences.flatMap((one) => (one ? [one.endsWith('.') ? one : `${one}.`] : [])).join(' ')

/** Most requests of a set that are named one by one. */
const NAMED_MAX = 5

type RequestInSet = {
  readonly summary: string | null
  readonly money: Money | null
  readonly warnings?: readonly Warning[]
}

/** Says what a set asks for: number, sums, how many have warnings, and a few one by one, those with warnings first. */
export function sentenceOfSet(requests: readonly RequestInSet[]): string {
  const sums = sumsOf(requests.flatMap((one) => one.money ?? []))
  const said = requests.map(({ summary, warnings = [] }) => ({ summary, stops: sayStops(warnings) }))
  const stopped = said.filter(({ stops }) => stops !== null)
  const named = [...stopped, ...said.filter(({ stops }) => stops === null)]
    .flatMap(({ summary, stops }) => (summary === null ? [] : [joinSentences(stops, summary)]))
    .slice(0, NAMED_MAX)
  const unnamed = requests.length - named.length
  const parts = [...sums.values()].map(money)
  const others = requests.filter((one) => !one.money).length
  if (others > 0 && sums.size > 0) parts.push(`${others} ${others === 1 ? 'other' : 'others'}`)
  const count = `${requests.length} ${requests.length === 1 ? 'request' : 'requests'}`
  return joinSentences(
    `Approve ${count}${parts.length > 0 ? `: ${listing.format(parts)}` : ''}`,
    stopped.length > 0 ? `${stopped.length} of them with warnings` : null,
    ...named.map((one, at) => `(${at + 1}) ${one}`),
    unnamed > 0 ? `And ${unnamed} more` : null,
  )
}

const listing = new Intl.ListFormat('en-GB') // without a comma before the last
