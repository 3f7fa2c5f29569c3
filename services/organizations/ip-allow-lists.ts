/** IP allow-list of an organization: set, removed, and lifted from outside of it by two owners or an operator. */
import type { Origin, Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { OrganizationId, UserId } from '../../domain/ids.ts'
import { isWithin } from '../../domain/networks.ts'
import {
  type AllowList,
  CREDENTIAL_KINDS,
  type IpAllowList,
  type IpAllowListLifting,
  LIFT_HOURS,
  LIFT_WAIT_HOURS,
  type NewIpAllowList,
} from '../../domain/organizations/allow-list.ts'
import { allowListEvents } from '../../domain/organizations/events.ts'
import { quoteInMail } from '../../domain/text.ts'
import { newCause, record } from '../events.ts'
import { mailOwners } from '../messages/account-notices.ts'
import { type Fragment, type Reader, type Tx, first, inOrganization, sql } from '../../db/postgres/sql.ts'
import { useStepUp } from '../step-up-use.ts'

type Row = {
  readonly list: AllowList | null
  readonly is_open: boolean
  readonly requested_by: UserId | null
  readonly requested_at: string | null
  readonly alone_from: string | null
  readonly expires_at: string | null
  readonly waited: boolean
  readonly owners: number
}
type Lift = NonNullable<IpAllowList['lift']> & { readonly requested_by: UserId }
type CurrentList = {
  readonly list: AllowList | null
  readonly lift: Lift | null
  readonly waited: boolean
  owners: number
}

/** Selects the list, and the request to lift it: open while it can be confirmed and its owner is one. */
const selectList = (organizationId: OrganizationId): Fragment => sql`
  select o.ip_allow_list as list, o.lift_requested_by as requested_by, o.lift_requested_at as requested_at,
    o.lift_requested_at + make_interval(hours => ${LIFT_WAIT_HOURS}) as alone_from,
    o.lift_requested_at + make_interval(hours => ${LIFT_HOURS}) as expires_at,
    coalesce(o.lift_requested_at > business_now() - make_interval(hours => ${LIFT_HOURS}), false) and exists (
      select from members m where m.organization_id = o.id and m.user_id = o.lift_requested_by and m.role = 'owner')
      as is_open,
    coalesce(o.lift_requested_at <= business_now() - make_interval(hours => ${LIFT_WAIT_HOURS}), false) as waited,
    (select count(*)::int from members m where m.organization_id = o.id and m.role = 'owner') as owners
  from organizations o where o.id = ${organizationId}`

function toCurrent(row: Row | undefined): CurrentList {
  if (!row) refuse('not_found')
  const { list, is_open, requested_by, requested_at, alone_from, expires_at, waited, owners } = row
  const isOpen = is_open && requested_by && requested_at && alone_from && expires_at
  return { list, lift: isOpen ? { requested_by, requested_at, alone_from, expires_at } : null, waited, owners }
}

const toAnswer = ({ list, lift }: Pick<CurrentList, 'list' | 'lift'>, address: string): IpAllowList => ({
  cidrs: [...(list?.cidrs ?? [])],
  applies_to: [...(list?.applies_to ?? [])],
  your_address: address,
  lift,
})

/** Reads the list, with the address of the caller. */
export async function findAllowList(reader: Reader, { address }: Origin): Promise<IpAllowList> {
  return toAnswer(toCurrent(await first(reader<Row>(selectList(reader.organizationId)))), address)
}

/** Locks the list. The caller holds the lock of memberships: owners stay what they are. */
async function lockList(tx: Tx): Promise<CurrentList> {
  await tx`select from organizations where id = ${tx.organizationId} for no key update`
  const [row] = await tx<Row[]>`${selectList(tx.organizationId)}`
  return toCurrent(row)
}

type Replacement = { readonly tx: Tx; readonly origin: Origin; readonly body: NewIpAllowList }

/**
 * Sets the list, and ends a request to lift the former one. The same list again changes nothing. Refuses
 * `ip_allow_list_excludes_you` for one of sessions without the address of the caller.
 */
export async function replaceAllowList({ tx, origin, body }: Replacement): Promise<IpAllowList> {
  const list: AllowList = {
    cidrs: [...new Set(body.cidrs)],
    applies_to: CREDENTIAL_KINDS.filter((kind) => body.applies_to.includes(kind)),
  }
  const { address } = origin
  if (list.applies_to.includes('sessions') && !isWithin(address, list.cidrs))
    refuse('ip_allow_list_excludes_you', { address })
  const before = await lockList(tx)
  if (isSame(before.list, list)) return toAnswer(before, address)
  await writeList(tx, list)
  await record(tx, allowListEvents.changed, {
    subjectId: tx.organizationId,
    cause: newCause(),
    payload: { cidrs: [...list.cidrs], applies_to: [...list.applies_to] },
  })
  await mailOwners(tx, 'The networks of an organization were changed', (name) => [
    `${quoteInMail(name)} is now reached from ${list.cidrs.length} networks alone. The settings of the company show them.`,
  ])
  return toAnswer({ list, lift: null }, address)
}

const isSame = (one: AllowList | null, other: AllowList): boolean =>
  one !== null && one.cidrs.join() === other.cidrs.join() && one.applies_to.join() === other.applies_to.join()

async function writeList(tx: Tx, list: AllowList | null): Promise<void> {
  await tx`
    update organizations set ip_allow_list = ${list && sql.json(list)}, lift_requested_by = null, lift_requested_at = null
    where id = ${tx.organizationId}`
}

/** Removes the list; without one, it does nothing. */
export async function removeAllowList(tx: Tx): Promise<void> {
  const { list } = await lockList(tx)
  if (!list) return
  await writeList(tx, null)
  await record(tx, allowListEvents.removed, { subjectId: tx.organizationId, cause: newCause() })
  await mailOwners(tx, 'The networks of an organization were removed', (name) => [
    `${quoteInMail(name)} is reached from every network now.`,
  ])
}

type Lifting = { readonly tx: Tx; readonly person: Person; readonly stepUpId: string | null }

/**
 * Lifts the list if another owner asked for it before, or the only one a day ago; else asks for it, which all owners are
 * mailed. A repeat of the same owner changes nothing. Refuses `invalid_state` without a list.
 */
export async function liftAllowList({ tx, person, stepUpId }: Lifting): Promise<IpAllowListLifting> {
  const { list, lift, waited, owners } = await lockList(tx)
  if (!list) refuse('invalid_state', { current: 'none', allowed: [] })
  await useStepUp(tx, person, stepUpId)
  const isOwn = lift?.requested_by === person.userId
  if (lift && (!isOwn || (owners === 1 && waited))) {
    await writeLift(tx, lift.requested_by)
    return { status: 'lifted', lift: null }
  }
  if (lift) return { status: 'requested', lift }
  await tx`
    update organizations set lift_requested_by = ${person.userId}, lift_requested_at = business_now()
    where id = ${tx.organizationId}`
  const { lift: requested } = await lockList(tx)
  if (!requested) throw new Error('a request of an owner is open')
  const { requested_by, expires_at } = requested
  await record(tx, allowListEvents.lift_requested, {
    subjectId: tx.organizationId,
    cause: newCause(),
    payload: { requested_by, expires_at },
  })
  await mailOwners(tx, 'An owner wants to lift the networks of an organization', (name) => [
    `An owner of ${quoteInMail(name)}, who may be outside of its networks, asks that it is reached from everywhere again. ${owners === 1 ? `There is no other owner: this one can confirm it after ${LIFT_WAIT_HOURS} hours.` : `Another owner has to confirm it within ${LIFT_HOURS} hours.`}`,
    'If this was not expected, cancel the request in the settings of the company, and end the sessions of that owner.',
  ])
  return { status: 'requested', lift: requested }
}

async function writeLift(tx: Tx, requestedBy: UserId | null): Promise<void> {
  await writeList(tx, null)
  await record(tx, allowListEvents.lifted, {
    subjectId: tx.organizationId,
    cause: newCause(),
    payload: { requested_by: requestedBy },
  })
  await mailOwners(tx, 'The networks of an organization were lifted', (name) => [
    `${quoteInMail(name)} is reached from every network again, until an owner sets its networks again.`,
  ])
}

/** Ends a request to lift the list; without one, it does nothing. */
export async function cancelLift(tx: Tx): Promise<void> {
  const { lift } = await lockList(tx)
  if (!lift) return
  await tx`
    update organizations set lift_requested_by = null, lift_requested_at = null where id = ${tx.organizationId}`
  const payload = { requested_by: lift.requested_by }
  await record(tx, allowListEvents.lift_cancelled, { subjectId: tx.organizationId, cause: newCause(), payload })
  await mailOwners(tx, 'The networks of an organization stay', (name) => [
    `An owner has ended the request to lift the networks of ${quoteInMail(name)}.`,
  ])
}

/** Lifts the list for an operator. Refuses `not_found`, and `invalid_state` without a list. */
export const liftByOperator = (id: OrganizationId): Promise<void> =>
  inOrganization({ kind: 'admin' }, id, async (tx) => {
    const { list } = await lockList(tx)
    if (!list) refuse('invalid_state', { current: 'none', allowed: [] })
    await writeLift(tx, null)
  })
