/** View of a payment batch, by which its run decides. */
import { type WaitingRow, joinApproval, viewApproval, waitingColumns } from '../approvals/view.ts'
import type { AwaitingApproval } from '../../domain/approvals/view.ts'
import type { BatchStatus } from '../../domain/batches/flow.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import type { BatchId } from '../../domain/ids.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'
import { type TurnRow, WAITS_FOR_TURN, turnColumns } from '../../db/processes/turns.ts'
import { countEnded, countUnderWay, nextRow } from './batches.ts'
import { PAYOUTS_AT_ONCE, isDayOver } from './paying.ts'

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
    /** Day of one that was submitted for a date, and its next try while no row has begun. */
    readonly execute_on: string | null
    readonly try_at: string | null
    readonly waits_for_day: boolean
    readonly day_over: boolean
  }

type Importing = Standing<'importing'> & {
  /** Other long work of its organization comes first. */
  readonly waits_for_turn: boolean
}
type UnderPayment = Standing<'processing' | 'cancelling'> & {
  /** Approved rows have no payment yet. */
  readonly rows_left: boolean
  readonly payments_under_way: number
  /** Its day has not come. */
  readonly waits_for_day: boolean
  /** Its organization may not pay now, or its books are stopped. */
  readonly stopped: boolean
  /** The bank has as many payments of a batch as it gets at once. */
  readonly bank_full: boolean
}
/** A draft whose payees the bank is asked about. */
type Unasked = Standing<'draft'>
/** An ended batch of which a payment came back. */
type Miscounted = Standing<'completed' | 'partially_completed' | 'failed' | 'cancelled'>

/** Reads the progress of a batch; an ended one is driven only while its counts differ from its payments. */
export async function viewBatch(
  reader: Reader,
  id: BatchId,
): Promise<
  Importing | AwaitingApproval<'awaiting_approval'> | UnderPayment | Unasked | Miscounted | AtRest | undefined
> {
  const [row] = await reader<Row>(sql`
    select b.status, b.rows_total, b.rows_begun, b.rows_imported, b.rows_succeeded, b.rows_failed,
      b.payees_unasked and b.deleted_at is null as payees_unasked, o.status as organization_status, o.books_stopped_at is not null as books_stopped,
      (${nextRow(sql`b`)}) as next, business_now() + make_interval(mins => ${STOPPED_MINUTES}) as stopped_until,
      ${turnColumns('heavy', sql`b`)}, s.execute_on::text, s.try_at,
      coalesce(s.try_at > business_now() and b.rows_begun = 0 and b.status = 'processing', false) as waits_for_day,
      coalesce(${isDayOver()}, false) as day_over,
      ${waitingColumns()}
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
      return viewPayments(row, status, await countUnderWay(reader, id))
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

function viewImport({ waits_for_turn, turn_backstop: backstop, rows_imported: rows }: Row): Importing {
  const standing = { at_rest: false, status: 'importing', waits_for_turn } as const
  if (waits_for_turn) return { ...standing, step_due: false, look_at: backstop, says: WAITS_FOR_TURN }
  return { ...standing, step_due: true, look_at: null, says: `Imports its file: ${rows} rows are read.` }
}

function viewPayments(row: Row, status: 'processing' | 'cancelling', underWay: number): UnderPayment {
  const { organization_status: organization, books_stopped: booksStopped, next } = row
  const waits_for_day = row.waits_for_day && !isGone(organization)
  const paysNext = status === 'processing' && next !== null && !waits_for_day
  const mayNotPay = organization !== 'active' || booksStopped
  const stopped = paysNext && !isGone(organization) && mayNotPay && !row.day_over
  const bank_full = paysNext && next === 'fiat' && underWay >= PAYOUTS_AT_ONCE
  const waits = next === null ? underWay > 0 : stopped || bank_full || waits_for_day
  const does = doing(row, status, { waits, stopped, waits_for_day })
  return {
    at_rest: false,
    status,
    rows_left: next !== null,
    payments_under_way: underWay,
    waits_for_day,
    stopped,
    bank_full,
    step_due: !waits,
    look_at: waits_for_day ? row.try_at : stopped ? row.stopped_until : null,
    says: `${does} ${row.rows_begun} of ${row.rows_total} rows have begun, ${underWay} payments are under way.`,
  }
}

function doing(
  row: Row,
  status: BatchStatus,
  { waits, stopped, waits_for_day }: Record<'waits' | 'stopped' | 'waits_for_day', boolean>,
): string {
  if (row.next === null) return waits ? 'Waits for the bank.' : 'Ends.'
  if (status === 'cancelling') return 'Skips what was not begun.'
  if (waits_for_day) return `Waits for ${row.execute_on}.`
  if (stopped)
    return row.books_stopped
      ? 'Waits: the books are stopped.'
      : `Waits: the organization is ${row.organization_status}.`
  return waits ? 'Waits for the bank, before it is asked for more.' : 'Pays its rows.'
}

async function isMiscounted(reader: Reader, id: BatchId, row: Row): Promise<boolean> {
  if (row.rows_succeeded === null) return false
  const { succeeded, failed } = await countEnded(reader, id)
  return succeeded !== row.rows_succeeded || failed !== row.rows_failed
}
