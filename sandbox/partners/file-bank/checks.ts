/** Checks of a bank: what it refuses of a file of payments, by the reason codes of ISO 20022. */
import { isValidIBAN } from 'ibantools'
import { v5 } from 'uuid'
import { isUuid } from '../../../domain/ids.ts'
import { addDecimals, compareDecimals } from '../../../domain/money/decimal.ts'
import type { BankFileAccount } from '../../../platform/drivers/iso20022.ts'
import type { OrderFile, OrderedBatch, OrderedTransfer } from './orders.ts'

/** Code of a reason, as `AC01`. */
export type Reason = string
export type CheckedTransfer = {
  /** Id in the books: the UUID that the end-to-end id is without its dashes, or one that is made of it. */
  readonly id: string
  readonly batch: OrderedBatch
  readonly transfer: OrderedTransfer
  /** Null if it is accepted. */
  readonly reason: Reason | null
}
/** Verdict about a file: its reason if it is refused as a whole. */
export type Verdict = { readonly reason: Reason } | { readonly transfers: readonly CheckedTransfer[] }

const AMOUNT = /^[0-9]{1,15}(?:\.[0-9]{1,5})?$/
const NAMESPACE = '9b1f6a8e-6f0e-4a51-8a7c-4f0b6f0e7c11'
/** Words in a remittance that are refused, like a payee on a sanctions list. */
const REFUSED = /refused at the door/i
/** Town that no bank knows. */
const REFUSED_TOWN = /^nowhere$/i

/** Checks a file: its sums, its accounts, and each transfer. `known` has ids of former transfers. */
export function checkOrders(
  file: OrderFile,
  accounts: readonly BankFileAccount[],
  known: ReadonlySet<string>,
): Verdict {
  const all = file.batches.flatMap(({ transfers }) => transfers)
  if (String(all.length) !== file.count) return { reason: 'AM18' }
  if (!all.every(({ amount }) => AMOUNT.test(amount))) return { reason: 'AM12' }
  if (file.sum !== null && (!AMOUNT.test(file.sum) || compareDecimals(addDecimals(all.map(amountOf)), file.sum) !== 0))
    return { reason: 'AM10' }
  const taken = new Set(known)
  const transfers = file.batches.flatMap((batch) =>
    batch.transfers.map((transfer) => {
      const id = idOf(transfer.endToEndId)
      const reason = taken.has(id) ? 'AM05' : findReason(batch, transfer, accounts)
      taken.add(id)
      return { id, batch, transfer, reason }
    }),
  )
  return { transfers }
}

const amountOf = ({ amount }: OrderedTransfer): string => amount

function findReason(
  batch: OrderedBatch,
  transfer: OrderedTransfer,
  accounts: readonly BankFileAccount[],
): Reason | null {
  const account = accounts.find(({ iban }) => iban === batch.account)
  if (!account) return 'AC02'
  if (account.currency !== transfer.currency) return 'AM03'
  if (compareDecimals(transfer.amount, '0') === 0) return 'AM01'
  if (/^[A-Z]{2}[0-9]{2}/.test(transfer.creditorAccount) && !isValidIBAN(transfer.creditorAccount)) return 'AC01'
  if (REFUSED_TOWN.test(transfer.creditorTown ?? '')) return 'BE04'
  return REFUSED.test(transfer.remittance ?? '') ? 'RR04' : null
}

const DASHLESS = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

/** Derives the id of a transfer in the books. */
export function idOf(endToEndId: string): string {
  const dashed = endToEndId.toLowerCase().replace(DASHLESS, '$1-$2-$3-$4-$5')
  return isUuid(dashed) ? dashed : v5(endToEndId, NAMESPACE)
}
