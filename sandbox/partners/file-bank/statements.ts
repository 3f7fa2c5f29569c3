/** Statements: each day of each account is closed, with balances that its entries explain. */
import { addDecimals } from '../../../domain/money/decimal.ts'
import { type Transaction, transaction } from '../../../db/postgres/sql.ts'
import { now } from '../../../platform/clock.ts'
import type { BankFileAccount } from '../../../platform/drivers/iso20022.ts'
import { lockBank, storeFiles } from '../../db/file-bank.ts'
import { closeStatement, findLastStatement, listOpenEntries } from '../../db/file-bank-entries.ts'
import { type Entry, type EntryDocument, writeStatement } from './accounts.ts'
import { type FileBank, groupBy, newMessageId } from './bank.ts'

/** Closes the days that are over; with `isAsked` also what was booked today. */
export async function closeDays(bank: FileBank, isAsked = false): Promise<void> {
  await transaction(async (tx) => {
    const { day: today } = await lockBank(tx, bank.name)
    for (const account of bank.accounts) await closeAccount(tx, { bank, account, today, isAsked })
  })
}

type Closing = {
  readonly bank: FileBank
  readonly account: BankFileAccount
  readonly today: string
  readonly isAsked: boolean
}

/** Closes an account that was ever used: its days with entries, and the last one. */
async function closeAccount(tx: Transaction, { account, bank, isAsked, today }: Closing): Promise<void> {
  const open = await listOpenEntries<EntryDocument>(tx, bank.name, account.iban)
  const last = isAsked ? today : dayBefore(today)
  const days = groupBy(
    open.filter(({ bookedOn }) => bookedOn <= last),
    (one) => one.bookedOn,
  )
  let before = await findLastStatement(tx, bank.name, account.iban)
  if (before === undefined && days.size === 0) return
  if (isAsked || (before?.day ?? '') < last) days.set(last, days.get(last) ?? [])
  for (const [day, entries] of [...days].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    before = await writeDay(tx, { bank, account, before, day, entries })
  }
}

type Day = {
  readonly bank: FileBank
  readonly account: BankFileAccount
  readonly before: { readonly number: number; readonly closing: string } | undefined
  readonly day: string
  readonly entries: readonly Entry[]
}

async function writeDay(tx: Transaction, { account, bank, before, day, entries }: Day) {
  const id = newMessageId()
  const number = (before?.number ?? 0) + 1
  const opening = before?.closing ?? '0'
  const closing = addDecimals([opening, ...entries.map(({ amount }) => amount)])
  const references = entries.map(({ reference }) => reference)
  await closeStatement(tx, { partner: bank.name, iban: account.iban, number, day, closing, references })
  const content = writeStatement({ id, at: now().toISOString(), account }, { number, day, opening, closing }, entries)
  await storeFiles(tx, bank.name, [{ name: `camt.053_${id}.xml`, content }])
  return { number, day, closing }
}

const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
