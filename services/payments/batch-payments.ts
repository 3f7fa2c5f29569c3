/** Payments of a batch: made page by page, submitted with their money held, or failed. */
import { nameConnection } from '../connections/connections.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { canonicalJson } from '../../domain/canonical.ts'
import { paymentFlow } from '../../domain/payments/flow.ts'
import {
  type BatchId,
  type BillId,
  type OrganizationId,
  type PayeeAddressId,
  type PayeeCheckId,
  type PayerId,
  type PaymentId,
  type UserId,
  newId,
} from '../../domain/ids.ts'
import { type Money, fromMinor, toMinor } from '../../domain/money/money.ts'
import type { RefusalType } from '../../domain/errors.ts'
import type { PayloadOf } from '../../domain/event-type.ts'
import { paymentEvents, paymentMoves } from '../../domain/payments/events.ts'
import { payeeKeyOf } from '../../domain/account-changes/change.ts'
import { nextCheckAt } from '../payee-checks/checks.ts'
import { payerAccount } from '../payers/payers.ts'
import { settle } from '../payouts/settlement.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'

/** A payment that the approval of its batch covers. */
export type BatchPayment = {
  readonly id: PaymentId
  /** Cause in the log; it names the row. */
  readonly cause: string
  readonly contact_id: string
  readonly destination_id: string
  readonly name: string
  readonly payee: OrganizationId | null
  readonly rail: 'svc_id' | 'fiat'
  /** The amount that arrives; the fee comes on top. */
  readonly landing: Money
  readonly fee: Money
  readonly payout_reason: string
  readonly statement_description: string
  readonly internal_notes: string | null
  readonly payee_address_id: PayeeAddressId | null
  /** Payer that its order names; null if no partner pays, or details of the organization are missing. */
  readonly payer_id: PayerId | null
  /** Answer of the bank when the batch was submitted; null if it was not asked. */
  readonly payee_check_id: PayeeCheckId | null
  /** Bill that it pays. */
  readonly bill_id: BillId | null
  /** Reason to make it as a failed one. */
  readonly fault: RefusalType | 'payee unavailable' | null
}

type MadePayment = BatchPayment & { readonly deducting: Money; readonly fails: string | null }

type OrderedRow = {
  readonly batchId: BatchId
  readonly by: UserId
  readonly payments: readonly BatchPayment[]
  /** The submitter pays in spite of what the bank says about payees. */
  readonly acknowledged: boolean
}

/**
 * Makes payments of a batch, in order: settled by service ID, or submitted to a partner with runs of their own. One
 * with a fault, or that the balance does not cover, fails; the rest go on. The caller has locked batch and contacts.
 */
export async function payOfBatch(tx: Tx, { batchId, by, payments, acknowledged }: OrderedRow): Promise<void> {
  const made = await decideFunds(tx, payments)
  await insertAll(tx, { batchId, by, made, acknowledged })
  const paid = made.filter(({ fails }) => fails === null)
  if (paid.length === 0) return
  const submitted = paid.filter(({ rail }) => rail === 'fiat').map(({ id }) => id)
  wake(tx, paymentFlow, { ids: submitted, why: 'created', status: 'submitted', rail: 'fiat' })
  const causes = new Map(paid.map(({ id, cause }) => [id as string, cause]))
  // a payee that cannot receive made its payment fail before
  const settling = paid.map(({ id, payee, deducting }) => ({ id, payee, payee_can_receive: true, ...deducting }))
  await settle(tx, settling, {
    reserves: true,
    cause: (id) => causes.get(id) ?? '',
    wakes: false, // settled here: nothing is left to a run of their own
  })
}

/** Locks all accounts at once, and decides for each payment in turn if the rest covers it. */
async function decideFunds(tx: Tx, payments: readonly BatchPayment[]): Promise<MadePayment[]> {
  const payable = payments.filter(({ fault }) => fault === null)
  const payees = payable.map(({ payee }) => payee)
  const currencies = payable.map(({ landing }) => landing.currency)
  const rows = payable.length
    ? await tx<Money[]>`
        select currency, balance::text as amount from ledger_lock_for(${payees}::uuid[], ${currencies}::text[])`
    : []
  const left = new Map(rows.map((money) => [money.currency, toMinor(money)]))
  return payments.map((payment): MadePayment => {
    const { landing, fee, fault } = payment
    const { currency } = landing
    const needed = toMinor(landing) + toMinor(fee)
    const has = left.get(currency) ?? 0n
    const fails = fault ?? (needed > has ? 'insufficient_funds' : null)
    if (!fails) left.set(currency, has - needed)
    return { ...payment, deducting: fromMinor(needed, currency), fails }
  })
}

const { created } = paymentEvents
const { fail: failed } = paymentMoves.types

/** Writes payments and their events, in the given order. */
async function insertAll(
  tx: Tx,
  { batchId, by, made, acknowledged }: Omit<OrderedRow, 'payments'> & { readonly made: readonly MadePayment[] },
): Promise<void> {
  const rows = made.map((payment, place) => ({
    ...payment,
    place,
    connection: nameConnection({ rail: payment.rail, currency: payment.landing.currency }),
    event_id: newId(),
    feed_id: newId(),
    payee_key: payeeKeyOf(payment.name),
    fee_feed_id: payment.rail === 'fiat' && toMinor(payment.fee) > 0n ? newId() : null,
    status: payment.fails ? 'failed' : 'submitted',
    status_detail: payment.fails ?? 'approved with its batch',
    body: canonicalJson(payloadOf(batchId, payment)),
    failed: payment.fails && canonicalJson({ reason: payment.fails } satisfies PayloadOf<typeof failed>),
  }))
  const given = sql.json(rows)
  await tx`
    insert into payments (id, organization_id, payment_contact_id, destination_id, destination_name,
      payee_organization_id, payee_address_id, payer_id, payer_account_id, payment_batch_id, event_id, rail, connection, status, status_detail, deducting_amount,
      deducting_currency, landing_amount, landing_currency, fee_amount, feed_id, fee_feed_id, transaction_id,
      payout_reason, statement_description, internal_notes, payee_key, tag, bill_id, payee_check_id, payee_acknowledged,
      payee_check_due_at, created_by)
    select g.id, ${tx.organizationId}, g.contact_id, g.destination_id, g.name, g.payee, g.payee_address_id, g.payer_id,
      case when g.payer_id is not null then
        ${payerAccount(tx, { rail: 'fiat', connection: sql`g.connection`, currency: sql`g.landing ->> 'currency'`, network: null })} end, ${batchId}, g.event_id, g.rail, g.connection,
      g.status, g.status_detail, (g.deducting ->> 'amount')::numeric, g.deducting ->> 'currency',
      (g.landing ->> 'amount')::numeric, g.landing ->> 'currency', (g.fee ->> 'amount')::numeric, g.feed_id,
      g.fee_feed_id, case when g.rail = 'fiat' and g.status = 'submitted' then g.feed_id end, g.payout_reason,
      g.statement_description, g.internal_notes, g.payee_key,
      (select c.tag from payment_contacts c where c.id = g.contact_id), g.bill_id, g.payee_check_id,
      ${acknowledged} and coalesce(k.result, '') in ('no_match', 'close_match'),
      case when g.rail = 'fiat' and g.status = 'submitted' then coalesce(${nextCheckAt(sql`k`)}, business_now()) end, ${by}
    from jsonb_to_recordset(${given}) g (payee_check_id uuid, bill_id uuid, id uuid, contact_id uuid, destination_id uuid, name text, payee uuid, rail text, connection text,
      landing jsonb, deducting jsonb, fee jsonb, payout_reason text, statement_description text, internal_notes text,
      payee_key text, payee_address_id uuid, payer_id uuid, event_id uuid, feed_id uuid, fee_feed_id uuid, status text, status_detail text)
    left join payee_checks k on k.id = g.payee_check_id`
  await tx`
    insert into events (id, organization_id, stream, subject_id, type, actor_kind, correlation_id, cause, payload)
    select e.id, ${tx.organizationId}, ${created.stream}, g.id, e.type, ${tx.actor.kind}, ${tx.correlationId}, g.cause, e.payload
    from jsonb_to_recordset(${given}) g (id uuid, cause text, event_id uuid, body text, failed text, place integer),
      lateral (values (1, ${created.type}, g.event_id, g.body), (2, ${failed.type}, uuidv7(), g.failed))
        e (step, type, id, payload)
    where e.payload is not null order by g.place, e.step`
}

const payloadOf = (batchId: BatchId, { rail, deducting, landing, fee }: MadePayment): PayloadOf<typeof created> => ({
  rail,
  quote_id: null,
  payment_batch_id: batchId,
  deducting,
  landing,
  fee,
  rate: null,
})
