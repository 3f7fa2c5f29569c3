/** The rows of an approved batch are paid, page by page and in their order. */
import { insertOneTimePayees, type OneTimePayee } from '../contacts/one-time.ts'
import { fingerprintsOf } from '../contacts/destination-encryption.ts'
import { unreadable } from '../contacts/destinations.ts'
import { causesWhatFollows } from '../events.ts'
import { inOrder } from '../in-order.ts'
import { lockMemberships } from '../locks.ts'
import { log } from '../../platform/log.ts'
import { batchMoves } from '../../domain/batches/events.ts'
import type { Coordinates } from '../../domain/contacts/destination.ts'
import type { RefusalType } from '../../domain/errors.ts'
import { isGone } from '../../domain/flows/undriven/organization.ts'
import { type BatchStatus, batchFlow } from '../../domain/flows/payment-batch.ts'
import type {
  BatchId,
  BatchRowId,
  ContactId,
  DestinationId,
  OrganizationId,
  PaymentId,
  UserId,
} from '../../domain/ids.ts'
import { moneyOf } from '../../domain/money/money.ts'
import type { ProcessRef } from '../../domain/process.ts'
import { type BatchPayment, payOfBatch } from '../payments/batch-payments.ts'
import { type Tx, asSystem, sql, within } from '../sql.ts'
import { transition } from '../transition.ts'
import { organizationOf } from '../views.ts'
import { wake } from '../wakes.ts'
import { bankDetailsOf } from './cells.ts'
import { countUnderWay, recount } from './batches.ts'
import { asksForContacts, payeeFault } from './payees.ts'

/** So many rows are paid in one transaction. */
const PAGE = 500
/** So many payments of a batch are under way through a partner at once. */
export const PAYOUTS_AT_ONCE = 200

type Paying = {
  readonly id: BatchId
  readonly status: BatchStatus
  readonly begun: number
  readonly by: UserId
  readonly organization_status: string
  readonly books_stopped: boolean
}

type Row = {
  readonly id: BatchRowId
  readonly row_number: number
  readonly rail: BatchPayment['rail']
  readonly payee: string
  readonly svc_id: string | null
  readonly payee_organization_id: OrganizationId | null
  readonly payment_contact_id: ContactId | null
  readonly destination_id: DestinationId | null
  readonly fingerprint: string | null
  readonly sealed: string
  readonly amount: string
  readonly currency: string
  readonly fee_amount: string
  readonly payout_reason: string
  readonly statement_description: string
  readonly internal_notes: string | null
  readonly payment: PaymentId
  readonly own_contact: ContactId
  readonly own_destination: DestinationId
  readonly fault: RefusalType | 'payee unavailable' | null
}

/**
 * Pays the next page of rows, all of it or nothing: at most PAGE, and no further than PAYOUTS_AT_ONCE allow. Each row
 * gets its one payment, settled, submitted or failed. Nothing happens while the organization is paused or its books are
 * stopped; if it is gone, the batch is cancelled. Again, it pays the page after.
 */
export const payBatchRows = (ref: ProcessRef<BatchId>): Promise<void> =>
  asSystem(organizationOf(ref), async (tx) => {
    const batch = await lockBatch(tx, ref.id)
    if (batch?.status !== 'processing') return
    const { id, organization_status: organization } = batch
    if (isGone(organization)) {
      return transition(tx, batchMoves, id, { events: ['cancel'], cause: `organization:${organization}` })
    }
    if (organization !== 'active' || batch.books_stopped) return
    const rows = await nextRows(tx, batch)
    if (rows.length === 0) return
    await causesWhatFollows(tx, id)
    await payRows(tx, batch, rows)
    await tx`
      update payment_batches set rows_begun = ${rows.at(-1)?.row_number ?? batch.begun}, updated_at = business_now()
      where id = ${id}`
    wake(tx, batchFlow, { ids: [id], why: 'rows_begun' })
  })

/** Skips all rows that no payment was begun for, of a batch that is being cancelled. */
export const skipBatchRows = (ref: ProcessRef<BatchId>): Promise<void> =>
  asSystem(organizationOf(ref), async (tx) => {
    const batch = await lockBatch(tx, ref.id)
    if (batch?.status !== 'cancelling') return
    await skipRows(tx, batch.id)
    wake(tx, batchFlow, { ids: [batch.id], why: 'rows_skipped' })
  })

/** The same in the transaction of who has locked the batch. */
export async function skipRows(tx: Tx, id: BatchId): Promise<void> {
  await tx`
    update payment_batch_rows set status = 'skipped', updated_at = business_now()
    where payment_batch_id = ${id} and status in ('valid', 'invalid') and payment_id is null`
  await recount(tx, id)
}

/** The organization is neither banned nor paused, nor are its books stopped, before this transaction ends. */
async function lockBatch(tx: Tx, id: BatchId): Promise<Paying | undefined> {
  const [, , , [batch]] = await inOrder(
    () => lockMemberships(tx, 'keep'),
    () => tx`select from organizations where id = ${tx.organizationId} for share`,
    () => tx`select from payment_batches where id = ${id} for no key update`,
    () => tx<Paying[]>`
      select b.id, b.status, b.rows_begun as begun, b.submitted_by as by, o.status as organization_status,
        o.books_stopped_at is not null as books_stopped
      from payment_batches b join organizations o on o.id = b.organization_id where b.id = ${id}`,
  )
  return batch
}

/** The rows of the next page; no contact of them is deleted meanwhile. */
async function nextRows(tx: Tx, { id, begun }: Paying): Promise<readonly Row[]> {
  const page = sql`
    select r.* from payment_batch_rows r
    where r.payment_batch_id = ${id} and r.status = 'valid' and r.row_number > ${begun}
    order by r.row_number limit ${PAGE}`
  const known = await asksForContacts(within(tx))
  const [, rows, open] = await inOrder(
    () => tx`
      select from payment_contacts c where c.id in (select r.payment_contact_id from (${page}) r) order by c.id for key share`,
    () => tx<Row[]>`
      select r.id, r.row_number, r.rail, r.payee, r.svc_id, r.payee_organization_id, r.payment_contact_id,
        r.destination_id, encode(r.fingerprint, 'hex') as fingerprint, encode(r.sealed, 'hex') as sealed, r.amount,
        r.currency, coalesce(r.fee_amount, 0) as fee_amount, r.payout_reason, r.statement_description, r.internal_notes,
        batch_row_part(r.id, 'payment') as payment, batch_row_part(r.id, 'contact') as own_contact,
        batch_row_part(r.id, 'destination') as own_destination, ${payeeFault(known)} as fault
      from (${page}) r
      left join payment_contacts c on c.id = r.payment_contact_id
      left join payment_destinations d on d.id = r.destination_id
      order by r.row_number`,
    () => countUnderWay(within(tx), id),
  )
  let places = PAYOUTS_AT_ONCE - open
  const stop = rows.findIndex(({ rail }) => rail !== 'svc_id' && (places -= 1) < 0)
  return stop < 0 ? rows : rows.slice(0, stop)
}

async function payRows(tx: Tx, { id: batchId, by }: Paying, rows: readonly Row[]): Promise<void> {
  const unpayable = new Set<BatchRowId>()
  const payees = rows.flatMap((row) => {
    if (row.payment_contact_id) return []
    const account = row.rail === 'fiat' ? accountOf(tx, row) : null
    if (row.rail === 'fiat' && !account) unpayable.add(row.id)
    return oneTimePayee(row, account)
  })
  await insertOneTimePayees(tx, by, payees)
  const payments = rows.map((row) => toPayment(unpayable.has(row.id) ? { ...row, fault: 'destination_missing' } : row))
  await payOfBatch(tx, { batchId, by, payments })
  await tx`
    update payment_batch_rows r set payment_id = p.payment, updated_at = business_now()
    from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.payment)}::uuid[]) p (id, payment)
    where r.id = p.id`
}

/**
 * The bank account that a row names. Null, and logged, if it does not open, or is not the one whose fingerprint was
 * approved: then nothing is paid to it.
 */
function accountOf({ organizationId }: Tx, row: Row): Coordinates | null {
  try {
    const coordinates = bankDetailsOf(row)
    const account = { type: 'bank', coordinates, payee_organization_id: null } as const
    if (fingerprintsOf(organizationId, account).includes(row.fingerprint ?? '')) return coordinates
    throw new Error('the account is not the one that was approved')
  } catch (error) {
    log.error({ err: error, row: row.id }, 'a row of a batch cannot be paid')
    return null
  }
}

function oneTimePayee(row: Row, coordinates: Coordinates | null): OneTimePayee {
  const { own_contact: contactId, own_destination: destinationId, payee: name, currency } = row
  const own = { contactId, destinationId, name, currency }
  if (row.payee_organization_id) return { ...own, svcId: row.svc_id ?? '', payee: row.payee_organization_id }
  return { ...own, svcId: null, coordinates: coordinates ?? unreadable('bank', currency) }
}

function toPayment(row: Row): BatchPayment {
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
    fault: row.fault,
  }
}
