/** A bank by files, of which a test plays the bank: it reads what was uploaded, and writes what the bank says. */
import { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AccountReport, BankEntry, EntryPart, StatusReport } from '../../../domain/bank-files/messages.ts'
import { fetchBankFiles } from '../../../activities/bank-files.ts'
import { OWN_IBAN, folder } from './connecting.ts'

/** Fetches what the bank has written, as the schedule does. */
export const visit = () => fetchBankFiles({ connection: 'bank' })

/** Lists the names of files in a directory of the bank. */
export const namesIn = (directory: 'in' | 'out' | 'taken'): string[] => readdirSync(join(folder(), directory))

/** Reads a file that was uploaded. */
export const uploaded = (name: string): string => readFileSync(join(folder(), existsSync(join(folder(), 'in', name)) ? 'in' : 'taken', name), 'utf8') // prettier-ignore

/** Takes the uploaded files out of the folder, as a bank does. */
export function takeUploaded(): string[] {
  const names = namesIn('in').filter((name) => name.endsWith('.xml'))
  for (const name of names) renameSync(join(folder(), 'in', name), join(folder(), 'taken', name))
  return names
}

/** Writes bytes into the folder of the bank's files. */
export const write = (name: string, bytes: string | Uint8Array): void =>
  writeFileSync(join(folder(), 'out', name), bytes)

const at = () => new Date().toISOString()
export const today = (): string => at().slice(0, 10)
let count = 0
const next = (prefix: string): string => `${prefix}${(count += 1)}`

export const eur = (amount: string) => ({ amount, currency: 'EUR' })

/** Makes a transaction of an entry. */
export const part = (amount: string, more: Partial<EntryPart> = {}): EntryPart => ({
  endToEndId: null,
  messageId: null,
  amount: eur(amount),
  direction: 'credit',
  instructed: null,
  reference: null,
  charges: [],
  returned: null,
  debtor: { name: null, account: null, country: null },
  creditorAccount: null,
  remittance: null,
  creditorReference: null,
  ...more,
})

/** Makes a booked entry of one transaction. */
export const entry = (
  direction: 'credit' | 'debit',
  amount: string,
  more: Partial<EntryPart> = {},
  ofEntry: Partial<BankEntry> = {},
): BankEntry => ({
  direction,
  isReversal: false,
  status: 'booked',
  amount: eur(amount),
  bookedOn: today(),
  valuedOn: today(),
  reference: next('ref'),
  code: null,
  charges: [],
  batch: null,
  info: null,
  parts: [part(amount, { direction, ...more })],
  ...ofEntry,
})

/** Makes a notification, or a statement, of our account. */
export const account = (entries: readonly BankEntry[], more: Partial<AccountReport> = {}): AccountReport => ({
  kind: 'notification',
  messageId: next('message'),
  id: next('report'),
  createdAt: at(),
  account: OWN_IBAN,
  currency: 'EUR',
  number: null,
  page: null,
  contradictions: [],
  opening: null,
  closing: null,
  entries,
  ...more,
})

/** Makes a report about a file of ours. */
export const report = (about: string, more: Partial<StatusReport> = {}): StatusReport => ({
  kind: 'report',
  messageId: next('message'),
  about,
  status: 'ACCP',
  reasons: [],
  payments: [],
  ...more,
})
