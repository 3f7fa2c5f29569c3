/** Files to a bank: written once, uploaded once, closed when all their payments have ended. */
import { createHash } from 'node:crypto'
import { writePayments } from '../../documents/bank-files/payments.ts'
import { bankFileFlow } from '../../domain/bank-files/flow.ts'
import type { FilePayment } from '../../domain/bank-files/messages.ts'
import type { FileScheme } from '../../domain/bank-files/records.ts'
import { ENDED } from '../../domain/bank-files/payment-status.ts'
import { fileIdOf, fileNameOf } from '../../domain/bank-files/references.ts'
import type { BankFileId } from '../../domain/ids.ts'
import { fromMinor, moneyOf, toMinor } from '../../domain/money/money.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { fallbackIdOf } from '../../domain/payments/speed.ts'
import { now } from '../../platform/clock.ts'
import { decrypt, decryptForRow, encrypt } from '../../platform/encryption.ts'
import { type Transaction, first, sql, transaction } from '../../db/postgres/sql.ts'
import { move } from '../../db/processes/transition.ts'
import { passOn } from './outbox.ts'
import { accountIn, fileBank } from './settings.ts'
import { hasEnded, isFolderRead } from './view.ts'

/** Hours in which a bank has to acknowledge a file. */
const ACKNOWLEDGED_HOURS = 24

type Collecting = {
  readonly id: BankFileId
  readonly connection: ConnectionName
  readonly currency: string
  readonly scheme: FileScheme
}
type Payment = { readonly id: string; readonly amount: string; readonly sealed: Buffer }

/** Writes the payments of a file that is due, once. What is too many for one file waits in the next. */
export async function writeFile(tx: Transaction, id: BankFileId): Promise<void> {
  const [file] = await tx<Collecting[]>`
    select id, connection, currency, scheme from bank_files where id = ${id} and status = 'collecting' for update`
  if (!file) return
  // the lock has waited for those who were putting payments into it: they are seen from here on
  const [ready] = await tx`
    select from bank_files f where f.id = ${id} and f.due_at <= business_now() and ${isFolderRead(sql`f`)}`
  if (!ready) return
  const { settings } = fileBank(file.connection)
  if (file.scheme === 'sepa_instant') await leaveOutReplaced(tx, file)
  const payments = await tx<Payment[]>`
    select id, amount, sealed from bank_payments
    where file_id = ${id} and status = 'pending' order by seq limit ${settings.filePaymentsMax}`
  // the bank has told of all of them: it got them before our database was put back
  if (payments.length === 0) return void (await move(tx, bankFileFlow, id, { event: 'close' }))
  const today = now().toISOString()
  const [executionDay, messageId] = [today.slice(0, 10), fileIdOf(id)]
  const account = accountIn(fileBank(file.connection), file.currency)
  const text = writePayments({
    messageId,
    createdAt: today,
    holder: settings.holder,
    account,
    executionDay,
    isInstant: file.scheme === 'sepa_instant',
    payments: payments.map(({ id: paymentId, sealed }) => decryptForRow(paymentId, sealed) as FilePayment), // outbox.ts
  })
  const bytes = Buffer.from(text)
  const sum = payments.reduce((all, { amount }) => all + toMinor(moneyOf(amount, file.currency)), 0n)
  await move(tx, bankFileFlow, id, {
    event: 'write',
    set: sql`message_id = ${messageId}, name = ${fileNameOf(messageId)}, execution_day = ${executionDay},
      sealed = ${encrypt(bytes)}, sha256 = ${hashOfBytes(bytes)}, byte_size = ${bytes.length},
      count = ${payments.length}, sum = ${fromMinor(sum, file.currency).amount}, due_at = null`,
  })
  await passOn(tx, file, payments.map((one) => one.id)) // prettier-ignore
}

/**
 * Leaves out instant payments whose standard order the bank has told of: a database that was put back has forgotten that
 * they were refused. They count as that again, and their standard order is found.
 */
async function leaveOutReplaced(tx: Transaction, { id: fileId, connection }: Collecting): Promise<void> {
  const waiting = await tx<{ id: string }[]>`
    select id from bank_payments where file_id = ${fileId} and status = 'pending'`
  const standard = waiting.map(({ id }) => fileIdOf(fallbackIdOf(id)))
  await tx`
    update bank_payments p set status = 'rejected', detail = 'its standard order is there', moved_at = business_now()
    from unnest(${waiting.map(({ id }) => id)}::uuid[], ${standard}::text[]) w (id, standard)
    where p.connection = ${connection} and p.id = w.id and p.status = 'pending' and (
      exists (select from bank_reported_payments r where r.connection = p.connection and r.end_to_end_id = w.standard)
      or exists (select from bank_payments s where s.connection = p.connection and s.end_to_end_id = w.standard))`
}

/** Computes the hash by which bytes are known again: SHA-256 in hex. */
export const hashOfBytes = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Answers the connection of a file. */
export const connectionOf = async (id: BankFileId): Promise<ConnectionName | undefined> =>
  (await first(sql<{ connection: ConnectionName }[]>`select connection from bank_files where id = ${id}`))?.connection

/** Finds the connection of a file that collects payments yet; undefined of another. */
export async function findCollecting(id: BankFileId): Promise<ConnectionName | undefined> {
  const row = await first(sql<{ connection: ConnectionName }[]>`
    select connection from bank_files where id = ${id} and status = 'collecting'`)
  return row?.connection
}

/** File that is to be uploaded. */
export type Upload = {
  readonly connection: ConnectionName
  readonly messageId: string
  readonly name: string
  readonly bytes: Buffer
  /** Try that began to rename it: its temporary name may have become the name, and the bank may have taken it. */
  readonly renamedBy: string | null
}

/** Reads a file that is to be uploaded; undefined if it is not. */
export async function findUpload(id: BankFileId): Promise<Upload | undefined> {
  const row = await first(sql<
    { connection: string; name: string; sealed: Buffer; upload: string | null; sha256: string; message_id: string }[]
  >`
    select connection, name, sealed, upload, sha256, message_id from bank_files where id = ${id} and status = 'written'`)
  if (!row) return undefined
  const { connection, name, sealed, upload: renamedBy } = row
  const bytes = decrypt(sealed)
  if (hashOfBytes(bytes) !== row.sha256) throw new Error(`the bytes of the file ${id} have changed`)
  return { connection, name, bytes, renamedBy, messageId: row.message_id }
}

/** Lets one try rename what it has uploaded; answers whether it is this one. Commit before it does. */
export async function claimRename(id: BankFileId, by: string): Promise<boolean> {
  const claimed = await sql`
    update bank_files set upload = ${by} where id = ${id} and status = 'written' and upload is null returning id`
  return claimed.length === 1
}

/** Records an upload: the bank has the file, or may have it, and it is never sent again by itself. */
export const recordUpload = (id: BankFileId): Promise<void> =>
  transaction(async (tx) => {
    const due = sql`due_at = business_now() + make_interval(hours => ${ACKNOWLEDGED_HOURS})`
    if (!(await move(tx, bankFileFlow, id, { event: 'upload', set: due }))) return
    await tx`
      update bank_payments set status = 'processing', moved_at = business_now() where file_id = ${id} and status = 'pending'`
  })

/** Holds a file that the bank has not acknowledged in time; answers the payouts in it. */
export const holdFile = (id: BankFileId): Promise<{ readonly connection: ConnectionName; readonly ids: string[] }> =>
  transaction(async (tx) => {
    const [late] = await tx<{ connection: ConnectionName }[]>`
      select connection from bank_files where id = ${id} and status = 'uploaded' and due_at <= business_now() for no key update`
    if (!late) return { connection: '', ids: [] }
    await move(tx, bankFileFlow, id, { event: 'hold' })
    const rows = await tx<{ id: string }[]>`
      select id from bank_payments where file_id = ${id} and kind = 'payout' and status <> all (${[...ENDED]}::text[])`
    return { connection: late.connection, ids: rows.map((one) => one.id) }
  })

/** Closes a file all of whose payments have ended. */
export async function closeFile(tx: Transaction, id: BankFileId): Promise<void> {
  const [ended] = await tx`select from bank_files f where f.id = ${id} and ${hasEnded(sql`f`)}`
  if (ended) await move(tx, bankFileFlow, id, { event: 'close' })
}
