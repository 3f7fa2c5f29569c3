/** The view of a deposit: money that its partner has announced, or the deposit that was booked. */
import { type AskRow, askColumns, hasUnprocessedCallbacks } from '../../db/processes/asking.ts'
import { hasOpenCalls, openDepositCalls } from '../callbacks/callbacks.ts'
import type { DepositStatus } from '../../domain/deposits/flow.ts'
import type { DepositId, OrganizationId } from '../../domain/ids.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type AtRest, type ProcessRef, type Standing, sayState } from '../../domain/process.ts'
import { type PartnerRail, connectionOf, nameOfConnection } from '../../domain/rails.ts'
import { type Rows, sql } from '../../db/postgres/sql.ts'
import { pauseOfRow, sayPause } from '../connections/pauses.ts'

type Row = Omit<AskRow, 'ask_at'> & {
  readonly organization_id: OrganizationId
  readonly rail: PartnerRail
  readonly connection: ConnectionName | null
  readonly status: DepositStatus
  readonly is_returning: boolean
  readonly release_by: string | null
  /** The time to name its sender is over, and it is not on its way back yet. */
  readonly return_due: boolean
  /** The partner called about it before it was booked, and after it had been asked. */
  readonly has_open_calls: boolean
  /** The partner has called about it since it was last asked. */
  readonly called: boolean
  readonly look_at: string | null
  /** Reason of the pause of its connection. */
  readonly paused: string | null
}

type AtPartner = { readonly partner: ConnectionName }
/** Money that a partner has called about, and that is not booked yet: there is no row. */
type AnnouncedView = Standing<'announced'> & AtPartner
type HeldView = Standing<'held'> &
  AtPartner & {
    readonly calls_to_take_in: boolean
    readonly return_due: boolean
    readonly returning: boolean
    /** The partner has something to be asked; it is asked now if that is due. */
    readonly asking: boolean
    readonly ask_due: boolean
  }
type EndedView = Standing<'credited' | 'returned'> & AtPartner

export async function viewDeposit(
  rows: Rows,
  ref: ProcessRef<DepositId>,
): Promise<AnnouncedView | HeldView | EndedView | AtRest | undefined> {
  const owner = ref.organizationId ?? (await ownerOf(rows, ref))
  const row = owner && (await readRow(rows, owner, ref.id))
  if (!row) return viewAnnounced(rows, ref)
  const { status, organization_id, has_open_calls: hasOpen } = row
  const partner = connectionOf(row)
  const says = describe(row)
  if (status !== 'held') {
    if (!hasOpen) return { at_rest: true, status, says }
    return { at_rest: false, status, says, partner, organization_id, step_due: true, look_at: null }
  }
  const { is_returning: returning, return_due } = row
  const waits = waitsForPause(row)
  const asking = (returning && !waits) || row.called
  const look_at = waits && !asking ? null : row.look_at
  const ask_due = asking && row.due
  const due = { calls_to_take_in: hasOpen, return_due, ask_due, step_due: hasOpen || return_due || ask_due }
  return { at_rest: false, status, says, partner, organization_id, returning, asking, ...due, look_at }
}

/** Tells if a return waits for the end of a pause: one that was never asked for is not sent, and need not be asked about. */
const waitsForPause = ({ is_returning: isReturning, paused, asks }: Row): boolean =>
  isReturning && paused !== null && asks === 0

async function viewAnnounced(
  rows: Rows,
  { partner, partnerDepositId }: ProcessRef,
): Promise<AnnouncedView | AtRest | undefined> {
  if (!partner || !partnerDepositId) return undefined
  const status = 'announced'
  const calls = await openDepositCalls(rows, { partner, partnerDepositId })
  if (calls.length === 0) return { at_rest: true, status, says: `All callbacks of the ${partner} are answered.` }
  const says = `Asks the ${partner} about incoming money.`
  return { at_rest: false, status, partner, says, step_due: true, look_at: null }
}

/** Finds the organization of a deposit that was booked under the id of this process. */
export async function ownerOf(
  rows: Rows,
  { id, partner, partnerDepositId }: ProcessRef,
): Promise<OrganizationId | null> {
  if (!partner || !partnerDepositId) return null
  const [row] = await rows<{ organization_id: OrganizationId }>(
    sql`select organization_id from deposit_owner(${partner}, ${partnerDepositId}) where id = ${id}`,
  )
  return row?.organization_id ?? null
}

async function readRow(rows: Rows, owner: OrganizationId, id: DepositId): Promise<Row | undefined> {
  await rows(sql`select set_config('app.organization_id', ${owner}, true)`)
  const called = hasUnprocessedCallbacks(sql`d`)
  const [row] = await rows<Row>(sql`
    select d.organization_id, d.rail, d.connection, d.status, d.is_returning, d.release_by, ${called} as called,
      ${pauseOfRow(sql`d`)} as paused,
      coalesce(d.release_by <= business_now(), false) and not d.is_returning as return_due,
      ${hasOpenCalls(sql`d`)} as has_open_calls, ${askColumns(sql`d`)},
      least(case when d.is_returning or ${called} then d.ask_at end,
        case when not d.is_returning then d.release_by end) as look_at
    from deposits d where d.id = ${id}`)
  return row
}

function describe(row: Row): string {
  const { status, is_returning: isReturning, called, release_by: until, ask_note: note } = row
  const who = nameOfConnection(row)
  if (status !== 'held') return sayState('deposit', status)
  const said = note ? ` Its answer is unclear (${note}); it is asked again.` : ''
  if (isReturning && row.paused !== null)
    return `Returns to its sender, who was not named. ${sayPause(connectionOf(row), row.paused)}`
  if (isReturning) return `Returns to its sender, who was not named. Waits for the ${who}.${said}`
  if (called) return `Asks the ${who}, which sent a callback.${said}`
  return `Waits until ${minuteOf(until ?? '')} for a person to name its sender.`
}
