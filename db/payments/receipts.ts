/** What a receipt says of a payment that was paid. */
import { eventsFrom } from '../../domain/flows/flow.ts'
import { refuse } from '../../domain/errors.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { moneyOf } from '../../domain/money/money.ts'
import { type PaymentStatus, paymentFlow } from '../../domain/flows/payment.ts'
import { accountOf } from '../../domain/contacts/destination.ts'
import type { Receipt } from '../../domain/payments/receipt.ts'
import { type EncryptedCoordinates, coordinatesOf } from '../contacts/destinations.ts'
import { type Reader, first, sql } from '../sql.ts'
import type { Rail } from '../../domain/rails.ts'

type Row = {
  id: string
  status: PaymentStatus
  rail: Rail
  payer: string
  payee: string
  svc_id: string | null
  destination: EncryptedCoordinates
  deducting_amount: string
  deducting_currency: string
  landing_amount: string
  landing_currency: string
  fee_amount: string
  rate: string | null
  description: string
  reference: string | null
  transaction_id: string | null
  created_at: string
  paid_at: string | null
  reversed_at: string | null
}

const loggedAt = (type: string) => sql`
  (select max(e.occurred_at) from events e where e.organization_id = p.organization_id and e.subject_id = p.id
    and e.type = ${type})`

/**
 * The receipt of a payment that succeeded, also where it came back later. Refuses `not_found`, and `invalid_state` with
 * `details.current` for one that was not paid, or not yet. The caller has checked that the person sees the payment.
 */
export async function findReceipt(reader: Reader, id: PaymentId): Promise<Receipt> {
  const row = await first(
    reader<Row>(sql`
      select p.id, p.status, p.rail, o.name as payer, p.destination_name as payee, d.svc_id,
        json_build_object('id', d.id, 'sealed', encode(d.sealed, 'hex')) as destination,
        p.deducting_amount, p.deducting_currency, p.landing_amount, p.landing_currency, p.fee_amount, p.rate,
        p.statement_description as description, p.partner_reference as reference, p.transaction_id,
        p.inserted_at as created_at, ${loggedAt('payment.settled')} as paid_at,
        ${loggedAt('payment.reversed')} as reversed_at
      from payments p
      join organizations o on o.id = p.organization_id
      join payment_destinations d on d.id = p.destination_id
      where p.id = ${id} and p.organization_id = ${reader.organizationId}`),
  )
  if (!row) refuse('not_found')
  if (row.status !== 'succeeded' && row.status !== 'reversed') {
    refuse('invalid_state', { current: row.status, allowed: eventsFrom(paymentFlow, row.status) })
  }
  const coordinates = coordinatesOf(row.destination)
  const { deducting_currency: currency } = row
  return {
    id: row.id,
    status: row.status,
    rail: row.rail,
    payer: row.payer,
    payee: row.payee,
    account: coordinates ? accountOf(coordinates) : row.svc_id,
    account_holder: coordinates?.['account_holder_name'] ?? null,
    deducting: moneyOf(row.deducting_amount, currency),
    landing: moneyOf(row.landing_amount, row.landing_currency),
    fee: moneyOf(row.fee_amount, currency),
    rate: row.rate,
    description: row.description,
    reference: row.reference,
    transaction_id: row.transaction_id,
    created_at: row.created_at,
    paid_at: row.paid_at,
    reversed_at: row.reversed_at,
  }
}
