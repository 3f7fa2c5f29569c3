/** Kinds of findings: books, a difference to a partner, a process that stands still, a database put back, lists of names. */
export const FINDING_KINDS = ['ledger', 'reconciliation', 'process', 'database', 'screening'] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

/** One fault: `check` names what is wrong, `subject` what it is wrong with. Neither names a person or an amount. */
export type Finding = { readonly check: string; readonly subject: string }

/** Differences to a partner in words for the owner of the money. */
const WORDS: Readonly<Record<string, string>> = {
  paid_without_approval: 'was paid although nobody has approved it.',
  paid_but_not_in_the_books: 'was paid, and counts as not paid here.',
  in_the_books_but_not_paid: 'counts as paid here, and was not paid.',
  payout_amount_differs: 'was paid in another amount than it says here.',
  payout_missing: 'counts as paid here, and is unknown to who should have paid it.',
  payout_not_heard_of: 'came to its end, which has not arrived here.',
  payout_status_differs: 'stands elsewhere than it says here.',
  deposit_missing: 'is in the books, and is unknown to who should have received it.',
  deposit_amount_differs: 'came in another amount than it says here.',
  deposit_status_differs: 'stands elsewhere than it says here.',
}
/** Connections whose name says what they are; a name is no word of ours, so all others are called partners. */
const PARTNER_NAMES: Readonly<Record<string, string>> = { bank: 'the bank', custodian: 'the custodian' }

/** Describes a check of the reconciliation, such as `bank_payout_missing`, in a sentence. */
export function describeCheck(check: string): { about: 'payment' | 'deposit'; words: string } {
  const [, partner = '', name = ''] = /^([a-z][a-z0-9-]*)_(.*)$/.exec(check) ?? []
  const about = name.startsWith('deposit') ? 'deposit' : 'payment'
  const words = `By ${PARTNER_NAMES[partner] ?? `the partner ${partner}`}: a ${about} ${WORDS[name] ?? 'differs.'}`
  return { about, words }
}
