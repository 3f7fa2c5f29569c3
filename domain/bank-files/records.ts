/** Records of a bank by files, as its driver asks for them. */
import type { Money } from '../money/money.ts'
import type { PayoutStatus } from '../partner.ts'
import type { FilePayment } from './messages.ts'

/** Scheme of the payments of a file: they are all of one. */
export type FileScheme = 'sepa' | 'sepa_instant' | 'other'

/** Payment that is to be put into a file. Its content is the same for ever. */
export type OutgoingPayment = {
  /** Id of the payment, or of the deposit that goes back. */
  readonly id: string
  readonly kind: 'payout' | 'return'
  readonly scheme: FileScheme
  readonly payment: FilePayment
}

/** Payment as it is stored, with what the bank has said of it. */
export type StoredPayment = {
  readonly id: string
  readonly endToEndId: string
  readonly status: Exclude<PayoutStatus, 'cancelled'>
  readonly detail: string
  readonly amount: Money
  readonly returned: Money | null
  readonly charges: Money | null
  /** Charges of its booking, which its return leaves. */
  readonly settledCharges: Money | null
  /** Instant of its status, by the books of the bank. */
  readonly movedAt: string
}

/** Credit of a stranger on an account of ours. */
export type StoredDeposit = {
  readonly id: string
  /** Receiving account that it names: a virtual IBAN, a reference of ours, or our own account. */
  readonly account: string
  readonly amount: Money
  readonly sender: SenderOfDeposit
  /** Reference of the bank. */
  readonly reference: string | null
  readonly status: 'received' | 'returned'
  readonly receivedAt: string
}

/** Sender of a deposit; `words` are its own about the payment. */
export type SenderOfDeposit = {
  readonly name: string | null
  readonly account: string | null
  readonly country: string | null
  readonly words: string | null
}

/** Balance of an account at the end of a day. */
export type StoredBalance = { readonly currency: string; readonly amount: string; readonly asOf: string }

/** Page of records, oldest first; `next` is the place of the next page, null at the end. */
export type StoredPage<Entry> = { readonly data: readonly Entry[]; readonly next: string | null }
