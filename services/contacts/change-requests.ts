/** Requests for approval of a change of a contact: a new destination, another default, another name. */
import { requestApproval } from '../approvals/requests.ts'
import { readSigned } from '../attachments/attachments.ts'
import { inSubject } from '../../domain/attachments/attachment.ts'
import type { Person } from '../../domain/people/actor.ts'
import type { RequestContent } from '../../domain/approvals/sentence.ts'
import type { Policy } from '../../domain/approvals/requirements.ts'
import { contactMoves } from '../../domain/contacts/events.ts'
import { type DestinationId, newId } from '../../domain/ids.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { describeContact, hashShown } from './approval-target.ts'
import type { LockedContact } from './commands.ts'
import { type PayeeRow, defaultOf, openCoordinatesForDisplay } from './destinations.ts'
import { findAlike } from './look-alikes.ts'
import { type PreparedDestination, insertDestinations, toFingerprintSubject } from './new-destinations.ts'

type Change = {
  readonly policy: Policy
  readonly content: RequestContent
  readonly nextName?: string
  readonly nextDefault?: DestinationId | null
  /** A new destination, which is not paid at before the approval is given. */
  readonly added?: PreparedDestination
}

type StoredDestination = Omit<PayeeRow, 'svc_id'> & { readonly currency: string; readonly default: boolean }

const toHashedDestination = ({ id, type, currency, sealed, default: isDefault }: StoredDestination) => {
  const coordinates = openCoordinatesForDisplay({ id, sealed, takes: currency }, type)
  return { id, type, default: isDefault, sha256: hashShown(coordinates, currency) }
}

/** Makes an active contact, which the caller has locked, wait for the approval of a change. */
export async function requestChange(
  tx: Tx,
  { userId }: Person,
  contact: LockedContact,
  { policy, content, nextName, nextDefault = null, added }: Change,
): Promise<void> {
  const { id } = contact
  const approvalId = newId<'approval'>()
  const cause = `change:${approvalId}`
  const destinations = await tx<StoredDestination[]>`
    select id, type, currency, encode(sealed, 'hex') as sealed,
      id is not distinct from ${defaultOf(sql`${id}::uuid`)} as default from payment_destinations
    where payment_contact_id = ${id} and deleted_at is null order by inserted_at, id`
  await requestApproval(tx, {
    id: approvalId,
    target_type: 'payment_contact',
    target_id: id,
    requester_id: userId,
    policy,
    subject: {
      ...describeContact(contact, await findAlike(within(tx), id, nextName ?? contact.name)),
      destinations: destinations.map(toHashedDestination),
      becomes_default: nextDefault,
      ...(nextName !== undefined && { becomes_name: nextName }),
      ...(added && { new_destination: toFingerprintSubject(added) }),
      ...inSubject(await readSigned(within(tx), [id])),
    },
    content,
    cause,
  })
  if (added) await insertDestinations(tx, id, [added], { creator: userId, approvalId, pending: true })
  await transition(tx, contactMoves, id, {
    events: ['change'],
    cause,
    set: sql`approval_request_id = ${approvalId}, changing = true, next_default_id = ${nextDefault},
      next_name = ${nextName ?? null}`,
  })
}
