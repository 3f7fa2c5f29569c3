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

type Texts = Omit<PaymentDraft['payment'], 'amount' | 'payment_contact_id'>

type DraftRow = Pick<PaymentDraft, 'bill_id'> &
  Texts &
  Amounts &
  SpeedRow & {
    readonly payment_contact_id: ContactId
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
      select p.bill_id, p.payment_contact_id, p.destination_id, p.tag, p.payout_reason, p.statement_description, p.internal_notes,
        p.labels,
        p.deducting_amount, p.deducting_currency, p.landing_amount, p.landing_currency, p.speed, p.fallback, q.side,
        (select s.requested_on from payment_schedules s where s.id = p.id) as execute_on,
        ${formerOf(sql`p.approval_request_id`, asker)} as former_approval_id
      from payments p left join payment_quotes q on q.id = p.quote_id
      where p.id = ${id} and p.organization_id = ${reader.organizationId}`),
  )
  if (!row) refuse('not_found')
  const { bill_id, destination_id, tag, side, ...order } = row
  const deducting = moneyOf(row.deducting_amount, row.deducting_currency)
  const landing = moneyOf(row.landing_amount, row.landing_currency)
  const { payment_contact_id } = order
  const amount = side === 'deducting' ? deducting : landing
  const quote = side && { payment_contact_id, destination_id, amount, side, tag, ...paceOf(row) }
  return { bill_id, quote, payment: { ...textsOf(order), payment_contact_id, amount: landing } }
}

const textsOf = ({
  payout_reason,
  statement_description,
  internal_notes,
  labels,
  execute_on,
  former_approval_id,
}: Texts): Texts => ({
  payout_reason,
  statement_description,
  internal_notes,
  labels,
  execute_on,
  former_approval_id,
})

/** Reads a contact as the body that makes it. Refuses `not_found`. */
export async function draftOfContact(reader: Reader, id: ContactId, asker: UserId): Promise<PaymentContactDraft> {
  const contact = await findCreatedContact(reader, id)
  const former = contact.approval_request_id
  const [asked] = await reader<{ former: ApprovalId | null }>(
    sql`select ${formerOf(sql`${former}::uuid`, asker)} as former`,
  )
  const { name, type, email, tag, payee_address, destinations } = contact
  return { name, type, email, tag, payee_address, destinations, former_approval_id: asked?.former ?? null }
}
