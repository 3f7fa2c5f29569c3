/** View of a payment batch, by which its run decides. */
import { type WaitingRow, joinApproval, viewApproval, waitingColumns } from '../approvals/view.ts'
import type { AwaitingApproval } from '../../domain/approvals/view.ts'
import type { BatchStatus } from '../../domain/batches/flow.ts'
import { type DueDay, type PayingStep, payingStepOf } from '../../domain/batches/paying.ts'
import type { BatchId } from '../../domain/ids.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'
import { type TurnRow, WAITS_FOR_TURN, turnColumns } from '../../db/processes/turns.ts'
import { countEnded, countUnderWay, countUntaken, nextRow } from './batches.ts'
import { PAYOUTS_LEFT, findDay } from './paying.ts'

/** Minutes after which a batch looks again if its organization may pay. */
const STOPPED_MINUTES = 1

type Row = WaitingRow &
  TurnRow & {
    readonly status: BatchStatus
    readonly rows_total: number
    readonly rows_begun: number
    readonly rows_imported: number
    readonly rows_succeeded: number | null
    readonly rows_failed: number | null
    readonly organization_status: string
    readonly books_stopped: boolean
    readonly payees_unasked: boolean
    /** Rail of the next row to be paid; null if none is left. */
    readonly next: string | null
    readonly stopped_until: string
    /** Day of one that was submitted for a date, and its next try. */
    readonly execute_on: string | null
    readonly try_at: string | null
  }

type ImportingView = Standing<'importing'> & {
  /** Other long work of its organization comes first. */
  readonly waits_for_turn: boolean
}
type UnderPayment = Standing<'processing' | 'cancelling'> & {
  /** Approved rows have no payment yet. */
  readonly rows_left: boolean
  readonly payments_under_way: number
  /** Step that is due while rows are left to be paid; null while it waits. */
  readonly due: PayingStep | null
  /** Its day has not come. */
  readonly waits_for_day: boolean
  /** Its organization may not pay now, or its books are stopped. */
  readonly stopped: boolean
  /** The bank has not taken yet the most of what it gets at once. */
  readonly bank_full: boolean
}
/** A draft whose payees the bank is asked about. */
type DraftView = Standing<'draft'>
/** An ended batch of which a payment came back. */
type MiscountedView = Standing<'completed' | 'partially_completed' | 'failed' | 'cancelled'>

/** Reads the progress of a batch; an ended one is driven only while its counts differ from its payments. */
export async function viewBatch(
  reader: Reader,
  id: BatchId,
): Promise<
  ImportingView | AwaitingApproval<'awaiting_approval'> | UnderPayment | DraftView | MiscountedView | AtRest | undefined
> {
  const [row] = await reader<Row>(sql`
    select b.status, b.rows_total, b.rows_begun, b.rows_imported, b.rows_succeeded, b.rows_failed,
      b.payees_unasked and b.deleted_at is null as payees_unasked, o.status as organization_status, o.books_stopped_at is not null as books_stopped,
      (${nextRow(sql`b`)}) as next, business_now() + make_interval(mins => ${STOPPED_MINUTES}) as stopped_until,
      ${turnColumns('heavy', sql`b`)}, s.execute_on::text, s.try_at,
      ${waitingColumns(sql`a`, sql`w`)}
    from payment_batches b join organizations o on o.id = b.organization_id
    left join payment_schedules s on s.id = b.approval_request_id ${joinApproval(sql`b.approval_request_id`)}
    where b.id = ${id}`)
  if (!row) return undefined
  const { status } = row
  switch (status) {
    case 'importing':
      return viewImport(row)
    case 'awaiting_approval':
      return { status, ...(await viewApproval(reader, row)) }
    case 'processing':
    case 'cancelling':
      return viewPayments(row, status, {
        underWay: await countUnderWay(reader, id),
        untaken: row.next === 'fiat' ? await countUntaken(reader, id) : 0,
        day: isBeforeFirst(row) ? await findDay(reader, id) : undefined,
      })
    case 'draft':
      if (row.payees_unasked)
        return {
          at_rest: false,
          status,
          step_due: true,
          look_at: null,
          says: 'Asks the bank about the payees of its rows.',
        }
      return { at_rest: true, status, says: sayState('batch', status) }
    default:
      if (await isMiscounted(reader, id, row))
        return { at_rest: false, status, step_due: true, look_at: null, says: 'Counts again: a payment came back.' }
      return { at_rest: true, status, says: sayState('batch', status) }
  }
}

function viewImport({ waits_for_turn, turn_backstop: backstop, rows_imported: rows }: Row): ImportingView {
  const standing = { at_rest: false, status: 'importing', waits_for_turn } as const
  if (waits_for_turn) return { ...standing, step_due: false, look_at: backstop, says: WAITS_FOR_TURN }
  return { ...standing, step_due: true, look_at: null, says: `Imports its file: ${rows} rows are read.` }
}

const isBeforeFirst = ({ status, execute_on: day, rows_begun: begun, next }: Row): boolean =>
  status === 'processing' && day !== null && begun === 0 && next !== null

type Payments = { readonly underWay: number; readonly untaken: number; readonly day: DueDay | undefined }

function viewPayments(
  row: Row,
  status: 'processing' | 'cancelling',
  { underWay, untaken, day }: Payments,
): UnderPayment {
  const { next } = row
  const isPaying = status === 'processing' && next !== null
  const step = isPaying ? payingStepOf({ status: row.organization_status, stopped: row.books_stopped }, day) : null
  const bank_full = step === 'page' && next === 'fiat' && untaken > PAYOUTS_LEFT
  const waits_for_day = isPaying && step === null && day?.waits === true
  const stopped = isPaying && step === null && !waits_for_day
  const waits = next === null ? underWay > 0 : stopped || bank_full || waits_for_day
  const due = bank_full ? null : step
  const does = doing(row, status, { due, waits, stopped, bank_full })
  return {
    at_rest: false,
    status,
    rows_left: next !== null,
    payments_under_way: underWay,
    due,
    waits_for_day,
    stopped,
    bank_full,
    step_due: !waits,
    look_at: waits_for_day ? row.try_at : stopped ? row.stopped_until : null,
    says: `${does} ${row.rows_begun} of ${row.rows_total} rows have begun, ${underWay} payments are under way.`,
  }
}

const DOING: Readonly<Record<PayingStep, string>> = {
  page: 'Pays its rows.',
  put_off: 'Puts its day off to a later hour.',
  give_up_day: 'Gives up its day.',
}

function doing(
  { next, execute_on, books_stopped, organization_status }: Row,
  status: BatchStatus,
  { due, ...is }: { due: PayingStep | null } & Record<'waits' | 'stopped' | 'bank_full', boolean>,
): string {
  if (next === null) return is.waits ? 'Waits for the bank.' : 'Ends.'
  if (status === 'cancelling') return 'Skips what was not begun.'
  if (due) return DOING[due]
  if (is.bank_full) return 'Waits for the bank, before it is asked for more.'
  if (!is.stopped) return `Waits for ${execute_on}.`
  return books_stopped ? 'Waits: the books are stopped.' : `Waits: the organization is ${organization_status}.`
}

async function isMiscounted(reader: Reader, id: BatchId, row: Row): Promise<boolean> {
  if (row.rows_succeeded === null) return false
  const { succeeded, failed } = await countEnded(reader, id)
  return succeeded !== row.rows_succeeded || failed !== row.rows_failed
}
