/** What happens to the destinations of a contact that is there: added, changed, deleted. */
import type { CancelWithTargets } from '../approvals/target.ts'
import { policyFor } from '../approvals/policies.ts'
import { type Claim, takeClaim } from '../idempotency.ts'
import { causesWhatFollows, newCause, record } from '../events.ts'
import type { Person } from '../../domain/actor.ts'
import { destinationEvents } from '../../domain/contacts/events.ts'
import { refuse } from '../../domain/errors.ts'
import type { ContactId, DestinationId } from '../../domain/ids.ts'
import { type DestinationChange, MAX_DESTINATIONS, type NewDestination } from '../../domain/contacts/destination.ts'
import {
  type LockedContact,
  awaitChange,
  lockContact,
  lockPaymentsTo,
  newApprovalId,
  refuseUnlessActive,
  requestChange,
} from './changes.ts'
import { quoted } from '../../domain/text.ts'
import { fingerprintedSubject, preparedInWords, toSubject } from './contacts.ts'
import {
  type Prepared,
  defaultOf,
  insertDestinations,
  payeeAt,
  prepareDestinations,
  sameAccountIn,
} from './destinations.ts'
import { type Tx, sql } from '../sql.ts'
import { requirePermissionLocked } from '../membership-lock.ts'

const asked = { action_type: 'payment_contact' } as const

/**
 * Adds a destination to an active contact; if the policy asks for it, the contact waits for approval and the
 * destination is not paid at before. False when the claim was taken by another request. Refuses what
 * prepareDestinations() refuses, `invalid_state` for the same account again and while another change waits,
 * `unprocessable_entity` past the most, and `forbidden` for another default to who may not change it.
 */
export async function addDestination(
  tx: Tx,
  creator: Person,
  claim: Claim,
  { contactId, destination }: { readonly contactId: ContactId; readonly destination: NewDestination },
): Promise<boolean> {
  await requirePermissionLocked(tx, creator, 'payment_destinations.create')
  const contact = await lockContact(tx, contactId, 'change')
  if (claim.keyed && !(await takeClaim(tx, claim))) return false
  refuseUnlessActive(contact)
  const others = await othersOf(tx, contactId)
  // whom a contact is paid at is changed by who may change it, in whatever way
  if (destination.default && others.length > 0)
    await requirePermissionLocked(tx, creator, 'payment_destinations.update')
  const [prepared] = await prepareDestinations(tx, [{ destination, id: claim.id, path: '' }])
  if (!prepared) throw new Error('the destination was not prepared')
  const duplicates = await sameAccountIn(tx, contactId, prepared)
  if (duplicates.length > 0) {
    refuse('invalid_state', {
      reason: 'same_destination',
      current: contact.status,
      allowed: [],
      duplicate_of: duplicates,
    })
  }
  if (others.length >= MAX_DESTINATIONS) {
    refuse('unprocessable_entity', { reason: 'too_many_destinations', limit: MAX_DESTINATIONS })
  }
  const becomesDefault = destination.default || others.length === 0
  await record(tx, destinationEvents.created, {
    subjectId: prepared.id,
    cause: newCause(),
    payload: { payment_contact_id: contactId, ...toSubject(prepared) },
  })
  await causesWhatFollows(tx, prepared.id) // what the change brings with it is written after it
  await write(tx, creator, { contact, prepared, becomesDefault })
  return true
}

type Added = { readonly contact: LockedContact; readonly prepared: Prepared; readonly becomesDefault: boolean }

async function write(tx: Tx, creator: Person, { contact, prepared, becomesDefault }: Added): Promise<void> {
  const policy = await policyFor(tx, asked)
  const to = { contactId: contact.id, creator: creator.userId }
  if (!policy) {
    if (prepared.destination.default) await unmarkDefault(tx, contact.id)
    return insertDestinations(tx, [prepared], { ...to, approvalId: null, pending: false })
  }
  const requested = {
    policy,
    approvalId: newApprovalId(),
    summary: `New destination of payment contact ${quoted(contact.name)}: ${preparedInWords(prepared)}`,
    subject: { new_destination: fingerprintedSubject(prepared) },
    nextDefault: becomesDefault ? prepared.id : null,
  }
  await requestChange(tx, creator, contact, requested)
  await insertDestinations(tx, [prepared], { ...to, approvalId: requested.approvalId, pending: true })
  await awaitChange(tx, contact.id, requested)
}

/** Of the contact's destinations the ids, the default one first. */
async function othersOf(tx: Tx, contactId: ContactId): Promise<DestinationId[]> {
  const rows = await tx<{ id: DestinationId }[]>`
    select id from payment_destinations d where payment_contact_id = ${contactId} and deleted_at is null
    order by d.id = ${defaultOf(sql`${contactId}::uuid`)} desc nulls last, inserted_at, id`
  return rows.map(({ id }) => id)
}

const unmarkDefault = (tx: Tx, contactId: ContactId) => tx`
  update payment_destinations set is_default = false
  where payment_contact_id = ${contactId} and is_default and deleted_at is null`

type Locked = { readonly contact: LockedContact; readonly label: string | null; readonly ids: readonly DestinationId[] }

/** Locks the contact of a destination; refuses `not_found` if either is gone. */
async function lockDestination(tx: Tx, id: DestinationId, why: 'change' | 'delete'): Promise<Locked> {
  const [of] = await tx<{ contact_id: ContactId }[]>`
    select payment_contact_id as contact_id from payment_destinations where id = ${id} and deleted_at is null`
  if (!of) refuse('not_found')
  const contact = await lockContact(tx, of.contact_id, why)
  const [found] = await tx<{ label: string | null }[]>`
    select label from payment_destinations where id = ${id} and deleted_at is null`
  if (!found) refuse('not_found')
  return { contact, label: found.label, ids: await othersOf(tx, contact.id) }
}

/**
 * Names a destination, and makes it the one that its contact is paid at, which may have to wait for approval. Refuses
 * `not_found`, and `invalid_state` for a contact that waits for approval already, or to mark none.
 */
export async function changeDestination(
  tx: Tx,
  person: Person,
  id: DestinationId,
  { label, default: wanted }: DestinationChange,
): Promise<void> {
  await requirePermissionLocked(tx, person, 'payment_destinations.update')
  const { contact, label: before, ids } = await lockDestination(tx, id, 'change')
  const isDefault = ids[0] === id && contact.status !== 'pending_approval'
  const relabel = label !== undefined && label !== before
  const move = wanted === true && !isDefault
  if (relabel || move) refuseUnlessActive(contact)
  if (wanted === false && isDefault)
    refuse('invalid_state', { reason: 'default_needed', current: 'default', allowed: [] })
  if (relabel) {
    await tx`update payment_destinations set label = ${label} where id = ${id}`
    await record(tx, destinationEvents.updated, { subjectId: id, cause: newCause(), payload: { changed: ['label'] } })
    await causesWhatFollows(tx, id) // what the change brings with it is written after it
  }
  if (move) await moveDefault(tx, person, contact, id)
}

async function moveDefault(tx: Tx, person: Person, contact: LockedContact, id: DestinationId): Promise<void> {
  const policy = await policyFor(tx, asked)
  if (!policy) {
    await tx`
      update payment_destinations set is_default = (id = ${id})
      where payment_contact_id = ${contact.id} and deleted_at is null`
    await record(tx, destinationEvents.made_default, {
      subjectId: id,
      cause: newCause(),
      payload: { payment_contact_id: contact.id },
    })
    await causesWhatFollows(tx, id) // what the change brings with it is written after it
    return
  }
  const requested = {
    policy,
    approvalId: newApprovalId(),
    summary: `Another default destination of payment contact ${quoted(contact.name)}: ${(await payeeAt(tx, sql`${id}`)) ?? '…'}`,
    subject: {},
    nextDefault: id,
  }
  await requestChange(tx, person, contact, requested)
  await awaitChange(tx, contact.id, requested)
}

/**
 * Deletes a destination of an active contact; payments to it that wait for approval are cancelled. Where it
 * was the default, the first made of the others is; under a policy another one has to be made it first, by approval.
 * Refuses `not_found`, `invalid_state`, and `contact_in_use` while a payment to it is under way.
 */
export async function deleteDestination(
  tx: Tx,
  person: Person,
  id: DestinationId,
  cancelWithTargets: CancelWithTargets,
): Promise<void> {
  await requirePermissionLocked(tx, person, 'payment_destinations.update')
  const { contact, ids } = await lockDestination(tx, id, 'delete')
  refuseUnlessActive(contact)
  if (ids[0] === id && ids.length > 1 && (await policyFor(tx, asked))) {
    refuse('invalid_state', { reason: 'default_needed', current: 'default', allowed: [] })
  }
  await record(tx, destinationEvents.deleted, {
    subjectId: id,
    cause: newCause(),
    payload: { payment_contact_id: contact.id },
  })
  await causesWhatFollows(tx, id) // what the change brings with it is written after it
  const paidThere = sql`p.payment_contact_id = ${contact.id} and p.destination_id = ${id}`
  await cancelWithTargets(tx, await lockPaymentsTo(tx, paidThere), { why: 'destination deleted', by: person })
  await tx`update payment_destinations set deleted_at = business_now() where id = ${id}`
}
