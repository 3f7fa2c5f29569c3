/** Commands of destinations of payment contacts; a change may wait for approval. */
import { changersOf, noteUsable } from '../account-changes/changes.ts'
import { policyFor } from '../approvals/policies.ts'
import type { CancelWithTargets } from '../approvals/target.ts'
import { causesWhatFollows, newCause, record } from '../events.ts'
import { changeExternal } from '../external.ts'
import type { Person } from '../../domain/people/actor.ts'
import { type DestinationChange, MAX_DESTINATIONS, type NewDestination } from '../../domain/destinations/destination.ts'
import { destinationEvents } from '../../domain/contacts/events.ts'
import { refuse } from '../../domain/errors.ts'
import type { ContactId, DestinationId } from '../../domain/ids.ts'
import type { PayeeAnswer } from '../../domain/payee-checks/payee-check.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'
import { type LockedContact, asksForContact, lockContact, lockPaymentsTo, requireActive } from './commands.ts'
import { requestChange } from './change-requests.ts'
import { defaultOf, payeeAt, sameAccountIn } from './destinations.ts'
import { screenContact } from './screening.ts'
import { insertDestinations, describePrepared, prepareDestinations, toLogged } from './new-destinations.ts'

type Addition = {
  readonly id: DestinationId
  readonly contactId: ContactId
  readonly destination: NewDestination
  /** Answer of the bank about its holder, for approvers; null or absent if it was not asked. */
  readonly answer?: PayeeAnswer | null | undefined
}

/**
 * Adds a destination to an active contact; if the policy asks for it, the contact waits for approval and the
 * destination is not paid at before. Refuses what prepareDestinations() refuses, `invalid_state` for the same account
 * again and while another change waits, `unprocessable_entity` past the most, and `forbidden` for another default to
 * callers who may not change it.
 */
export async function addDestination(
  tx: Tx,
  creator: Person,
  { id, contactId, destination, answer = null }: Addition,
): Promise<void> {
  const contact = await lockContact(tx, contactId, 'change')
  requireActive(contact)
  const others = await othersOf(tx, contactId)
  const replaces = destination.default && others.length > 0
  // whom a contact is paid at is changed by who may change it, in whatever way
  if (replaces) await requirePermissionLocked(tx, creator, 'payment_destinations.update')
  const [prepared] = await prepareDestinations(tx, [{ destination, id, path: '', answer }])
  if (!prepared) throw new Error('the destination was not prepared')
  const duplicates = await sameAccountIn(tx, contactId, prepared.fingerprints)
  if (duplicates.length > 0) {
    const { status: current } = contact
    refuse('invalid_state', { reason: 'same_destination', current, allowed: [], duplicate_of: duplicates })
  }
  if (others.length >= MAX_DESTINATIONS) {
    refuse('unprocessable_entity', { reason: 'too_many_destinations', limit: MAX_DESTINATIONS })
  }
  const payload = { payment_contact_id: contactId, ...toLogged(prepared) }
  await record(tx, destinationEvents.created, { subjectId: id, cause: newCause(), payload })
  await causesWhatFollows(tx, id)
  const policy = await policyFor(tx, asksForContact)
  if (policy) {
    const nextDefault = destination.default || others.length === 0 ? id : null
    const account = describePrepared(prepared)
    const content = { kind: 'new_account', name: contact.name, account, isDefault: nextDefault !== null } as const
    return requestChange(tx, creator, contact, { policy, content, nextDefault, added: prepared })
  }
  if (destination.default) {
    await tx`
      update payment_destinations set is_default = false
      where payment_contact_id = ${contactId} and is_default and deleted_at is null`
  }
  await insertDestinations(tx, contactId, [prepared], { creator: creator.userId })
  await noteUsable(tx, [id])
  await screenContact(tx, contactId)
}

async function othersOf(tx: Tx, contactId: ContactId): Promise<DestinationId[]> {
  const rows = await tx<{ id: DestinationId }[]>`
    select id from payment_destinations d where payment_contact_id = ${contactId} and deleted_at is null
    order by d.id = ${defaultOf(sql`${contactId}::uuid`)} desc nulls last, inserted_at, id`
  return rows.map(({ id }) => id)
}

type LockedDestinations = {
  readonly contact: LockedContact
  readonly label: string | null
  readonly ids: readonly DestinationId[]
}

/** Locks the contact of a destination; refuses `not_found` if either is gone. */
async function lockDestination(tx: Tx, id: DestinationId, why: 'change' | 'delete'): Promise<LockedDestinations> {
  const read = async (lock: Fragment) => {
    const [row] = await tx<{ contact_id: ContactId; label: string | null }[]>`
      select payment_contact_id as contact_id, label from payment_destinations
      where id = ${id} and deleted_at is null ${lock}`
    return row ?? refuse('not_found')
  }
  const contact = await lockContact(tx, (await read(sql``)).contact_id, why)
  const { label } = await read(sql`for no key update`) // as it is under the locks
  return { contact, label, ids: await othersOf(tx, contact.id) }
}

/**
 * Labels a destination, and makes it the default, which may have to wait for approval.
 * External id and metadata change in any state. Refuses `not_found`, and `invalid_state` for a contact that waits for
 * approval already, or to mark none.
 */
export async function changeDestination(
  tx: Tx,
  person: Person,
  id: DestinationId,
  { label, default: wanted, external_id, metadata }: DestinationChange,
): Promise<void> {
  const { contact, label: before, ids } = await lockDestination(tx, id, 'change')
  const isDefault = ids[0] === id && contact.status !== 'pending_approval'
  const relabels = label !== undefined && label !== before
  const moves = wanted === true && !isDefault
  if (relabels || moves) requireActive(contact)
  if (wanted === false && isDefault) refuseWithoutDefault()
  if (relabels) await tx`update payment_destinations set label = ${label} where id = ${id}`
  const noted = await changeExternal(tx, 'payment_destinations', id, { external_id, metadata })
  const changed = [...(relabels ? (['label'] as const) : []), ...noted.changed]
  if (changed.length > 0) {
    const payload = { changed, ...noted.logged }
    await record(tx, destinationEvents.updated, { subjectId: id, cause: newCause(), payload })
    await causesWhatFollows(tx, id)
  }
  if (moves) await moveDefault(tx, person, contact, id)
}

function refuseWithoutDefault(): never {
  refuse('invalid_state', { reason: 'default_needed', current: 'default', allowed: [] })
}

async function moveDefault(tx: Tx, person: Person, contact: LockedContact, id: DestinationId): Promise<void> {
  const policy = await policyFor(tx, asksForContact)
  if (policy) {
    const account = (await payeeAt(tx, sql`${id}`)) ?? '…'
    const content = { kind: 'new_default', name: contact.name, account } as const
    return requestChange(tx, person, contact, { policy, content, nextDefault: id })
  }
  await tx`
    update payment_destinations set is_default = (id = ${id})
    where payment_contact_id = ${contact.id} and deleted_at is null`
  const payload = { payment_contact_id: contact.id }
  await record(tx, destinationEvents.made_default, { subjectId: id, cause: newCause(), payload })
  await causesWhatFollows(tx, id)
}

/**
 * Deletes a destination of an active contact; payments to it that wait for approval are cancelled. If it was the
 * default, the first made of the others is; under a policy another one has to be made it first, by approval. Refuses
 * `not_found`, `invalid_state`, and `contact_in_use` while a payment to it is under way.
 */
export async function deleteDestination(
  tx: Tx,
  person: Person,
  id: DestinationId,
  cancelWithTargets: CancelWithTargets,
): Promise<void> {
  const { contact, ids } = await lockDestination(tx, id, 'delete')
  requireActive(contact)
  if (ids[0] === id && ids.length > 1 && (await policyFor(tx, asksForContact))) refuseWithoutDefault()
  const payload = { payment_contact_id: contact.id }
  await record(tx, destinationEvents.deleted, { subjectId: id, cause: newCause(), payload })
  await causesWhatFollows(tx, id)
  const paidThere = sql`p.payment_contact_id = ${contact.id} and p.destination_id = ${id}`
  await cancelWithTargets(tx, await lockPaymentsTo(tx, paidThere), { why: 'destination deleted', by: person })
  await tx`update payment_destinations set deleted_at = business_now() where id = ${id}`
}

/**
 * Keeps the people who brought accounts of a contact by a bill.
 * A later change of the bill frees none of them to confirm.
 */
export async function keepChangers(tx: Tx, contactId: ContactId, account: string | null): Promise<void> {
  await tx`
    update payment_destinations u set brought_by = w.people
    from payment_destinations d cross join lateral (select array(${changersOf(sql`d`, tx)}) as people) w
    where u.id = d.id and d.payment_contact_id = ${contactId} and d.account_id = ${account}
      and not w.people <@ coalesce(d.brought_by, '{}')`
}
