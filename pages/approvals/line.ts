/** One line of a request in a list: what it is, to whom, and how much. */
import type { ListedApproval, Subject } from '../../domain/approvals/approval.ts'
import { STOP_NAMES, type Warning, isStop } from '../../domain/approvals/warning.ts'
import type { Money } from '../../domain/money/money.ts'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { isolate } from '../frame/layout.ts'
import { badge } from '../frame/parts.ts'
import type { Words } from '../words/en.ts'

export type Line = {
  /** Kind of the request in words. */
  readonly kind: string
  /** Name of the payee, person or thing. */
  readonly who: string
  /** Amount that arrives; null if nothing is paid. */
  readonly amount: Money | null
}

/** Describes a request in one line. */
export function lineOf(subject: Subject, { approvals: { kinds } }: Words): Line {
  switch (subject.type) {
    case 'internal_transfer': {
      const { amount, currency, payment_contact: payee } = subject.internal_transfer
      return { kind: kinds.payment, who: payee.name, amount: { amount, currency } }
    }
    case 'fiat_outgoing': {
      const { landing, payment_contact: payee } = subject.fiat_outgoing
      return { kind: kinds.payment, who: payee.name, amount: landing }
    }
    case 'crypto_outgoing': {
      const { amount, coin, payment_contact: payee } = subject.crypto_outgoing
      return { kind: kinds.payment, who: payee.name, amount: { amount, currency: coin.symbol } }
    }
    case 'payment_batch': {
      const { name, rows, totals } = subject.payment_batch
      return { kind: kinds.batch(rows), who: name, amount: totals.length === 1 ? (totals[0] ?? null) : null }
    }
    case 'payment_contact':
      return { kind: kinds.payee, who: subject.payment_contact.name, amount: null }
    case 'organization_invitation':
      return { kind: kinds.invitation, who: subject.organization_invitation.email, amount: null }
    case 'billing_invoice':
      return lineOfInvoice(subject, kinds)
  }
}

function lineOfInvoice(
  { billing_invoice: invoice, credit_note: note }: Extract<Subject, { type: 'billing_invoice' }>,
  kinds: Words['approvals']['kinds'],
): Line {
  const { company_name: who } = invoice.contact
  const { total: amount, currency } = note ?? invoice
  return { kind: note ? kinds.creditNote : kinds.invoice, who, amount: { amount, currency } }
}

const STOPS: readonly string[] = STOP_NAMES

/** Warnings to note, the gravest first; one that came later is the last. */
const NOTES: readonly string[] = [
  'payee_close_match',
  'first_payment',
  'new_country',
  'address_missing',
  'by_delegate',
] satisfies Warning[]

const rankOf = (warning: string): number => {
  const rank = [...STOPS, ...NOTES].indexOf(warning)
  return rank < 0 ? STOPS.length + NOTES.length : rank
}

/** Orders requests: those at which one has to stop first, by their gravest warning, then by their expiry. */
export const compareRequests = (one: ListedApproval, other: ListedApproval): number =>
  compareByWarnings(one.warnings ?? [], other.warnings ?? []) || (one.expires_at < other.expires_at ? -1 : 1)

/** Compares by the gravest warning. */
export const compareByWarnings = (one: readonly string[], other: readonly string[]): number =>
  worstOf(one) - worstOf(other)

const worstOf = (warnings: readonly string[]): number =>
  Math.min(STOPS.length + NOTES.length + 1, ...warnings.map((warning) => rankOf(warning)))

/** Sorts warnings, the gravest first. */
export const byRank = (warnings: readonly string[]): string[] =>
  warnings.toSorted((one, other) => rankOf(one) - rankOf(other))

/** Shows warnings in a few words each, the gravest first. */
export const warningBadges = (warnings: readonly string[], words: Words): Markup =>
  html`${byRank(warnings).map((name) => badge(wordsOf(name, words).short, isStop(name) ? 'bad' : 'warn'))}`

/** Finds the words of a warning; one that came later is shown by its name. */
export function wordsOf(name: string, { approvals: { warnings } }: Words): { short: string; long: string } {
  const known = warnings[name as Warning] as { short: string; long: string } | undefined // or it came later
  const plain = name.replaceAll('_', ' ')
  return known ?? { short: plain, long: plain }
}

/** Names the requester, and says if the viewer decides for another member. */
export const nameRequester = ({ requester, as_substitute: is }: ListedApproval, { approvals: words }: Words): Markup =>
  html`${words.asked} ${isolate(requester.name ?? requester.email)}${is ? ` · ${words.asSubstitute}` : ''}`
