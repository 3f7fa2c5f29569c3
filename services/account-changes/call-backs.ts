/** Call-backs: kept once for each destination, by a person who did not bring its account. */
import type { NewCallBack } from '../../domain/account-changes/call-back.ts'
import type { Person } from '../../domain/people/actor.ts'
import { destinationEvents } from '../../domain/contacts/events.ts'
import { refuse } from '../../domain/errors.ts'
import type { DestinationId } from '../../domain/ids.ts'
import { record } from '../events.ts'
import type { Tx } from '../../db/postgres/sql.ts'
import { bringersOf } from './changes.ts'

/**
 * Records a call-back: the payee confirmed an account when called. The first one stands, so that a repeat changes
 * nothing.
 * Refuses `not_found`, `unsupported_rail` for what is no bank account, and `forbidden` to a person who ever brought the account.
 */
export async function confirmByCallBack(
  tx: Tx,
  { userId }: Person,
  id: DestinationId,
  { spoken_to: spokenTo, note }: NewCallBack,
): Promise<void> {
  await tx`select from payment_destinations where id = ${id} for no key update`
  const [found] = await tx<{ contact_id: string; own: boolean }[]>`
    select d.payment_contact_id as contact_id, ${userId}::uuid in (${bringersOf(tx)}) as own
    from payment_destinations d
    where d.id = ${id} and d.organization_id = ${tx.organizationId} and d.deleted_at is null`
  if (!found) refuse('not_found')
  if (found.own) refuse('forbidden', { reason: 'own_account_change' })
  const [made] = await tx`
    insert into account_callbacks (destination_id, organization_id, confirmed_by, spoken_to, note)
    values (${id}, ${tx.organizationId}, ${userId}, ${spokenTo}, ${note ?? null})
    on conflict do nothing returning destination_id`
  if (!made) return
  const payload = { payment_contact_id: found.contact_id }
  await record(tx, destinationEvents.confirmed_by_callback, { subjectId: id, cause: `callback:${id}`, payload })
}
