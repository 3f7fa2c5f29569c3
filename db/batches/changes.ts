/** What people change of a batch: the rows of a draft, one by one, or all of it; and they stop a submitted one. */
import { refuseUnopened } from '../../platform/encryption.ts'
import { cancelApprovals } from '../approvals/requests.ts'
import { newCause, record } from '../events.ts'
import { release } from '../files/files.ts'
import { type Claim, takeClaim } from '../idempotency.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import type { Person } from '../../domain/actor.ts'
import type { NewBatch, RowChange } from '../../domain/batches/batch.ts'
import { COLUMNS, type Cells, type Column } from '../../domain/batches/columns.ts'
import { batchEvents, batchMoves } from '../../domain/batches/events.ts'
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flows/flow.ts'
import { type BatchStatus, batchFlow } from '../../domain/flows/payment-batch.ts'
import { type ApprovalId, type BatchId, type BatchRowId, type FileId, newId } from '../../domain/ids.ts'
import { type Tx, sql, within } from '../sql.ts'
import { transition } from '../transition.ts'
import { type RowCells, read, readableCells, sealCells } from './cells.ts'
import { recount } from './batches.ts'
import { asksForContacts } from './payees.ts'
import { skipRows } from './paying.ts'
import { columnsOf } from './staging.ts'
import { type Payout, judged, markDuplicates, verdictsOn } from './verdicts.ts'

/** Makes a draft without rows; false when the claim was taken by another request. */
export async function createBatch(tx: Tx, person: Person, claim: Claim, { name }: NewBatch): Promise<boolean> {
  await requirePermissionLocked(tx, person, 'payments.send_fiat')
  if (claim.keyed && !(await takeClaim(tx, claim))) return false
  await tx`
    insert into payment_batches (id, organization_id, name, created_by)
    values (${claim.id}, ${tx.organizationId}, ${name}, ${person.userId})`
  await record(tx, batchEvents.created, { subjectId: claim.id, cause: newCause(), payload: { name } })
  return true
}

/** A batch that nobody else changes until the transaction ends. */
type Draft = { readonly status: BatchStatus; readonly file_id: FileId | null; readonly columns: readonly Column[] }

/** Locks a draft. Refuses `not_found`, also for a deleted one, and `batch_not_draft`. */
export async function lockDraft(tx: Tx, id: BatchId): Promise<Draft> {
  const [batch] = await tx<Draft[]>`
    select status, file_id, columns from payment_batches where id = ${id} and deleted_at is null for no key update`
  if (!batch) refuse('not_found')
  const { status } = batch
  if (status !== 'draft') refuse('batch_not_draft', { current: status, allowed: eventsFrom(batchFlow, status) })
  return batch
}

/** Deletes a draft with its rows, and lets its file be swept. Refuses `not_found` and `batch_not_draft`. */
export async function deleteBatch(tx: Tx, person: Person, id: BatchId): Promise<void> {
  await requirePermissionLocked(tx, person, 'payments.send_fiat')
  const { file_id: fileId } = await lockDraft(tx, id)
  await tx`delete from payment_batch_rows where payment_batch_id = ${id}`
  await tx`update payment_batches set deleted_at = business_now(), file_id = null where id = ${id}`
  if (fileId) await release(tx, fileId)
  await record(tx, batchEvents.deleted, { subjectId: id, cause: newCause() })
}

/**
 * Stops a submitted batch. One that waits for approval is cancelled with its approval; of one that is being paid the
 * rows that are not begun will be skipped, and the others go on. Again, it changes nothing. Refuses `not_found`,
 * `forbidden`, and `invalid_state` for a draft and for a batch that has ended.
 */
export async function cancelBatch(tx: Tx, person: Person, id: BatchId): Promise<void> {
  await requirePermissionLocked(tx, person, 'payments.send_fiat')
  const approvals = await tx<{ id: ApprovalId }[]>`
    select id from approvals where target_id = ${id} and target_type = 'payment_batch' and status = 'pending'
    order by id for update`
  const [batch] = await tx<{ status: BatchStatus }[]>`
    select status from payment_batches where id = ${id} and deleted_at is null for update`
  if (!batch) refuse('not_found')
  const { status } = batch
  if (status === 'cancelling' || status === 'cancelled') return
  if (status === 'processing') {
    return transition(tx, batchMoves, id, { events: ['cancel'], cause: `cancellation:${newId()}` })
  }
  if (status !== 'awaiting_approval')
    refuse('invalid_state', { current: status, allowed: eventsFrom(batchFlow, status) })
  const waiting = approvals.map((approval) => ({ id: approval.id, target: { type: 'payment_batch', id } as const }))
  const cause = await cancelApprovals(tx, waiting, { why: 'batch cancelled', by: person })
  await transition(tx, batchMoves, id, { events: ['withdraw'], cause: cause(id) })
  await skipRows(tx, id)
}

/** Which row of which batch. */
export type RowRef = { readonly batchId: BatchId; readonly rowId: BatchRowId }

type Locked = { readonly row_number: number; readonly sealed: string } & Nullable<Payout>
type Nullable<Members> = { readonly [Member in keyof Members]: Members[Member] | null }

/** The row of a draft that the caller has locked. Refuses `not_found`. */
async function findRow(tx: Tx, { batchId, rowId }: RowRef): Promise<Locked> {
  const [row] = await tx<Locked[]>`
    select row_number, encode(sealed, 'hex') as sealed, payee_key, amount, currency from payment_batch_rows
    where id = ${rowId} and payment_batch_id = ${batchId}`
  return row ?? refuse('not_found')
}

/** What the rows pay that are paid somebody: other rows may pay the same. */
const payouts = (...rows: readonly Nullable<Payout>[]): Payout[] =>
  rows.flatMap(({ payee_key, amount, currency }) =>
    payee_key && amount && currency ? [{ payee_key, amount, currency }] : [],
  )

/**
 * Writes cells of a row of a draft: what is absent stays, null empties. The row is judged anew by the rules of the
 * import. Cells beyond the header go: they had no column. Refuses `not_found`, `batch_not_draft`, and
 * `service_unavailable` while the cells do not open.
 */
export async function changeRow(tx: Tx, person: Person, ref: RowRef, change: RowChange): Promise<void> {
  const { batchId, rowId } = ref
  await requirePermissionLocked(tx, person, 'payments.send_fiat')
  const { columns } = await lockDraft(tx, batchId)
  const before = await findRow(tx, ref)
  const given = COLUMNS.filter((column) => change[column] !== undefined)
  if (given.length === 0) return
  const { cells: old } = readableCells({ id: rowId, sealed: before.sealed }) ?? refuseUnopened()
  const cells: Cells = { ...old, ...Object.fromEntries(given.map((column) => [column, change[column] ?? ''])) }
  const after = { cells, more: [], short: false }
  await writeRow(tx, rowId, after)
  await markDuplicates(tx, batchId, payouts(before, await findRow(tx, ref)))
  const added = given.filter((column) => !columns.includes(column))
  if (added.length > 0) await tx`update payment_batches set columns = columns || ${added}::text[] where id = ${batchId}`
  await recount(tx, batchId)
  await record(tx, batchEvents.row_changed, {
    subjectId: batchId,
    cause: newCause(),
    payload: { row_number: before.row_number, columns: given },
  })
}

/** Writes what a row says now, with its verdict. */
async function writeRow(tx: Tx, rowId: BatchRowId, cells: RowCells): Promise<void> {
  const own = columnsOf(tx.organizationId, read(cells))
  const source = () => sql`
    select ${rowId}::uuid as id, ${own.payee}::text as payee, ${own.svc_id}::text as svc_id,
      ${own.named_contact_id}::uuid as named_contact_id, decode(${own.fingerprint}, 'hex') as fingerprint,
      ${own.amount}::numeric as amount, ${own.currency}::text as currency, ${own.cell_errors}::text::jsonb as cell_errors`
  await tx`
    update payment_batch_rows r
    set sealed = ${sealCells(rowId, cells)}, cell_errors = s.cell_errors, svc_id = s.svc_id,
      named_contact_id = s.named_contact_id, fingerprint = s.fingerprint, amount = s.amount, currency = s.currency,
      payout_reason = ${own.payout_reason}, statement_description = ${own.statement_description},
      internal_notes = ${own.internal_notes}, reference = ${own.reference}, ${judged()}
    from (${source()}) s join (${verdictsOn(tx, source(), await asksForContacts(within(tx)))}) v using (id)
    where r.id = s.id`
}

/** Deletes a row of a draft; the numbers of all others stay. Refuses `not_found` and `batch_not_draft`. */
export async function deleteRow(tx: Tx, person: Person, ref: RowRef): Promise<void> {
  const { batchId, rowId } = ref
  await requirePermissionLocked(tx, person, 'payments.send_fiat')
  await lockDraft(tx, batchId)
  const row = await findRow(tx, ref)
  await tx`delete from payment_batch_rows where id = ${rowId}`
  await markDuplicates(tx, batchId, payouts(row))
  await recount(tx, batchId)
  await record(tx, batchEvents.row_deleted, {
    subjectId: batchId,
    cause: newCause(),
    payload: { row_number: row.row_number },
  })
}
