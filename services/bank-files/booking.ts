/** Booking of what a bank's file says of our accounts: payouts, returns, deposits, balances. Safe to repeat. */
import type { AccountReport, BankEntry } from '../../domain/bank-files/messages.ts'
import { findCreditorReference } from '../../domain/bank-files/references.ts'
import type { SenderOfDeposit } from '../../domain/bank-files/records.ts'
import type { BankFileId } from '../../domain/ids.ts'
import { type Money, isSameMoney, moneyOf, subtract, toMinor } from '../../domain/money/money.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { encryptForRow } from '../../platform/encryption.ts'
import { type Transaction, transaction, values } from '../../db/postgres/sql.ts'
import { type MovedPart, listMoves } from '../../domain/bank-files/moves.ts'
import { lockBankAccount } from '../../db/postgres/locks.ts'
import { partIdOf } from './deposit-ids.ts'
import { type EntryPlace, storeEntry } from './entries.ts'
import {
  type PaymentChange,
  changePayments,
  noteReported,
  detailOf,
  findFile,
  openEnds,
  ownEndToEndId,
} from './statuses.ts'

/** Report of an account in a file that is being read. */
export type ReadReport = {
  readonly connection: ConnectionName
  readonly fileId: BankFileId
  readonly report: AccountReport
  /** Entries of the file before it. */
  readonly offset: number
}

export type ReportBooking = {
  /** End-to-end ids of payments that it tells of. */
  readonly ends: readonly string[]
  readonly faults: readonly string[]
}

/** Entries that are booked in one transaction. */
const ENTRIES_AT_ONCE = 200

/** Books a report on an account of ours, some entries at a time. */
export async function bookAccountReport(read: ReadReport): Promise<ReportBooking> {
  const { report, offset } = read
  const [ends, faults]: [string[], string[]] = [[], []]
  for (let from = 0; from < report.entries.length; from += ENTRIES_AT_ONCE) {
    const some = report.entries.slice(from, from + ENTRIES_AT_ONCE)
    const booked = await transaction(async (tx) => {
      await lockBankAccount(tx, read.connection, report.account)
      const all: ReportBooking[] = []
      for (const [at, entry] of some.entries()) all.push(await bookEntry(tx, read, entry, offset + from + at))
      return all
    })
    ends.push(...booked.flatMap((one) => one.ends))
    faults.push(...booked.flatMap((one) => one.faults))
  }
  return { ends, faults }
}

/** Books an entry. What is pending may never be booked: it counts for nothing. */
async function bookEntry(
  tx: Transaction,
  read: ReadReport,
  entry: BankEntry,
  position: number,
): Promise<ReportBooking> {
  if (entry.status !== 'booked') return { ends: [], faults: [] }
  const { connection, fileId, report } = read
  const place: EntryPlace = {
    connection,
    fileId,
    account: report.account,
    kind: report.kind,
    report: report.id,
    position,
    bookedAt: instantOf(entry, report),
  }
  const { id, isNew } = await storeEntry(tx, entry, place)
  const [ends, faults]: [string[], string[]] = [[], []]
  for (const [at, part] of listMoves(entry).entries()) {
    const booked = await bookPart(tx, place, entry, part)
    if (booked.ends) ends.push(...booked.ends)
    if (booked.kind === 'unknown') faults.push(`entry_unknown:${part.reference ?? entry.reference ?? `${position}`}`)
    if (booked.isRejected) faults.push(`status_differs:${part.endToEndId}`)
    if (isNew) await insertPart(tx, place, { entryId: id, at, part, ...booked })
  }
  return { ends, faults }
}

/** Answers when an entry was booked: the report of its day tells it of just before, a later one of noon. */
function instantOf({ bookedOn, valuedOn }: BankEntry, { createdAt }: AccountReport): string {
  const day = bookedOn ?? valuedOn ?? createdAt.slice(0, 10)
  return day === createdAt.slice(0, 10) ? createdAt : `${day}T12:00:00Z`
}

type Booking = {
  readonly kind: 'payout' | 'return' | 'deposit' | 'taken_back' | 'unknown'
  readonly paymentId?: string | null
  readonly account?: string
  readonly ends?: readonly string[]
  /** The bank has paid what it had rejected: the payment has failed, and a person looks. */
  readonly isRejected?: boolean
}

/** Code of an entry that gives back a payment: a payee that pays by itself may repeat its id, too. */
const RETURN = /\/RRTN$/

async function bookPart(tx: Transaction, place: EntryPlace, entry: BankEntry, part: MovedPart): Promise<Booking> {
  if (part.direction === 'debit') return entry.isReversal ? takeBack(tx, place, part) : bookDebit(tx, place, part)
  const ends = ownEndToEndId(part.endToEndId)
  const payment = ends ? await findPaid(tx, place.connection, ends) : undefined
  if (part.returned !== null || entry.isReversal || RETURN.test(entry.code ?? '')) {
    if (payment) return bookReturn(tx, place, payment, part)
    if (ends) await noteReported(tx, place.connection, [{ endToEndId: ends, status: 'returned' }])
    return { kind: 'unknown' }
  }
  return { kind: 'deposit', account: await receiverOf(tx, place, part) }
}

type KnownPayment = { readonly id: string; readonly ends: string; readonly amount: Money; readonly isRejected: boolean }

async function findPaid(tx: Transaction, connection: ConnectionName, ends: string): Promise<KnownPayment | undefined> {
  const [row] = await tx<{ id: string; amount: string; currency: string; is_rejected: boolean }[]>`
    select id, amount, currency, status = 'rejected' as is_rejected from bank_payments
    where connection = ${connection} and end_to_end_id = ${ends}`
  return row && { id: row.id, ends, amount: moneyOf(row.amount, row.currency), isRejected: row.is_rejected }
}

/** Books the debit of a payment, or of a whole file; one of another amount is nobody's. */
async function bookDebit(tx: Transaction, place: EntryPlace, part: MovedPart): Promise<Booking> {
  const { connection, bookedAt: at } = place
  const ends = ownEndToEndId(part.endToEndId)
  const payment = ends ? await findPaid(tx, connection, ends) : undefined
  if (payment) {
    if (part.amount.currency !== payment.amount.currency) return { kind: 'unknown' }
    const more = toMinor(part.amount) - toMinor(payment.amount)
    const isPaid = more === 0n || (more > 0n && isExplained(part, payment.amount))
    if (!isPaid) return { kind: 'unknown' }
    const charges = more > 0n ? { charges: subtract(part.amount, payment.amount).amount } : {}
    await changePayments(tx, connection, [{ endToEndId: payment.ends, status: 'settled', at, ...charges }])
    return { kind: 'payout', paymentId: payment.id, ends: [payment.ends], isRejected: payment.isRejected }
  }
  if (ends) await noteReported(tx, connection, [{ endToEndId: ends, status: 'settled' }])
  const file = part.messageId === null ? undefined : await findFile(tx, connection, part.messageId)
  if (!file) return { kind: 'unknown' }
  const sum = await sumOfFile(tx, file.id)
  if (toMinor(part.amount) !== toMinor(moneyOf(sum, part.amount.currency))) return { kind: 'unknown' }
  const all = await openEnds(tx, file.id)
  const settled = all.map((endToEndId): PaymentChange => ({ endToEndId, status: 'settled', at }))
  await changePayments(tx, connection, settled)
  return { kind: 'payout', ends: all }
}

/** Tells whether a debit of more than was paid is that payment with its charges. */
const isExplained = ({ amount, instructed, charges }: MovedPart, paid: Money): boolean =>
  (instructed !== null && isSameMoney(instructed, paid)) ||
  charges.some(
    (charge) => charge.amount.currency === paid.currency && isSameMoney(subtract(amount, charge.amount), paid),
  )

/** Sums the payments of a file but for those that were rejected. */
async function sumOfFile(tx: Transaction, fileId: BankFileId): Promise<string> {
  const [row] = await tx<{ sum: string }[]>`
    select coalesce(sum(amount), 0) as sum from bank_payments where file_id = ${fileId} and status <> 'rejected'`
  return row?.sum ?? '0'
}

/** Books what came back of a payment; what is missing was kept as charges. */
async function bookReturn(
  tx: Transaction,
  { connection, bookedAt: at }: EntryPlace,
  paid: KnownPayment,
  part: MovedPart,
) {
  const { id, ends, amount } = paid
  if (part.amount.currency !== amount.currency) return { kind: 'unknown' } as const
  const kept = toMinor(amount) - toMinor(part.amount)
  const isShort = kept > 0n
  const change: PaymentChange = {
    endToEndId: ends,
    status: 'returned',
    detail: detailOf(part.returned ? [{ code: part.returned.reason, text: part.returned.text }] : []),
    at,
    ...(kept !== 0n && { returned: part.amount.amount }),
    ...(isShort && { charges: subtract(amount, part.amount).amount }),
  }
  await changePayments(tx, connection, [change])
  return { kind: 'return', paymentId: id, ends: [ends] } as const
}

/** Takes back a deposit that the bank has booked in error. */
async function takeBack(tx: Transaction, { connection, account }: EntryPlace, part: MovedPart): Promise<Booking> {
  const taken = await tx<{ id: string }[]>`
    update bank_entry_parts set status = 'returned' where id = (
      select p.id from bank_entry_parts p join bank_entries e on e.id = p.entry_id
      where p.connection = ${connection} and p.kind = 'deposit' and p.status = 'received' and e.account = ${account}
        and p.amount = ${part.amount.amount} and p.currency = ${part.amount.currency} and e.reference = ${part.reference}
      order by p.seq limit 1)
    returning id`
  return { kind: taken.length > 0 ? 'taken_back' : 'unknown' }
}

/** Finds the receiving account that a payer has named: a virtual IBAN, a reference of ours, or our account. */
async function receiverOf(tx: Transaction, { connection, account }: EntryPlace, part: MovedPart): Promise<string> {
  const { creditorAccount, creditorReference, remittance } = part
  if (creditorAccount !== null && creditorAccount !== account) {
    const [known] = await tx`
      select from bank_virtual_ibans where connection = ${connection} and iban = ${creditorAccount}`
    if (known) return creditorAccount
  }
  return findCreditorReference(creditorReference) ?? findCreditorReference(remittance) ?? creditorAccount ?? account
}

type NewPart = Booking & { readonly entryId: string; readonly at: number; readonly part: MovedPart }

async function insertPart(tx: Transaction, { connection }: EntryPlace, { entryId, at, part, ...booked }: NewPart) {
  const id = partIdOf(entryId, at)
  const { kind, paymentId = null, account = null } = booked
  const { debtor, remittance, reference } = part
  const sender: SenderOfDeposit = { ...debtor, words: remittance }
  await tx`
    insert into bank_entry_parts ${values({
      id,
      connection,
      entry_id: entryId,
      kind,
      payment_id: paymentId,
      account,
      amount: part.amount.amount,
      currency: part.amount.currency,
      sealed: encryptForRow(id, { sender, reference }),
    })}`
}
