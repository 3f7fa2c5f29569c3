/** What the process of a payment finds in its row, and what it does about it by itself. */
import { type AskRow, askColumns, hasUnprocessedCallbacks } from '../asking.ts'
import { readAttended, waitsForApproval } from '../approvals/look.ts'
import { type WaitingRow, joinApproval, waitingColumns } from '../approvals/requirements.ts'
import { driven, underWay } from '../../domain/flows/flow.ts'
import type { ApprovalId, PaymentId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type PaymentStatus, paymentFlow } from '../../domain/flows/payment.ts'
import { type Found, type ProcessRef, sayState } from '../../domain/process.ts'
import { settleInternally } from './settlement.ts'
import { type Tx, sql } from '../sql.ts'
import { type PartnerRail, RAIL, type Rail, partnerOf } from '../../domain/rails.ts'

type Row = WaitingRow &
  AskRow & {
    readonly id: PaymentId
    readonly status: PaymentStatus
    readonly rail: Rail
    readonly approval_id: ApprovalId | null
    /** Its partner has called about it since it was last asked. */
    readonly called: boolean
    /** A partner has said a word about it. */
    readonly accepted: boolean
    readonly unclear: boolean
    /** Since when it has its status, if a partner has it. */
    readonly entered_at: string | null
  }

/** Where a payment stands. Its approvers are reminded, it expires, and by service ID it settles, if that is due. */
export async function findPaymentState(tx: Tx, { id }: ProcessRef): Promise<Found<PaymentStatus> | undefined> {
  const read = () => readRow(tx, id as PaymentId) // the ref of a payment's process
  const row = await readAttended(tx, { id, type: ({ rail }: Row) => RAIL[rail].target }, read)
  if (!row) return undefined
  const { status, rail } = row
  if (status === 'awaiting_approval') return { status, driven: true, ...(await waitsForApproval(tx, row)) }
  if (rail === 'svc_id') return settled(tx, row)
  const isDriven = driven(paymentFlow, status) || row.called
  return {
    status,
    driven: isDriven,
    due_now: isDriven && row.due,
    look_at: row.ask_at,
    says: isDriven ? detailsOf(row, rail) : sayState('payment', status),
    waits_for: `Ask the ${partnerOf(rail)} again`,
  }
}

async function readRow(tx: Tx, id: PaymentId): Promise<Row | undefined> {
  const [row] = await tx<Row[]>`
    select p.id, p.status, p.rail, p.approval_request_id as approval_id, ${hasUnprocessedCallbacks(sql`p`)} as called,
      p.partner_version >= 0 as accepted, p.unclear_since is not null as unclear, ${askColumns(sql`p`)},
      case when p.status = any (${underWay(paymentFlow)}) then
        (select max(e.occurred_at) from events e where e.subject_id = p.id) end as entered_at,
      ${waitingColumns()}
    from payments p ${joinApproval(sql`p.approval_request_id`)} where p.id = ${id}`
  return row
}

/** What a page of a batch left submitted settles here. Nothing else of a payment by service ID is left to a process. */
async function settled(tx: Tx, { id, status: before }: Row): Promise<Found<PaymentStatus>> {
  const [row] = before === 'submitted' ? await settleInternally(tx, [id]) : []
  const status = row?.status ?? before
  const says = sayState('payment', status)
  return { status, driven: driven(paymentFlow, status), due_now: false, look_at: null, says, waits_for: '' }
}

/** What an operator reads of a payment at its partner. Its own words may name people: they are in the row alone. */
function detailsOf(row: Row, rail: PartnerRail): string {
  const { status, entered_at: since, unclear, accepted, id } = row
  const who = partnerOf(rail)
  const stands = `The payment is ${status.replaceAll('_', ' ')}${since ? ` since ${minuteOf(since)}` : ''}.`
  const waits = unclear ? unclearWords(who, id, accepted) : (WAITS_FOR[status]?.(who) ?? '')
  const next =
    row.ask_at === null ? `The ${who} is asked now.` : `The ${who} is asked again by ${minuteOf(row.ask_at)}.`
  return [stands, waits, next].filter(Boolean).join(' ')
}

const WAITS_FOR: Readonly<Partial<Record<PaymentStatus, (who: string) => string>>> = {
  processing: (who) => `The ${who} carries it out.`,
  on_hold: (who) => `The ${who} holds it (why: status_detail of the payment), and lets it go on.`,
  cancelling: (who) => `The ${who} was asked to cancel it, and decides.`,
}

/** Only what a partner took can be ended by an operator; anything else is still sent. */
const unclearWords = (who: string, id: PaymentId, accepted: boolean): string =>
  `The ${who} gives no clear answer.${
    accepted ? ` Once it says that it knows nothing of it: npm run admin -- payments fail ${id} <reason>.` : ''
  }`
