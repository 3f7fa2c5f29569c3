/** Statuses of payments by file: what a bank says, in the words of payouts. They go forward alone. */
import type { FileStatus } from './messages.ts'
import type { StoredPayment } from './records.ts'

/** Status of a payment; `on_hold` is that of its file. */
export type BankStatus = Exclude<StoredPayment['status'], 'on_hold'>

/** Statuses of pain.002 as those of payouts. A file that is accepted says nothing of a single payment. */
export const STATUS_OF: Readonly<Record<FileStatus, BankStatus | null>> = {
  RCVD: 'processing',
  ACTC: 'processing',
  ACCP: 'processing',
  ACFC: 'processing',
  ACSP: 'processing',
  ACWP: 'processing',
  ACWC: 'processing',
  PDNG: 'processing',
  BLCK: 'processing',
  PART: null,
  PATC: null,
  ACSC: 'settled',
  ACCC: 'settled',
  RJCT: 'rejected',
  CANC: 'rejected',
}

/** Statuses from which each may be reached. */
export const REACHED_FROM: Readonly<Record<BankStatus, readonly BankStatus[]>> = {
  pending: [],
  processing: ['pending'],
  settled: ['pending', 'processing'],
  rejected: ['pending', 'processing'],
  returned: ['pending', 'processing', 'settled'],
}

/** Statuses of a payment that has ended, for its file. */
export const ENDED: readonly BankStatus[] = ['settled', 'rejected', 'returned']
