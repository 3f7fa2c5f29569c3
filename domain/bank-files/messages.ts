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

/** Statuses of a payment, a batch or a file (pain.002); `PART` and `PATC` of a file alone. */
export const FILE_STATUSES = [
  'RCVD',
  'ACTC',
  'PATC',
  'ACCP',
  'ACFC',
  'ACWC',
  'PDNG',
  'ACSP',
  'ACWP',
  'ACSC',
  'ACCC',
  'PART',
  'RJCT',
  'CANC',
  /** Its money went neither to the payee nor back, by order of an authority. */
  'BLCK',
] as const
export type FileStatus = (typeof FILE_STATUSES)[number]

/** Reason of a status: a code of ISO or the bank, with its words. */
export type StatusReason = { readonly code: string | null; readonly text: string | null }

/** Report about a file of ours. */
export type StatusReport = {
  readonly kind: 'report'
  readonly messageId: string
  /** Message id of the file that it is about. */
  readonly about: string
  /** Status of the whole, and its reasons; null if payments alone have one. */
  readonly status: FileStatus | null
  readonly reasons: readonly StatusReason[]
  /** Payments that it names; those that it does not have the status of the whole. */
  readonly payments: readonly {
    readonly endToEndId: string
    readonly status: Exclude<FileStatus, 'PART' | 'PATC'>
    readonly reasons: readonly StatusReason[]
    readonly amount: Money | null
  }[]
}

/** Charge of a transaction or an entry; never zero. */
export type Charge = {
  readonly amount: Money
  /** Taken out of the amount, in place of beside it; null if the bank does not say. */
  readonly isIncluded: boolean | null
  /** Charge that the bank gives back. */
  readonly isCredit: boolean
}

/** Transaction of an entry. */
export type EntryPart = {
  /** Null also for `NOTPROVIDED`. */
  readonly endToEndId: string | null
  /** Message id of our file, where the bank names the whole in place of each. */
  readonly messageId: string | null
  /** Amount as booked, in the currency of the account; null if an entry of several does not say how they share it. */
  readonly amount: Money | null
  /** Direction of the entry, unless the bank says another one. */
  readonly direction: 'credit' | 'debit'
  /** Amount that was ordered, before charges and exchange. */
  readonly instructed: Money | null
  /** Reference of the bank, of this transaction. */
  readonly reference: string | null
  readonly charges: readonly Charge[]
  /** Return of a payment: its reason, as a code of ISO or the bank. `instructed` is what had been sent. */
  readonly returned: { readonly reason: string | null; readonly text: string | null } | null
  readonly debtor: { readonly name: string | null; readonly account: string | null; readonly country: string | null }
  /** Account that the payer named: a virtual IBAN, or ours. */
  readonly creditorAccount: string | null
  /** Unstructured texts, and numbers of documents, with blanks between them. */
  readonly remittance: string | null
  /** Structured reference of the creditor; null if there are several. */
  readonly creditorReference: string | null
}

/** Entry of an account. */
export type BankEntry = {
  /** Direction as booked: for a reversal the opposite of what it reverses. */
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
  /** Charges of the entry as a whole. */
  readonly charges: readonly Charge[]
  /** Batch that it books: ids of our file and its `PmtInf`, and the payments in it. */
  readonly batch: {
    readonly messageId: string | null
    readonly paymentInformationId: string | null
    readonly count: number | null
  } | null
  /** Transactions; none if the bank names the batch alone, or nothing. */
  readonly parts: readonly EntryPart[]
  readonly info: string | null
}

export type Balance = { readonly amount: Money; readonly day: string }

/** Account report: notification of single entries (camt.054), or statement with balances (camt.053). */
export type AccountReport = {
  readonly kind: 'notification' | 'statement'
  readonly messageId: string
  readonly id: string
  readonly createdAt: string
  /** IBAN, or the bank's number. */
  readonly account: string
  readonly currency: string | null
  /** Number of the statement in its year; null if the bank gives none. */
  readonly number: string | null
  readonly page: { readonly number: number; readonly isLast: boolean } | null
  /** Booked balances, of a page where it has pages; null in a notification. */
  readonly opening: Balance | null
  readonly closing: Balance | null
  readonly entries: readonly BankEntry[]
  /** Paths of elements that say another sum or number than what they sum up: `Bal`, `Ntry[3]/NtryDtls`. */
  readonly contradictions: readonly string[]
}

/** Content of a file of the bank: of one message, with several reports if it is about several accounts. */
export type BankFileContent = { readonly messages: readonly (StatusReport | AccountReport)[] }
