/** Reception of mails: stored encrypted, and committed, before their sender may forget them. */
import { createHash } from 'node:crypto'
import { refuse } from '../../domain/errors.ts'
import { type FileId, newId } from '../../domain/ids.ts'
import { inboundMailEvents } from '../../domain/inbound-mails/events.ts'
import { inboundMailFlow } from '../../domain/inbound-mails/flow.ts'
import { MAIL_BYTES_MAX } from '../../domain/inbound-mails/inbound-mail.ts'
import { onOneLine } from '../../domain/text.ts'
import { config } from '../../platform/config.ts'
import { sealContent } from '../../platform/envelope.ts'
import { type StoredObject, type Key, newKey, put } from '../../platform/storage/storage.ts'
import { record } from '../events.ts'
import { keep, reserve } from '../files/files.ts'
import { countMany, countOne, refuseOver } from '../rate-limits.ts'
import { type Tx, asSystem, first, readerOf, sql } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import type { FoundMailbox } from './mailboxes.ts'

const ADDRESS_LENGTH_MAX = 320

/** A mail as it came. */
export type IncomingMail = {
  readonly raw: Buffer
  readonly envelopeFrom: string | null
  /** True if it came by the gateway, which has removed results of others. */
  readonly fromGateway: boolean
}

/**
 * Counts a mail to a mailbox. Refuses `rate_limited` past the limit of its network, the mailbox or the organization.
 * @param network null for the gateway, which brings the mails of all
 * @param mails 0 to count nothing yet: a mail that is announced, and may never come
 */
export async function admitMail(
  { id, organizationId }: FoundMailbox,
  network: string | null,
  mails: 0 | 1 = 1,
): Promise<void> {
  for (const [policy, key] of [
    ['mails_of_network', network],
    ['mails_of_mailbox', id],
    ['mails_of_organization', organizationId],
  ] as const) {
    if (key === null) continue
    const count = await countMany(policy, key, mails)
    if (count.over || (mails === 0 && count.left === 0)) refuseOver(count)
  }
}

/** Refuses `rate_limited` to a network with as many wrong calls as it may send mails. */
export async function refuseForgers(network: string): Promise<void> {
  const count = await countMany('mails_of_network', forgersOf(network), 0)
  if (count.left === 0) refuseOver(count)
}

/** Counts a call of a network whose signature is wrong, or whose body does not come. */
export const countForger = (network: string): Promise<unknown> => countOne('mails_of_network', forgersOf(network))

const forgersOf = (network: string): string => `forgers ${network}`

/**
 * Stores a mail for a mailbox, encrypted, and wakes its process. The same bytes again are the same mail. Refuses
 * `payload_too_large`; throws `StorageAway`.
 */
export async function receiveMail(mailbox: FoundMailbox, mail: IncomingMail): Promise<void> {
  const { raw } = mail
  if (raw.length > MAIL_BYTES_MAX) refuse('payload_too_large', { max_bytes: MAIL_BYTES_MAX })
  const { organizationId, id: mailboxId } = mailbox
  const sha256 = createHash('sha256').update(raw).digest('hex')
  const known = await first(
    readerOf(organizationId)(sql`
      select id from inbound_mails where mailbox_id = ${mailboxId} and sha256 = ${sha256}`),
  )
  if (known) return
  const { content, sealedKey } = sealContent(raw)
  const fileId = newId<'file'>()
  await asSystem(organizationId, (tx) =>
    reserve(tx, {
      id: fileId,
      purpose: 'inbound_mail',
      ownerId: mailboxId,
      filename: 'mail.eml.enc',
      contentType: 'application/octet-stream',
    }),
  )
  const key = newKey(fileId)
  const stored = await put(key, onePiece(content))
  await asSystem(organizationId, (tx) => insertMail(tx, mailbox, { ...mail, sha256, sealedKey, fileId, key, stored }))
}

type StoredMail = IncomingMail & {
  readonly sha256: string
  readonly sealedKey: Buffer
  readonly fileId: FileId
  readonly key: Key
  readonly stored: StoredObject
}

/** Writes the mail with its process, unless the same bytes have come meanwhile. */
async function insertMail(tx: Tx, mailbox: FoundMailbox, mail: StoredMail): Promise<void> {
  const { raw, sha256, sealedKey, fileId, key, stored, envelopeFrom, fromGateway } = mail
  const id = newId<'inbound_mail'>()
  const row = {
    id,
    organization_id: tx.organizationId,
    mailbox_id: mailbox.id,
    file_id: fileId,
    sealed_key: sealedKey,
    sha256,
    byte_size: raw.length,
    from_gateway: fromGateway,
    envelope_from: envelopeFrom && onOneLine(envelopeFrom).slice(0, ADDRESS_LENGTH_MAX),
  }
  const inserted = await tx`
    insert into inbound_mails ${tx(row)} on conflict (mailbox_id, sha256) do nothing returning id`
  if (inserted.length === 0) return // the purge removes the second copy
  await keep(tx, { ...stored, key, days: config.billsMailRetentionDays })
  const payload = { bill_mailbox_id: mailbox.id, sha256 }
  await record(tx, inboundMailEvents.received, { subjectId: id, cause: `mail:${id}`, payload })
  wake(tx, inboundMailFlow, { ids: [id], why: 'received', status: 'received' })
}

/** Makes the content of an object of one piece. */
export async function* onePiece(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}
