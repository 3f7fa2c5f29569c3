/** Booking of what a bank's file says of our accounts: payouts, returns, deposits, balances. Safe to repeat. */
import type { AccountReport, BankEntry } from '../../domain/bank-files/messages.ts'
import { type MovedPart, listMoves } from '../../domain/bank-files/moves.ts'
import { findCreditorReference } from '../../domain/bank-files/references.ts'
import type { BankFileId } from '../../domain/ids.ts'
import { type Money, isSameMoney, moneyOf, subtract, toMinor } from '../../domain/money/money.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { lockBankAccount } from '../../db/postgres/locks.ts'
import { type Transaction, transaction } from '../../db/postgres/sql.ts'
import { type EntryPlace, storeEntries } from './entries.ts'
import { BookedPage, type Booking, type KnownPayment } from './page.ts'
import { type PaymentChange, changePayments, detailOf, findFile, openEnds, ownEndToEndId } from './statuses.ts'

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

/** Books a report on an account of ours, page by page. */
export async function bookAccountReport(read: ReadReport): Promise<ReportBooking> {
  const { report, offset } = read
  const [ends, faults]: [string[], string[]] = [[], []]
  for (let from = 0; from < report.entries.length; from += ENTRIES_AT_ONCE) {
    const some = report.entries.slice(from, from + ENTRIES_AT_ONCE)
    const booked = await transaction(async (tx) => {
      await lockBankAccount(tx, read.connection, report.account)
      return bookPage(tx, read, some, offset + from)
    })
    ends.push(...booked.ends)
    faults.push(...booked.faults)
  }
  return { ends, faults }
}

/** Books the entries of a page. What is pending may never be booked: it counts for nothing. */
async function bookPage(
  tx: Transaction,
  read: ReadReport,
  entries: readonly BankEntry[],
  offset: number,
): Promise<ReportBooking> {
  const placed = entries.map((entry, at) => ({ entry, place: placeOf(read, entry, offset + at) }))
  const stored = await storeEntries(tx, placed.filter(({ entry }) => entry.status === 'booked')) // prettier-ignore
  const moved = stored.map((one) => ({ ...one, parts: listMoves(one.entry) }))
  const page = await BookedPage.begin(tx, read.connection, moved.flatMap(({ parts }) => parts)) // prettier-ignore
  const [ends, faults]: [string[], string[]] = [[], []]
  for (const { entry, id, isNew, parts, place } of moved) {
    for (const [at, part] of parts.entries()) {
      const booked = await bookPart(page, place, entry, part)
      if (booked.ends) ends.push(...booked.ends)
      if (booked.kind === 'unknown')
        faults.push(`entry_unknown:${part.reference ?? entry.reference ?? `${place.position}`}`)
      if (booked.isRejected) faults.push(`status_differs:${part.endToEndId}`)
      if (isNew) page.addPart({ entryId: id, at, part, ...booked })
    }
  }
  await page.write()
  return { ends, faults }
}

const placeOf = ({ connection, fileId, report }: ReadReport, entry: BankEntry, position: number): EntryPlace => ({
  connection,
  fileId,
  account: report.account,
  kind: report.kind,
  report: report.id,
  position,
  bookedAt: instantOf(entry, report),
})

/** Answers when an entry was booked: the report of its day tells it of just before, a later one of noon. */
function instantOf({ bookedOn, valuedOn }: BankEntry, { createdAt }: AccountReport): string {
  const day = bookedOn ?? valuedOn ?? createdAt.slice(0, 10)
  return day === createdAt.slice(0, 10) ? createdAt : `${day}T12:00:00Z`
}

/** Code of an entry that gives back a payment: a payee that pays by itself may repeat its id, too. */
const RETURN = /\/RRTN$/

async function bookPart(page: BookedPage, place: EntryPlace, entry: BankEntry, part: MovedPart): Promise<Booking> {
  if (part.direction === 'debit') return entry.isReversal ? takeBack(page, place, part) : bookDebit(page, place, part)
  const ends = ownEndToEndId(part.endToEndId)
  const payment = page.paid(ends)
  if (part.returned !== null || entry.isReversal || RETURN.test(entry.code ?? '')) {
    if (payment) return bookReturn(page, place, payment, part)
    if (ends) await page.report(ends, 'returned')
    return { kind: 'unknown' }
  }
  return { kind: 'deposit', account: receiverOf(page, place, part) }
}

/** Books the debit of a payment, or of a whole file; one of another amount is nobody's. */
async function bookDebit(page: BookedPage, { bookedAt: at }: EntryPlace, part: MovedPart): Promise<Booking> {
  const ends = ownEndToEndId(part.endToEndId)
  const payment = page.paid(ends)
  if (payment) {
    if (part.amount.currency !== payment.amount.currency) return { kind: 'unknown' }
    const more = toMinor(part.amount) - toMinor(payment.amount)
    const isPaid = more === 0n || (more > 0n && isExplained(part, payment.amount))
    if (!isPaid) return { kind: 'unknown' }
    const charges = more > 0n ? { charges: subtract(part.amount, payment.amount).amount } : {}
    await page.change({ endToEndId: payment.ends, status: 'settled', at, ...charges })
    return { kind: 'payout', paymentId: payment.id, ends: [payment.ends], isRejected: payment.isRejected }
  }
  if (ends) await page.report(ends, 'settled')
  return part.messageId === null ? { kind: 'unknown' } : bookFile(page, at, part, part.messageId)
}

/** Books the debit of a whole file. */
async function bookFile(page: BookedPage, at: string, part: MovedPart, messageId: string): Promise<Booking> {
  const { connection, tx } = page
  const file = await findFile(tx, connection, messageId)
  if (!file) return { kind: 'unknown' }
  await page.write() // what stands before it may have rejected some of its payments
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
async function bookReturn(page: BookedPage, { bookedAt: at }: EntryPlace, paid: KnownPayment, part: MovedPart) {
  const { id, ends, amount } = paid
  if (part.amount.currency !== amount.currency) return { kind: 'unknown' } as const
  const kept = toMinor(amount) - toMinor(part.amount)
  await page.change({
    endToEndId: ends,
    status: 'returned',
    detail: detailOf(part.returned ? [{ code: part.returned.reason, text: part.returned.text }] : []),
    at,
    ...(kept !== 0n && { returned: part.amount.amount }),
    ...(kept > 0n && { charges: subtract(amount, part.amount).amount }),
  })
  return { kind: 'return', paymentId: id, ends: [ends] } as const
}

/** Takes back a deposit that the bank has booked in error. */
async function takeBack(page: BookedPage, { connection, account }: EntryPlace, part: MovedPart): Promise<Booking> {
  await page.write() // the deposit may stand before it
  const taken = await page.tx<{ id: string }[]>`
    update bank_entry_parts set status = 'returned' where id = (
      select p.id from bank_entry_parts p join bank_entries e on e.id = p.entry_id
      where p.connection = ${connection} and p.kind = 'deposit' and p.status = 'received' and e.account = ${account}
        and p.amount = ${part.amount.amount} and p.currency = ${part.amount.currency} and e.reference = ${part.reference}
      order by p.seq limit 1)
    returning id`
  return { kind: taken.length > 0 ? 'taken_back' : 'unknown' }
}

/** Finds the receiving account that a payer has named: a virtual IBAN, a reference of ours, or our account. */
function receiverOf(page: BookedPage, { account }: EntryPlace, part: MovedPart): string {
  const { creditorAccount, creditorReference, remittance } = part
  if (creditorAccount !== null && creditorAccount !== account && page.isVirtualIban(creditorAccount))
    return creditorAccount
  return findCreditorReference(creditorReference) ?? findCreditorReference(remittance) ?? creditorAccount ?? account
}
