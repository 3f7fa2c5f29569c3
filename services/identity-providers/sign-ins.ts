/** Sign-ins at the identity provider of an organization: begun, come back, and linked with a person. */
import type { Origin, Person } from '../../domain/people/actor.ts'
import { requireOwnSession } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { type DeviceId, type IdentityProviderId, type OrganizationId, type UserId, newId } from '../../domain/ids.ts'
import type { Role } from '../../domain/permissions.ts'
import { domainOf } from '../../domain/identity-providers/domains.ts'
import { providerEvents } from '../../domain/identity-providers/events.ts'
import {
  ATTEMPT_MINUTES,
  type IdentityLink,
  type ProviderIdentity,
  type ProviderSignIn,
  type ProviderSignInAnswer,
} from '../../domain/identity-providers/sign-in.ts'
import { decryptForRow, encryptForRow, newToken, tokenHash } from '../../platform/encryption.ts'
import { NO_PASSWORD } from '../../platform/passwords.ts'
import { inSeconds } from '../../db/processes/asking.ts'
import { lockMemberships } from '../../db/postgres/locks.ts'
import { type Transaction, type Tx, first, readerOf, speakFor, sql } from '../../db/postgres/sql.ts'
import { newCause, record } from '../events.ts'
import { admit, lockInvitationTo } from '../invitations/answers.ts'
import { findLinked, linkIdentity } from '../people/identity-links.ts'
import { createPerson, findMe, lockPerson } from '../people/people.ts'
import { admitManaged, lockManaged } from '../scim/sign-ins.ts'
import { openSession } from '../people/sessions.ts'
import { recordSecurityEvent } from '../people/security-log.ts'
import { useStepUp } from '../step-up-use.ts'
import { type OpenedProvider, openProvider } from './providers.ts'

const SYSTEM = { kind: 'system' } as const

/** Values that bind the way to a provider and back. */
export type Secrets = { readonly state: string; readonly nonce: string; readonly verifier: string }

/** Begun sign-in: the provider, what binds it, and the organization's name. */
export type Beginning = {
  readonly provider: OpenedProvider
  readonly organizationName: string
  readonly secrets: Secrets
}

/** Finds the provider for an address, and draws the secrets of a sign-in. Refuses `not_found`. */
export async function prepareSignIn(address: string): Promise<Beginning> {
  const found = await first(sql<
    { id: IdentityProviderId; organization_id: OrganizationId; organization_name: string }[]
  >`
    select id, organization_id, organization_name from provider_of_domain(${domainOf(address)})`)
  const provider = found && (await openProvider(readerOf(found.organization_id), found.id))
  if (!provider) refuse('not_found', { reason: 'no_provider' })
  const secrets = { state: newToken(), nonce: newToken(), verifier: newToken() }
  return { provider, organizationName: found?.organization_name ?? '', secrets }
}

/** Stores a begun sign-in for ten minutes. Only this answer has the token of the browser. */
export async function beginSignIn(
  plain: Transaction,
  { provider, organizationName, secrets }: Beginning,
  authorizeUrl: string,
): Promise<ProviderSignIn> {
  const tx = await speakFor(plain, { organizationId: provider.organizationId, actor: SYSTEM, correlationId: null })
  const [id, attempt] = [newId(), newToken()]
  const { state, nonce, verifier } = secrets
  const [begun] = await tx<{ expires_at: string }[]>`
    insert into provider_sign_ins (id, organization_id, provider_id, state_hash, attempt_hash, sealed, expires_at)
    values (${id}, ${tx.organizationId}, ${provider.id}, ${tokenHash(state)}, ${tokenHash(attempt)},
      ${encryptForRow(id, { nonce, verifier })}, ${inSeconds(ATTEMPT_MINUTES * 60)})
    returning expires_at`
  if (!begun) throw new Error('an insert answers its row')
  return {
    authorize_url: authorizeUrl,
    attempt_token: attempt,
    organization_name: organizationName,
    expires_at: begun.expires_at,
  }
}

/** Sign-in that has come back, used up. */
export type Return = { readonly id: string; readonly provider: OpenedProvider; readonly secrets: Secrets }

type TakenRow = {
  readonly id: string
  readonly organization_id: OrganizationId
  readonly provider_id: IdentityProviderId
  readonly sealed: Buffer
}

/** Uses up the sign-in of a state and of the browser that began it. Refuses `token_invalid` for any other. */
export async function takeReturn(state: string, attempt: string): Promise<Return> {
  const row = await first(sql<TakenRow[]>`
    select id, organization_id, provider_id, sealed from take_provider_sign_in(${tokenHash(state)}, ${tokenHash(attempt)})`)
  const provider = row && (await openProvider(readerOf(row.organization_id), row.provider_id))
  if (!provider) refuse('token_invalid')
  const { nonce, verifier } = decryptForRow(row.id, row.sealed) as { nonce: string; verifier: string } // sealed above
  return { id: row.id, provider, secrets: { state, nonce, verifier } }
}

type Completion = {
  readonly tx: Transaction
  readonly back: Return
  readonly identity: ProviderIdentity
  readonly deviceId: DeviceId | null
  readonly origin: Origin
  readonly requestId: string
}

/**
 * Signs in the member whom the provider names; one who is invited by an address for which it vouches becomes a member.
 * Anyone else is asked to link, with a proof in a session of their own.
 */
export async function completeSignIn({ tx: plain, back, identity, ...by }: Completion): Promise<ProviderSignInAnswer> {
  const { id: providerId, organizationId } = back.provider
  const tx = await speakFor(plain, { organizationId, actor: SYSTEM, correlationId: by.requestId })
  // a removal comes before, and ends the link, or after, and ends the session
  const isKnown = await findLinked(tx, providerId, identity.subject)
  await lockMemberships(tx, isKnown ? 'keep' : 'change')
  const [provider] = await tx<{ name: string }[]>`
    select o.name from identity_providers i join organizations o on o.id = i.organization_id
    where i.id = ${providerId} and is_there(o.status) for share of i`
  if (!provider) refuse('token_invalid')
  const linked = isKnown
    ? await findLinked(tx, providerId, identity.subject)
    : await linkInvited(tx, back.provider, identity, by.origin)
  if (!linked) return offerLink(tx, back.id, identity, provider.name)
  const { userId } = linked
  await lockPerson(tx, userId)
  const company = { organizationId, linkId: linked.id, providerSession: identity.session }
  const opening = { userId, deviceId: by.deviceId, method: 'identity_provider', origin: by.origin, company } as const
  const session = await openSession(tx, opening)
  return {
    status: 'authenticated',
    token: session.token,
    user: await findMe(userId, tx),
    device_id: session.deviceId,
  }
}

/**
 * Makes a person a member whom the provider manages, or who is invited, and links them; undefined without an address that
 * is vouched for. Of one who is managed the provider's word alone counts, unless they were removed by hand and invited.
 */
async function linkInvited(tx: Tx, { id: providerId }: OpenedProvider, identity: ProviderIdentity, origin: Origin) {
  const { email, subject } = identity
  if (email === null || !(await isOwnDomain(tx, email))) return undefined
  const managed = await lockManaged(tx, email)
  const invited = managed?.isAwaited ? undefined : await lockInvitationTo(tx, email)
  if (!managed?.isAwaited && !invited) return undefined
  const userId = await personFor(tx, email, identity, origin)
  await lockPerson(tx, userId)
  const [member] = await tx<{ role: Role }[]>`
    select role from members where organization_id = ${tx.organizationId} and user_id = ${userId}`
  if (managed?.isAwaited) {
    if (!(await admitManaged(tx, managed, userId, member?.role ?? null))) return undefined
  } else {
    if (member || !invited) return undefined
    await admit(tx, invited, userId)
  }
  return link(tx, { providerId, userId, subject, origin })
}

/** Finds the person of an address that is vouched for, or creates them. */
async function personFor(
  tx: Tx,
  email: string,
  { firstName, lastName }: ProviderIdentity,
  origin: Origin,
): Promise<UserId> {
  const created = await createPerson(tx, {
    email,
    password_hash: NO_PASSWORD,
    first_name: firstName,
    last_name: lastName,
  })
  if (created) await recordSecurityEvent(tx, { type: 'sign_up.confirmed', userId: created, origin })
  return created ?? personOf(tx, email)
}

async function isOwnDomain(tx: Tx, email: string): Promise<boolean> {
  const proved = await tx`
    select from identity_provider_domains
    where organization_id = ${tx.organizationId} and domain = ${domainOf(email)} and proved_at is not null`
  return proved.length === 1
}

async function personOf(tx: Tx, email: string): Promise<UserId> {
  const [person] = await tx<{ id: UserId }[]>`select id from people where email = ${email}`
  if (!person) throw new Error('an address that is taken has a person')
  return person.id
}

async function link(tx: Tx, wanted: Parameters<typeof linkIdentity>[1]) {
  const made = await linkIdentity(tx, wanted)
  if (!made) refuse('token_invalid') // another member has this name by now
  const { providerId, userId } = wanted
  const payload = { user_id: userId }
  await record(tx, providerEvents.member_linked, { subjectId: providerId, cause: newCause(), payload })
  return findLinked(tx, providerId, wanted.subject)
}

/** Keeps the name for ten minutes, for the browser that brought it. */
async function offerLink(
  tx: Tx,
  id: string,
  { subject }: ProviderIdentity,
  name: string,
): Promise<ProviderSignInAnswer> {
  const [offered] = await tx<{ expires_at: string }[]>`
    update provider_sign_ins set subject = ${subject}, expires_at = ${inSeconds(ATTEMPT_MINUTES * 60)}
    where id = ${id} returning expires_at`
  if (!offered) refuse('token_invalid')
  return {
    status: 'link_required',
    organization_id: tx.organizationId,
    organization_name: name,
    expires_at: offered.expires_at,
  }
}

/** Finds the organization in which a browser has a name to link. Refuses `token_invalid`. */
export async function findOffer(
  attempt: string,
): Promise<{ readonly organizationId: OrganizationId; readonly name: string }> {
  const found = await first(sql<{ organization_id: OrganizationId | null }[]>`
    select offered_identity_link(${tokenHash(attempt)}) as organization_id`)
  const organizationId = found?.organization_id
  if (!organizationId) refuse('token_invalid')
  const organization = await first(
    readerOf(organizationId)<{ name: string }>(sql`select name from organizations where id = ${organizationId}`),
  )
  return { organizationId, name: organization?.name ?? '' }
}

type LinkCommand = {
  readonly tx: Transaction
  readonly person: Person
  readonly stepUpId: string | null
  readonly body: { readonly attempt_token: string }
  readonly origin: Origin
  readonly requestId: string
}

/** Links the person, who has proved who they are, with the name that their browser brought. Refuses a stranger. */
export async function linkOffered({ tx: plain, person, stepUpId, body, ...by }: LinkCommand): Promise<IdentityLink> {
  requireOwnSession(person)
  const { organizationId } = await findOffer(body.attempt_token)
  const { userId } = person
  const tx = await speakFor(plain, { organizationId, actor: person, correlationId: by.requestId })
  await lockMemberships(tx, 'change')
  await lockPerson(tx, userId)
  const [member] = await tx`select from members where organization_id = ${organizationId} and user_id = ${userId}`
  if (!member) refuse('not_found')
  const [offer] = await tx<{ provider_id: IdentityProviderId; subject: string }[]>`
    update provider_sign_ins set linked_at = business_now()
    where attempt_hash = ${tokenHash(body.attempt_token)} and subject is not null and linked_at is null
      and expires_at > business_now()
    returning provider_id, subject`
  if (!offer) refuse('token_invalid')
  await useStepUp(tx, person, stepUpId)
  const { provider_id: providerId, subject } = offer
  await link(tx, { providerId, userId, subject, origin: by.origin })
  const [made] = await tx<IdentityLink[]>`
    select id, organization_id, user_id, subject, inserted_at from identity_links
    where provider_id = ${providerId} and subject = ${subject}`
  return made ?? refuse('token_invalid')
}
