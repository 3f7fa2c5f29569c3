/**
 * Messages of ISO 20022 between us and a bank by files, as far as the service uses them: payments out (pain.001.001.09), what
 * became of each (pain.002.001.10), and what was booked (camt.054.001.08, camt.053.001.08).
 *
 * Amounts have a decimal text at the precision of their currency; days are ISO 8601; texts are in the letters of EPC217-08.
 */
import type { SentAddress } from '../destinations/payee-address.ts'
import type { Money } from '../money/money.ts'
import type { SentPayer } from '../organizations/payer.ts'

/** Our account at the bank. */
export type BankAccount = { readonly currency: string; readonly iban: string; readonly bic: string }

/** Payment of a file. */
export type FilePayment = {
  /** Id of ours, at most 35 characters: it comes back in all that the bank says about the payment. */
  readonly endToEndId: string
  readonly amount: Money
  /** Unstructured remittance information. */
  readonly reference: string
  readonly creditor: {
    readonly name: string
    readonly address: SentAddress | null
    readonly account: { readonly iban: string } | { readonly number: string }
    /** Null for an IBAN without one. */
    readonly bic: string | null
    /** Code of the bank in its country's clearing, as sort code or routing number; null with a BIC. */
    readonly clearing: { readonly system: string; readonly code: string } | null
    readonly bankCountry: string
  }
  /** Ultimate debtor: the organization that pays. */
  readonly payer: SentPayer | null
}

/** File of payments: one debtor account, one day, one urgency. */
export type PaymentFile = {
  /** Id of ours, at most 35 characters. */
  readonly messageId: string
  readonly createdAt: string
  readonly holder: string
  readonly account: BankAccount
  readonly executionDay: string
  readonly isInstant: boolean
  readonly payments: readonly FilePayment[]
}

/** Statuses of a payment, a batch or a file (pain.002). */
export type FileStatus =
  | 'ACCP'
  | 'ACTC'
  | 'ACCC'
  | 'ACSP'
  | 'ACSC'
  | 'ACWC'
  | 'RCVD'
  | 'PDNG'
  | 'PART'
  | 'RJCT'
  | 'CANC'

/** Report about a file of ours. */
export type StatusReport = {
  readonly kind: 'report'
  readonly messageId: string
  /** Message id of the file that it is about. */
  readonly about: string
  /** Status of the whole, and its reasons; null if payments alone have one. */
  readonly status: FileStatus | null
  readonly reasons: readonly string[]
  readonly payments: readonly {
    readonly endToEndId: string
    readonly status: FileStatus
    /** Codes and words of the bank. */
    readonly reasons: readonly string[]
    readonly amount: Money | null
  }[]
}

/** Transaction of an entry. */
export type EntryPart = {
  readonly endToEndId: string | null
  /** Message id of our file, where the bank names the whole in place of each. */
  readonly messageId: string | null
  readonly amount: Money
  /** Reference of the bank, of this transaction. */
  readonly reference: string | null
  /** Charges that were taken beside or out of the amount. */
  readonly charges: readonly Money[]
  /** Return of one of our payments: its reason, and what had been sent. */
  readonly returned: {
    readonly reason: string
    readonly originalAmount: Money | null
    readonly endToEndId: string | null
  } | null
  readonly debtor: { readonly name: string | null; readonly account: string | null; readonly country: string | null }
  /** Account that the payer named: a virtual IBAN, or ours. */
  readonly creditorAccount: string | null
  readonly remittance: string | null
  /** Structured reference of the creditor. */
  readonly creditorReference: string | null
}

/** Entry of an account. */
export type BankEntry = {
  readonly direction: 'credit' | 'debit'
  readonly isReversal: boolean
  readonly status: 'booked' | 'pending' | 'info'
  readonly amount: Money
  readonly bookedOn: string | null
  readonly valuedOn: string | null
  /** Reference of the bank (`AcctSvcrRef`): the same in camt.054 and camt.053; null if it gives none. */
  readonly reference: string | null
  /** Bank transaction code, as `PMNT/RCDT/ESCT` or the bank's own. */
  readonly code: string | null
  readonly parts: readonly EntryPart[]
}

/** Account report: notification of single entries (camt.054), or statement with balances (camt.053). */
export type AccountReport = {
  readonly kind: 'notification' | 'statement'
  readonly messageId: string
  readonly id: string
  readonly createdAt: string
  readonly account: string
  readonly currency: string | null
  /** Booked balances; null in a notification. */
  readonly opening: { readonly amount: Money; readonly day: string } | null
  readonly closing: { readonly amount: Money; readonly day: string } | null
  readonly entries: readonly BankEntry[]
}

/** Content of a file of the bank: of one message, with several reports if it is about several accounts. */
export type BankFileContent = { readonly messages: readonly (StatusReport | AccountReport)[] }
