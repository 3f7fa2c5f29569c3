/** Commands of payment contacts; a change may wait for approval. */
import { policyFor } from '../approvals/policies.ts'
import { type WaitingApproval, cancelApprovals, requestApproval, requireSentBack } from '../approvals/requests.ts'
import type { CancelWithTargets } from '../approvals/target.ts'
import { causesWhatFollows, newCause, record } from '../events.ts'
import { changeExternal, splitExternal, toExternalRow } from '../external.ts'
import type { Person } from '../../domain/people/actor.ts'
import type { Target } from '../../domain/approvals/approval.ts'
import { FORMER_EMAIL_DAYS } from '../../domain/account-changes/change.ts'
import { applyChange } from '../../domain/changes.ts'
import type { NewPaymentContact, PaymentContactChange } from '../../domain/contacts/contact.ts'
import { contactEvents, contactMoves } from '../../domain/contacts/events.ts'
import { refuse } from '../../domain/errors.ts'
import { type ExternalChange, externalInEvent } from '../../domain/external.ts'
import { type ContactStatus, contactFlow } from '../../domain/contacts/flow.ts'
import { underWay } from '../../domain/flow.ts'
import { type PaymentState, paymentFlow } from '../../domain/payments/flow.ts'
import { type ApprovalId, type ContactId, newId } from '../../domain/ids.ts'
import type { PayeeAnswer } from '../../domain/payee-checks/payee-check.ts'
import type { Preparer } from '../../domain/people/delegate.ts'
import { lockContactChanges } from '../../db/postgres/locks.ts'
import { type Fragment, type Tx, sql, values, within } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'
import {
  type SealedAddress,
  addressAt,
  changesAddress,
  insertAddresses,
  prepareAddress,
  storeAddress,
} from './addresses.ts'
import { describeContact } from './approval-target.ts'
import { requestChange } from './change-requests.ts'
import { defaultOf, payeeAt } from './destinations.ts'
import { screenContact } from './screening.ts'
import { findAlike } from './look-alikes.ts'
import {
  type PreparedDestination,
  toFingerprintSubject,
  insertDestinations,
  describePrepared,
  prepareDestinations,
  toLogged,
} from './new-destinations.ts'

export const asksForContact = { action_type: 'payment_contact' } as const

/**
 * Creates a contact with its destinations; under a policy, or prepared by a delegate, it waits for approval. Refuses what prepareDestinations()
 * refuses, and the same account twice: `invalid_request`, code `duplicate`.
 */
export async function createContact(
  tx: Tx,
  creator: Person,
  id: ContactId,
  wanted: NewPaymentContact,
  { preparers = [], answers = [] }: { preparers?: readonly Preparer[]; answers?: readonly (PayeeAnswer | null)[] } = {},
): Promise<void> {
  const given = wanted.destinations.map((destination, index) => ({
    destination,
    path: `destinations.${index}.`,
    answer: answers[index] ?? null,
  }))
  const prepared = await prepareDestinations(tx, given)
  requireDistinct(prepared)
  const policy = await policyFor(tx, asksForContact, preparers)
  const approvalId = policy && newId<'approval'>()
  const { name, type, email = null, tag = null, former_approval_id: former } = wanted
  const address = wanted.payee_address ? prepareAddress(tx.organizationId, wanted.payee_address) : null
  const cause = `request:${tx.correlationId ?? id}`
  const payload = { name, type, destinations: prepared.map(toLogged), ...externalInEvent(wanted) }
  await record(tx, contactEvents.created, { subjectId: id, cause, payload })
  if (approvalId) {
    await requestApproval(tx, {
      id: approvalId,
      target_type: 'payment_contact',
      target_id: id,
      requester_id: creator.userId,
      policy,
      // approvers are shown, and their step-up is bound to, everything that the contact is paid by
      subject: {
        ...describeContact(
          { id, name, type, email, tag, payee_address: address },
          await findAlike(within(tx), id, name),
        ),
        destinations: prepared.map(toFingerprintSubject),
      },
      content: { kind: 'new_payee', name, ...accountsOf(prepared) },
      cause,
      preparers,
      former_id: former
        ? await requireSentBack(tx, former, { requester: creator.userId, targetType: 'payment_contact' })
        : null,
    })
  }
  await insertAddresses(tx, address ? [address] : [])
  await tx`
    insert into payment_contacts ${values({
      id,
      organization_id: tx.organizationId,
      name,
      type,
      email,
      tag,
      ...toExternalRow(wanted),
      payee_address_id: address?.id ?? null,
      created_by: creator.userId,
      status: approvalId ? 'pending_approval' : 'active',
      approval_request_id: approvalId,
    })}`
  if (approvalId) wake(tx, contactFlow, { ids: [id], why: 'created', status: 'pending_approval' })
  await insertDestinations(tx, id, prepared, { creator: creator.userId, approvalId })
  await screenContact(tx, id)
}

function requireDistinct(prepared: readonly PreparedDestination[]): void {
  const accounts = prepared.map(({ fingerprints: [fingerprint] }) => fingerprint)
  const errors = accounts.flatMap((account, index) =>
    accounts.indexOf(account) === index
      ? []
      : [{ path: `destinations.${index}`, code: 'duplicate', message: 'is the same account as one before it' }],
  )
  if (errors.length > 0) refuse('invalid_request', { errors })
}

/** Finds the account that payments go to which name none, and counts the others. */
function accountsOf(prepared: readonly PreparedDestination[]) {
  const paid = prepared.find(({ destination }) => destination.default) ?? prepared[0]
  return { account: paid ? describePrepared(paid) : null, others: Math.max(prepared.length - 1, 0) }
}

/** A contact that no other transaction changes before this one ends. */
export type LockedContact = {
  readonly id: ContactId
  readonly status: ContactStatus
  readonly name: string
  readonly type: string
  readonly email: string | null
  readonly tag: string | null
  readonly payee_address: SealedAddress | null
  /** The approval that it waits for. */
  readonly waits_for: ApprovalId | null
}

/**
 * Locks a contact: changes of it come one by one, and its approval is locked before it, as in every decision. With
 * `delete` no payment is made to it meanwhile; to `change` it must not wait for one, which may wait for what a change
 * writes. Refuses `not_found`, also for a deleted one, and `invalid_state` for one of a single payment.
 */
export async function lockContact(tx: Tx, id: ContactId, why: 'change' | 'delete'): Promise<LockedContact> {
  await lockContactChanges(tx, id)
  const [approval] = await tx<{ id: ApprovalId }[]>`
    select id from approvals
    where target_id = ${id} and target_type = 'payment_contact' and status = 'pending' order by id for update`
  const [contact] = await tx<(Omit<LockedContact, 'waits_for'> & { one_time: boolean })[]>`
    select id, status, name, type, email, tag, one_time, ${addressAt(sql`payee_address_id`)} as payee_address
    from payment_contacts where id = ${id} and deleted_at is null
    for ${why === 'delete' ? sql`update` : sql`no key update`}`
  if (!contact) refuse('not_found')
  const { one_time: once, ...locked } = contact
  if (once) refuse('invalid_state', { current: contact.status, allowed: [], reason: 'one_time' })
  return { ...locked, waits_for: approval?.id ?? null }
}

/** Refuses `invalid_state` unless a contact can be changed: it waits for approval, or was turned down. */
export function requireActive({ status }: LockedContact): void {
  if (status === 'active') return
  const reason = status === 'pending_approval' && { reason: 'change_waits' }
  refuse('invalid_state', { current: status, allowed: ['delete'], ...reason })
}

/** Assigns the address that a contact had before: several changes within the days keep the first one. */
const keepFormerEmail = (): Fragment => sql`, email_changed_at = business_now(), former_email = case
  when email_changed_at > business_now() - make_interval(days => ${FORMER_EMAIL_DAYS}) then former_email else email end`

const FIELDS = ['name', 'email', 'tag'] as const
const ADDRESS = 'payee_address'

/**
 * Changes name, email, tag and address of an active contact; another name waits for approval if the policy asks for it, as
 * another destination does: payments are known by it. Refuses `not_found`, and `invalid_state` for one that waits for
 * approval: what approvers were shown is what they approve.
 */
export async function changeContact(
  tx: Tx,
  person: Person,
  id: ContactId,
  change: PaymentContactChange,
): Promise<void> {
  const contact = await lockContact(tx, id, 'change')
  const { name, email, tag } = contact
  const { external, own } = splitExternal(change)
  const { payee_address: given, ...others } = own
  const { after } = applyChange({ name, email, tag }, others)
  const moves = changesAddress(tx, contact.payee_address, given)
  const changed = [...FIELDS.filter((field) => after[field] !== contact[field]), ...(moves ? ([ADDRESS] as const) : [])]
  await noteContact(tx, id, external)
  if (changed.length === 0) return
  requireActive(contact)
  const policy = changed.includes('name') ? await policyFor(tx, asksForContact) : null
  const now = policy ? { ...after, name } : after
  const atOnce = policy ? changed.filter((field) => field !== 'name') : changed
  if (atOnce.length > 0) {
    const address = moves ? sql`, payee_address_id = ${(await storeAddress(tx, given))?.id ?? null}` : sql``
    const former = changed.includes('email') ? keepFormerEmail() : sql``
    await tx`
      update payment_contacts set ${tx(now)}, updated_at = business_now() ${address} ${former} where id = ${id}`
    const payload = { changed: atOnce, ...(atOnce.includes('name') && { name: now.name }) }
    await record(tx, contactEvents.updated, { subjectId: id, cause: newCause(), payload })
    if (atOnce.includes('name')) await screenContact(tx, id)
  }
  if (!policy) return
  const account = await payeeAt(tx, defaultOf(sql`${id}::uuid`))
  const content = { kind: 'new_name', name, next: after.name, account } as const
  await requestChange(tx, person, { ...contact, ...now }, { policy, content, nextName: after.name })
}

/** Changes external id and metadata, whatever state the contact is in: approvers are shown neither. */
async function noteContact(tx: Tx, id: ContactId, change: ExternalChange): Promise<void> {
  const { changed, logged } = await changeExternal(tx, 'payment_contacts', id, change)
  if (changed.length === 0) return
  await record(tx, contactEvents.updated, { subjectId: id, cause: newCause(), payload: { changed, ...logged } })
}

/**
 * Deletes a contact with its destinations. What waits for approval ends: its own, and payments to it. Refuses
 * `not_found`, and `contact_in_use` while a payment to it is under way.
 */
export async function deleteContact(
  tx: Tx,
  person: Person,
  id: ContactId,
  cancelWithTargets: CancelWithTargets,
): Promise<void> {
  const { waits_for: approvalId } = await lockContact(tx, id, 'delete')
  await transition(tx, contactMoves, id, {
    events: ['remove'],
    cause: newCause(),
    set: sql`deleted_at = business_now(), changing = false, next_default_id = null, next_name = null`,
  })
  await causesWhatFollows(tx, id)
  const cancellation = { why: 'contact deleted', by: person } as const
  await cancelWithTargets(tx, await lockPaymentsTo(tx, sql`p.payment_contact_id = ${id}`), cancellation)
  const target = { type: 'payment_contact', id } as const
  if (approvalId) await cancelApprovals(tx, [{ id: approvalId, target }], cancellation)
  await tx`
    update payment_destinations set deleted_at = business_now() where payment_contact_id = ${id} and deleted_at is null`
}

type PaymentRow = {
  readonly id: string
  readonly status: PaymentState
  readonly approval_id: ApprovalId | null
  readonly target_type: Target['type'] | null
}

/**
 * Locks the pending approvals of payments `p` under a condition, and answers them. Refuses `contact_in_use` if a payment
 * is under way. The caller has locked the contact to delete, so that no payment comes between.
 */
export async function lockPaymentsTo(tx: Tx, condition: Fragment): Promise<WaitingApproval[]> {
  await tx`
    select a.id from approvals a join payments p on p.approval_request_id = a.id
    where ${condition} and p.status = 'awaiting_approval' and a.status = 'pending' order by a.id for update of a`
  // what was decided while the statement before waited is under way by now
  const payments = await tx<PaymentRow[]>`
    select p.id, p.status, a.id as approval_id, a.target_type
    from payments p left join approvals a on a.id = p.approval_request_id and a.status = 'pending'
    where ${condition} and p.status = any (${[...paymentFlow.driven]})
    order by p.id`
  const open = payments.filter(({ status }) => underWay(paymentFlow).includes(status))
  if (open.length > 0) refuse('contact_in_use', { payments: open.length })
  return payments.flatMap(({ id, approval_id: approvalId, target_type: type }) =>
    approvalId && type ? [{ id: approvalId, target: { type, id } }] : [],
  )
}
