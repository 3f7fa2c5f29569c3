/** What the process of a batch finds in its row, and how a batch ends. */
import { readAttended, waitsForApproval } from '../approvals/look.ts'
import { type WaitingRow, joinApproval, waitingColumns } from '../approvals/requirements.ts'
import { batchMoves } from '../../domain/batches/events.ts'
import { type BatchStatus, batchFlow } from '../../domain/flows/payment-batch.ts'
import { isGone } from '../../domain/flows/undriven/organization.ts'
import type { ApprovalId, BatchId } from '../../domain/ids.ts'
import { type Found, type ProcessRef, sayState } from '../../domain/process.ts'
import { type Tx, sql } from '../sql.ts'
import { transition } from '../transition.ts'
import { inTurn } from '../turns.ts'
import { countEnded, countUnderWay } from './batches.ts'
import { PAYOUTS_AT_ONCE } from './paying.ts'

/** How soon a batch looks again whether its organization may pay now. */
const STOPPED_MINUTES = 1

type Row = WaitingRow & {
  readonly status: BatchStatus
  readonly approval_id: ApprovalId | null
  readonly rows_total: number
  readonly rows_begun: number
  readonly rows_imported: number
  readonly rows_succeeded: number | null
  readonly rows_failed: number | null
  readonly organization_status: string
  readonly books_stopped: boolean
  /** The rail of the next row that is to be paid; null if none is left. */
  readonly next: string | null
  readonly stopped_until: string
}

type Standing = Omit<Found<BatchStatus>, 'status'>

const AT_REST = { driven: false, due_now: false, look_at: null, waits_for: '' } as const

/** Where a batch stands. Its approvers are reminded, its approval expires, or it ends, if that is due. */
export async function findBatchState(tx: Tx, ref: ProcessRef): Promise<Found<BatchStatus> | undefined> {
  const id = ref.id as BatchId // the ref of a batch's process
  const row = await readAttended(tx, { type: 'payment_batch', id }, () => readRow(tx, id))
  if (!row) return undefined
  const { status } = row
  if (status === 'awaiting_approval') return { status, driven: true, ...(await waitsForApproval(tx, row)) }
  if (status === 'processing' || status === 'cancelling') return underPayment(tx, id, row)
  if (status === 'importing') {
    const says = `Imports its file: ${row.rows_imported} rows are read.`
    return inTurn(tx, turnOf(id), { status, driven: true, due_now: true, look_at: null, says, waits_for: '' })
  }
  if (row.rows_succeeded !== null) await countAnew(tx, id, row)
  return inTurn(tx, turnOf(id), { status, ...AT_REST, says: sayState('batch', status) })
}

/** Its imports take turns with the other long work of its organization. */
const turnOf = (id: BatchId) => ({ flow: batchFlow, queue: 'heavy', id }) as const

async function readRow(tx: Tx, id: BatchId): Promise<Row | undefined> {
  const [row] = await tx<Row[]>`
    select b.status, b.approval_request_id as approval_id, b.rows_total, b.rows_begun, b.rows_imported,
      b.rows_succeeded, b.rows_failed,
      o.status as organization_status, o.books_stopped_at is not null as books_stopped,
      (select r.rail from payment_batch_rows r where r.payment_batch_id = b.id and r.status = 'valid'
        and r.row_number > b.rows_begun order by r.row_number limit 1) as next,
      business_now() + make_interval(mins => ${STOPPED_MINUTES}) as stopped_until, ${waitingColumns()}
    from payment_batches b join organizations o on o.id = b.organization_id ${joinApproval(sql`b.approval_request_id`)}
    where b.id = ${id}`
  return row
}

/** What is left to be done about its rows; with nothing left it ends. */
async function underPayment(tx: Tx, id: BatchId, row: Row): Promise<Found<BatchStatus>> {
  const open = await countUnderWay(tx, id)
  const { status, next } = row
  const done = `Row ${row.rows_begun} of ${row.rows_total} is begun, ${open} payments are under way.`
  const found = (standing: Omit<Standing, 'driven' | 'look_at' | 'waits_for'> & Partial<Standing>) => {
    return { status, driven: true, look_at: null, waits_for: '', ...standing, says: `${standing.says} ${done}` }
  }
  if (next === null) {
    if (open > 0) return found({ due_now: false, says: 'Waits for the bank.' })
    const ended = await end(tx, id, status)
    return { status: ended, ...AT_REST, says: sayState('batch', ended) }
  }
  const { organization_status: organization, books_stopped: stopped } = row
  if (status === 'cancelling') return found({ due_now: true, says: 'Skips what was not begun.' })
  if (!isGone(organization) && (organization !== 'active' || stopped)) {
    const says = stopped ? 'Waits: the books are stopped.' : `Waits: the organization is ${organization}.`
    return found({ due_now: false, look_at: row.stopped_until, says, waits_for: 'Look whether it may pay again' })
  }
  if (next === 'fiat' && open >= PAYOUTS_AT_ONCE) {
    return found({ due_now: false, says: 'Waits for the bank, before it is asked for more.' })
  }
  return found({ due_now: true, says: 'Pays its rows.' })
}

/** Moves a batch whose rows have all ended to the state that their outcomes make. */
async function end(tx: Tx, id: BatchId, status: BatchStatus): Promise<BatchStatus> {
  const { succeeded, failed } = await countEnded(tx, id)
  const event = endOf(status, succeeded, failed === 0 && !(await hasSkipped(tx, id)))
  await transition(tx, batchMoves, id, {
    events: [event],
    cause: `batch:${id}:ended`,
    set: sql`rows_succeeded = ${succeeded}, rows_failed = ${failed}`,
    payload: { succeeded, failed },
  })
  return batchFlow.events[event].to
}

/** A batch that was cancelled too late, when each of its rows was begun, may have paid all of them. */
function endOf(status: BatchStatus, succeeded: number, allPaid: boolean) {
  if (succeeded === 0) return status === 'cancelling' ? 'stop' : 'fail'
  return allPaid ? 'complete' : 'complete_in_part'
}

/** Finds an approved row that was skipped; rows that were left out before the approval have errors. */
async function hasSkipped(tx: Tx, id: BatchId): Promise<boolean> {
  const found = await tx`
    select from payment_batch_rows where payment_batch_id = ${id} and status = 'skipped' and errors = '[]' limit 1`
  return found.length > 0
}

/** A payment that came back after the batch had ended counts as failed from then on. */
async function countAnew(tx: Tx, id: BatchId, { rows_succeeded: before, rows_failed: failedBefore }: Row) {
  const { succeeded, failed } = await countEnded(tx, id)
  if (succeeded === before && failed === failedBefore) return
  await tx`update payment_batches set rows_succeeded = ${succeeded}, rows_failed = ${failed} where id = ${id}`
}
