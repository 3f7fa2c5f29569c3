/** Files that people attach to things and take away. Approvals of these things are bound to them. */
import { transactionEvents } from '../../domain/accounts/events.ts'
import { ATTACHMENTS_MAX, type AttachedKind, type SignedAttachment } from '../../domain/attachments/attachment.ts'
import { batchEvents } from '../../domain/batches/events.ts'
import { billEvents } from '../../domain/bills/events.ts'
import { contactEvents } from '../../domain/contacts/events.ts'
import { refuse } from '../../domain/errors.ts'
import type { ApprovalId, DelegateId, FileId } from '../../domain/ids.ts'
import { LOCATED } from '../../domain/located.ts'
import { paymentEvents } from '../../domain/payments/events.ts'
import { delegateOf } from '../../domain/people/actor.ts'
import { config } from '../../platform/config.ts'
import { changeAttachments } from '../approvals/voids.ts'
import { newCause, record } from '../events.ts'
import { claim, release } from '../files/files.ts'
import { purgeFiles } from '../files/purge.ts'
import { type Fragment, type Tx, sql, within } from '../../db/postgres/sql.ts'
import { listAttachments, ownersOf, selectAttachments } from './attachments.ts'

const ATTACHED = {
  payment: paymentEvents.file_attached,
  payment_contact: contactEvents.file_attached,
  bill: billEvents.file_attached,
  payment_batch: batchEvents.file_attached,
  transaction: transactionEvents.file_attached,
} as const
const DETACHED = {
  payment: paymentEvents.file_detached,
  payment_contact: contactEvents.file_detached,
  bill: billEvents.file_detached,
  payment_batch: batchEvents.file_detached,
  transaction: transactionEvents.file_detached,
} as const

export type AttachedTo = { readonly kind: AttachedKind; readonly id: string }

type Waiting = { readonly id: ApprovalId; readonly delegate_id: DelegateId | null }

/**
 * Attaches an uploaded file. If the thing waits for approval, what people approved before counts no more. A repeat
 * changes nothing. Refuses `not_found`, `file_not_uploaded`, `unprocessable_entity` for one file too many, and
 * `delegate_not_permitted` where a person or another delegate has asked for the approval.
 */
export async function attachFile(tx: Tx, to: AttachedTo, fileId: FileId): Promise<void> {
  const waiting = await lockThing(tx, to)
  const before = await listAttachments(within(tx), to.id)
  if (before.some((one) => one.file_id === fileId)) return
  if (before.length >= ATTACHMENTS_MAX)
    refuse('unprocessable_entity', { reason: 'too_many_files', most: ATTACHMENTS_MAX })
  const delegate = delegateOf(tx.actor)
  if (delegate && waiting.some((one) => one.delegate_id !== delegate.id)) refuse('delegate_not_permitted')
  const { sha256 } = await claim(tx, { fileId, purpose: 'attachment', ownerId: to.id })
  const event = { subjectId: to.id, cause: newCause(), payload: { file_id: fileId, sha256 } }
  await record(tx, ATTACHED[to.kind], event)
  await signAgain(tx, waiting)
}

/**
 * Takes a file away, which is purged after a day. If the thing waits for approval, what people approved before counts
 * no more. Refuses `not_found`, and `invalid_state` for a file that was approved: it stays as evidence.
 */
export async function detachFile(tx: Tx, to: AttachedTo, fileId: FileId): Promise<void> {
  const waiting = await lockThing(tx, to)
  const found = (await listAttachments(within(tx), to.id)).find((one) => one.file_id === fileId)
  if (!found) refuse('not_found')
  const signed = await tx`
    select id from approvals where target_id = ${targetOf(to)} and status = 'approved'
      and subject_body::jsonb -> 'attachments' @> ${sql.json([{ file_id: fileId }])}`
  if (signed.length > 0) refuse('invalid_state', { current: 'approved', allowed: [] })
  await release(tx, fileId)
  const event = { subjectId: to.id, cause: newCause(), payload: { file_id: fileId, sha256: found.sha256 } }
  await record(tx, DETACHED[to.kind], event)
  await signAgain(tx, waiting)
}

/** Selects the id of what waits for approval of a thing: the payment or the batch that pays a bill, else itself. */
const targetOf = ({ kind, id }: AttachedTo): Fragment =>
  kind === 'bill'
    ? sql`any (array(select p.id from payments p where p.bill_id = ${id}
        union select r.payment_batch_id from payment_batch_rows r where r.bill_id = ${id} and r.status = 'valid'))`
    : sql`${id}`

/**
 * Locks what waits for approval of a thing, and then the thing, as decisions do. An approval that was asked for
 * meanwhile is locked only if nobody else holds it; else the transaction is repeated.
 */
async function lockThing(tx: Tx, to: AttachedTo): Promise<Waiting[]> {
  const pending = sql`select id, delegate_id from approvals where target_id = ${targetOf(to)} and status = 'pending' order by id`
  await tx`${pending} for update`
  await tx`select id from ${sql(LOCATED[to.kind])} where id = ${to.id} for no key update`
  return tx<Waiting[]>`${pending} for update nowait`
}

/** Writes the attachments of now into the subjects of approvals. */
async function signAgain(tx: Tx, waiting: readonly Waiting[]): Promise<void> {
  for (const { id } of waiting) {
    const [row] = await tx<{ attachments: SignedAttachment[] | null }[]>`
      select ${selectAttachments(tx, ownersOf(id))} as attachments`
    await changeAttachments(tx, id, row?.attachments ?? null)
  }
}

/** Removes attachments that are older than the retention; answers how many. */
export async function purgeAttachments(): Promise<number> {
  const released = await sql`select id from release_attachments(${config.attachmentRetentionYears})`
  await purgeFiles()
  return released.length
}
