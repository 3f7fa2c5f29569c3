/** Payment contacts: made, found, listed; and whom a payment to one would reach. */
import { policyFor } from '../approvals/policies.ts'
import { requestApproval } from '../approvals/requests.ts'
import { type Claim, takeClaim } from '../idempotency.ts'
import { record } from '../events.ts'
import { containing } from '../filters.ts'
import type { Person } from '../../domain/actor.ts'
import type { Policy } from '../../domain/approvals/requirements.ts'
import { contactEvents } from '../../domain/contacts/events.ts'
import { contactFlow } from '../../domain/flows/contact.ts'
import { quoted } from '../../domain/text.ts'
import { refuse } from '../../domain/errors.ts'
import { type ApprovalId, type ContactId, type DestinationId, type OrganizationId, newId } from '../../domain/ids.ts'
import type { Page } from '../../domain/pagination.ts'
import type { NewPaymentContact, PaymentContact, PaymentContactFilters } from '../../domain/contacts/contact.ts'
import { type DestinationType, payeeInWords } from '../../domain/contacts/destination.ts'
import { pageOf } from '../pagination.ts'
import {
  type DestinationRow,
  type Prepared,
  contactOf,
  defaultOf,
  destinationMembers,
  insertDestinations,
  maskedDestination,
  prepareDestinations,
  wholeDestinations,
} from './destinations.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../sql.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import { wake } from '../wakes.ts'

/** Whom a payment to a contact would reach: its default destination. */
export type Payee = {
  name: string
  contact_status: PaymentContact['status']
  tag: PaymentContact['tag']
  type: DestinationType
  destination_id: DestinationId
  /** What the payment shows for ever, whatever the contact is called later. */
  destination_name: string
  /** Null for a destination outside the service. */
  payee_organization_id: OrganizationId | null
  svc_id: string | null
}

/**
 * The contact's default destination: the one marked so, else the first made. Refuses `not_found` for a contact that is
 * unknown, deleted or another organization's, and `destination_missing` if there is nothing to pay to.
 */
export async function payeeOf(reader: Reader, contactId: string): Promise<Payee> {
  const payee = await first(
    reader<Payee | (Payee & { destination_id: null })>(sql`
      select c.name, c.status as contact_status, c.tag, c.name as destination_name, d.type, d.id as destination_id,
        d.payee_organization_id, d.svc_id
      from payment_contacts c
      left join payment_destinations d on d.id = ${defaultOf(sql`c.id`)}
      where c.id = ${contactId} and c.organization_id = ${reader.organizationId} and c.deleted_at is null`),
  )
  if (!payee) refuse('not_found')
  return payee.destination_id === null ? refuse('destination_missing') : payee
}

/**
 * Makes a contact with its destinations, which waits for approval if the policy asks for it; false when the claim was
 * taken by another request. Refuses what prepareDestinations() refuses, and the same account twice: `invalid_request`,
 * code `duplicate`.
 */
export async function createContact(
  tx: Tx,
  creator: Person,
  claim: Claim,
  wanted: NewPaymentContact,
): Promise<boolean> {
  await requirePermissionLocked(tx, creator, 'payment_contacts.create')
  if (claim.keyed && !(await takeClaim(tx, claim))) return false
  const given = wanted.destinations.map((destination, index) => ({ destination, path: `destinations.${index}.` }))
  const prepared = await prepareDestinations(tx, given)
  refuseTwice(prepared)
  const policy = await policyFor(tx, { action_type: 'payment_contact' })
  const approvalId = policy && newId<'approval'>()
  await record(tx, contactEvents.created, {
    subjectId: claim.id,
    cause: `request:${tx.correlationId ?? claim.id}`,
    payload: { name: wanted.name, type: wanted.type, destinations: prepared.map(toSubject) },
  })
  if (approvalId) await requestContact(tx, { policy, approvalId, creator, claim, wanted, prepared })
  await tx`
    insert into payment_contacts (id, organization_id, name, type, email, tag, created_by, status, approval_request_id)
    values (${claim.id}, ${tx.organizationId}, ${wanted.name}, ${wanted.type}, ${wanted.email ?? null},
      ${wanted.tag ?? null}, ${creator.userId}, ${approvalId ? 'pending_approval' : 'active'}, ${approvalId})`
  if (approvalId) wake(tx, contactFlow, { ids: [claim.id], why: 'created', status: 'pending_approval' })
  const contactId = claim.id
  await insertDestinations(tx, prepared, { contactId, creator: creator.userId, approvalId, pending: false })
  return true
}

function refuseTwice(prepared: readonly Prepared[]): void {
  const seen = new Set<string>()
  const errors = prepared.flatMap(({ fingerprints: [fingerprint] }, index) => {
    if (seen.has(fingerprint)) {
      return [{ path: `destinations.${index}`, code: 'duplicate', message: 'is the same account as one before it' }]
    }
    seen.add(fingerprint)
    return []
  })
  if (errors.length > 0) refuse('invalid_request', { errors })
}

/** What an approval and the log say of a destination: coordinates stay out of what nobody can erase. */
export const toSubject = ({ id, destination }: Prepared) =>
  destination.type === 'svc_id'
    ? { id, type: destination.type, svc_id: destination.svc_id }
    : { id, type: destination.type }

type ContactRequest = {
  policy: Policy
  approvalId: ApprovalId
  creator: Person
  claim: Claim
  wanted: NewPaymentContact
  prepared: readonly Prepared[]
}

/** Approvers are shown, and their step-up is bound to, everything that the contact is paid by. */
async function requestContact(tx: Tx, asked: ContactRequest): Promise<void> {
  const { policy, approvalId, creator, claim, wanted, prepared } = asked
  const { name, type, email = null, tag = null } = wanted
  await requestApproval(tx, {
    id: approvalId,
    target_type: 'payment_contact',
    target_id: claim.id,
    requester_id: creator.userId,
    policy,
    subject: { target_id: claim.id, name, type, email, tag, destinations: prepared.map(fingerprintedSubject) },
    summary: `Payment contact ${quoted(name)}${paidAt(prepared)}`,
    cause: `request:${tx.correlationId ?? claim.id}`,
  })
}

/** The default destination in words, and how many more there are. */
function paidAt(prepared: readonly Prepared[]): string {
  const paid = prepared.find(({ destination }) => destination.default) ?? prepared[0]
  if (!paid) return ', without a destination'
  const more = prepared.length - 1
  return `: ${preparedInWords(paid)}${more > 0 ? `; and ${more} more` : ''}`
}

/** Who is paid at a destination that was not there before. */
export const preparedInWords = ({ destination, account }: Prepared): string =>
  payeeInWords(destination.type === 'svc_id' ? destination.svc_id : null, account.coordinates)

/** The same with the fingerprint of the account, which stands for its coordinates. */
export const fingerprintedSubject = (prepared: Prepared): object => ({
  ...toSubject(prepared),
  default: prepared.destination.default,
  fingerprint: prepared.fingerprints[0],
})

type ContactRow = Omit<PaymentContact, 'destinations'> & { destinations: DestinationRow[] }

/**
 * The destinations are a column of their own, which is made for the rows of a page and not for all before they are
 * sorted.
 */
const selectContact = (): Fragment => sql`
  select payment_contacts.id, payment_contacts.organization_id, name, payment_contacts.type, email, tag, status,
    approval_request_id, next_name as becomes_name, one_time, created_by, payment_contacts.inserted_at,
    (select coalesce(jsonb_agg(jsonb_build_object(${destinationMembers()}) order by d.inserted_at, d.id), '[]')
      from (${contactOf(sql`payment_contacts`)}) c
      join payment_destinations d on d.payment_contact_id = c.id and d.deleted_at is null) as destinations
  from payment_contacts
  where payment_contacts.deleted_at is null`

/** One contact of the reader's organization; refuses `not_found`, also for a deleted one. */
export async function findContact(reader: Reader, id: ContactId): Promise<PaymentContact> {
  const { destinations, ...contact } = await findRow(reader, id)
  return { ...contact, destinations: destinations.map(maskedDestination) }
}

/** The same with whole coordinates, for whoever has just given them. */
export async function findCreatedContact(reader: Reader, id: ContactId): Promise<PaymentContact> {
  const { destinations, ...contact } = await findRow(reader, id)
  return { ...contact, destinations: await wholeDestinations(reader, destinations) }
}

async function findRow(reader: Reader, id: ContactId): Promise<ContactRow> {
  const row = await first(
    reader<ContactRow>(sql`
      ${selectContact()} and payment_contacts.id = ${id}
      and payment_contacts.organization_id = ${reader.organizationId}`),
  )
  return row ?? refuse('not_found')
}

/**
 * Contacts, newest first, by the filters of the operation; `q` looks in name and email, `destination_type` and
 * `currency` for one destination that is both. Deleted ones are left out, and those of one
 * payment.
 */
export async function listContacts(reader: Reader, filters: PaymentContactFilters): Promise<Page<PaymentContact>> {
  const { destination_type: paidBy, currency, ...f } = filters
  const page = await pageOf<ContactRow>(
    reader,
    'payment_contacts',
    f,
    sql`${selectContact()} and not one_time
      ${containing(f.q, sql`name, email`)}
      ${f.tag ? sql`and tag = ${f.tag}` : sql``}
      ${f.type ? sql`and payment_contacts.type = ${f.type}` : sql``}
      ${f.status ? sql`and status = ${f.status}` : sql``}
      ${
        paidBy || currency
          ? sql`and exists (select from payment_destinations o
        where o.payment_contact_id = payment_contacts.id and o.deleted_at is null
        ${paidBy ? sql`and o.type = ${paidBy}` : sql``} ${currency ? sql`and o.currency = ${currency}` : sql``})`
          : sql``
      }`,
  )
  return {
    ...page,
    data: page.data.map(({ destinations, ...contact }) => ({
      ...contact,
      destinations: destinations.map(maskedDestination),
    })),
  }
}
