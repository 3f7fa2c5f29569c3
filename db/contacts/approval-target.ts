/**
 * What a decision does to a payment contact: it may be paid, or it is put away; a change of it is in force, or is not.
 */
import type { ApprovalTarget } from '../approvals/target.ts'
import { contactMoves } from '../../domain/contacts/events.ts'
import { type ContactStatus, contactFlow } from '../../domain/flows/contact.ts'
import { contactSubject } from './approval-subject.ts'
import type { ContactId, DestinationId, OrganizationId } from '../../domain/ids.ts'
import { type Fragment, sql } from '../sql.ts'
import { transition } from '../transition.ts'

type State = {
  id: ContactId
  status: ContactStatus
  /** It was active before, and waits for a change. */
  changing: boolean
  next_default_id: DestinationId | null
  next_name: string | null
}

const select = ({ organizationId }: { organizationId: OrganizationId }, ids: readonly string[]): Fragment => sql`
  select id, status, changing, next_default_id, next_name from payment_contacts
  where id = any (${[...ids]}) and organization_id = ${organizationId} order by id`

const settled = () => sql`changing = false, next_default_id = null, next_name = null`

export const contactTarget: ApprovalTarget<State> = {
  type: 'payment_contact',
  movesMoney: false,
  subject: contactSubject,
  state: (of, id) => select(of, [id]),
  blockers: () => [],
  async approve(tx, { id, changing, next_default_id: next, next_name: name }, cause) {
    if (changing) {
      await tx`
        update payment_destinations set pending = false, is_default = case when ${next}::uuid is null then is_default
          else id = ${next} end
        where payment_contact_id = ${id} and deleted_at is null`
    }
    await transition(tx, contactMoves, id, {
      events: ['approve'],
      cause,
      set: sql`name = coalesce(next_name, name), ${settled()}`,
      ...(name !== null && { payload: { name } }),
    })
    return { status: contactFlow.events.approve.to }
  },
  /** A contact that was active before stays so, without the change. */
  async cancel(tx, ids, _how, cause) {
    const contacts = await tx<State[]>`${select(tx, ids)}`
    const changing = contacts.filter((contact) => contact.changing).map(({ id }) => id)
    const others = contacts.filter((contact) => !contact.changing).map(({ id }) => id)
    if (changing.length > 0) {
      await tx`
        update payment_destinations set deleted_at = business_now()
        where payment_contact_id = any (${changing}) and pending and deleted_at is null`
      await transition(tx, contactMoves, changing, { events: ['keep'], cause, set: settled() })
    }
    if (others.length > 0) await transition(tx, contactMoves, others, { events: ['refuse'], cause })
    return (id) => ({
      status: changing.some((one) => one === id) ? contactFlow.events.keep.to : contactFlow.events.refuse.to,
    })
  },
}
