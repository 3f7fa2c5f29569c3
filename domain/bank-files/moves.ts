/** Transactions of an entry with what each moved on the account. */
import { type Money, toMinor } from '../money/money.ts'
import type { BankEntry, EntryPart } from './messages.ts'

/** Transaction with its amount on the account. */
export type MovedPart = EntryPart & { readonly amount: Money }

/**
 * Lists the transactions of an entry. The whole entry is one, if they do not say how they share its amount, or say what
 * does not sum up to it.
 */
export function listMoves(entry: BankEntry): readonly MovedPart[] {
  const [first, ...others] = entry.parts
  const messageId = entry.batch?.messageId ?? entry.batch?.paymentInformationId ?? null
  const whole: MovedPart = { ...NOTHING, direction: entry.direction, amount: entry.amount, messageId }
  if (!first) return [whole]
  if (others.length === 0) return [{ ...first, messageId: first.messageId ?? messageId, amount: entry.amount }]
  const parts = entry.parts.filter((part): part is MovedPart => part.amount?.currency === entry.amount.currency)
  const sum = parts.reduce((all, { direction, amount }) => all + toMinor(amount) * signOf(direction), 0n)
  const isShared = parts.length === entry.parts.length && sum === toMinor(entry.amount) * signOf(entry.direction)
  return isShared ? parts : [{ ...whole, messageId: messageId ?? first.messageId }]
}

const signOf = (direction: BankEntry['direction']): bigint => (direction === 'credit' ? 1n : -1n)

const NOTHING = {
  endToEndId: null,
  instructed: null,
  reference: null,
  charges: [],
  returned: null,
  debtor: { name: null, account: null, country: null },
  creditorAccount: null,
  remittance: null,
  creditorReference: null,
} satisfies Partial<EntryPart>
