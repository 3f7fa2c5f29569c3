/** Files of a bank without a worker: a test takes the steps of their runs itself. */
import { randomUUID } from 'node:crypto'
import type { FilePayment } from '../../../domain/bank-files/messages.ts'
import { fileIdOf } from '../../../domain/bank-files/references.ts'
import type { BankFileId } from '../../../domain/ids.ts'
import { readBankFile, recoverForgotten, uploadBankFile } from '../../../activities/bank-files.ts'
import { transaction } from '../../../db/postgres/sql.ts'
import { writeFile } from '../../../services/bank-files/outgoing.ts'
import { fileBank } from '../../../services/bank-files/settings.ts'
import { fileStoreOf } from '../../../services/bank-files/store.ts'
import { owner } from '../database.ts'
import { visit } from './bank.ts'

export const store = fileStoreOf(fileBank('bank'))

/** Makes an order of a payment. */
export const orderOf = (amount: string, id: string = randomUUID()) => {
  const payment: FilePayment = {
    endToEndId: fileIdOf(id),
    amount: { amount, currency: 'EUR' },
    reference: 'Invoice 7',
    creditor: {
      name: 'Payee',
      address: null,
      account: { iban: 'DE02120300000000202051' },
      bic: null,
      clearing: null,
      bankCountry: 'DE',
    },
    payer: null,
  }
  return { id, kind: 'payout', scheme: 'sepa', payment } as const
}

/** Puts payments into the outbox; answers their ids. */
export async function put(...amounts: string[]): Promise<string[]> {
  const orders = amounts.map((amount) => orderOf(amount))
  for (const order of orders) await store.put(order)
  return orders.map(({ id }) => id)
}

const refOf = (id: BankFileId) => ({ id, organizationId: null })

/** Lists the ids of files in a status, oldest first. */
export async function filesIn(status: string): Promise<BankFileId[]> {
  const rows = await owner<
    { id: BankFileId }[]
  >`select id from bank_files where status = ${status} order by inserted_at, id`
  return rows.map(({ id }) => id)
}

/** Writes all files that collect, also those that follow. */
export async function writeAll(): Promise<void> {
  await visit()
  for (let ids = await filesIn('collecting'); ids.length > 0; ids = await filesIn('collecting')) {
    await owner`update bank_files set due_at = business_now() where status = 'collecting'`
    await visit()
    await recoverForgotten('bank')
    for (const id of ids) await transaction((tx) => writeFile(tx, id))
  }
}

/** Uploads all files that are written. */
export async function uploadAll(): Promise<void> {
  for (const id of await filesIn('written')) await uploadBankFile(refOf(id))
}

/** Fetches and reads what the bank has written. */
export async function hear(): Promise<void> {
  await visit()
  for (const id of await filesIn('fetched')) await readBankFile(refOf(id))
}

export const upload = (id: BankFileId) => uploadBankFile(refOf(id))
export const readFile = (id: BankFileId) => readBankFile(refOf(id))

/** Reads a payment. */
export async function paymentAt(id: string) {
  const found = await store.find(id)
  if (!found) throw new Error('there is no such payment')
  return found
}

/** Lists the open findings about files, without their connection. */
export async function findings(): Promise<string[]> {
  const rows = await owner<{ said: string }[]>`
    select check_name || ' ' || replace(subject, 'bank:', '') as said from service_findings
    where check_name like 'bank\\_file\\_%' and resolved_at is null order by 1`
  return rows.map(({ said }) => said)
}
