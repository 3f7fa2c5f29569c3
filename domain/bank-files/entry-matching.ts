/** Entries of accounts that stand in several files: a bank tells of each in notifications, then in the day's statement. */
import type { AccountReport, BankEntry } from './messages.ts'

/** Facts by which an entry is known again where the bank gives it no reference. They name people. */
export type EntryFacts = {
  /** End-to-end ids of its transactions, in order. */
  readonly ids: readonly string[]
  /** Accounts of those who paid, in order. */
  readonly debtors: readonly string[]
  /** Letters and digits of what they wrote. */
  readonly words: string
}

/** Entry that is booked, of the same account, direction and amount. */
export type KnownEntry = {
  readonly id: string
  readonly reference: string | null
  readonly bookedOn: string | null
  readonly valuedOn: string | null
  readonly facts: EntryFacts
  readonly mentions: readonly Mention[]
}

/** Place where an entry stands. */
export type Mention = {
  readonly kind: AccountReport['kind']
  /** Id of the report. */
  readonly report: string
  readonly fileId: string
}

/** References that banks write in place of none. */
const NO_REFERENCE = /^(?:NONREF|NOTPROVIDED|N\/?A|0+|-*)$/i

/** Reads a reference of a bank; null for one that says nothing. */
export const referenceOf = ({ reference }: Pick<BankEntry, 'reference'>): string | null =>
  reference === null || NO_REFERENCE.test(reference.trim()) ? null : reference.trim()

export function factsOf({ parts }: Pick<BankEntry, 'parts'>): EntryFacts {
  const some = (texts: readonly (string | null)[]): string[] =>
    texts.flatMap((text) => (text === null || NO_REFERENCE.test(text.trim()) ? [] : [text.trim()])).toSorted()
  return {
    ids: some(parts.map(({ endToEndId }) => endToEndId)),
    debtors: some(parts.map(({ debtor }) => debtor.account)),
    words: parts
      .map(({ remittance, creditorReference }) => `${remittance ?? ''}${creditorReference ?? ''}`)
      .join('')
      .toUpperCase()
      .replace(/[^0-9A-Z]/g, ''),
  }
}

/**
 * Finds the booked entry that this one tells of again; null for one that is new. With a reference of the bank on both
 * sides that decides, unless their ids differ. Without, a report of another kind tells of it again on the same day, if
 * nothing that both say differs; each entry of a report is another one, so two payments that are alike stay two.
 */
export function findSameEntry(entry: BankEntry, at: Mention, known: readonly KnownEntry[]): KnownEntry | null {
  const reference = referenceOf(entry)
  const facts = factsOf(entry)
  const alike = known.filter((one) => !areDifferent(facts, one.facts))
  const named = alike.find((one) => reference !== null && one.reference === reference)
  if (named) return named
  const open = alike.filter(
    (one) =>
      (reference === null || one.reference === null) &&
      isSameDay(entry, one) &&
      one.mentions.every((m) => isOpen(m, at)),
  )
  const [best = null] = open.toSorted((a, b) => likeness(facts, b.facts) - likeness(facts, a.facts))
  return best
}

/** Tells whether an entry that stands there may stand here too: a report has each once, also one that came again. */
const isOpen = (there: Mention, here: Mention): boolean =>
  there.fileId !== here.fileId && (there.kind !== here.kind || there.report === here.report)

const isSameDay = (
  a: Pick<BankEntry, 'bookedOn' | 'valuedOn'>,
  b: Pick<KnownEntry, 'bookedOn' | 'valuedOn'>,
): boolean =>
  a.bookedOn !== null && b.bookedOn !== null
    ? a.bookedOn === b.bookedOn
    : a.valuedOn !== null && a.valuedOn === b.valuedOn

/** Tells whether both say something of one kind, and not the same; banks cut long texts. */
function areDifferent(a: EntryFacts, b: EntryFacts): boolean {
  const differ = (one: readonly string[], other: readonly string[]) =>
    one.length > 0 && other.length > 0 && one.join('\n') !== other.join('\n')
  if (differ(a.ids, b.ids) || differ(a.debtors, b.debtors)) return true
  return !a.words.startsWith(b.words) && !b.words.startsWith(a.words)
}

/** Counts the kinds of facts that both have. */
const likeness = (a: EntryFacts, b: EntryFacts): number =>
  Number(a.ids.length > 0 && b.ids.length > 0) +
  Number(a.debtors.length > 0 && b.debtors.length > 0) +
  Number(a.words !== '' && b.words !== '')
