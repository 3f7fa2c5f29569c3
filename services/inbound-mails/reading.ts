/** Reading of mails: a try that has begun, and what was found, in one transaction with the bills that it makes. */
import { createHash } from 'node:crypto'
import {
  type BillId,
  type FileId,
  type InboundMailId,
  type OrganizationId,
  type UserId,
  newId,
} from '../../domain/ids.ts'
import { isAnswered, partsOf } from '../../domain/inbound-mails/answer.ts'
import { inboundMailMoves } from '../../domain/inbound-mails/events.ts'
import { inboundMailFlow } from '../../domain/inbound-mails/flow.ts'
import type { Authentication, FileOutcome, WithoutBill } from '../../domain/inbound-mails/inbound-mail.ts'
import { billEvents } from '../../domain/bills/events.ts'
import { config } from '../../platform/config.ts'
import { type Key, type StoredObject, keyOf } from '../../platform/storage/storage.ts'
import { createMailedBill, trustBills } from '../bills/commands.ts'
import { causesWhatFollows, record } from '../events.ts'
import { keep } from '../files/files.ts'
import { askAgain } from '../../db/processes/asking.ts'
import { transition } from '../../db/processes/transition.ts'
import { type Tx, asSystem, first, sql } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { answerMail } from './answers.ts'

/** Most tries to read a mail; one that ends the process that reads it is given up at once. */
const TRIES_MAX = 5

export type MailTry = {
  readonly id: InboundMailId
  readonly number: number
  readonly key: Key
  /** SHA-256 of the file as it is stored. */
  readonly sha256: string
  readonly sealedKey: Buffer
  /** True if results of the gateway are believed. */
  readonly fromGateway: boolean
}

type TryRow = {
  readonly tries: number
  readonly file_id: FileId
  readonly sealed_key: Buffer
  readonly from_gateway: boolean
  readonly stored_as: string | null
  readonly sha256: string | null
}

/** Begins a try to read a mail; null if it is read, or was given up after the last try. */
export const beginMailReading = (organizationId: OrganizationId, id: InboundMailId): Promise<MailTry | null> =>
  asSystem(organizationId, async (tx) => {
    const row = await first(
      tx<TryRow[]>`
        update inbound_mails m set tries = tries + 1, updated_at = business_now()
        from (select m.id, f.stored_as, f.sha256 from inbound_mails m left join files f
          on f.id = m.file_id and f.removed_at is null where m.id = ${id}) f
        where m.id = f.id and m.status = 'received'
        returning m.tries, m.file_id, m.sealed_key, m.from_gateway, f.stored_as, f.sha256`,
    )
    if (!row) return null
    const { tries: number, file_id: fileId, sealed_key: sealedKey, from_gateway: fromGateway } = row
    const { stored_as: object, sha256 } = row
    if (number > TRIES_MAX || object === null || sha256 === null) {
      await findNothing(tx, id, { reason: 'unreadable', files: [] })
      return null
    }
    return { id, number, key: keyOf(fileId, object), sha256, sealedKey, fromGateway }
  })

/** Schedules another try after one that failed for a reason that may pass. */
export const noteFailedTry = (organizationId: OrganizationId, { id, number }: MailTry): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    const waits = await tx`
      ${askAgain('inbound_mails', config.partnerPollSeconds, 'not read')}
      where id = ${id} and status = 'received' and tries = ${number} returning id`
    if (waits.length > 0) wake(tx, inboundMailFlow, { ids: [id], why: 'tried' })
  })

/** A file of a mail, stored if it is a bill or beside one. */
export type FoundFile = {
  readonly outcome: FileOutcome
  /** Place of the XML that it is beside of. */
  readonly besideOf: number | null
  readonly filename: string
  readonly contentType: string
  readonly byteSize: number
  readonly sha256: string
  /** Bill that it becomes, if it is not known by then. */
  readonly billId: BillId | null
  readonly stored: { readonly id: FileId; readonly key: Key; readonly object: StoredObject } | null
}

/** Findings in a mail. */
export type FoundMail = {
  readonly messageId: string | null
  readonly fromAddress: string | null
  readonly fromName: string | null
  readonly subject: string | null
  readonly authentication: Authentication
  readonly autoSubmitted: string | null
  readonly precedence: string | null
  readonly isBulk: boolean
  readonly files: readonly FoundFile[]
}

/** Records a mail that nothing can be read of. */
export const noteUnreadableMail = (organizationId: OrganizationId, { id, number }: MailTry): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    if (await lockTry(tx, id, number)) await findNothing(tx, id, { reason: 'unreadable', files: [] })
  })

type LockedMail = { readonly envelope_from: string | null }

/** Locks the mail of a try; undefined if it is read, or a later try has begun. */
const lockTry = (tx: Tx, id: InboundMailId, number: number): Promise<LockedMail | undefined> =>
  first(
    tx<LockedMail[]>`
      select envelope_from from inbound_mails
      where id = ${id} and status = 'received' and tries = ${number} for no key update`,
  )

/**
 * Records what a mail says, makes its bills, and moves it: taken if its sender is known and proved, held if not, put
 * aside if it has no bill, or a repetition of an earlier one.
 */
export const recordMail = (organizationId: OrganizationId, begun: MailTry, found: FoundMail): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    const { id } = begun
    const locked = await lockTry(tx, id, begun.number)
    if (!locked) return
    const isProved = begun.fromGateway && found.authentication.verdict === 'pass'
    const acceptedBy = await findAcceptor(tx, found.fromAddress)
    const isKnown = acceptedBy !== null
    await writeFacts(tx, id, { found, locked, isKnown })
    const before = await findEarlier(tx, id, isProved)
    if (before !== null) return repeatMail(tx, id, before)
    const isTrusted = isProved && isKnown
    await causesWhatFollows(tx, id)
    const outcomes = await makeBills(tx, id, found.files, !isTrusted)
    await insertFiles(tx, id, found.files, outcomes)
    const files = outcomes.map(({ outcome, billId }) => ({ outcome, ...(billId && { bill_id: billId }) }))
    const bills = outcomes.flatMap(({ billId }) => billId ?? [])
    if (bills.length === 0) {
      const reason = files.length === 0 ? 'no_file' : 'no_bill_in_files'
      return findNothing(tx, id, { reason, files })
    }
    const cause = `reading:${id}`
    if (!isTrusted) return transition(tx, inboundMailMoves, id, { events: ['hold'], cause, payload: { files } })
    await trustBills(tx, bills)
    const set = sql`decided_by = ${acceptedBy}`
    await transition(tx, inboundMailMoves, id, { events: ['take'], cause, set, payload: { files } })
    await answerMail(tx, id)
  })

/** Finds who accepted a sender for always; null for one who is unknown. */
async function findAcceptor(tx: Tx, address: string | null): Promise<UserId | null> {
  const [known] = await tx<{ accepted_by: UserId }[]>`
    select accepted_by from mail_senders where organization_id = ${tx.organizationId} and address = ${address}`
  return known?.accepted_by ?? null
}

type Facts = { readonly found: FoundMail; readonly locked: LockedMail; readonly isKnown: boolean }

async function writeFacts(tx: Tx, id: InboundMailId, { found, locked, isKnown }: Facts): Promise<void> {
  const { fromAddress, autoSubmitted, precedence, isBulk } = found
  const ownDomains = [config.billsMailDomain, partsOf(config.mailFrom.replace(/>$/, ''))[1]].flatMap((one) => one ?? [])
  const envelopeFrom = locked.envelope_from
  const answers = isAnswered({ fromAddress, envelopeFrom, autoSubmitted, precedence, isBulk, ownDomains })
  await tx`
    update inbound_mails set from_address = ${fromAddress}, from_name = ${found.fromName}, subject_line = ${found.subject},
      message_key = ${keyOfMessage(found)}, authentication = ${sql.json(found.authentication)},
      sender_is_known = ${isKnown}, is_answered = ${answers}, ask_at = null, asks = 0, ask_note = null,
      unclear_since = null
    where id = ${id}`
}

/** Hashes Message-ID and sender: a stranger who takes the id of another one's mail repeats nothing. */
const keyOfMessage = ({ messageId, fromAddress }: FoundMail): string | null =>
  messageId === null
    ? null
    : createHash('sha256')
        .update(JSON.stringify([messageId, fromAddress]))
        .digest('hex')

/** Finds the mail that this one repeats. A proved one repeats no mail that may be of a stranger. */
async function findEarlier(tx: Tx, id: InboundMailId, isProved: boolean): Promise<InboundMailId | null> {
  const [earlier] = await tx<{ id: InboundMailId }[]>`
    select e.id from inbound_mails m join inbound_mails e
      on e.organization_id = m.organization_id and e.message_key = m.message_key and e.id <> m.id
    where m.id = ${id} and e.status not in ('received', 'duplicate')
      and (${!isProved} or (e.from_gateway and e.authentication ->> 'verdict' = 'pass'))
    order by e.inserted_at, e.id limit 1`
  return earlier?.id ?? null
}

const repeatMail = (tx: Tx, id: InboundMailId, before: InboundMailId): Promise<void> =>
  transition(tx, inboundMailMoves, id, {
    events: ['repeat'],
    cause: `reading:${id}`,
    set: sql`duplicate_of = ${before}`,
    payload: { duplicate_of: before },
  })

type Outcome = { readonly outcome: FileOutcome; readonly billId: BillId | null }

/** Makes a bill of each file that is one and is not known yet; a picture beside XML is attached to its bill. */
async function makeBills(
  tx: Tx,
  mailId: InboundMailId,
  files: readonly FoundFile[],
  isFromStranger: boolean,
): Promise<readonly Outcome[]> {
  const bills = new Map<string, Outcome>()
  for (const { outcome, sha256, stored, billId } of files) {
    if (outcome !== 'bill' || bills.has(sha256)) continue
    const known = await findBillOfFile(tx, sha256)
    if (known) {
      bills.set(sha256, { outcome: 'known_bill', billId: known })
      continue
    }
    if (!stored || !billId) throw new Error('a bill of a mail was not stored')
    await keep(tx, { ...stored.object, key: stored.key, days: 'for good' })
    await createMailedBill(tx, { id: billId, fileId: stored.id, mailId, isFromStranger })
    bills.set(sha256, { outcome: 'bill', billId })
  }
  const outcomes: Outcome[] = []
  const seen = new Set<string>()
  for (const file of files) {
    const { outcome, besideOf, sha256 } = file
    const of = besideOf === null ? undefined : bills.get(files[besideOf]?.sha256 ?? '')
    const own = outcome === 'bill' ? bills.get(sha256) : undefined
    if (of?.outcome === 'bill' && of.billId) await attach(tx, of.billId, file)
    // the same bytes twice in a mail are one bill
    if (own) outcomes.push(seen.has(sha256) ? { ...own, outcome: 'known_bill' } : own)
    else outcomes.push({ outcome, billId: of?.billId ?? null })
    if (own) seen.add(sha256)
  }
  return outcomes
}

/** Locks the bill that has these bytes already, unless it was put away: who refuses another mail waits, and sees this one. */
async function findBillOfFile(tx: Tx, sha256: string): Promise<BillId | null> {
  const [bill] = await tx<{ id: BillId }[]>`
    select id from bills where organization_id = ${tx.organizationId} and file_sha256 = ${sha256} and status <> 'cancelled'
    order by inserted_at, id limit 1 for no key update`
  return bill?.id ?? null
}

/** Attaches the picture of a bill: approvers see it, and sign its hash. */
async function attach(tx: Tx, billId: BillId, { stored }: FoundFile): Promise<void> {
  if (!stored) return
  const { key, object, id } = stored
  await keep(tx, { ...object, key, days: 'for good' })
  const payload = { file_id: id, sha256: object.sha256 }
  await record(tx, billEvents.file_attached, { subjectId: billId, cause: `mail:${id}`, payload })
}

async function insertFiles(
  tx: Tx,
  mailId: InboundMailId,
  files: readonly FoundFile[],
  outcomes: readonly Outcome[],
): Promise<void> {
  if (files.length === 0) return
  const rows = files.map(({ filename, contentType, byteSize, sha256 }, position) => ({
    id: newId(),
    organization_id: tx.organizationId,
    mail_id: mailId,
    position,
    filename,
    content_type: contentType,
    byte_size: byteSize,
    sha256,
    outcome: outcomes[position]?.outcome ?? 'no_bill',
    bill_id: outcomes[position]?.billId ?? null,
  }))
  await tx`insert into inbound_mail_files ${tx(rows)}`
}

type Nothing = { readonly reason: WithoutBill; readonly files: readonly { readonly outcome: FileOutcome }[] }

const findNothing = (tx: Tx, id: InboundMailId, { reason, files }: Nothing): Promise<void> =>
  transition(tx, inboundMailMoves, id, {
    events: ['find_nothing'],
    cause: `reading:${id}`,
    set: sql`without_bill = ${reason}`,
    payload: { reason, files: [...files] },
  })
