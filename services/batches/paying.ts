/** Pays the rows of an approved batch, page by page and in their order. */
import { insertAddresses, isAddressRequired } from '../contacts/addresses.ts'
import { insertOneTimePayees, type OneTimePayee } from '../contacts/new-destinations.ts'
import { unreadable } from '../contacts/destinations.ts'
import { causesWhatFollows } from '../events.ts'
import { lockMemberships } from '../../db/postgres/locks.ts'
import { batchMoves } from '../../domain/batches/events.ts'
import type { RefusalType } from '../../domain/errors.ts'
import type { BatchStatus } from '../../domain/batches/flow.ts'
import { type DueDay, type PayingStep, payingStepOf } from '../../domain/batches/paying.ts'
import type {
  BatchId,
  BatchRowId,
  ContactId,
  DestinationId,
  OrganizationId,
  PayeeAddressId,
  PaymentId,
  UserId,
} from '../../domain/ids.ts'
import { sumsOf } from '../../domain/approvals/approval.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import { findReachedHardLimit } from '../limits/limits.ts'
import { giveUpDay, putOff } from '../schedules/schedule.ts'
import { lockBills, requestPayments } from '../paid-bills/requests.ts'
import { type BatchPayment, payOfBatch } from '../payments/batch-payments.ts'
import { nameConnection } from '../connections/connections.ts'
import { servingBlockers } from '../connections/serving.ts'
import { type PayerVersion, findIncomplete, insertPayer, payingOrganization, versionOf } from '../payers/payers.ts'
import type { PayingOrganization } from '../../domain/organizations/payer.ts'
import { pipeline } from '../../db/postgres/pipeline.ts'
import { type Fragment, type Reader, type Tx, sql, within } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import type { Reason } from '../../db/processes/views.ts'
import { answerSince } from '../payee-checks/checks.ts'
import { hasToWait } from './account-changes.ts'
import { type Payable, openPayee } from './cells.ts'
import { countUntaken, skipRows } from './batches.ts'
import { payeeScreening } from '../screening/screenings.ts'
import { asksForContacts } from './verdicts.ts'

/** Rows that are paid in one transaction. */
const PAGE = 500
/**
 * Payments of a batch that wait for their partner to take them at once. Those that it has taken are not counted: it may
 * pay them days later. The next page follows when half of the places are free.
 */
const PAYOUTS_AT_ONCE = 200
export const PAYOUTS_LEFT = PAYOUTS_AT_ONCE / 2

type PayingBatch = {
  readonly id: BatchId
  readonly status: BatchStatus
  readonly begun: number
  readonly by: UserId
  readonly payer: { readonly status: string; readonly stopped: boolean }
  readonly paying: PayingOrganization
  readonly acknowledged: boolean
}

type Same = 'rail' | 'payout_reason' | 'statement_description' | 'internal_notes' | 'payee_check_id' | 'bill_id'
type Row = Pick<BatchPayment, Same> & {
  readonly id: BatchRowId
  readonly row_number: number
  readonly payee: string
  readonly svc_id: string | null
  readonly payee_organization_id: OrganizationId | null
  readonly payment_contact_id: ContactId | null
  readonly destination_id: DestinationId | null
  readonly fingerprint: string | null
  readonly address_fingerprint: string | null
  readonly payee_address_id: PayeeAddressId | null
  readonly sealed: string
  readonly amount: string
  readonly currency: string
  readonly fee_amount: string
  readonly payment: PaymentId
  readonly own_contact: ContactId
  readonly own_destination: DestinationId
  readonly own_address: PayeeAddressId
  readonly fault: RefusalType | 'payee unavailable' | null
}

/**
 * Pays the next page of rows, all of it or nothing: at most PAGE, and no further than PAYOUTS_AT_ONCE allow. Each row
 * gets one payment, settled, submitted or failed. A batch that reaches a hard limit on its day gives the day up. A repeat
 * pays the page after.
 */
export const payBatchRows = whenDue('page', async (tx, batch, day) => {
  const { id } = batch
  if (day) {
    // limits are counted under their lock
    const reached = await findReachedLimit(tx, batch, day)
    if (reached) return giveUp(tx, id, { day: day.id, reason: reached, cause: `limits:${day.id}` })
  }
  const rows = await nextRows(tx, batch)
  if (rows.length === 0) return
  await causesWhatFollows(tx, id)
  await payRows(tx, batch, rows)
  await tx`
    update payment_batches set rows_begun = ${rows.at(-1)?.row_number ?? batch.begun}, updated_at = business_now()
    where id = ${id}`
  return 'rows_begun'
})

/** Puts the day of a batch off to a later hour: the balance does not cover it, or an account has to wait. */
export const putOffBatch = whenDue('put_off', async (tx, _, day) => {
  const reason = day?.cooling ? 'account_cooling_off' : 'insufficient_funds'
  if (day && (await putOff(tx, day.id, reason))) return 'put_off'
})

/** Gives up the day of a batch that could not begin on it, and cancels the batch. */
export const giveUpBatchDay = whenDue('give_up_day', async (tx, { id, payer }, day) => {
  if (!day) return
  const reason = payer.stopped ? 'ledger_unbalanced' : 'organization_unavailable'
  const isAble = payer.status === 'active' && !payer.stopped
  await giveUp(tx, id, {
    day: day.id,
    reason: isAble ? 'account_cooling_off' : reason,
    cause: `${isAble ? 'limits' : 'execution'}:${day.id}`,
  })
})

/** Makes a step of a batch that is paid; it acts if it is still due. */
function whenDue(step: PayingStep, act: (tx: Tx, batch: PayingBatch, day: Day | undefined) => Promise<Reason>) {
  return async (tx: Tx, id: BatchId): Promise<Reason> => {
    const batch = await lockBatch(tx, id)
    if (batch?.status !== 'processing') return
    const day = batch.begun === 0 ? await findDay(within(tx), id) : undefined
    if (payingStepOf(batch.payer, day) === step) return act(tx, batch, day)
  }
}

type Day = DueDay & { readonly id: string; readonly amounts: readonly Money[] }

/** Finds the day of a batch of which no row has begun; undefined for one without a day. */
export async function findDay(reader: Reader, id: BatchId): Promise<Day | undefined> {
  const [day] = await reader<Omit<Day, 'cooling'> & { changed: boolean }>(sql`
    select s.id, s.try_at > business_now() as waits, business_now() >= all (s.tries) as over, exists (
        select from payment_batch_rows m where m.payment_batch_id = b.id and m.account_changed) as changed, b.totals || b.fees as amounts, exists (
      select from jsonb_to_recordset(b.totals || b.fees) part (amount numeric, currency text)
      group by part.currency having sum(part.amount) > coalesce((select a.balance from ledger_accounts a
        where a.organization_id = b.organization_id and a.kind = 'available' and a.currency = part.currency), 0)) as short
    from payment_batches b join payment_schedules s on s.id = b.approval_request_id where b.id = ${id}`)
  if (!day) return undefined
  const { changed, ...facts } = day
  return { ...facts, cooling: changed && !day.waits && (await hasToWait(reader, id)) }
}

/** Finds the refusal of a hard limit that a batch reaches on its day. */
async function findReachedLimit(tx: Tx, { id, by }: PayingBatch, { amounts }: Day): Promise<RefusalType | undefined> {
  const asked = [...sumsOf(amounts.map(({ amount, currency }) => moneyOf(amount, currency))).values()]
  const request = { action: 'payment_batch', requester: by, batchId: id, asked } as const
  return (await findReachedHardLimit(tx, request))?.type
}

type GivenUp = { readonly day: string; readonly reason: string; readonly cause: string }

async function giveUp(tx: Tx, id: BatchId, { day, reason, cause }: GivenUp): Promise<void> {
  await giveUpDay(tx, day, reason)
  await transition(tx, batchMoves, id, { events: ['cancel'], cause })
}

/** Skips the rows without a payment, of a batch that is being cancelled. */
export async function skipBatchRows(tx: Tx, id: BatchId): Promise<Reason> {
  const batch = await lockBatch(tx, id)
  if (batch?.status !== 'cancelling') return
  await skipRows(tx, id)
  return 'rows_skipped'
}

/** Locks a batch, and its organization against being paused, banned or stopped. */
async function lockBatch(tx: Tx, id: BatchId): Promise<PayingBatch | undefined> {
  await lockMemberships(tx, 'keep')
  const { found } = await pipeline({
    organization: tx`select from organizations where id = ${tx.organizationId} for share`,
    batch: tx`select from payment_batches where id = ${id} for no key update`,
    found: tx<PayingBatch[]>`
      select b.id, b.status, b.rows_begun as begun, b.submitted_by as by, b.payees_acknowledged as acknowledged,
        json_build_object('status', o.status, 'stopped', o.books_stopped_at is not null) as payer,
        ${payingOrganization(sql`o`)} as paying
      from payment_batches b join organizations o on o.id = b.organization_id where b.id = ${id}`,
  })
  return found[0]
}

/** Reads the rows of the next page, and locks their contacts against deletion. */
async function nextRows(tx: Tx, { id, begun }: PayingBatch): Promise<readonly Row[]> {
  const page = sql`
    select r.* from payment_batch_rows r
    where r.payment_batch_id = ${id} and r.status = 'valid' and r.row_number > ${begun}
    order by r.row_number limit ${PAGE}`
  const contactsAsked = await asksForContacts(within(tx))
  const { rows } = await pipeline({
    bills: lockBills(tx, page),
    contacts: tx`
      select from payment_contacts c where c.id in (select r.payment_contact_id from (${page}) r) order by c.id for key share`,
    rows: tx<Row[]>`
      select r.id, r.row_number, r.rail, r.payee, r.svc_id, r.payee_organization_id, r.payment_contact_id,
        r.destination_id, encode(r.fingerprint, 'hex') as fingerprint,
        encode(r.address_fingerprint, 'hex') as address_fingerprint, r.payee_address_id, encode(r.sealed, 'hex') as sealed, r.amount,
        r.currency, coalesce(r.fee_amount, 0) as fee_amount, r.payout_reason, r.statement_description, r.internal_notes,
        r.payee_check_id, r.bill_id, batch_row_part(r.id, 'payment') as payment, batch_row_part(r.id, 'contact') as own_contact,
        batch_row_part(r.id, 'destination') as own_destination,
        batch_row_part(r.id, 'address') as own_address, ${payeeFault(sql`r`, sql`c`, sql`d`, contactsAsked)} as fault
      from (${page}) r
      left join payment_contacts c on c.id = r.payment_contact_id
      left join payment_destinations d on d.id = r.destination_id
      order by r.row_number`,
  })
  let places = PAYOUTS_AT_ONCE - (await countUntaken(within(tx), id))
  const stop = rows.findIndex(({ rail }) => rail !== 'svc_id' && (places -= 1) < 0)
  return stop < 0 ? rows : rows.slice(0, stop)
}

/** The reason not to pay row `r` to its contact `c` and destination `d` now, if it names any. */
const payeeFault = (r: Fragment, c: Fragment, d: Fragment, contactsAsked: boolean): Fragment => sql`
  case
    when ${r}.payee_organization_id is not null and not can_receive(${r}.payee_organization_id) then 'payee unavailable'
    when ${isAddressRequired()} and ${r}.rail = 'fiat' and ${r}.address_fingerprint is null and ${r}.payee_address_id is null
      then 'address_required'
    when ${r}.payee_check_id is not null and (select o.payee_check from organizations o where o.id = ${r}.organization_id) = 'block'
      and (select n.result from (${answerSince(sql`${r}.payee_check_id`)}) n) = 'no_match' then 'payee_mismatch'
    when ${r}.payment_contact_id is null then
      ${contactsAsked ? sql`case when ${isStranger(r)} then 'contact_not_approved' end` : sql`null`}
    when ${c}.deleted_at is not null or ${c}.status <> 'active' then 'contact_not_approved'
    when ${payeeScreening(sql`${c}.id`)} in ('held', 'confirmed')
      or ${r}.rail = 'svc_id' and ${payeeScreening(sql`${c}.id`)} = 'waiting' then 'payee_held'
    when ${d}.deleted_at is not null or ${d}.pending then 'destination_missing' end`

/** Builds the condition that no active contact is paid where row `r` pays. */
const isStranger = (r: Fragment): Fragment => sql`
  not exists (select from payment_destinations o join payment_contacts p on p.id = o.payment_contact_id
    where o.organization_id = ${r}.organization_id and o.deleted_at is null and not o.pending
      and p.status = 'active' and p.deleted_at is null
      and case ${r}.rail when 'svc_id' then o.payee_organization_id = ${r}.payee_organization_id
        else o.type = 'bank' and o.account_id = ${r}.account_id and o.currency = ${r}.currency end)`

async function payRows(tx: Tx, batch: PayingBatch, rows: readonly Row[]): Promise<void> {
  const { id: batchId, by, acknowledged, paying } = batch
  const opened = rows.map((row) => ({ row, ...openPayee(tx.organizationId, row) }))
  await insertAddresses(
    tx,
    opened.flatMap(({ address }) => address ?? []),
  )
  const strangers = opened.filter(({ row }) => !row.payment_contact_id)
  await insertOneTimePayees(tx, by, strangers.map(oneTimePayee))
  const isByBank = rows.some(({ rail }) => rail === 'fiat')
  const payer = isByBank ? versionOf(tx.organizationId, paying) : null
  if (payer) await tx`${insertPayer(tx, payer)}`
  const payments = opened.map((row) => toPayment(row, payer, paying))
  await payOfBatch(tx, { batchId, by, payments, acknowledged })
  await tx`
    update payment_batch_rows r set payment_id = p.payment, updated_at = business_now()
    from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.payment)}::uuid[]) p (id, payment)
    where r.id = p.id`
  await requestPayments(tx, batchId, rows)
}

type OpenRow = Payable & { readonly row: Row }

function oneTimePayee({ row, coordinates, address }: OpenRow): OneTimePayee {
  const { own_contact: contactId, own_destination: destinationId, payee: name, currency } = row
  const own = { contactId, destinationId, name, currency, payeeAddressId: address?.id ?? null }
  if (row.payee_organization_id) return { ...own, svcId: row.svc_id ?? '', payee: row.payee_organization_id }
  return { ...own, svcId: null, coordinates: coordinates ?? unreadable('bank', currency) }
}

function toPayment(
  { row, address, isUnpayable }: OpenRow,
  payer: PayerVersion | null,
  paying: PayingOrganization,
): BatchPayment {
  const isByBank = row.rail === 'fiat'
  const way = { rail: row.rail, connection: nameConnection({ rail: row.rail, currency: row.currency }) }
  const fault = findIncomplete(paying, way).length > 0 ? 'onboarding_incomplete' : row.fault
  const [unserved] = servingBlockers({ rail: row.rail, currency: row.currency }) // since the batch was submitted
  return {
    id: row.payment,
    cause: `batch_row:${row.id}`,
    contact_id: row.payment_contact_id ?? row.own_contact,
    destination_id: row.destination_id ?? row.own_destination,
    name: row.payee,
    payee: row.payee_organization_id,
    rail: row.rail,
    landing: moneyOf(row.amount, row.currency),
    fee: moneyOf(row.fee_amount, row.currency),
    payout_reason: row.payout_reason,
    statement_description: row.statement_description,
    internal_notes: row.internal_notes,
    payee_check_id: row.payee_check_id,
    bill_id: row.bill_id,
    payee_address_id: address?.id ?? row.payee_address_id,
    payer_id: isByBank ? (payer?.id ?? null) : null,
    fault: isUnpayable ? 'destination_missing' : (fault ?? unserved?.type ?? null),
  }
}
