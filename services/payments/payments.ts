/** Payments: found, listed, and their receipts. */
import type { Reviewer } from '../../domain/approvals/requirements.ts'
import { selectNames } from '../attachments/attachments.ts'
import { labelKeyOf } from '../../domain/coding/label.ts'
import { accountOf } from '../../domain/destinations/destination.ts'
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flow.ts'
import { type PaymentState, paymentFlow, paymentStatusOf, statesAnsweredAs } from '../../domain/payments/flow.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { moneyOf, subtract } from '../../domain/money/money.ts'
import { type NamedOrganization, nameInDocument } from '../../domain/organizations/payer.ts'
import type { Page } from '../../domain/pagination.ts'
import { type Payment, type PaymentFilters, isCancellable, pauseDetail } from '../../domain/payments/payment.ts'
import type { Receipt } from '../../domain/payments/receipt.ts'
import { type SpeedRow, paceOf } from '../../domain/payments/speed.ts'
import { externalColumns, type ExternalSearch, isExternal } from '../external.ts'
import { isReviewed } from '../approvals/pending.ts'
import { isHeldByPause } from '../connections/pauses.ts'
import { type SealedAddress, addressAt, openAddress, openAddressForDisplay } from '../contacts/addresses.ts'
import { type EncryptedCoordinates, coordinatesOf } from '../contacts/destinations.ts'
import { selectVerified } from '../payers/payers.ts'
import { partnerOfRow } from '../../db/processes/asking.ts'
import { amountRange, timeRange, withWords } from '../../db/postgres/filters.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'
import { type ScheduleRow, selectSchedule, toSchedule } from '../schedules/schedule.ts'

/** Columns of what is deducted and what arrives. */
export type Amounts = {
  readonly deducting_amount: string
  readonly deducting_currency: string
  readonly landing_amount: string
  readonly landing_currency: string
}

export type PaymentRow = Omit<
  Payment,
  | 'cancellable'
  | 'charges'
  | 'deducting'
  | 'landing'
  | 'event'
  | 'status'
  | 'schedule'
  | 'payee_address'
  | 'speed'
  | 'fallback'
> &
  Amounts &
  SpeedRow & {
    readonly event_id: string
    readonly status: PaymentState
    readonly schedule: ScheduleRow | null
    readonly custody_decided: boolean
    readonly held_by_pause: boolean
    readonly payee_address: SealedAddress | null
    readonly returned_amount: string | null
  }

/** Selects a PaymentRow of `payments`. */
export const paymentColumns = (): Fragment => sql`
  payments.id, payments.organization_id, payment_contact_id, destination_id, destination_name, approval_request_id,
  transaction_id, payment_batch_id, quote_id, event_id, rail,
  ${partnerOfRow(sql`payments`)} as connection, status, custody_decided, status_detail,
  ${isHeldByPause(sql`payments`)} as held_by_pause,
  deducting_amount, deducting_currency, landing_amount, landing_currency, returned_amount, internal_notes, tag,
  labels, ${externalColumns(sql`payments`)}, speed, fallback,
  ${addressAt(sql`payments.payee_address_id`)} as payee_address, inserted_at as created_at,
  ${selectSchedule(sql`payments.id`)} as schedule`

const selectPayment = (): Fragment => sql`select ${paymentColumns()} from payments where true`

/** Restricts a list to payments that the person made or reviews. */
const ownOf = (reviewer: Reviewer): Fragment => sql`
  and (payments.created_by = ${reviewer.userId} or exists (select from approvals a join approval_waits w on w.id = a.wait_id
    where a.id = coalesce(payments.approval_request_id,
        (select b.approval_request_id from payment_batches b where b.id = payments.payment_batch_id))
      and ${isReviewed(sql`w`, reviewer, sql`a`)}))`

/** Finds one payment; with `own`, only if that person made or reviews it. Refuses `not_found`. */
export async function findPayment(reader: Reader, id: PaymentId, own?: Reviewer): Promise<Payment> {
  const row = await first(
    reader<PaymentRow>(sql`
      ${selectPayment()} and payments.id = ${id} and payments.organization_id = ${reader.organizationId}
      ${own ? ownOf(own) : sql``}`),
  )
  return row ? toPayment(row) : refuse('not_found')
}

/** Lists payments, newest first, by the filters of the operation; with `own`, only what that person made or reviews. */
export async function listPayments(
  reader: Reader,
  filters: PaymentFilters & ExternalSearch,
  own?: Reviewer,
): Promise<Page<Payment>> {
  const f = filters
  const page = await pageOf<PaymentRow>(
    reader,
    'payments',
    f,
    sql`${selectPayment()}
      ${own ? ownOf(own) : sql``}
      ${f.status ? sql`and status = any (${statesAnsweredAs(f.status)})` : sql``}
      ${f.scheduled === undefined ? sql`` : f.scheduled ? sql`and status = 'scheduled'` : sql`and status <> 'scheduled'`}
      ${f.rail ? sql`and rail = ${f.rail}` : sql``}
      ${f.payment_contact_id ? sql`and payment_contact_id = ${f.payment_contact_id}` : sql``}
      ${f.payment_batch_id ? sql`and payment_batch_id = ${f.payment_batch_id}` : sql``}
      ${f.tag ? sql`and tag = ${f.tag}` : sql``}
      ${f.label ? sql`and payments.id in (select labelled_payments(${labelKeyOf(f.label)}))` : sql``}
      ${isExternal(sql`payments`, f)}
      ${timeRange(sql`payments.inserted_at`, f)}
      ${amountRange(sql`deducting_amount`, f)}
      ${f.currency ? sql`and deducting_currency = ${f.currency}` : sql``}
      ${withWords(f.q, [sql`destination_name`, sql`statement_description`, sql`internal_notes`])}`,
  )
  return { ...page, data: page.data.map(toPayment) }
}

/** Converts a row to the answer of every operation. */
export function toPayment(row: PaymentRow): Payment {
  const { event_id, custody_decided, held_by_pause, payee_address, returned_amount, ...others } = row
  const { deducting_amount, deducting_currency, landing_amount, landing_currency, ...rest } = others
  const { status, schedule } = rest
  const landing = moneyOf(landing_amount, landing_currency)
  const charges = returned_amount === null ? null : subtract(landing, moneyOf(returned_amount, landing_currency))
  return {
    ...rest,
    ...paceOf(row),
    status: paymentStatusOf(status),
    status_detail: (held_by_pause ? pauseDetail(rest) : null) ?? rest.status_detail,
    schedule: toSchedule(schedule, status),
    payee_address: openAddressForDisplay(payee_address),
    cancellable: isCancellable({ status, rail: rest.rail, custody_decided }),
    deducting: moneyOf(deducting_amount, deducting_currency),
    landing,
    charges,
    event: { id: event_id, stream: 'payments', subject_id: row.id, type: 'payment.created' },
  }
}

type ReceiptRow = Omit<
  Receipt,
  'status' | 'account' | 'account_holder' | 'bic' | 'payee_address' | 'deducting' | 'landing' | 'fee' | 'returned'
> &
  Amounts &
  Pick<PaymentRow, 'status' | 'returned_amount'> & {
    readonly fee_amount: string
    readonly svc_id: string | null
    readonly destination: EncryptedCoordinates
    readonly address: SealedAddress | null
    readonly verified: NamedOrganization | null
  }

const selectLoggedAt = (p: Fragment, type: string) => sql`
  (select max(e.occurred_at) from events e where e.organization_id = ${p}.organization_id and e.subject_id = ${p}.id
    and e.type = ${type})`

/**
 * Finds the receipt of a payment that succeeded, also if it was reversed later. Refuses `not_found` and
 * `invalid_state`. The caller has checked that the person sees the payment.
 */
export async function findReceipt(reader: Reader, id: PaymentId): Promise<Receipt> {
  const row = await first(
    reader<ReceiptRow>(sql`
      select p.id, p.status, p.rail, ${partnerOfRow(sql`p`)} as connection, coalesce(p.speed = 'instant' and p.fell_back_at is null, false) as instant,
        o.name as payer, o.company_address as payer_address, o.tax_id as payer_tax_id, ${selectVerified(sql`o`, sql`p.payer_id`)} as verified,
        l.image as logo, p.destination_name as payee, d.svc_id, b.bill_number,
        ${selectNames(sql`p.organization_id`, sql`array_remove(array[p.id, p.bill_id], null)`)} as attachments,
        settled.event_id, encode(settled.hash, 'hex') as event_hash,
        json_build_object('id', d.id, 'sealed', encode(d.sealed, 'hex')) as destination,
        ${addressAt(sql`p.payee_address_id`)} as address, p.deducting_amount, p.deducting_currency, p.landing_amount, p.landing_currency, p.returned_amount,
        p.fee_amount, p.rate,
        p.statement_description as description, p.partner_reference as reference, p.transaction_id,
        p.inserted_at as created_at, settled.occurred_at as paid_at,
        (select s.execute_on::text from payment_schedules s where s.id = p.id) as execute_on,
        ${selectLoggedAt(sql`p`, 'payment.reversed')} as reversed_at
      from payments p
      join organizations o on o.id = p.organization_id
      join payment_destinations d on d.id = p.destination_id
      left join logos l on l.organization_id = o.id
      left join bills b on b.id = p.bill_id
      left join lateral (
        select e.id as event_id, e.occurred_at, c.hash from events e left join event_chain c on c.event_id = e.id
        where e.organization_id = p.organization_id and e.subject_id = p.id and e.type = 'payment.settled'
        order by e.occurred_at desc limit 1) settled on true
      where p.id = ${id} and p.organization_id = ${reader.organizationId}`),
  )
  if (!row) refuse('not_found')
  const { status, deducting_currency: currency } = row
  if (status !== 'succeeded' && status !== 'reversed') {
    refuse('invalid_state', { current: paymentStatusOf(status), allowed: eventsFrom(paymentFlow, status) })
  }
  const coordinates = coordinatesOf(row.destination)
  const payer = nameInDocument({ name: row.payer, address: row.payer_address }, row.verified)
  return {
    ...row,
    status,
    payer: payer.name,
    payer_address: payer.address,
    account: coordinates ? accountOf(coordinates) : row.svc_id,
    account_holder: coordinates?.['account_holder_name'] ?? null,
    bic: coordinates?.['swift_code'] ?? null,
    payee_address: openAddress(row.address),
    deducting: moneyOf(row.deducting_amount, currency),
    landing: moneyOf(row.landing_amount, row.landing_currency),
    returned: row.returned_amount === null ? null : moneyOf(row.returned_amount, row.landing_currency),
    fee: moneyOf(row.fee_amount, currency),
  }
}
