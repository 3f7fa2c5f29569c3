/** Drafts of what was asked for: bodies with which it is asked for again. */
import type { PaymentContactDraft } from '../../domain/contacts/contact.ts'
import { refuse } from '../../domain/errors.ts'
import type { ApprovalId, ContactId, DestinationId, PaymentId, UserId } from '../../domain/ids.ts'
import { moneyOf } from '../../domain/money/money.ts'
import type { PaymentDraft } from '../../domain/payments/draft.ts'
import type { Side, Tag } from '../../domain/payments/quote.ts'
import { type SpeedRow, paceOf } from '../../domain/payments/speed.ts'
import { awaitsFollower } from '../approvals/requests.ts'
import { findCreatedContact } from '../contacts/contacts.ts'
import type { Amounts } from '../payments/payments.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'

type DraftRow = Pick<PaymentDraft, 'bill_id'> &
  Amounts &
  SpeedRow & {
    readonly payment: Omit<PaymentDraft['payment'], 'amount'> & { readonly payment_contact_id: ContactId }
    readonly destination_id: DestinationId
    readonly tag: Tag | null
    readonly side: Side | null
  }

/** Selects the request of this id, if this person may follow it. */
const formerOf = (id: Fragment, asker: UserId): Fragment => sql`(
  select f.id from approvals f where f.id = ${id} and ${awaitsFollower(sql`f`, asker)})`

/** Reads what a payment asked for. Refuses `not_found`. */
export async function draftOfPayment(reader: Reader, id: PaymentId, asker: UserId): Promise<PaymentDraft> {
  const row = await first(
    reader<DraftRow>(sql`
      select p.bill_id, p.destination_id, p.tag, q.side, p.speed, p.fallback,
        p.deducting_amount, p.deducting_currency, p.landing_amount, p.landing_currency,
        json_build_object('payment_contact_id', p.payment_contact_id, 'payout_reason', p.payout_reason,
          'statement_description', p.statement_description, 'internal_notes', p.internal_notes, 'labels', p.labels,
          'execute_on', (select s.requested_on from payment_schedules s where s.id = p.id),
          'former_approval_id', ${formerOf(sql`p.approval_request_id`, asker)}) as payment
      from payments p left join payment_quotes q on q.id = p.quote_id
      where p.id = ${id} and p.organization_id = ${reader.organizationId}`),
  )
  if (!row) refuse('not_found')
  const { bill_id, payment, destination_id, tag, side } = row
  const deducting = moneyOf(row.deducting_amount, row.deducting_currency)
  const landing = moneyOf(row.landing_amount, row.landing_currency)
  const { payment_contact_id } = payment
  const amount = side === 'deducting' ? deducting : landing
  const quote = side && { payment_contact_id, destination_id, amount, side, tag, ...paceOf(row) }
  return { bill_id, quote, payment: { ...payment, amount: landing } }
}

/** Reads a contact as the body that makes it. Refuses `not_found`. */
export async function draftOfContact(reader: Reader, id: ContactId, asker: UserId): Promise<PaymentContactDraft> {
  const contact = await findCreatedContact(reader, id)
  const former = contact.approval_request_id
  const [asked] = await reader<{ former: ApprovalId | null }>(
    sql`select ${formerOf(sql`${former}::uuid`, asker)} as former`,
  )
  const { name, type, email, tag, payee_address } = contact
  // the one that was asked for keeps its external ids
  const destinations = contact.destinations.map((one) => ({ ...one, external_id: null }))
  return { name, type, email, tag, payee_address, destinations, former_approval_id: asked?.former ?? null }
}
