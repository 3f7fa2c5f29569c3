/** Changes of users by a provider: provisioned, adopted, changed, deactivated, activated again, removed. */
import { domainOf } from '../../domain/identity-providers/domains.ts'
import { Refusal } from '../../domain/errors.ts'
import type { ScimTokenId, ScimUserId, UserId } from '../../domain/ids.ts'
import type { Role } from '../../domain/permissions.ts'
import { refuseScim } from '../../domain/scim/errors.ts'
import { scimUserEvents } from '../../domain/scim/events.ts'
import { type UserAttributes, readUser, signInAddressOf } from '../../domain/scim/user.ts'
import { applyChange } from '../../domain/changes.ts'
import { quoteInMail } from '../../domain/text.ts'
import { type Tx, sql, values } from '../../db/postgres/sql.ts'
import type { EndWithRole } from '../approvals/target.ts'
import { newCause, record } from '../events.ts'
import { deleteInvitationsTo } from '../invitations/commands.ts'
import { endManagedMembership, lockForProvider } from '../organizations/managed.ts'
import { findUnmet, mailOwners, reportLoss } from './approvers.ts'
import { type UserRow, attributesOf, lockUser } from './users.ts'

export const USERS_MAX = 20_000

/** Context of a command of a provider. */
export type ScimCommand = {
  readonly tx: Tx
  readonly tokenId: ScimTokenId
  /** Id of what the command makes. */
  readonly id: ScimUserId
  readonly endWithRole: EndWithRole
}

/** Command that has locked the memberships and the organization of this name. */
type OrganizationCommand = ScimCommand & { readonly organization: string }

type NewUser = ReturnType<typeof readUser>

/**
 * Provisions a person by an address of a proved domain, or adopts the member who has it. Nothing is mailed, and nobody is
 * signed in: they become a member when they sign in at the provider. Refuses `uniqueness` for one who is managed already.
 */
export async function createUser(command: ScimCommand, wanted: NewUser): Promise<Refusal | undefined> {
  const { tx, id, tokenId } = command
  const organization = await lockForProvider(tx)
  const address = await requireAddress(tx, wanted)
  await requireRoom(tx)
  await requireFree(tx, id, { userName: wanted.userName, address })
  const [member] = await tx<{ user_id: UserId; role: Role; managed: boolean }[]>`
    select m.user_id, m.role, exists (select from scim_users u where u.organization_id = m.organization_id
      and u.user_id = m.user_id) as managed
    from members m join people p on p.id = m.user_id
    where m.organization_id = ${tx.organizationId} and p.email = ${address}`
  if (member?.managed) refuseTaken()
  if (member?.role === 'owner' && wanted.active === false)
    return protectOwner({ ...command, organization }, { id, user_id: member.user_id, address })
  if (!member) await deleteInvitationsTo(tx, address, null)
  const { displayName, name, emails } = wanted
  await tx`
    insert into scim_users ${values({
      id,
      organization_id: tx.organizationId,
      user_id: member?.user_id ?? null,
      address,
      user_name: wanted.userName,
      external_id: wanted.externalId,
      attributes: sql.json({ displayName, name, emails }),
      active: member ? true : (wanted.active ?? true),
      awaits_sign_in: !member,
    })}`
  const user_id = member?.user_id ?? null
  const payload = { token_id: tokenId, user_id, adopted: member !== undefined }
  await record(tx, scimUserEvents.provisioned, { subjectId: id, cause: newCause(), payload })
  if (member && wanted.active === false)
    return changeActive({ ...command, organization }, await lockUser(tx, id), false)
  return undefined
}

/** Finds the address of the first sign-in. Refuses `invalidValue` unless it is of a proved domain. */
async function requireAddress(tx: Tx, wanted: Pick<UserAttributes, 'emails' | 'userName'>): Promise<string> {
  const address = signInAddressOf(wanted)
  if (address === null)
    return refuseScim('invalidValue', 'A user needs a mail address, in emails or as userName, by which they sign in.')
  const proved = await tx`
    select from identity_provider_domains
    where organization_id = ${tx.organizationId} and domain = ${domainOf(address)} and proved_at is not null`
  if (proved.length === 1) return address
  return refuseScim(
    'invalidValue',
    `The domain ${domainOf(address)} is not proved: an owner proves it under Company, Sign-in of the company.`,
  )
}

async function requireRoom(tx: Tx): Promise<void> {
  const [counted] = await tx<{ users: number }[]>`
    select count(*)::integer as users from scim_users where organization_id = ${tx.organizationId}`
  if ((counted?.users ?? 0) >= USERS_MAX) refuseScim('tooMany', `An organization has at most ${USERS_MAX} users.`)
}

const refuseTaken = (): never => refuseScim('uniqueness', 'A user with this userName or mail address exists already.')

type Names = { readonly userName: string; readonly address: string }

async function requireFree(tx: Tx, id: ScimUserId, { userName, address }: Names): Promise<void> {
  const taken = await tx`
    select id from scim_users where organization_id = ${tx.organizationId} and id <> ${id}
      and lower(user_name) = lower(${userName})
    union all
    select id from scim_users where organization_id = ${tx.organizationId} and id <> ${id} and address = ${address}`
  if (taken.length > 0) refuseTaken()
}

/** Replaces what the provider says of a user; `active` stays if it is not said. */
export async function replaceUser(command: ScimCommand, wanted: NewUser): Promise<Refusal | undefined> {
  const organization = await lockForProvider(command.tx)
  const user = await lockSaid(command.tx, command.id)
  return applyAttributes({ ...command, organization }, user, { ...wanted, active: wanted.active ?? user.active })
}

/** Changes what the provider says of a user. */
export async function changeUser(
  command: ScimCommand,
  change: (before: UserAttributes) => UserAttributes,
): Promise<Refusal | undefined> {
  const organization = await lockForProvider(command.tx)
  const user = await lockSaid(command.tx, command.id)
  return applyAttributes({ ...command, organization }, user, change(attributesOf(user)))
}

/** Locks a user with `active` as the provider said it last: a member who was removed by hand is not active otherwise. */
async function lockSaid(tx: Tx, id: ScimUserId): Promise<UserRow> {
  const user = await lockUser(tx, id)
  if (user.user_id === null || user.role !== null) return user
  const [said] = await tx<{ active: boolean }[]>`select active from scim_users where id = ${id}`
  return { ...user, active: said?.active ?? user.active }
}

/**
 * Writes other attributes of a locked user. The address of the first sign-in follows them until the person has signed in;
 * from then on they are words of the provider, and change neither the account nor how the person signs in.
 */
async function applyAttributes(
  command: OrganizationCommand,
  user: UserRow,
  wanted: UserAttributes,
): Promise<Refusal | undefined> {
  const { tx, id, tokenId } = command
  const { active, ...words } = wanted
  if (!active && user.active && user.role === 'owner') return protectOwner(command, user)
  const { active: before, ...wordsBefore } = attributesOf(user)
  const { changed } = applyChange(wordsBefore, words)
  if (changed.length > 0) {
    const address = user.user_id === null ? await requireAddress(tx, wanted) : user.address
    await requireFree(tx, id, { userName: wanted.userName, address })
    if (address !== user.address) await deleteInvitationsTo(tx, address, null)
    const { displayName, name, emails } = wanted
    await tx`
      update scim_users set user_name = ${wanted.userName}, external_id = ${wanted.externalId}, address = ${address},
        attributes = ${sql.json({ displayName, name, emails })}, updated_at = business_now()
      where id = ${id}`
    const payload = { token_id: tokenId, user_id: user.user_id, changed: [...changed] }
    await record(tx, scimUserEvents.updated, { subjectId: id, cause: newCause(), payload })
  }
  return active === before ? undefined : changeActive(command, user, active)
}

/** Deactivates a user, who is no owner, or activates them again: then they become a member when they sign in there. */
async function changeActive(command: OrganizationCommand, user: UserRow, active: boolean): Promise<undefined> {
  const { tx, tokenId } = command
  const type = active ? scimUserEvents.reactivated : scimUserEvents.deactivated
  await tx`update scim_users set active = ${active}, updated_at = business_now() where id = ${user.id}`
  const payload = { token_id: tokenId, user_id: user.user_id }
  await record(tx, type, { subjectId: user.id, cause: newCause(), payload })
  if (!active) {
    await deleteInvitationsTo(tx, user.address, null)
    await endMembershipOf(command, user)
  } else if (user.role === null)
    await tx`update scim_users set user_id = null, awaits_sign_in = true where id = ${user.id}`
  return undefined
}

/** Logs and mails once a day that a provider tries to end the membership of an owner; answers the refusal. */
async function protectOwner(
  { tx, tokenId, organization }: OrganizationCommand,
  user: Pick<UserRow, 'id' | 'user_id' | 'address'>,
): Promise<Refusal> {
  const detail = 'This user is an owner here: owners are changed by owners alone, and never by a provider.'
  const refused = new Refusal('forbidden', { detail })
  const { type } = scimUserEvents.protected
  const before = await tx`
    select from events where organization_id = ${tx.organizationId} and type = ${type}
      and payload::jsonb ->> 'user_id' = ${user.user_id} and occurred_at > business_now() - interval '1 day' limit 1`
  if (before.length > 0) return refused // providers try again every hour
  const payload = { token_id: tokenId, user_id: user.user_id }
  await record(tx, scimUserEvents.protected, { subjectId: user.id, cause: newCause(), payload })
  await mailOwners(tx, organization, 'The identity provider tried to end the membership of an owner', [
    `The identity provider of ${quoteInMail(organization)} tried to deactivate or to remove ${quoteInMail(user.address)}, an owner. Nothing was changed: owners are changed by owners alone.`,
  ])
  return refused
}

/** Ends the membership of a user, if they have one, and reports what lacks an approver then. */
async function endMembershipOf({ tx, endWithRole, organization }: OrganizationCommand, user: UserRow): Promise<void> {
  const { id, user_id: userId, role, removed } = user
  if (!userId || !role) return
  const before = await findUnmet(tx)
  const member = { userId, role, removed: removed ?? [] }
  await endManagedMembership(tx, { member, organization, endWithRole })
  await reportLoss(tx, { before, organization }, (payload) =>
    record(tx, scimUserEvents.approvers_lost, { subjectId: id, cause: newCause(), payload }),
  )
}

/** Removes a user, and ends their membership. Answers the refusal of an owner, after it is logged. */
export async function deleteUser(command: ScimCommand): Promise<Refusal | undefined> {
  const { tx, id, tokenId } = command
  const locked = { ...command, organization: await lockForProvider(tx) }
  const user = await lockUser(tx, id)
  if (user.role === 'owner') return protectOwner(locked, user)
  const payload = { token_id: tokenId, user_id: user.user_id }
  await record(tx, scimUserEvents.deleted, { subjectId: id, cause: newCause(), payload })
  await endMembershipOf(locked, user)
  await tx`delete from scim_users where id = ${id}`
  return undefined
}
