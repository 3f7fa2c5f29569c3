/** Store of a bank by files, for its driver. */
import type { OutgoingPayment } from '../../domain/bank-files/records.ts'
import { listBalances, takeVirtualIban } from './accounts.ts'
import { findDeposit, listDeposits } from './deposits.ts'
import { findPayment, listPayments, putPayment } from './outbox.ts'
import type { FileBank } from './settings.ts'

/** Makes the store of a connection. */
export const fileStoreOf = ({ name, settings }: Pick<FileBank, 'name' | 'settings'>) => ({
  // an instant payment waits for no others
  put: (payment: OutgoingPayment) =>
    putPayment(name, payment, payment.scheme === 'sepa_instant' ? 0 : settings.flushMinutes),
  find: (id: string) => findPayment(name, id),
  list: (after?: string) => listPayments(name, after),
  deposit: (id: string) => findDeposit(name, id),
  deposits: (after?: string) => listDeposits(name, after),
  balances: () => listBalances(name),
  takeVirtualIban: (id: string) => takeVirtualIban(name, id),
})
