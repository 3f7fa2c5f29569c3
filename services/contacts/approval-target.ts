/** Payment contacts as targets of approvals: shown to approvers, changed by the decision. */
import { createHash } from 'node:crypto'
import type { ApprovalTarget } from '../approvals/target.ts'
import { canonicalJson } from '../../domain/canonical.ts'
import type { Alike } from '../../domain/contacts/approval-action.ts'
import { type Coordinates, type DestinationType, accountOf } from '../../domain/destinations/destination.ts'
import { payeeWarnings } from '../../domain/approvals/warning.ts'
import { contactMoves } from '../../domain/contacts/events.ts'
import { type ContactStatus, contactFlow } from '../../domain/contacts/flow.ts'
import type { ContactId, DestinationId, OrganizationId } from '../../domain/ids.ts'
import type { PayeeResult } from '../../domain/payee-checks/payee-check.ts'
import { noteUsable } from '../account-changes/changes.ts'
import { type PayeeCheckRow, openCheck, payeeCheckJson, toCheckInSubject } from '../payee-checks/checks.ts'
import { hasGoneOut } from '../../db/postgres/fragments.ts'
import { type Fragment, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { type SealedAddress, addressAt, openAddressForDisplay } from './addresses.ts'
import { screenContact } from './screening.ts'
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
            'takes', d.currency, 'payee_address', ${addressAt(sql`d.payee_address_id`)},
            'payee_check', (select ${payeeCheckJson(sql`k`)} from payee_checks k where k.destination_id = d.id
              and position(k.id::text in approvals.subject_body) > 0 limit 1),
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
  async warnings(reader, id) {
    const [row] = await reader<{ results: PayeeResult[]; alike: boolean; moves: boolean }>(sql`
      select array(select k.result from payment_destinations d join payee_checks k on k.destination_id = d.id
          where d.payment_contact_id = a.target_id and position(k.id::text in a.subject_body) > 0) as results,
        a.subject_body::jsonb ? 'looks_like' as alike,
        (a.subject_body::jsonb ? 'new_destination' or a.subject_body::jsonb ->> 'becomes_default' is not null)
          and exists (select from payment_destinations d join payments p on p.destination_id = d.id
            and ${hasGoneOut(sql`p`)} where d.payment_contact_id = a.target_id) as moves
      from approvals a where a.target_id = ${id} and a.organization_id = ${reader.organizationId} and a.status = 'pending'`)
    if (!row) return []
    return [
      ...payeeWarnings(row.results),
      ...(row.alike ? (['similar_name'] as const) : []),
      ...(row.moves ? (['account_changed'] as const) : []),
    ]
  },
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
    if (name !== null || (changing && added.length > 0)) await screenContact(tx, id)
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
  readonly takes: string
  readonly payee_address: SealedAddress | null
  /** Answer of the bank that the approval names; null if there is none, or it was forgotten. */
  readonly payee_check: PayeeCheckRow | null
}
/** A destination as the hash of an approval covers it. */
type AskedDestination = {
  readonly id: string
  readonly default?: boolean
  readonly payee_check?: Pick<PayeeCheckRow, 'id' | 'result' | 'checked_at'>
}
/** The request: all fields of a new contact; of a change also its next name or default. */
type AskedOfContact = Readonly<
  Partial<Record<'name' | 'becomes_name' | 'email' | 'tag' | 'becomes_default', string | null>>
> & {
  readonly looks_like?: readonly Alike[]
  readonly destinations?: readonly AskedDestination[]
  readonly new_destination?: AskedDestination
}
type ContactInSubject = {
  readonly asked: AskedOfContact
  readonly payee_address: SealedAddress | null
  readonly destinations: readonly SealedDestination[]
}

/** Shows the contact as it was when the approval was requested, also if it has changed since. */
function toContactSubject({ asked, destinations, payee_address, ...contact }: ContactInSubject): object {
  const { name, becomes_name = null, email, tag, becomes_default: next, new_destination: added } = asked
  const known = asked.destinations ?? destinations.map(({ id, default: isDefault }) => ({ id, default: isDefault }))
  const first = known.find((one) => one.default) ?? known[0]
  const shown = destinations.flatMap(({ sealed, takes, payee_address: named, payee_check: check, ...row }) => {
    const then = [...known, ...(added ? [added] : [])].find(({ id }) => id === row.id)
    if (!then) return []
    // of a new contact the first is the default if none is marked
    const wasDefault = next === undefined ? row.id === first?.id : row.id !== added?.id && (then.default ?? row.default)
    const coordinates = openCoordinatesForDisplay({ id: row.id, sealed, takes }, row.type)
    return {
      ...row,
      ...toShown(coordinates, takes),
      default: wasDefault,
      becomes_default: row.id === next,
      payee_address: openAddressForDisplay(named),
      payee_check: showCheck(then, check, coordinates),
    }
  })
  const then = { ...(name && { name }), ...(email !== undefined && { email }), ...(tag !== undefined && { tag }) }
  const address = openAddressForDisplay(payee_address)
  const looks_like = asked.looks_like ?? []
  return { ...contact, ...then, becomes_name, looks_like, payee_address: address, destinations: shown }
}

/** Shows the answer of the bank that the approval names; without names once it was forgotten. */
function showCheck({ payee_check: asked }: AskedDestination, check: PayeeCheckRow | null, account: Coordinates | null) {
  if (!asked) return null
  const { id, result, checked_at } = asked
  if (check) return { ...toCheckInSubject(openCheck(check)), checked_at }
  return { id, result, checked_at, name: null, reason: null, holder: account?.['account_holder_name'] ?? '…' }
}

/** Selects what approvers see of coordinates: of a bank account its end, the destination shows the rest to them. */
function toShown(coordinates: Coordinates | null, currency: string) {
  const { account_holder_name: holder, country_code, network, address, memo } = coordinates ?? {}
  return {
    account: coordinates && accountOf(coordinates),
    account_holder_name: holder ?? null,
    country_code: country_code ?? null,
    currency,
    network: network ?? null,
    address: address ?? null,
    memo: memo ?? null,
  }
}

/** Hashes what approvers see of a destination: names can be proved that no approval holds. */
export const hashShown = (coordinates: Coordinates | null, currency: string): string =>
  createHash('sha256')
    .update(canonicalJson(toShown(coordinates, currency)))
    .digest('hex')

type ContactDescription = Readonly<Record<'name' | 'type', string> & Record<'email' | 'tag', string | null>> & {
  readonly id: ContactId
  readonly payee_address: Pick<SealedAddress, 'fingerprint'> | null
}

/** Selects what the hash of an approval covers of a contact, beside its destinations. */
export const describeContact = (
  { id, payee_address: address, name, type, email, tag }: ContactDescription,
  looks_like: readonly Alike[],
) => ({
  target_id: id,
  name,
  type,
  email,
  tag,
  ...(looks_like.length > 0 && { looks_like: [...looks_like] }),
  ...(address && { payee_address: address.fingerprint }),
})
