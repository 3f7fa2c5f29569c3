/** Everything said to Postgres about payment contacts and the destinations they are paid at. */
import { v7 } from 'uuid'
import { policyFor } from './approval-policies.ts'
import { type WaitingRow, joinApproval, toWaiting, waitingColumns } from './approval-waits.ts'
import { requestApproval } from './approvals.ts'
import { type Claim, hashOf, takeClaim } from './claim.ts'
import { record } from './events.ts'
import { refuse } from './model/errors.ts'
import type { Waiting } from './model/approval.ts'
import type { Policy } from './model/consensus.ts'
import type { ContactStatus } from './model/contact-flow.ts'
import type { ApprovalId, ContactId, DestinationId, OrganizationId, UserId } from './model/ids.ts'
import type { Page } from './model/page.ts'
import {
  type NewDestination,
  type NewPaymentContact,
  type PaymentContact,
  type PaymentContactFilters,
  detailsOf,
} from './model/payment-contact.ts'
import { pageOf } from './page.ts'
import { type Fragment, type Reader, type Tx, first, sql } from './sql.ts'

/** Whom a payment to a contact would reach: its default destination. */
export type Payee = {
  name: string
  contact_status: PaymentContact['status']
  tag: PaymentContact['tag']
  type: 'svc_id' | 'bank' | 'crypto'
  destination_id: DestinationId
  /** What the payment shows for ever, whatever the contact is called later. */
  destination_name: string
  /** Null for a destination outside the service. */
  payee_organization_id: OrganizationId | null
  svc_id: string | null
}

/**
 * The contact's default destination: the one marked so, else the first made. Refuses `not_found` for a contact that is
 * unknown, deleted or another organization's, and `destination_missing` where there is nothing to pay to.
 */
export async function payeeOf(reader: Reader, contactId: string): Promise<Payee> {
  const payee = await first(
    reader<Payee | (Payee & { destination_id: null })>(sql`
      select c.name, c.status as contact_status, c.tag, c.name as destination_name, d.type, d.id as destination_id,
        d.payee_organization_id, d.svc_id
      from payment_contacts c
      left join lateral (
        select p.id, p.type, p.payee_organization_id, p.svc_id from payment_destinations p
        where p.payment_contact_id = c.id and p.deleted_at is null
        order by p.is_default desc, p.inserted_at, p.id limit 1
      ) d on true
      where c.id = ${contactId} and c.organization_id = ${reader.organizationId} and c.deleted_at is null`),
  )
  if (!payee) refuse('not_found')
  return payee.destination_id === null ? refuse('destination_missing') : payee
}

/**
 * Makes a contact with its destinations, which waits for approval where the policy asks for it; false when the claim was taken by another request. Refuses `unknown_handle`
 * and `same_account`, with the path of the destination.
 */
export async function createContact(
  tx: Tx,
  creator: UserId,
  claim: Claim,
  wanted: NewPaymentContact,
): Promise<boolean> {
  if (claim.keyed && !(await takeClaim(tx, claim))) return false
  const [payees, policy] = await Promise.all([
    resolveHandles(tx, wanted.destinations),
    policyFor(tx, { action_type: 'payment_contact' }),
  ])
  const approvalId = policy && (v7() as ApprovalId) // a new id
  if (approvalId) await requestContact(tx, { policy, approvalId, creator, claim, wanted })
  await tx`
    insert into payment_contacts (id, organization_id, name, type, email, tag, created_by, status, approval_request_id)
    values (${claim.id}, ${tx.organizationId}, ${wanted.name}, ${wanted.type}, ${wanted.email ?? null},
      ${wanted.tag ?? null}, ${creator}, ${approvalId ? 'pending_approval' : 'active'}, ${approvalId})`
  await Promise.all([
    insertDestinations(tx, claim.id, wanted.destinations, payees),
    record(tx, {
      stream: 'payment_contacts',
      subjectId: claim.id,
      type: 'payment_contact.created',
      cause: `request:${tx.correlationId ?? claim.id}`,
      payload: {
        name: wanted.name,
        type: wanted.type,
        // coordinates stay out of the log, which nobody can erase
        destinations: wanted.destinations.map((d) =>
          d.type === 'svc_id' ? { type: d.type, svc_id: d.svc_id } : { type: d.type },
        ),
      },
    }),
  ])
  return true
}

type ContactRequest = {
  policy: Policy
  approvalId: ApprovalId
  creator: UserId
  claim: Claim
  wanted: NewPaymentContact
}

/** Approvers are shown, and their step-up is bound to, everything that the contact is paid by. */
async function requestContact(tx: Tx, { policy, approvalId, creator, claim, wanted }: ContactRequest): Promise<void> {
  const { name, type, email = null, tag = null, destinations } = wanted
  await requestApproval(tx, {
    id: approvalId,
    action_type: 'payment_contact',
    target_type: 'payment_contact',
    target_id: claim.id,
    requester_id: creator,
    policy,
    // coordinates stay out of what nobody can erase: their hash stands for them
    subject: { target_id: claim.id, name, type, email, tag, destinations: hashOf(destinations) },
    summary: `Payment contact ${name}`,
    cause: `request:${tx.correlationId ?? claim.id}`,
  })
}

/** What the workflow needs to know of its contact. */
export type ContactState = {
  status: ContactStatus
  approval_id: ApprovalId | null
  waiting: Waiting | null
  clock_offset_seconds: number
}

type StateRow = Omit<ContactState, 'waiting' | 'clock_offset_seconds'> & WaitingRow & { clock_offset_seconds: string }

/** The state of a contact, or undefined where there is none. */
export async function contactState(tx: Tx, id: ContactId): Promise<ContactState | undefined> {
  const [row] = await tx<StateRow[]>`
    select c.status, c.approval_request_id as approval_id, ${waitingColumns()},
      (select offset_seconds from business_clock) as clock_offset_seconds
    from payment_contacts c ${joinApproval(sql`c.approval_request_id`)} where c.id = ${id}`
  if (!row) return undefined
  const { status, approval_id } = row
  return { status, approval_id, waiting: toWaiting(row), clock_offset_seconds: Number(row.clock_offset_seconds) }
}

/** The organization that each destination means, in their order; null for one outside the service. */
async function resolveHandles(tx: Tx, destinations: readonly NewDestination[]): Promise<(OrganizationId | null)[]> {
  const handles = destinations.map((destination) => (destination.type === 'svc_id' ? destination.svc_id : null))
  const resolved = await tx<{ organization_id: OrganizationId | null }[]>`
    select r.organization_id from unnest(${handles}::text[]) with ordinality h (handle, position)
    left join lateral resolve_handle(h.handle) r on true order by h.position`
  return resolved.map(({ organization_id: payee }, index) => {
    const handle = handles[index]
    if (!handle) return null
    const details = { path: `destinations.${index}.svc_id`, svc_id: handle }
    if (!payee) refuse('unknown_handle', details)
    if (payee === tx.organizationId) refuse('same_account', details)
    return payee
  })
}

/** One statement, so that ids stand in the order that the destinations were given in. */
async function insertDestinations(
  tx: Tx,
  contactId: string,
  destinations: readonly NewDestination[],
  payees: readonly (OrganizationId | null)[],
): Promise<void> {
  const rows = destinations.map((destination, index) => ({
    type: destination.type,
    label: destination.label ?? null,
    svc_id: destination.type === 'svc_id' ? destination.svc_id : null,
    payee_organization_id: payees[index] ?? null,
    is_default: destination.default,
    details: detailsOf(destination),
  }))
  await tx`
    insert into payment_destinations (organization_id, payment_contact_id, type, label, svc_id, payee_organization_id,
      is_default, details)
    select ${tx.organizationId}, ${contactId}, d.type, d.label, d.svc_id, d.payee_organization_id, d.is_default,
      nullif(d.details, 'null')
    from jsonb_to_recordset(${sql.json(rows)}) d (type text, label text, svc_id text, payee_organization_id uuid,
      is_default boolean, details jsonb)`
}

type DestinationRow = { type: string; details: object | null; svc_id: string | null }
type ContactRow = Omit<PaymentContact, 'destinations'> & { destinations: DestinationRow[] }

const selectContact = (): Fragment => sql`
  select payment_contacts.id, payment_contacts.organization_id, name, payment_contacts.type, email, tag, status,
    approval_request_id, created_by, payment_contacts.inserted_at, coalesce(d.destinations, '[]') as destinations
  from payment_contacts
  left join lateral (
    select jsonb_agg(jsonb_build_object('id', p.id, 'type', p.type, 'label', p.label, 'svc_id', p.svc_id,
      'details', p.details, 'default', p.rank = 1,
      'inserted_at', to_char(p.inserted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
      order by p.inserted_at, p.id) as destinations
    from (
      select t.*, row_number() over (order by t.is_default desc, t.inserted_at, t.id) as rank
      from payment_destinations t where t.payment_contact_id = payment_contacts.id and t.deleted_at is null
    ) p
  ) d on true
  where payment_contacts.deleted_at is null`

/** One contact of the reader's organization; refuses `not_found`, also for a deleted one. */
export async function findContact(reader: Reader, id: ContactId): Promise<PaymentContact> {
  const row = await first(
    reader<ContactRow>(sql`
      ${selectContact()} and payment_contacts.id = ${id}
      and payment_contacts.organization_id = ${reader.organizationId}`),
  )
  return row ? toContact(row) : refuse('not_found')
}

/** Contacts, newest first, by the filters of the operation; `q` looks in name and email. Deleted ones are left out. */
export async function listContacts(reader: Reader, filters: PaymentContactFilters): Promise<Page<PaymentContact>> {
  const f = filters
  const page = await pageOf<ContactRow>(
    reader,
    'payment_contacts',
    f,
    sql`${selectContact()}
      ${f.q ? sql`and position(lower(${f.q}) in lower(concat_ws(' ', name, email))) > 0` : sql``}
      ${f.tag ? sql`and tag = ${f.tag}` : sql``}
      ${f.status ? sql`and status = ${f.status}` : sql``}`,
  )
  return { ...page, data: page.data.map(toContact) }
}

const toContact = (row: ContactRow): PaymentContact => ({
  id: row.id,
  organization_id: row.organization_id,
  name: row.name,
  type: row.type,
  email: row.email,
  tag: row.tag,
  status: row.status,
  approval_request_id: row.approval_request_id,
  destinations: row.destinations.map(toDestination),
  created_by: row.created_by,
  inserted_at: row.inserted_at,
})

function toDestination({ details, svc_id, ...shared }: DestinationRow): PaymentContact['destinations'][number] {
  // The table's check keeps exactly one of them; what is in `details` was written by detailsOf().
  return { ...shared, ...(details ?? { svc_id }) } as PaymentContact['destinations'][number]
}
