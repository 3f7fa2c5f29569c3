/**
 * What the process of a deposit finds: money that a partner has announced, or a row that waits for its sender to be
 * named.
 */
import { type AskRow, askColumns, hasUnprocessedCallbacks } from '../asking.ts'
import { waitsForSender } from './deposits.ts'
import { type DepositStatus, depositFlow } from '../../domain/flows/deposit.ts'
import { driven } from '../../domain/flows/flow.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type Found, type ProcessRef, sayState } from '../../domain/process.ts'
import { openDepositCalls, takeInEarlierCalls } from '../callbacks/callbacks.ts'
import { type Transaction, sql } from '../sql.ts'
import { wake } from '../wakes.ts'
import { type PartnerRail, partnerOf } from '../../domain/rails.ts'

type Row = AskRow & {
  readonly organization_id: OrganizationId
  readonly rail: PartnerRail
  readonly status: DepositStatus
  readonly is_returning: boolean
  readonly release_by: string | null
  /** The partner has called about it since it was last asked. */
  readonly called: boolean
}

export type DepositState = DepositStatus | 'announced'

/**
 * Where a deposit stands. One whose time to answer is over is on its way back from here on: an answer that comes now is
 * refused, and one that was recorded before has credited it. Before there is a deposit, what the partner has called
 * about.
 */
export async function findDepositState(tx: Transaction, ref: ProcessRef): Promise<Found<DepositState> | undefined> {
  const owner = ref.organizationId ?? (await ownerOf(tx, ref))
  if (owner) await tx`select set_config('app.organization_id', ${owner}, true)`
  const row = owner ? await readRow(tx, ref.id) : undefined
  if (row) return stateOf(row)
  const { partner, partnerDepositId } = ref
  if (!partner || !partnerDepositId) return undefined
  const calls = await openDepositCalls(tx, { partner, partnerDepositId })
  const open = calls.length > 0
  return {
    status: 'announced',
    driven: open,
    due_now: open,
    look_at: null,
    says: open ? `Asks the ${partner} about money that came.` : `There is nothing left to ask the ${partner} about.`,
    waits_for: '',
  }
}

/** Whose the deposit is that a partner announced, if it was booked under the id of this process. */
export async function ownerOf(
  tx: Transaction,
  { id, partner, partnerDepositId }: ProcessRef,
): Promise<OrganizationId | null> {
  if (!partner || !partnerDepositId) return null
  const [row] = await tx<{ id: string; organization_id: OrganizationId }[]>`
    select id, organization_id from deposit_owner(${partner}, ${partnerDepositId})`
  return row?.id === id ? row.organization_id : null
}

async function readRow(tx: Transaction, id: string): Promise<Row | undefined> {
  const earlier = await takeInEarlierCalls(tx, id)
  const overdue = await tx`
    update deposits set is_returning = true, updated_at = business_now(), ask_at = null, asks = 0
    where id = ${id} and ${waitsForSender()} and release_by <= business_now() returning id`
  // the partner acts on it: it has to be on disk before the partner is asked
  if (earlier || overdue.length > 0) wake(tx, depositFlow, { ids: [id], why: 'attended' })
  const [row] = await tx<Row[]>`
    select d.organization_id, d.rail, d.status, d.is_returning, d.release_by,
      ${hasUnprocessedCallbacks(sql`d`)} as called, ${askColumns(sql`d`)}
    from deposits d where d.id = ${id}`
  return row
}

function stateOf(row: Row): Found<DepositState> {
  const { status, is_returning: isReturning, called, due, organization_id } = row
  const isDriven = driven(depositFlow, status)
  const asks = isReturning || called
  const timed = asks
    ? {
        look_at: earlier(row.ask_at, isReturning ? null : row.release_by),
        waits_for: `Ask the ${partnerOf(row.rail)} again`,
      }
    : { look_at: row.release_by, waits_for: 'Return of the deposit' }
  return { status, driven: isDriven, due_now: isDriven && asks && due, says: detailsOf(row), ...timed, organization_id }
}

function detailsOf({
  rail,
  status,
  is_returning: isReturning,
  called,
  release_by: until,
  ask_note: note,
}: Row): string {
  const who = partnerOf(rail)
  if (status !== 'held') return sayState('deposit', status)
  const said = note ? ` What it says is unclear (${note}), and it is asked again.` : ''
  if (isReturning) return `Goes back: nobody said who sent it. Waits for the ${who}.${said}`
  if (called) return `Asks the ${who}, which has called about it.${said}`
  return `Waits until ${minuteOf(until ?? '')} for somebody to say who sent it.`
}

const earlier = (one: string | null, other: string | null): string | null =>
  one !== null && other !== null ? (Date.parse(one) < Date.parse(other) ? one : other) : (one ?? other)
