/** Steps of files at a bank: uploaded once under their name, and fetched before they are read. */
import { randomUUID } from 'node:crypto'
import type { BankFileId } from '../domain/ids.ts'
import type { ConnectionName } from '../domain/partner.ts'
import type { ProcessRef } from '../domain/process.ts'
import { log } from '../platform/log.ts'
import { BANK_FILE_BYTES_MAX, UnreadableBankFile, readBankFile as readFile } from '../documents/reading/bank-files.ts'
import { type BankFolder, FolderFailure, LASTING_FAULTS, TEMPORARY, isTemporary } from '../partners/iso20022/folder.ts'
import { faultOfVisit, visit } from '../partners/iso20022/visits.ts'
import { syncServiceFindings } from '../services/audit/findings.ts'
import { BANK_FILE_CHECKS, type Errand, listFindings, noteErrand } from '../services/bank-files/lookups.ts'
import { depositsOf } from '../services/bank-files/deposits.ts'
import {
  type FoundFile,
  bookContent,
  findUnread,
  listNewFiles,
  listUnknown,
  recordListing,
  recordReading,
  storeFetched,
  storeRefused,
} from '../services/bank-files/incoming.ts'
import { noteUpload, recoverUploads } from '../services/bank-files/journal.ts'
import {
  type Upload,
  claimRename,
  connectionOf,
  findCollecting,
  findUpload,
  hashOfBytes,
  holdFile,
  recordUpload,
} from '../services/bank-files/outgoing.ts'
import { type FileBank, fileBank } from '../services/bank-files/settings.ts'
import { listChanged, noteCalled } from '../services/bank-files/statuses.ts'
import { recordCallbacks } from '../services/callbacks/callbacks.ts'
import { beginAsking } from '../services/funds/balances.ts'
import { findFallbacks } from '../services/partner-orders/their-ids.ts'

/** Files that one visit fetches; the next visit goes on. */
const FILES_MAX = 50

type Step = (ref: ProcessRef<BankFileId>) => Promise<void>

/** Makes the step that writes a file: what a database that was put back has forgotten does not leave again. */
export const writeBankFile =
  (write: Step): Step =>
  async (ref) => {
    const connection = await connectionOf(ref.id)
    if (connection !== undefined) await recoverForgotten(connection)
    await write(ref)
  }

/** Takes back what the journal of uploads has and the database has not: a person asks the bank. */
export async function recoverForgotten(connection: ConnectionName): Promise<void> {
  const { files, payouts } = await recoverUploads(connection)
  if (files.length === 0) return
  log.error({ connection, files }, 'files to a bank were forgotten by a restored database')
  const subjectIds = await paymentsOf(connection, payouts)
  await recordCallbacks({ partner: connection, prefix: 'bank-file:forgotten:', subject: 'payment', subjectIds })
  await syncBankFindings()
}

/** Uploads a file under a temporary name and renames it, once; records that the bank has it. */
export async function uploadBankFile({ id }: ProcessRef<BankFileId>): Promise<void> {
  const connection = await connectionOf(id)
  if (connection !== undefined) await recoverForgotten(connection)
  const upload = await findUpload(id)
  if (!upload) return
  const bank = fileBank(upload.connection)
  const has = await goFor('upload', bank, (folder) => bringOver(folder, bank, id, upload))
  if (has) await recordUpload(id)
}

/** Visits a bank, and notes whether its folder could be used for that: a fault that stays is a finding. */
async function goFor<Result>(
  errand: Errand,
  bank: FileBank,
  work: (folder: BankFolder) => Promise<Result>,
): Promise<Result> {
  try {
    const result = await visit(bank, work)
    if (await noteErrand(bank.name, errand, null)) await syncBankFindings()
    return result
  } catch (error) {
    const fault = faultOfVisit(error)
    if (LASTING_FAULTS.some((one) => one === fault) && (await noteErrand(bank.name, errand, fault))) {
      log.error({ connection: bank.name, errand, fault }, 'the folder of a bank cannot be used')
      await syncBankFindings()
    }
    throw error
  }
}

/** Brings a file into the folder; false if another try is doing that. */
async function bringOver(folder: BankFolder, bank: FileBank, id: BankFileId, upload: Upload): Promise<boolean> {
  const { upload: directory } = bank.settings.directories
  const { name, bytes, connection, messageId, renamedBy } = upload
  const names = new Set((await folder.list(directory)).map((one) => one.name))
  if (names.has(name)) return isSame(folder, directory, upload)
  if (renamedBy !== null) {
    // it was put there whole: if it is not there under either name, the bank has taken it
    const temporary = temporaryOf(name, renamedBy)
    await noteUpload({ connection, messageId, bytes })
    if (!names.has(temporary)) return true
    await renameOnce(folder, directory, temporary, name)
    return true
  }
  const by = randomUUID()
  if (!(await putWhole(folder, directory, temporaryOf(name, by), bytes))) return false
  if (!(await claimRename(id, by))) {
    await folder.remove(directory, temporaryOf(name, by))
    return false
  }
  await noteUpload({ connection, messageId, bytes }) // only from here on the bank may have it
  await renameOnce(folder, directory, temporaryOf(name, by), name)
  for (const left of names) if (left.startsWith(`${name}.`) && isTemporary(left)) await folder.remove(directory, left)
  return true
}

/** Renames a file that was claimed. One that is gone has been renamed by another try, which read the claim. */
async function renameOnce(folder: BankFolder, directory: string, from: string, to: string): Promise<void> {
  try {
    await folder.rename(directory, from, to)
  } catch (error) {
    if ((await folder.list(directory)).some(({ name }) => name === from)) throw error
  }
}

/**
 * Writes a file whole, or leaves none: many tries would fill a folder that is nearly full. False if another try, which
 * has brought the file meanwhile, has cleared it away.
 */
async function putWhole(folder: BankFolder, directory: string, name: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await folder.write(directory, name, bytes)
    const there = (await folder.list(directory)).find((one) => one.name === name)
    if (there && there.byteSize !== bytes.length) throw new FolderFailure('no_space')
    return there !== undefined
  } catch (error) {
    await folder.remove(directory, name).catch(() => {}) // a connection that is cut: a later try does
    throw error
  }
}

const temporaryOf = (name: string, by: string): string => `${name}.${by}${TEMPORARY}`

/** Compares the bytes there with ours; throws for others, since we alone give these names. */
async function isSame(folder: BankFolder, directory: string, { name, bytes }: Upload): Promise<boolean> {
  const there = await folder.read(directory, name, BANK_FILE_BYTES_MAX)
  if (there === null || hashOfBytes(there) === hashOfBytes(bytes)) return true // null: the bank has just taken it
  log.error({ file: name }, 'the folder of a bank has other bytes under the name of our file')
  throw new Error('other bytes have the name of a file')
}

export type FetchedPart = { readonly fetched: number; readonly isWhole: boolean }

/** Fetches the new files of a bank: each is stored before it is read. */
export async function fetchBankFiles({ connection }: { readonly connection: ConnectionName }): Promise<FetchedPart> {
  const bank = fileBank(connection)
  const { download: directory } = bank.settings.directories
  const startedAt = await beginAsking()
  return goFor('fetch', bank, async (folder) => {
    const found = (await folder.list(directory)).filter(({ name }) => !isTemporary(name))
    const fresh = await listNewFiles(connection, found)
    let isWhole = fresh.length <= FILES_MAX
    for (const file of fresh.slice(0, FILES_MAX)) {
      if (!(await fetchOne(folder, bank, file))) isWhole = false
    }
    if (isWhole) await recordListing(connection, startedAt)
    return { fetched: Math.min(fresh.length, FILES_MAX), isWhole }
  })
}

/** Visits the folder at once for a file that waits for no schedule: what the bank knows is not sent again. */
export async function visitForBankFile({ id }: ProcessRef<BankFileId>): Promise<void> {
  const connection = await findCollecting(id)
  if (connection) await fetchBankFiles({ connection })
}

/** Fetches a file; false if it is being written: the next visit looks again. */
async function fetchOne(
  folder: BankFolder,
  { name: connection, settings }: FileBank,
  file: FoundFile,
): Promise<boolean> {
  const { download: directory } = settings.directories
  const bytes = await folder.read(directory, file.name, BANK_FILE_BYTES_MAX)
  if (bytes === null && file.byteSize <= BANK_FILE_BYTES_MAX) return false
  const after = (await folder.list(directory)).find(({ name }) => name === file.name)
  const isSettled = after?.byteSize === file.byteSize && after.modifiedAt === file.modifiedAt
  if (!isSettled || (bytes !== null && bytes.length !== file.byteSize)) return false
  if (bytes === null) {
    log.error({ connection, file: file.name, bytes: file.byteSize }, 'a file of a bank is too large')
    await storeRefused(connection, file, 'too_large')
    await syncBankFindings()
    return true
  }
  await storeFetched(connection, file, bytes)
  log.info({ connection, file: file.name, bytes: bytes.length }, 'a file of a bank was fetched')
  return true
}

/** Reads a file of a bank and books what it says; the runs of its payments and deposits look at once. */
export async function readBankFile({ id }: ProcessRef<BankFileId>): Promise<void> {
  const unread = await findUnread(id)
  if (!unread) return
  const { connection, name, bytes } = unread
  try {
    const content = await readFile(bytes)
    const unknown = await listUnknown(connection, content)
    if (unknown.length > 0) await recoverForgotten(connection)
    const { ends, faults: found } = await bookContent(connection, id, content)
    const faults = [...new Set([...unknown.map((messageId) => `about_no_file:${messageId}`), ...found])]
    await callAbout(connection, id, ends)
    const [first] = content.messages
    await recordReading(id, { kind: first?.kind ?? 'nothing', faults })
    if (faults.length > 0) log.error({ connection, file: name, faults }, 'a file of a bank says what we do not know')
  } catch (error) {
    if (!(error instanceof UnreadableBankFile)) throw error
    log.error({ connection, file: name, reason: error.reason }, 'a file of a bank cannot be read')
    await recordReading(id, { kind: null, faults: [error.reason] })
  }
  await syncBankFindings()
}

/** Records callbacks about all that a file has changed: there are no others. */
async function callAbout(partner: ConnectionName, fileId: BankFileId, ends: readonly string[]): Promise<void> {
  const prefix = `bank-file:${fileId}:`
  const changed = await listChanged(partner, ends)
  const subjectIds = await paymentsOf(
    partner,
    changed.map(({ id }) => id),
  )
  await recordCallbacks({ partner, prefix, subject: 'payment', subjectIds })
  await noteCalled(partner, changed)
  await recordCallbacks({ partner, prefix, subject: 'deposit', subjectIds: await depositsOf(fileId) })
}

/** Answers the payments of payouts: a standard order after an instant one has an id of its own. */
async function paymentsOf(partner: ConnectionName, ids: readonly string[]): Promise<readonly string[]> {
  const named = new Map((await findFallbacks(partner, ids)).map(({ payment, fallback }) => [fallback, payment]))
  return [...new Set(ids.map((id) => named.get(id) ?? id))]
}

/** Holds a file that the bank has not acknowledged in time: a person asks the bank, and nothing is sent again. */
export async function holdBankFile({ id }: ProcessRef<BankFileId>): Promise<void> {
  const { connection, ids } = await holdFile(id)
  const subjectIds = await paymentsOf(connection, ids)
  await recordCallbacks({ partner: connection, prefix: `bank-file:${id}:held:`, subject: 'payment', subjectIds })
  if (ids.length > 0) log.error({ connection, bank_file_id: id }, 'a bank has not acknowledged a file')
  await syncBankFindings()
}

const syncBankFindings = async (): Promise<void> =>
  syncServiceFindings('reconciliation', await listFindings(), [BANK_FILE_CHECKS])
