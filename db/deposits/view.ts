/** The view of a deposit: money that its partner has announced, or the deposit that was booked. */
import { type AskRow, askColumns, hasUnprocessedCallbacks } from '../asking.ts'
import { hasOpenCalls, openDepositCalls } from '../callbacks/callbacks.ts'
import type { DepositStatus } from '../../domain/flows/deposit.ts'
import type { DepositId, OrganizationId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type AtRest, type ProcessRef, type Standing, sayState } from '../../domain/process.ts'
import { type PartnerRail, partnerOf } from '../../domain/rails.ts'
import { type Rows, sql } from '../sql.ts'

type Row = AskRow & {
  readonly organization_id: OrganizationId
  readonly rail: PartnerRail
  readonly status: DepositStatus
  readonly is_returning: boolean
  readonly release_by: string | null
  readonly is_over: boolean
  /** The partner called about it before it was booked, and after it had been asked. */
  readonly has_open_calls: boolean
  /** The partner has called about it since it was last asked. */
  readonly called: boolean
}

/** Money that a partner has called about, and that is not booked yet: there is no row. */
type Announced = Standing<'announced'>
type Held = Standing<'held'> & {
  readonly calls_to_take_in: boolean
  /** The time to name its sender is over, and it is not on its way back yet. */
  readonly return_due: boolean
  readonly returning: boolean
  /** The partner has something to be asked; it is asked now if that is due. */
  readonly asking: boolean
  readonly ask_due: boolean
}
type Ended = Standing<'credited' | 'returned'>

/** Reads where a deposit stands, or the money that its partner announced. */
export async function viewDeposit(
  rows: Rows,
  ref: ProcessRef<DepositId>,
): Promise<Announced | Held | Ended | AtRest | undefined> {
  const owner = ref.organizationId ?? (await ownerOf(rows, ref))
  const row = owner && (await readRow(rows, owner, ref.id))
  if (!row) return viewAnnounced(rows, ref)
  const { status, organization_id, has_open_calls: hasOpen } = row
  const says = detailsOf(row)
  if (status === 'held') return { at_rest: false, status, says, organization_id, ...stepsOf(row) }
  if (!hasOpen) return { at_rest: true, status, says }
  return { at_rest: false, status, says, organization_id, step_due: true, look_at: null }
}

async function viewAnnounced(
  rows: Rows,
  { partner, partnerDepositId }: ProcessRef,
): Promise<Announced | AtRest | undefined> {
  if (!partner || !partnerDepositId) return undefined
  const status = 'announced'
  const calls = await openDepositCalls(rows, { partner, partnerDepositId })
  if (calls.length === 0) return { at_rest: true, status, says: `There is nothing left to ask the ${partner} about.` }
  return { at_rest: false, status, says: `Asks the ${partner} about money that came.`, step_due: true, look_at: null }
}

/** Finds the organization of an announced deposit, if it was booked under the id of this process. */
export async function ownerOf(
  rows: Rows,
  { id, partner, partnerDepositId }: ProcessRef,
): Promise<OrganizationId | null> {
  if (!partner || !partnerDepositId) return null
  const [row] = await rows<{ id: string; organization_id: OrganizationId }>(
    sql`select id, organization_id from deposit_owner(${partner}, ${partnerDepositId})`,
  )
  return row?.id === id ? row.organization_id : null
}

async function readRow(rows: Rows, owner: OrganizationId, id: DepositId): Promise<Row | undefined> {
  await rows(sql`select set_config('app.organization_id', ${owner}, true)`)
  const [row] = await rows<Row>(sql`
    select d.organization_id, d.rail, d.status, d.is_returning, d.release_by,
      coalesce(d.release_by <= business_now(), false) as is_over, ${hasOpenCalls(sql`d`)} as has_open_calls,
      ${hasUnprocessedCallbacks(sql`d`)} as called, ${askColumns(sql`d`)}
    from deposits d where d.id = ${id}`)
  return row
}

function stepsOf(row: Row): Omit<Held, 'at_rest' | 'status' | 'says'> {
  const { is_returning: returning, has_open_calls: hasOpen, release_by: until, ask_at: askAt } = row
  const returnDue = row.is_over && !returning
  const asking = returning || row.called
  const askDue = asking && row.due
  return {
    calls_to_take_in: hasOpen,
    return_due: returnDue,
    returning,
    asking,
    ask_due: askDue,
    step_due: hasOpen || returnDue || askDue,
    look_at: asking ? earlier(askAt, returning ? null : until) : until,
  }
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
