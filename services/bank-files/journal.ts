/**
 * Journal of uploads, in storage: the files that a bank may have. A database that was put back finds there what it has
 * forgotten that it sent. Such a file is on hold with its payments, and the service does not send it again.
 */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { bankFileFlow } from '../../domain/bank-files/flow.ts'
import { fileNameOf, uuidOfFileId } from '../../domain/bank-files/references.ts'
import type { BankFileId } from '../../domain/ids.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { now } from '../../platform/clock.ts'
import { config } from '../../platform/config.ts'
import { decrypt, encrypt } from '../../platform/encryption.ts'
import { type Key, get, listIn, put, removeIn } from '../../platform/storage/storage.ts'
import { type Transaction, sql, transaction, values } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { move } from '../../db/processes/transition.ts'
import { passOn } from './outbox.ts'
import { hashOfBytes } from './outgoing.ts'
import { FILE_BANKS } from './settings.ts'

const folderOf = (connection: ConnectionName): string => `bank-files/${connection}`
const keyOf = (connection: ConnectionName, day: string, messageId: string): Key =>
  `${folderOf(connection)}/${day}/${messageId}`

type JournalFile = { readonly connection: ConnectionName; readonly messageId: string; readonly bytes: Uint8Array }

/** Notes a file that one try is about to rename; safe to repeat. Throws `StorageAway`: then it is not renamed. */
export async function noteUpload({ connection, messageId, bytes }: JournalFile): Promise<void> {
  const key = keyOf(connection, now().toISOString().slice(0, 10), messageId)
  await put(key, Readable.from([encrypt(bytes)], { objectMode: false }))
}

/**
 * Takes back the files that the journal has and the database has forgotten; answers them, and their payouts that wait
 * here. Call it before a file is written or uploaded. Throws `StorageAway`.
 */
export async function recoverUploads(
  connection: ConnectionName,
): Promise<{ readonly files: readonly BankFileId[]; readonly payouts: readonly string[] }> {
  const today = now().toISOString().slice(0, 10)
  const [read] = await sql<{ since: string | null }[]>`
    select (journal_read_on - 1)::text as since from bank_folders where connection = ${connection}`
  const days = (await listIn(folderOf(connection))).filter((day) => day >= (read?.since ?? '')).toSorted()
  const [files, payouts]: [BankFileId[], string[]] = [[], []]
  for (const day of days) {
    const forgotten = await listForgotten(await listIn(`${folderOf(connection)}/${day}`))
    for (const { id, messageId } of forgotten) {
      const bytes = decrypt(await buffer(await get(keyOf(connection, day, messageId))))
      payouts.push(...(await transaction((tx) => takeBack(tx, readUpload({ connection, id, messageId, bytes })))))
      files.push(id)
    }
  }
  await sql`
    insert into bank_folders as d (connection, journal_read_on) values (${connection}, ${today})
    on conflict (connection) do update set journal_read_on = excluded.journal_read_on
    where d.journal_read_on is distinct from excluded.journal_read_on`
  return { files, payouts }
}

/**
 * Removes what no database can have forgotten: days before UPLOAD_JOURNAL_DAYS, which the database has read. Answers how
 * many days that were. Throws `StorageAway`; the next purge goes on.
 */
export async function purgeJournals(): Promise<number> {
  let purged = 0
  for (const { name } of FILE_BANKS) {
    const [read] = await sql<{ until: string }[]>`
      select least(journal_read_on - 1, business_now()::date - ${config.uploadJournalDays}::integer)::text as until
      from bank_folders where connection = ${name} and journal_read_on is not null`
    const days = read ? (await listIn(folderOf(name))).filter((day) => day < read.until) : []
    for (const day of days) await removeIn(`${folderOf(name)}/${day}`)
    purged += days.length
  }
  return purged
}

/** Lists those of the files of which the database does not know that a try has renamed them. */
async function listForgotten(
  messageIds: readonly string[],
): Promise<{ readonly id: BankFileId; readonly messageId: string }[]> {
  const named = new Map(messageIds.flatMap((name) => [[uuidOfFileId(name), name] as const]))
  const ids = [...named.keys()].filter((id) => id !== null)
  const rows = await sql<{ id: BankFileId }[]>`
    select i.id from unnest(${ids}::uuid[]) i (id)
    where not exists (select from bank_files f
      where f.id = i.id and (f.upload is not null or f.status not in ('collecting', 'written')))`
  return rows.map(({ id }) => ({ id, messageId: named.get(id) ?? '' }))
}

type Forgotten = ReturnType<typeof readUpload>

/** Reads a file of ours as it was written (documents/bank-files/payments.ts). */
function readUpload({ bytes, ...file }: JournalFile & { readonly id: BankFileId }) {
  const text = Buffer.from(bytes).toString('utf8')
  const find = (pattern: RegExp) => pattern.exec(text)?.[1] ?? ''
  const isSepa = text.includes('<SvcLvl><Cd>SEPA</Cd></SvcLvl>')
  const scheme = !isSepa ? 'other' : text.includes('<LclInstrm><Cd>INST</Cd>') ? 'sepa_instant' : 'sepa'
  return {
    ...file,
    bytes,
    scheme,
    currency: find(/<InstdAmt Ccy="([A-Z]{3})">/),
    executionDay: find(/<ReqdExctnDt><Dt>([^<]+)</),
    count: Number(find(/<NbOfTxs>(\d+)</)),
    sum: find(/<CtrlSum>([^<]+)</),
    ends: [...text.matchAll(/<EndToEndId>([^<]+)</g)].map(([, ends = '']) => ends),
  } as const
}

/** Takes back a forgotten file with its payments: it is on hold. Payments that come again later join it. */
async function takeBack(tx: Transaction, forgotten: Forgotten): Promise<string[]> {
  const { connection, currency, ends, id, scheme } = forgotten
  const [known] = await tx<{ status: string }[]>`
    select status from bank_files where id = ${id} and status in ('collecting', 'written') and upload is null for update`
  if (known) await holdKnown(tx, forgotten)
  else if (!(await insertHeld(tx, forgotten))) return [] // another worker has taken it back
  const held = await tx<{ id: string; kind: string }[]>`
    update bank_payments p set file_id = ${id}, status = 'processing', moved_at = business_now()
    where p.connection = ${connection} and p.end_to_end_id = any (${[...ends]}::text[]) and p.status = 'pending'
      and (p.file_id = ${id} or exists (select from bank_files f where f.id = p.file_id and f.status = 'collecting'))
    returning id, kind`
  await passOn(tx, { id, connection, currency, scheme })
  await tx`
    insert into bank_reported_payments as r (connection, end_to_end_id, status, file_id)
    select ${connection}, e.ends, 'processing', ${id} from unnest(${[...ends]}::text[]) e (ends)
    where not exists (select from bank_payments p where p.connection = ${connection} and p.end_to_end_id = e.ends)
    on conflict (connection, end_to_end_id) do update set file_id = excluded.file_id`
  return held.filter(({ kind }) => kind === 'payout').map((one) => one.id)
}

const columnsOf = ({ bytes, messageId, ...file }: Forgotten) => ({
  message_id: messageId,
  name: fileNameOf(messageId),
  execution_day: file.executionDay,
  sealed: encrypt(bytes),
  sha256: hashOfBytes(bytes),
  byte_size: bytes.length,
  count: file.count,
  sum: file.sum,
})

function holdKnown(tx: Transaction, forgotten: Forgotten): Promise<boolean> {
  const row = columnsOf(forgotten)
  return move(tx, bankFileFlow, forgotten.id, {
    event: 'hold',
    set: sql`message_id = ${row.message_id}, name = ${row.name}, execution_day = ${row.execution_day},
      sealed = ${row.sealed}, sha256 = ${row.sha256}, byte_size = ${row.byte_size}, count = ${row.count},
      sum = ${row.sum}, due_at = null`,
  })
}

async function insertHeld(tx: Transaction, forgotten: Forgotten): Promise<boolean> {
  const { connection, currency, id, scheme } = forgotten
  const row = { id, connection, direction: 'out', status: 'on_hold', currency, scheme, ...columnsOf(forgotten) }
  const inserted = await tx`insert into bank_files ${values(row)} on conflict do nothing returning id`
  if (inserted.length === 0) return false
  wake(tx, bankFileFlow, { ids: [id], why: 'held', status: 'on_hold', organizationId: null, rail: 'fiat' })
  return true
}
