/** Memberships that the identity provider of an organization manages: begun, changed and ended without a person who asks. */
import { refuse } from '../../domain/errors.ts'
import type { ScimUserId, UserId } from '../../domain/ids.ts'
import { memberEvents } from '../../domain/organizations/events.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import { type Permission, type Role, type Standing, effectiveOf, presetOf } from '../../domain/permissions.ts'
import type { GrantedStanding } from '../../domain/scim/role.ts'
import { quoteInMail } from '../../domain/text.ts'
import type { EndWithRole } from '../approvals/target.ts'
import { lockMemberships } from '../../db/postgres/locks.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { causesWhatFollows, newCause, record } from '../events.ts'
import { notify } from '../messages/account-notices.ts'
import { revokeDeviceTrust } from '../people/devices.ts'
import { lockPerson } from '../people/people.ts'
import { endWhere } from '../people/sessions.ts'
import { reportMadeBy } from './makers.ts'
import { endMembership, setStanding } from './members.ts'
import { addMember } from './organizations.ts'

/** Locks memberships and organization for a provider, and answers the name. Refuses `not_found` if it is gone. */
export async function lockForProvider(tx: Tx): Promise<string> {
  await lockMemberships(tx, 'change')
  const [found] = await tx<{ name: string; status: string }[]>`
    select name, status from organizations where id = ${tx.organizationId} for no key update`
  return !found || isGone(found.status) ? refuse('not_found') : found.name
}

/** Member whom a provider manages, as the lock found them. */
export type ManagedMember = { readonly userId: UserId; readonly role: Role; readonly removed: readonly Permission[] }

type End = { readonly member: ManagedMember; readonly organization: string; readonly endWithRole: EndWithRole }

/**
 * Ends a membership as a removal by an owner does; and the trust of all devices, and the sessions of one who has no other
 * organization. The caller has locked the organization, and knows that the member is no owner.
 */
export async function endManagedMembership(tx: Tx, { member, organization, endWithRole }: End): Promise<void> {
  const { userId, role, removed } = member
  const locked = { organization, target: { role, removed }, lastOwner: false }
  await lockPerson(tx, userId)
  const [others] = await tx<{ is: boolean }[]>`
    select exists (select from organizations_of(${userId}) o where o.id <> ${tx.organizationId}) as is`
  // before the end: log streams hear of sessions of members alone
  if (!others?.is) await endWhere(tx, sql`user_id = ${userId}`, null, 'ended_by_company')
  await endMembership(tx, userId, { type: memberEvents.removed, locked, by: null, endWithRole })
  await revokeDeviceTrust(tx, userId)
}

type Beginning = { readonly userId: UserId; readonly standing: GrantedStanding; readonly scimUserId: ScimUserId }

/** Makes a person a member, by what the provider says of them. The caller has locked the memberships and the person. */
export async function beginManagedMembership(tx: Tx, { userId, standing, scimUserId }: Beginning): Promise<void> {
  await addMember(tx, userId, standing)
  const payload = { role: standing.role, scim_user_id: scimUserId }
  await record(tx, memberEvents.provisioned, { subjectId: userId, cause: newCause(), payload })
}

type Change = {
  readonly member: ManagedMember
  readonly standing: GrantedStanding
  readonly organization: string
  readonly endWithRole: EndWithRole
}

/** Gives a member another role and other permissions, and ends what these do not allow. Never of an owner. */
export async function changeManagedStanding(tx: Tx, change: Change): Promise<void> {
  const { member, standing, organization, endWithRole } = change
  const { userId } = member
  const { role, removed } = standing
  const isMoved = role !== member.role
  const about = { subjectId: userId, cause: newCause() }
  if (isMoved) await record(tx, memberEvents.role_changed, { ...about, payload: { from: member.role, to: role } })
  if (!isSame(removed, member.removed)) {
    const payload = { removed: [...removed], preset: presetOf(removed) }
    await record(tx, memberEvents.permissions_changed, { ...about, payload })
  }
  await setStanding(tx, userId, standing)
  if (takesAway(member, standing)) {
    await causesWhatFollows(tx, userId) // what it ends is written after it
    await endWithRole(tx, { userId, standing, by: null })
    await reportMadeBy(tx, { userId, before: member, after: standing })
  }
  await notify(tx, userId, {
    subject: `Your ${isMoved ? 'role' : 'permissions'} in an organization changed`,
    organization,
    body: isMoved
      ? `In ${quoteInMail(organization)} your role was ${member.role} and is now ${role}: groups of its identity provider say so.`
      : `In ${quoteInMail(organization)} ${removed.length} permissions are taken from your role now: groups of its identity provider say so.`,
  })
}

/** Tells if both are the same standing. */
export const isSameStanding = (one: Required<Standing>, other: Required<Standing>): boolean =>
  one.role === other.role && isSame(one.removed ?? [], other.removed ?? [])

const isSame = (some: readonly Permission[], others: readonly Permission[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one))

/** Tells if a change takes anything: a role by which policies choose approvers, or a permission. */
function takesAway(before: Standing, after: Standing): boolean {
  const left = new Set(effectiveOf(after))
  return before.role !== after.role || effectiveOf(before).some((one) => !left.has(one))
}
