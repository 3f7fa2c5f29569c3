/** Payment contacts as targets of approvals: shown to approvers, changed by the decision. */
import type { ApprovalTarget } from '../approvals/target.ts'
import { type DestinationType, accountOf } from '../../domain/contacts/destination.ts'
import { contactMoves } from '../../domain/contacts/events.ts'
import { type ContactStatus, contactFlow } from '../../domain/flows/contact.ts'
import type { ContactId, DestinationId, OrganizationId } from '../../domain/ids.ts'
import { noteUsable } from '../account-changes/changes.ts'
import { type Fragment, sql } from '../sql.ts'
import { transition } from '../transition.ts'
import { type SealedAddress, addressAt, openAddressForDisplay } from './addresses.ts'
import { type EncryptedCoordinates, defaultOf, openCoordinatesForDisplay } from './destinations.ts'

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

/** Selects the id of the address that the approval names: the contact may have another one by now. */
const selectAddress = (): Fragment => sql`(
  select f.id from payee_addresses f
  where f.organization_id = approvals.organization_id
    and f.fingerprint = decode(approvals.subject_body::jsonb ->> 'payee_address', 'hex')
  order by f.id limit 1)`

const noChange = () => sql`changing = false, next_default_id = null, next_name = null`

export const contactTarget: ApprovalTarget<State> = {
  type: 'payment_contact',
  movesMoney: false,
  subject: {
    column: () => sql`(
      select json_build_object('id', c.id, 'name', c.name, 'type', c.type, 'email', c.email, 'tag', c.tag,
        'payee_address', ${addressAt(selectAddress())}, 'status', c.status, 'created_at', c.inserted_at,
        'deleted_at', c.deleted_at, 'asked', approvals.subject_body::json,
        'destinations', (select coalesce(json_agg(json_build_object('id', d.id, 'type', d.type, 'label', d.label,
            'svc_id', d.svc_id, 'sealed', encode(d.sealed, 'hex'),
            'payee_address', ${addressAt(sql`d.payee_address_id`)},
            'default', d.id is not distinct from ${defaultOf(sql`c.id`)},
            'new', d.approval_request_id is not distinct from approvals.id
          ) order by d.inserted_at, d.id), '[]')
          from payment_destinations d where d.payment_contact_id = c.id
          and (d.deleted_at is null or position(d.id::text in approvals.subject_body) > 0)))
      from payment_contacts c where c.id = approvals.target_id)`,
    // the column wrote exactly these
    parse: (row) => toContactSubject(row as ContactInSubject),
  },
  state: (of, id) => select(of, [id]),
  blockers: () => [],
  async approve(tx, { id, changing, next_default_id: next, next_name: name }, cause) {
    const added = await tx<{ id: string }[]>`
      select id from payment_destinations where payment_contact_id = ${id} and pending and deleted_at is null`
    if (changing) {
      await tx`
        update payment_destinations set pending = false, is_default = case when ${next}::uuid is null then is_default
          else id = ${next} end, usable_at = case when pending then business_now() else usable_at end
        where payment_contact_id = ${id} and deleted_at is null`
    } else {
      await tx`
        update payment_destinations set usable_at = business_now() where payment_contact_id = ${id} and deleted_at is null`
    }
    await transition(tx, contactMoves, id, {
      events: ['approve'],
      cause,
      set: sql`name = coalesce(next_name, name), ${noChange()}`,
      ...(name !== null && { payload: { name } }),
    })
    await noteUsable(
      tx,
      added.map((one) => one.id),
    )
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
      await transition(tx, contactMoves, changing, { events: ['keep'], cause, set: noChange() })
    }
    if (others.length > 0) await transition(tx, contactMoves, others, { events: ['refuse'], cause })
    return (id) => ({
      status: changing.some((one) => one === id) ? contactFlow.events.keep.to : contactFlow.events.refuse.to,
    })
  },
}

type SealedDestination = EncryptedCoordinates & {
  readonly type: DestinationType
  readonly default: boolean
  readonly payee_address: SealedAddress | null
}
/** The request: all fields of a new contact; of a change also its next name or default. */
type AskedOfContact = Readonly<
  Partial<Record<'name' | 'becomes_name' | 'email' | 'tag' | 'becomes_default', string | null>>
> & {
  readonly destinations?: readonly { readonly id: string; readonly default?: boolean }[]
  readonly new_destination?: { readonly id: string }
}
type ContactInSubject = {
  readonly asked: AskedOfContact
  readonly payee_address: SealedAddress | null
  readonly destinations: readonly SealedDestination[]
}

/** Shows the contact as it was when the approval was requested, also if it has changed since. */
function toContactSubject({ asked, destinations, payee_address, ...contact }: ContactInSubject): object {
  const { name, becomes_name = null, email, tag, becomes_default: next, new_destination: added } = asked
  const known = asked.destinations ?? destinations
  const first = known.find((one) => one.default) ?? known[0]
  const shown = destinations.flatMap(({ sealed, payee_address: named, ...row }) => {
    const then = known.find(({ id }) => id === row.id) ?? (added?.id === row.id ? { default: false } : undefined)
    if (!then) return []
    // of a new contact the first is the default if none is marked
    const wasDefault = next === undefined ? row.id === first?.id : (then.default ?? row.default)
    // the end of the account alone: the destination shows the rest to who approves it
    const coordinates = openCoordinatesForDisplay({ id: row.id, sealed }, row.type)
    const account = coordinates && accountOf(coordinates)
    const address = openAddressForDisplay(named)
    return { ...row, account, default: wasDefault, becomes_default: row.id === next, payee_address: address }
  })
  const then = { ...(name && { name }), ...(email !== undefined && { email }), ...(tag !== undefined && { tag }) }
  const address = openAddressForDisplay(payee_address)
  return { ...contact, ...then, becomes_name, payee_address: address, destinations: shown }
}

type Described = Readonly<Record<'name' | 'type', string> & Record<'email' | 'tag', string | null>> & {
  readonly id: ContactId
  readonly payee_address: Pick<SealedAddress, 'fingerprint'> | null
}

/** Selects what the hash of an approval covers of a contact, beside its destinations. */
export const describeContact = ({ id, payee_address: address, name, type, email, tag }: Described) => ({
  target_id: id,
  name,
  type,
  email,
  tag,
  ...(address && { payee_address: address.fingerprint }),
})
