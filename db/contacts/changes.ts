/** What happens to a payment contact that is there: changed, deleted, or made to wait for the approval of a change. */
import { inOrder } from '../in-order.ts'
import { type WaitingApproval, cancelApprovals, requestApproval } from '../approvals/requests.ts'
import type { CancelWithTargets } from '../approvals/target.ts'
import { policyFor } from '../approvals/policies.ts'
import { causesWhatFollows, newCause, record } from '../events.ts'
import type { Person } from '../../domain/actor.ts'
import type { Target } from '../../domain/approvals/approval.ts'
import { contactEvents, contactMoves } from '../../domain/contacts/events.ts'
import type { ApprovalStatus } from '../../domain/flows/undriven/approval.ts'
import type { Policy } from '../../domain/approvals/requirements.ts'
import { underWay } from '../../domain/flows/flow.ts'
import type { ContactStatus } from '../../domain/flows/contact.ts'
import { type PaymentStatus, paymentFlow } from '../../domain/flows/payment.ts'
import { refuse } from '../../domain/errors.ts'
import { type ApprovalId, type ContactId, type DestinationId, newId } from '../../domain/ids.ts'
import type { PaymentContactChange } from '../../domain/contacts/contact.ts'
import { quoted } from '../../domain/text.ts'
import { defaultOf, payeeAt } from './destinations.ts'
import { type Fragment, type Tx, sql } from '../sql.ts'
import { transition } from '../transition.ts'
import { lockContactChanges } from '../locks.ts'
import { requirePermissionLocked } from '../membership-lock.ts'

/** A contact that nobody else changes until the transaction ends. */
export type LockedContact = {
  readonly id: ContactId
  readonly status: ContactStatus
  readonly name: string
  readonly type: string
  readonly email: string | null
  readonly tag: string | null
  /** The approval that it waits for. */
  readonly waits_for: ApprovalId | null
}

/**
 * Locks a contact: changes of it come one by one, and its approval is locked before it, as in every decision. With
 * `delete` no payment is made to it meanwhile; to `change` it must not wait for one, which may wait for what a change
 * writes. Refuses `not_found`, also for a deleted one, and `invalid_state` for one of a single payment. The caller has
 * asked requirePermissionLocked().
 */
export async function lockContact(tx: Tx, id: ContactId, why: 'change' | 'delete'): Promise<LockedContact> {
  const [, approvals, [contact]] = await inOrder(
    () => lockContactChanges(tx, id),
    () => tx<{ id: ApprovalId; status: ApprovalStatus }[]>`
      select id, status from approvals
      where target_id = ${id} and target_type = 'payment_contact' and status = 'pending' order by id for update`,
    () => tx<(Omit<LockedContact, 'waits_for'> & { one_time: boolean })[]>`
      select id, status, name, type, email, tag, one_time from payment_contacts where id = ${id} and deleted_at is null
      for ${why === 'delete' ? sql`update` : sql`no key update`}`,
  )
  if (!contact) refuse('not_found')
  const { status, one_time: once } = contact
  if (once) refuse('invalid_state', { current: status, allowed: [], reason: 'one_time' })
  return { ...contact, waits_for: approvals[0]?.id ?? null }
}

/** Refuses `invalid_state` if a contact cannot be changed: it waits for approval, or was turned down. */
export function refuseUnlessActive({ status }: LockedContact): void {
  if (status === 'active') return
  refuse('invalid_state', {
    current: status,
    allowed: ['delete'],
    ...(status === 'pending_approval' && { reason: 'change_waits' }),
  })
}

/**
 * Changes name, email and tag of an active contact; another name waits for approval if the policy asks for it, as
 * another destination does: payments are known by it. Refuses `not_found`, and `invalid_state` for one that waits for
 * approval: what approvers were shown is what they approve.
 */
export async function changeContact(
  tx: Tx,
  person: Person,
  id: ContactId,
  change: PaymentContactChange,
): Promise<void> {
  await requirePermissionLocked(tx, person, 'payment_contacts.update')
  const before = await lockContact(tx, id, 'change')
  const after = { name: before.name, email: before.email, tag: before.tag, ...withoutUndefined(change) }
  const changed = (['name', 'email', 'tag'] as const).filter((field) => after[field] !== before[field])
  if (changed.length === 0) return
  refuseUnlessActive(before)
  const policy = changed.includes('name') ? await policyFor(tx, { action_type: 'payment_contact' }) : null
  const name = policy ? before.name : after.name
  const atOnce = policy ? changed.filter((field) => field !== 'name') : changed
  if (atOnce.length > 0) {
    await tx`
      update payment_contacts set name = ${name}, email = ${after.email}, tag = ${after.tag}, updated_at = business_now()
      where id = ${id}`
    await record(tx, contactEvents.updated, {
      subjectId: id,
      cause: newCause(),
      payload: { changed: atOnce, ...(atOnce.includes('name') && { name }) },
    })
  }
  if (policy) await requestName(tx, person, { ...before, ...after, name }, { policy, nextName: after.name })
}

type AnotherName = { readonly policy: Policy; readonly nextName: string }

async function requestName(tx: Tx, person: Person, contact: LockedContact, { policy, nextName }: AnotherName) {
  const payee = await payeeAt(tx, defaultOf(sql`${contact.id}::uuid`))
  const requested = {
    policy,
    approvalId: newApprovalId(),
    summary: `Payment contact ${quoted(contact.name)} becomes ${quoted(nextName)}${payee ? `: ${payee}` : ''}`,
    subject: {},
    nextName,
  }
  await requestChange(tx, person, contact, requested)
  await awaitChange(tx, contact.id, requested)
}

const withoutUndefined = (change: PaymentContactChange): object =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

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
  await requirePermissionLocked(tx, person, 'payment_contacts.delete')
  const contact = await lockContact(tx, id, 'delete')
  await transition(tx, contactMoves, id, {
    events: ['remove'],
    cause: newCause(),
    set: sql`deleted_at = business_now(), changing = false, next_default_id = null, next_name = null`,
  })
  await causesWhatFollows(tx, id)
  const payments = await lockPaymentsTo(tx, sql`p.payment_contact_id = ${id}`)
  await cancelWithTargets(tx, payments, { why: 'contact deleted', by: person })
  const own: Target = { type: 'payment_contact', id }
  const { waits_for: approvalId } = contact
  if (approvalId) await cancelApprovals(tx, [{ id: approvalId, target: own }], { why: 'contact deleted', by: person })
  await tx`
    update payment_destinations set deleted_at = business_now() where payment_contact_id = ${id} and deleted_at is null`
}

type PaymentRow = {
  id: string
  status: PaymentStatus
  approval_id: ApprovalId | null
  target_type: Target['type'] | null
}

/**
 * Locks the approvals of payments that wait for one, of those that a condition on `p` names, and answers them. Refuses
 * `contact_in_use` if one is under way. The caller has locked the contact to delete, so that no payment comes between.
 */
export async function lockPaymentsTo(tx: Tx, condition: Fragment): Promise<WaitingApproval[]> {
  const [, payments] = await inOrder(
    () => tx`
      select a.id from approvals a join payments p on p.approval_request_id = a.id
      where ${condition} and p.status = 'awaiting_approval' and a.status = 'pending' order by a.id for update of a`,
    // what was decided while the statement before waited is under way by now
    () => tx<PaymentRow[]>`
      select p.id, p.status, a.id as approval_id, a.target_type
      from payments p left join approvals a on a.id = p.approval_request_id and a.status = 'pending'
      where ${condition} and p.status = any (${[...paymentFlow.driven]})
      order by p.id`,
  )
  const open = payments.filter(({ status }) => underWay(paymentFlow).includes(status))
  if (open.length > 0) refuse('contact_in_use', { payments: open.length })
  return payments.flatMap(({ id, approval_id: approvalId, target_type: type }) =>
    approvalId && type ? [{ id: approvalId, target: { type, id } }] : [],
  )
}

export type RequestedChange = {
  readonly policy: Policy
  readonly approvalId: ApprovalId
  readonly summary: string
  /** What changes, beside what the contact is. */
  readonly subject: Readonly<Record<string, unknown>>
  /** The destination that becomes the default with the approval, if another one does. */
  readonly nextDefault?: DestinationId | null
  /** The name that the contact gets with the approval, if it gets another one. */
  readonly nextName?: string | null
}

/** A new id for the approval of a change, which destinations name before the contact does. */
export const newApprovalId = (): ApprovalId => newId()

/** Asks for the approval of a change, of an active contact that the caller has locked. */
export async function requestChange(
  tx: Tx,
  person: Person,
  { id, name, type, email, tag }: LockedContact,
  { policy, approvalId, summary, subject, nextDefault = null, nextName = null }: RequestedChange,
): Promise<void> {
  const cause = `change:${approvalId}`
  const destinations = await tx<{ id: string; type: string; default: boolean }[]>`
    select id, type, id is not distinct from ${defaultOf(sql`${id}::uuid`)} as default from payment_destinations
    where payment_contact_id = ${id} and deleted_at is null order by inserted_at, id`
  await requestApproval(tx, {
    id: approvalId,
    target_type: 'payment_contact',
    target_id: id,
    requester_id: person.userId,
    policy,
    subject: {
      target_id: id,
      name,
      type,
      email,
      tag,
      destinations: [...destinations],
      becomes_default: nextDefault,
      ...(nextName !== null && { becomes_name: nextName }),
      ...subject,
    },
    summary,
    cause,
  })
}

/** Puts an active contact back to where it waits for the approval of a change. */
export const awaitChange = (
  tx: Tx,
  id: ContactId,
  { approvalId, nextDefault = null, nextName = null }: RequestedChange,
): Promise<void> =>
  transition(tx, contactMoves, id, {
    events: ['change'],
    cause: `change:${approvalId}`,
    set: sql`approval_request_id = ${approvalId}, changing = true, next_default_id = ${nextDefault}, next_name = ${nextName}`,
  })
