/** Long step of a mail: it is read in the process that may be ended, and its files are stored. */
import { Context } from '@temporalio/activity'
import { type InboundMailId, type OrganizationId, newId } from '../domain/ids.ts'
import { inboundMailFlow } from '../domain/inbound-mails/flow.ts'
import type { ProcessRef } from '../domain/process.ts'
import type { ReadFile } from '../documents/mails/read.ts'
import { type ReadMail, readMail } from '../documents/reading/mails.ts'
import { config } from '../platform/config.ts'
import { openContent } from '../platform/envelope.ts'
import { log } from '../platform/log.ts'
import { newKey, put } from '../platform/storage/storage.ts'
import { bytesOf, reserve } from '../services/files/files.ts'
import {
  type FoundFile,
  type MailTry,
  beginMailReading,
  noteFailedTry,
  noteUnreadableMail,
  recordMail,
} from '../services/inbound-mails/reading.ts'
import { onePiece } from '../services/inbound-mails/reception.ts'
import { asSystem } from '../db/postgres/sql.ts'
import { organizationOf } from '../db/processes/views.ts'
import { inTurn } from './turn.ts'

const TURN = { flow: inboundMailFlow, queue: 'bills', states: inboundMailFlow.driven } as const

/** Reads a mail, and makes bills of its files. A repeat after a crash reads it again, and makes each bill once. */
export const readInboundMail = inTurn<InboundMailId>(TURN, async (ref: ProcessRef<InboundMailId>) => {
  const organizationId = organizationOf(ref)
  const begun = await beginMailReading(organizationId, ref.id)
  if (!begun) return
  const { cancellationSignal: signal } = Context.current()
  try {
    const mail = await openMail(begun, signal)
    if (!mail) return await noteUnreadableMail(organizationId, begun)
    const files = await storeFiles(organizationId, mail.files)
    const { facts } = mail
    await recordMail(organizationId, begun, { ...facts, files })
  } catch (error) {
    if (signal.aborted) throw error
    log.warn({ err: error, inbound_mail_id: begun.id, try: begun.number }, 'a mail was not read')
    await noteFailedTry(organizationId, begun)
  }
})

/** Decrypts and reads a mail; null if storage has lost it, or it cannot be read. */
async function openMail(
  { key, sha256, sealedKey, fromGateway }: MailTry,
  signal: AbortSignal,
): Promise<ReadMail | null> {
  const content = await bytesOf({ key, sha256 })
  if (!content) return null
  const bytes = openContent({ content, sealedKey })
  return readMail({ bytes, gateway: fromGateway ? (config.billsMailAuthservId ?? null) : null }, signal)
}

/** Stores the files that are bills, or beside one. What no bill takes is purged after a day. */
async function storeFiles(organizationId: OrganizationId, files: readonly ReadFile[]): Promise<FoundFile[]> {
  const billIds = files.map(({ outcome }) => (outcome === 'bill' ? newId<'bill'>() : null))
  const stored: FoundFile[] = []
  for (const { bytes, at, ...file } of files) {
    const { filename, contentType, besideOf } = file
    const billId = billIds[at] ?? null
    const ownerId = billId === null ? (billIds[besideOf ?? -1] ?? null) : organizationId
    stored.push({ ...file, billId, stored: null })
    if (!bytes || ownerId === null) continue
    const id = newId<'file'>()
    const purpose = billId === null ? 'attachment' : 'bill'
    await asSystem(organizationId, (tx) => reserve(tx, { id, purpose, ownerId, filename, contentType }))
    const key = newKey(id)
    stored[at] = { ...file, billId, stored: { id, key, object: await put(key, onePiece(bytes)) } }
  }
  return stored
}
