/** Commands on payment batches: people fill and delete drafts; others are cancelled, singly or with an organization. */
import { randomUUID } from 'node:crypto'
import { refuseUnopened } from '../../platform/encryption.ts'
import { cancelApprovals } from '../approvals/requests.ts'
import { newCause, record } from '../events.ts'
import { toExternalRow } from '../external.ts'
import { type Meant, claim, release, releaseAttached } from '../files/files.ts'
import type { Person } from '../../domain/people/actor.ts'
import type { NewBatch, RowChange } from '../../domain/batches/batch.ts'
import { COLUMNS, type Cells, type Column, ROWS_MAX } from '../../domain/batches/columns.ts'
import { batchEvents, batchMoves } from '../../domain/batches/events.ts'
import { refuse } from '../../domain/errors.ts'
import { externalInEvent } from '../../domain/external.ts'
import { eventsFrom } from '../../domain/flow.ts'
import { type BatchStatus, batchFlow } from '../../domain/batches/flow.ts'
import { type ApprovalId, type BatchId, type BatchRowId, type BillId, type FileId, newId } from '../../domain/ids.ts'
import { OvertakenError, type Tx, sql, within, values } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { nextRow, recount, skipRows } from './batches.ts'
import { columnsOf, read, readableCells, sealCells } from './cells.ts'
import { askAboutRow } from './payee-checks.ts'
import type { RowRef } from './rows.ts'
import { storeAccount } from '../contacts/payee-accounts.ts'
import { type Payout, markDuplicates, readRowRules, verdictAssignments, verdictsOn } from './verdicts.ts'

/** Creates a draft without rows. */
export async function createBatch(tx: Tx, person: Person, id: BatchId, wanted: NewBatch): Promise<void> {
  const { name } = wanted
  const row = { id, organization_id: tx.organizationId, name, created_by: person.userId }
  await tx`insert into payment_batches ${values({ ...row, ...toExternalRow(wanted) })}`
  const payload = { name, ...externalInEvent(wanted) }
  await record(tx, batchEvents.created, { subjectId: id, cause: newCause(), payload })
}

type Draft = { readonly status: BatchStatus; readonly file_id: FileId | null; readonly columns: readonly Column[] }

/** Locks a draft. Throws `not_found`, also for a deleted one, and `batch_not_draft`. */
export async function requireDraft(tx: Tx, id: BatchId): Promise<Draft> {
  const [batch] = await tx<Draft[]>`
    select status, file_id, columns from payment_batches where id = ${id} and deleted_at is null for no key update`
  if (!batch) refuse('not_found')
  const { status } = batch
  if (status !== 'draft') refuse('batch_not_draft', { current: status, allowed: eventsFrom(batchFlow, status) })
  return batch
}

/**
 * Starts the import of a file that was sent for this draft; its rows replace those of the draft once they are read.
 * Throws `not_found`, also for the file of another batch, `batch_not_draft` and `file_not_uploaded`.
 */
export async function requestImport(tx: Tx, id: BatchId, file: Meant): Promise<void> {
  await requireDraft(tx, id)
  const { filename, byteSize } = await claim(tx, file)
  await transition(tx, batchMoves, id, {
    events: ['import'],
    cause: `import:${randomUUID()}`, // the same file may be imported again
    set: sql`importing_file_id = ${file.fileId}, import_error = null, rows_imported = 0`,
    payload: { file_id: file.fileId, filename, byte_size: byteSize },
    otherwise: 'batch_not_draft',
  })
}

/** Deletes a draft with its rows and releases its file. Throws `not_found` and `batch_not_draft`. */
export async function deleteBatch(tx: Tx, id: BatchId): Promise<void> {
  const { file_id: fileId } = await requireDraft(tx, id)
  await tx`delete from payment_batch_rows where payment_batch_id = ${id}`
  await tx`update payment_batches set deleted_at = business_now(), file_id = null where id = ${id}`
  if (fileId) await release(tx, fileId)
  await releaseAttached(tx, id)
  await record(tx, batchEvents.deleted, { subjectId: id, cause: newCause() })
}

/**
 * Cancels a submitted batch: with its approval if it waits for one; of one that is being paid, payments that have begun
 * go on. A repeat changes nothing. Throws `not_found`, and `invalid_state` for a draft and for a batch that has ended.
 */
export async function cancelBatch(tx: Tx, person: Person, id: BatchId): Promise<void> {
  const approvals = await tx<{ id: ApprovalId }[]>`
    select id from approvals where target_id = ${id} and target_type = 'payment_batch' and status = 'pending'
    order by id for update`
  const [batch] = await tx<{ status: BatchStatus; approval_request_id: ApprovalId | null }[]>`
    select status, approval_request_id from payment_batches where id = ${id} and deleted_at is null for update`
  if (!batch) refuse('not_found')
  const { status, approval_request_id: approvalId } = batch
  if (status === 'cancelling' || status === 'cancelled') return
  if (status === 'processing') {
    return transition(tx, batchMoves, id, { events: ['cancel'], cause: `cancellation:${newId()}` })
  }
  if (status !== 'awaiting_approval')
    refuse('invalid_state', { current: status, allowed: eventsFrom(batchFlow, status) })
  if (!approvals.some((approval) => approval.id === approvalId)) throw new OvertakenError('it was submitted meanwhile')
  const waiting = approvals.map((approval) => ({ id: approval.id, target: { type: 'payment_batch', id } as const }))
  const cause = await cancelApprovals(tx, waiting, { why: 'batch cancelled', by: person })
  await transition(tx, batchMoves, id, { events: ['withdraw'], cause: cause(id) })
  await skipRows(tx, id)
}

/** Cancels the batches of an organization that have rows left, as a ban or a deletion does. Returns how many. */
export async function cancelUnbegun(tx: Tx, cause: string): Promise<number> {
  const batches = await tx<{ id: BatchId }[]>`
    select b.id from payment_batches b
    where b.organization_id = ${tx.organizationId} and b.status = 'processing' and exists (${nextRow(sql`b`)})
    order by b.id for update of b`
  const ids = batches.map(({ id }) => id)
  if (ids.length > 0) await transition(tx, batchMoves, ids, { events: ['cancel'], cause })
  return ids.length
}

type LockedRow = {
  readonly row_number: number
  readonly sealed: string
  readonly bill_id: BillId | null
} & Nullable<Payout>
type Nullable<Members> = { readonly [Member in keyof Members]: Members[Member] | null }

/** Reads a row of a draft that the caller has locked. Throws `not_found`. */
async function requireRow(tx: Tx, { batchId, rowId }: RowRef): Promise<LockedRow> {
  const [row] = await tx<LockedRow[]>`
    select row_number, encode(sealed, 'hex') as sealed, bill_id, payee_key, amount, currency from payment_batch_rows
    where id = ${rowId} and payment_batch_id = ${batchId}`
  return row ?? refuse('not_found')
}

/** The payouts of rows that can be paid; other rows may pay the same. */
const payoutsOf = (...rows: readonly Nullable<Payout>[]): Payout[] =>
  rows.flatMap(({ payee_key, amount, currency }) =>
    payee_key && amount && currency ? [{ payee_key, amount, currency }] : [],
  )

const OF_BILL = 'Change the bill, and add it again: the row has what the bill says.'

/**
 * Changes cells of a row of a draft and judges it again: what is absent stays, null empties. Cells beyond the header
 * are dropped. Throws `not_found`, `batch_not_draft`, `unprocessable_entity` for a bill,
 * and `service_unavailable` while the cells do not open.
 */
export async function changeRow(tx: Tx, ref: RowRef, change: RowChange): Promise<void> {
  const { batchId, rowId } = ref
  const { columns } = await requireDraft(tx, batchId)
  const before = await requireRow(tx, ref)
  if (before.bill_id) refuse('unprocessable_entity', { reason: 'row_of_bill', what_to_do: OF_BILL })
  const given = COLUMNS.filter((column) => change[column] !== undefined)
  if (given.length === 0) return
  const { cells: old } = readableCells({ id: rowId, sealed: before.sealed }) ?? refuseUnopened()
  await writeRow(tx, rowId, { ...old, ...Object.fromEntries(given.map((column) => [column, change[column] ?? ''])) })
  await markDuplicates(tx, batchId, payoutsOf(before, await requireRow(tx, ref)))
  await askAboutRow(tx, batchId, rowId)
  const added = given.filter((column) => !columns.includes(column))
  if (added.length > 0) await tx`update payment_batches set columns = columns || ${added}::text[] where id = ${batchId}`
  await recount(tx, batchId)
  const payload = { row_number: before.row_number, columns: given }
  await record(tx, batchEvents.row_changed, { subjectId: batchId, cause: newCause(), payload })
}

/** Adds a row to the end of a draft, and judges it. Throws `not_found`, `batch_not_draft` and `unprocessable_entity`. */
export async function addRow(tx: Tx, { batchId, rowId }: RowRef, row: RowChange): Promise<void> {
  const { columns } = await requireDraft(tx, batchId)
  const [last] = await tx<{ rows: number; row_number: number; line: number }[]>`
    select count(*)::int as rows, coalesce(max(row_number), 0) as row_number, coalesce(max(line), 1) as line
    from payment_batch_rows where payment_batch_id = ${batchId}`
  const { rows, row_number: before, line } = last ?? { rows: 0, row_number: 0, line: 1 }
  if (rows >= ROWS_MAX) refuse('unprocessable_entity', { reason: 'too_many_rows', limit: ROWS_MAX })
  const given = COLUMNS.filter((column) => row[column] != null)
  const cells = Object.fromEntries(given.map((column) => [column, row[column] ?? '']))
  // skipped until it has its verdict, in this transaction
  await tx`
    insert into payment_batch_rows ${values({
      id: rowId,
      organization_id: tx.organizationId,
      payment_batch_id: batchId,
      row_number: before + 1,
      line: line + 1,
      sealed: sealCells(rowId, { cells: {}, more: [], short: false }),
      status: 'skipped',
      errors: sql.json([]),
      warnings: sql.json([]),
      cell_errors: sql.json([]),
    })}`
  await writeRow(tx, rowId, cells)
  await markDuplicates(tx, batchId, payoutsOf(await requireRow(tx, { batchId, rowId })))
  await askAboutRow(tx, batchId, rowId)
  const added = given.filter((column) => !columns.includes(column))
  if (added.length > 0) await tx`update payment_batches set columns = columns || ${added}::text[] where id = ${batchId}`
  await recount(tx, batchId)
  const payload = { row_number: before + 1, columns: given }
  await record(tx, batchEvents.row_added, { subjectId: batchId, cause: newCause(), payload })
}

/** Writes the cells of a row with what they say and its verdict. */
async function writeRow(tx: Tx, rowId: BatchRowId, cells: Cells): Promise<void> {
  const whole = { cells, more: [], short: false }
  const own = columnsOf(tx.organizationId, read(whole))
  const account = own.account && (await storeAccount(tx, own.account))
  const source = () => sql`
    select ${rowId}::uuid as id, ${own.payee}::text as payee, ${own.svc_id}::text as svc_id,
      ${own.named_contact_id}::uuid as named_contact_id, decode(${own.fingerprint}, 'hex') as fingerprint, null::uuid as named_destination_id, null::uuid as named_address_id,
      ${account}::uuid as account_id, ${own.holder_key}::text as holder_key,
      decode(${own.address_fingerprint}, 'hex') as address_fingerprint,
      ${own.amount}::numeric as amount, ${own.currency}::text as currency, ${own.cell_errors}::text::jsonb as cell_errors`
  await tx`
    update payment_batch_rows r
    set sealed = ${sealCells(rowId, whole)}, cell_errors = s.cell_errors, svc_id = s.svc_id,
      named_contact_id = s.named_contact_id, fingerprint = s.fingerprint, name_key = ${own.name_key}, holder_key = s.holder_key,
      address_fingerprint = s.address_fingerprint, amount = s.amount, currency = s.currency,
      payout_reason = ${own.payout_reason}, statement_description = ${own.statement_description},
      internal_notes = ${own.internal_notes}, reference = ${own.reference}, payee_check_id = null, payee_seen = null,
      payee_changed_at = business_now(), account_seen_at = case when r.fingerprint is not distinct from s.fingerprint
        and r.name_key is not distinct from ${own.name_key}::text then r.account_seen_at end, ${verdictAssignments(sql`v`)}
    from (${source()}) s join (${verdictsOn(tx, source(), await readRowRules(within(tx)))}) v using (id)
    where r.id = s.id`
}

/** Deletes a row of a draft; the other rows keep their numbers. Throws `not_found` and `batch_not_draft`. */
export async function deleteRow(tx: Tx, ref: RowRef): Promise<void> {
  const { batchId, rowId } = ref
  await requireDraft(tx, batchId)
  const row = await requireRow(tx, ref)
  await tx`delete from payment_batch_rows where id = ${rowId}`
  await markDuplicates(tx, batchId, payoutsOf(row))
  await recount(tx, batchId)
  const payload = { row_number: row.row_number, ...(row.bill_id && { bill_id: row.bill_id }) }
  await record(tx, batchEvents.row_deleted, { subjectId: batchId, cause: newCause(), payload })
}
