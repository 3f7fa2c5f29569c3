/** Store of a bank by files, as its driver knows it: what waits for a file, and what files have said. */
import type {
  OutgoingPayment,
  StoredBalance,
  StoredDeposit,
  StoredPage,
  StoredPayment,
} from '../../domain/bank-files/records.ts'

/** Store of one connection. */
export type FileStore = {
  /** Puts a payment into the outbox, once; null if another content has its id. */
  readonly put: (payment: OutgoingPayment) => Promise<StoredPayment | null>
  readonly find: (id: string) => Promise<StoredPayment | null>
  readonly list: (after?: string) => Promise<StoredPage<StoredPayment>>
  readonly deposit: (id: string) => Promise<StoredDeposit | null>
  readonly deposits: (after?: string) => Promise<StoredPage<StoredDeposit>>
  readonly balances: () => Promise<readonly StoredBalance[] | null>
  /** Takes a virtual IBAN for an account, the same again for the same id; null if none is left. */
  readonly takeVirtualIban: (id: string) => Promise<string | null>
}
