/** Files of a bank: stored before they are read, and each read once. */
import { bankFileFlow } from '../../domain/bank-files/flow.ts'
import type { BankFileContent } from '../../domain/bank-files/messages.ts'
import { listMoves } from '../../domain/bank-files/moves.ts'
import { type BankFileId, newId } from '../../domain/ids.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { decrypt, encrypt } from '../../platform/encryption.ts'
import { type Transaction, first, sql, transaction, values } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { move } from '../../db/processes/transition.ts'
import { bookBalance } from './accounts.ts'
import { bookAccountReport } from './booking.ts'
import { hashOfBytes } from './outgoing.ts'
import { fileBank, ownAccount } from './settings.ts'
import { bookReport, ownEndToEndId } from './statuses.ts'

/** File in the folder of a bank. */
export type FoundFile = {
  readonly name: string
  readonly byteSize: number
  /** Time by the clock of the folder. */
  readonly modifiedAt: string
}

/** Lists those of the files that were not fetched yet: a known name with another size or time is another file. */
export async function listNewFiles(connection: ConnectionName, found: readonly FoundFile[]): Promise<FoundFile[]> {
  const known = await sql<{ name: string; byte_size: string; modified_at: string }[]>`
    select name, byte_size, modified_at from bank_files
    where connection = ${connection} and direction = 'in' and name = any (${found.map(({ name }) => name)}::text[])`
  const keyOf = (name: string, size: number, at: string) => JSON.stringify([name, size, Date.parse(at)])
  const seen = new Set(known.map((one) => keyOf(one.name, Number(one.byte_size), one.modified_at)))
  return found.filter(({ name, byteSize, modifiedAt }) => !seen.has(keyOf(name, byteSize, modifiedAt)))
}

/** Stores a file that was fetched. Bytes that are there already, under whatever name, are not read again. */
export async function storeFetched(connection: ConnectionName, file: FoundFile, bytes: Uint8Array): Promise<void> {
  const sha256 = hashOfBytes(bytes)
  const { name, byteSize, modifiedAt } = file
  await transaction(async (tx) => {
    const id = newId<'bank_file'>()
    const stored = await tx`
      insert into bank_files ${values({
        id,
        connection,
        direction: 'in',
        name,
        status: 'fetched',
        sealed: encrypt(bytes),
        sha256,
        byte_size: byteSize,
        modified_at: modifiedAt,
      })}
      on conflict do nothing returning id`
    if (stored.length === 1) {
      wake(tx, bankFileFlow, { ids: [id], why: 'fetched', status: 'fetched', organizationId: null, rail: 'fiat' })
      return
    }
    await tx`
      insert into bank_files (id, connection, direction, name, status, sha256, byte_size, modified_at)
      values (${id}, ${connection}, 'in', ${name}, 'duplicate', ${sha256}, ${byteSize}, ${modifiedAt})`
  })
}

/** Stores the name of a file that is not fetched, with the reason: it is a finding. */
export async function storeRefused(connection: ConnectionName, file: FoundFile, fault: string): Promise<void> {
  const { name, byteSize, modifiedAt } = file
  await sql`
    insert into bank_files (id, connection, direction, name, status, byte_size, modified_at, faults)
    values (${newId()}, ${connection}, 'in', ${name}, 'unreadable', ${byteSize}, ${modifiedAt}, ${[fault]}::text[])`
}

/** Stores when the folder was listed whole, and wakes files that wait for that. */
export const recordListing = (connection: ConnectionName, at: string): Promise<void> =>
  transaction(async (tx) => {
    await tx`
      insert into bank_folders as d (connection, listed_at) values (${connection}, ${at})
      on conflict (connection) do update set listed_at = excluded.listed_at where d.listed_at is null or d.listed_at < excluded.listed_at`
    await wakeCollecting(tx, connection)
  })

/** Wakes the files that are due and wait for what the bank has said. */
async function wakeCollecting(tx: Transaction, connection: ConnectionName): Promise<void> {
  const due = await tx<{ id: BankFileId }[]>`
    select id from bank_files where connection = ${connection} and status = 'collecting' and due_at <= business_now()`
  wake(tx, bankFileFlow, { ids: due.map(({ id }) => id), why: 'folder_read', organizationId: null, rail: 'fiat' })
}

/** File that is to be read. */
export type Unread = { readonly connection: ConnectionName; readonly name: string; readonly bytes: Buffer }

export async function findUnread(id: BankFileId): Promise<Unread | undefined> {
  const row = await first(sql<{ connection: ConnectionName; name: string; sealed: Buffer }[]>`
    select connection, name, sealed from bank_files where id = ${id} and status = 'fetched'`)
  return row && { connection: row.connection, name: row.name, bytes: decrypt(row.sealed) }
}

/** Books all that a file says, message by message. Safe to repeat; answers the payments, and what is wrong. */
export async function bookContent(
  connection: ConnectionName,
  fileId: BankFileId,
  { messages }: BankFileContent,
): Promise<{ readonly ends: readonly string[]; readonly faults: readonly string[] }> {
  const bank = fileBank(connection)
  const [ends, faults]: [string[], string[]] = [[], []]
  let offset = 0
  for (const message of messages) {
    if (message.kind === 'report') {
      const booked = await transaction((tx) => bookReport(tx, connection, message))
      ends.push(...booked.ends)
      faults.push(...booked.faults)
      continue
    }
    const account = ownAccount(bank, message.account)
    if (!account) {
      faults.push(`other_account:${message.account}`)
      continue
    }
    const report = { ...message, account: account.iban }
    const booked = await bookAccountReport({ connection, fileId, report, offset })
    offset += report.entries.length
    ends.push(...booked.ends)
    await bookBalance({ connection, fileId, report })
    faults.push(...booked.faults, ...report.contradictions.map((path) => `contradiction:${path}`))
  }
  return { ends: [...new Set(ends)], faults: [...new Set(faults)] }
}

/** Lists message ids like ours that a file of the bank names and the database lacks. */
export async function listUnknown(connection: ConnectionName, { messages }: BankFileContent): Promise<string[]> {
  const named = messages.flatMap((message) =>
    message.kind === 'report'
      ? [message.about]
      : message.entries.flatMap(listMoves).flatMap(({ messageId }) => messageId ?? []),
  )
  const own = new Set(named.flatMap((messageId) => ownEndToEndId(messageId) ?? []))
  const unknown = await sql<{ id: string }[]>`
    select m.id from unnest(${[...own]}::text[]) m (id)
    where not exists (select from bank_files f where f.connection = ${connection} and f.message_id = m.id)`
  return unknown.map(({ id }) => id)
}

/** Records the end of a reading: `kind` of what was read, null for a file that cannot be. */
export const recordReading = (
  id: BankFileId,
  { kind, faults }: { readonly kind: string | null; readonly faults: readonly string[] },
): Promise<void> =>
  transaction(async (tx) => {
    const set = sql`kind = ${kind}, faults = ${[...faults]}::text[]`
    await move(tx, bankFileFlow, id, { event: kind === null ? 'give_up' : 'read', set })
    const [file] = await tx<{ connection: ConnectionName }[]>`select connection from bank_files where id = ${id}`
    if (file) await wakeCollecting(tx, file.connection)
  })
