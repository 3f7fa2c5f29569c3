/** View of a payment: what its run decides by. */
import { type AskRow, askColumns, hasUnprocessedCallbacks } from '../../db/processes/asking.ts'
import { type WaitingRow, joinApproval, viewApproval, waitingColumns } from '../approvals/view.ts'
import { isDriven, underWay } from '../../domain/flow.ts'
import type { PaymentId } from '../../domain/ids.ts'
import type { AwaitingApproval } from '../../domain/approvals/view.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type PaymentState, paymentFlow } from '../../domain/payments/flow.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { type Reader, type Transaction, sql } from '../../db/postgres/sql.ts'
import { type PauseRow, joinPause, pauseColumns, sayPause, waitsForPause } from '../connections/pauses.ts'
import { type PayeeDue, isPayeeDue, payeeDueColumns } from '../payee-checks/answers.ts'
import { type HeldRow, heldColumns, sayHeld, waitsForPayee } from '../screening/payments.ts'
import { type Rail, connectionOf, nameOfConnection } from '../../domain/rails.ts'

type Row = WaitingRow &
  AskRow &
  PayeeDue &
  HeldRow &
  PauseRow & {
    readonly id: PaymentId
    readonly status: PaymentState
    readonly rail: Rail
    readonly connection: ConnectionName | null
    /** Its partner has called about it since it was last asked. */
    readonly called: boolean
    /** Its partner has answered about it before. */
    readonly accepted: boolean
    readonly unclear: boolean
    /** Start of its status, while a partner has it. */
    readonly entered_at: string | null
    /** Day of one that was asked for on a date, and its next try. */
    readonly execute_on: string | null
    readonly try_at: string | null
    readonly try_due: boolean | null
    readonly refused: string | null
    /** The desk is asked for a rate on its day. */
    readonly exchanges: boolean
  }

type ScheduledView = Standing<'scheduled'> & {
  /** Its day has come, and a try is due. */
  readonly execution_due: boolean
  /** The desk is asked for a rate then. */
  readonly exchanges: boolean
}

type AtPartner = Standing<Exclude<PaymentState, 'awaiting_approval' | 'scheduled'>> & {
  readonly partner: ConnectionName
  /** The partner has called, or is due to be asked again. */
  readonly ask_due: boolean
  readonly payee_check_due: boolean
  /** Two operators say that the payee is on a list of sanctions: it fails. */
  readonly payee_refused: boolean
}

type AwaitingView = AwaitingApproval<'awaiting_approval'> & {
  /** Connection that is asked about the payee; null for a payment by service ID. */
  readonly partner: ConnectionName | null
  /** The bank is asked again about the payee. */
  readonly payee_check_due: boolean
}

/** Reads a payment for its run; an ended one goes on only while its partner has called about it. */
export async function viewPayment(
  reader: Reader,
  id: PaymentId,
): Promise<AwaitingView | ScheduledView | AtPartner | AtRest | undefined> {
  const [row] = await reader<Row>(sql`
    select p.id, p.status, p.rail, p.connection, ${hasUnprocessedCallbacks(sql`p`)} as called,
      p.partner_version >= 0 as accepted, p.unclear_since is not null as unclear, ${askColumns(sql`p`)},
      case when p.status = any (${underWay(paymentFlow)}) then
        (select max(e.occurred_at) from events e where e.subject_id = p.id) end as entered_at,
      s.execute_on::text, s.try_at, s.try_at <= business_now() as try_due, s.refused, p.rate is not null as exchanges, ${waitingColumns(sql`a`, sql`w`)},
      ${payeeDueColumns(sql`p`)}, ${heldColumns(sql`p`)}, ${pauseColumns(sql`p`, sql`c`)}
    from payments p left join payment_schedules s on s.id = p.id ${joinPause(sql`p`)} ${joinApproval(sql`p.approval_request_id`)} where p.id = ${id}`)
  if (!row) return undefined
  const { status, rail, connection } = row
  const at = rail === 'svc_id' ? null : { rail, connection }
  const isDue = isPayeeDue(status, row)
  if (status === 'awaiting_approval') {
    const partner = at && connectionOf(at)
    return { status, partner, ...withPayee(await viewApproval(reader, row), row, isDue) }
  }
  if (status === 'scheduled') return viewScheduled(row)
  if (!isDriven(paymentFlow, status) && !row.called) return { at_rest: true, status, says: sayState('payment', status) }
  // settle() takes it from its approval, its day or its row to its end in one transaction
  if (!at) throw new Error(`the payment ${id} by service ID is ${status}`)
  const partner = connectionOf(at)
  if (waitsForPayee(row)) {
    const isRefused = row.payee_held === 'confirmed'
    const held = { payee_refused: isRefused, step_due: isRefused, look_at: row.held_look_at }
    return { ...notDue(status, partner), ...held, says: sayHeld(row.payee_held) }
  }
  if (row.paused !== null && waitsForPause(row)) {
    return { ...notDue(status, partner), says: sayPause(partner, row.paused) }
  }
  const [due, lookAt] = isDue ? [true, null] : [row.due, row.ask_at]
  return {
    at_rest: false,
    status,
    partner,
    ask_due: due,
    payee_check_due: isDue,
    payee_refused: false,
    step_due: due,
    look_at: lookAt,
    says: detailsOf(row, nameOfConnection(at)),
  }
}

const notDue = <Status extends AtPartner['status']>(status: Status, partner: ConnectionName) =>
  ({
    at_rest: false,
    status,
    partner,
    ask_due: false,
    payee_check_due: false,
    payee_refused: false,
    step_due: false,
    look_at: null,
  }) as const

/**
 * Reads for how many seconds a payment could have been asked about without a trace: since its next question was due, or
 * since it was submitted. A database that was restored to an earlier day has lost at most that.
 */
export async function secondsUnattended(tx: Transaction, id: string): Promise<number> {
  const [row] = await tx<{ seconds: number }[]>`
    select extract(epoch from business_now() - coalesce(p.ask_at, (select max(e.occurred_at) from events e
      where e.subject_id = p.id and e.type = 'payment.submitted')))::float8 as seconds
    from payments p where p.id = ${id}`
  return row?.seconds ?? Number.POSITIVE_INFINITY
}

/** Adds the next question about the payee to the view of a payment that waits for people. */
function withPayee<View extends Pick<AwaitingView, 'step_due' | 'look_at'>>(view: View, row: PayeeDue, isDue: boolean) {
  const { payee_check_due_at: at } = row
  const isSooner = at !== null && (view.look_at === null || Date.parse(at) < Date.parse(view.look_at))
  return {
    ...view,
    payee_check_due: isDue,
    step_due: view.step_due || isDue,
    look_at: isSooner ? at : view.look_at,
  }
}

function viewScheduled({ execute_on, try_at, try_due, refused, exchanges }: Row): ScheduledView {
  if (execute_on === null || try_at === null) throw new Error('a scheduled payment has a day')
  const before = refused ? ` The latest try was refused: ${refused}.` : ''
  const says = `Waits for ${execute_on}.${before} It is tried at ${minuteOf(try_at)}.`
  const execution_due = try_due === true
  return {
    at_rest: false,
    status: 'scheduled',
    execution_due,
    exchanges,
    step_due: execution_due,
    look_at: try_at,
    says,
  }
}

/** Describes a payment to operators, without the partner's own words, which may name people. */
function detailsOf(row: Row, who: string): string {
  const { status, entered_at: since, unclear, accepted, id } = row
  const stands = `The payment is ${status.replaceAll('_', ' ')}${since ? ` since ${minuteOf(since)}` : ''}.`
  const waits = unclear ? unclearWords(who, id, accepted) : (WAITS_FOR[status]?.(who) ?? '')
  const next =
    row.ask_at === null ? `The ${who} is asked now.` : `The ${who} is asked again by ${minuteOf(row.ask_at)}.`
  return [stands, waits, next].filter(Boolean).join(' ')
}

const WAITS_FOR: Readonly<Partial<Record<PaymentState, (who: string) => string>>> = {
  processing: (who) => `The ${who} executes it.`,
  on_hold: (who) => `The ${who} holds it until it releases it (reason: status_detail of the payment).`,
  cancelling: (who) => `The ${who} decides about its cancellation.`,
}

/** Describes an unclear payment. Only what a partner took can be ended by an operator; anything else is still sent. */
const unclearWords = (who: string, id: PaymentId, accepted: boolean): string =>
  `The ${who} gives no clear answer.${
    accepted ? ` If it confirms that it does not know it: npm run admin -- payments fail ${id} <reason>.` : ''
  }`
