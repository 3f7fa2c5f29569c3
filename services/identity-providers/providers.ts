/** Identity provider of an organization: connected, changed, disconnected. */
import type { Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { IdentityProviderId, NewId, OrganizationId } from '../../domain/ids.ts'
import { recordNameOf } from '../../domain/identity-providers/domains.ts'
import { providerEvents } from '../../domain/identity-providers/events.ts'
import type {
  IdentityProvider,
  IdentityProviderChanges,
  NewIdentityProvider,
  ProviderDomain,
} from '../../domain/identity-providers/identity-provider.ts'
import { quoteInMail } from '../../domain/text.ts'
import { decryptForRow, encryptForRow } from '../../platform/encryption.ts'
import { LOGOUT_URI, REDIRECT_URI } from '../../platform/openid-addresses.ts'
import { newCause, record } from '../events.ts'
import { mailOwners } from '../messages/account-notices.ts'
import { endIdentityLinks } from '../people/identity-links.ts'
import { type Reader, type Tx, first, inOrganization, sql, values, within } from '../../db/postgres/sql.ts'
import { useStepUp } from '../step-up-use.ts'
import { noFailures } from './failures.ts'

type Row = Omit<IdentityProvider, 'domains' | 'redirect_uri' | 'logout_uri' | 'id'> & {
  readonly id: IdentityProviderId
}

/** Reads the provider of the organization with its domains; refuses `not_found`. */
export async function findProvider(reader: Reader): Promise<IdentityProvider> {
  const row = await first(
    reader<Row>(sql`
      select id, organization_id, issuer, client_id, required, inserted_at from identity_providers
      where organization_id = ${reader.organizationId}`),
  )
  if (!row) refuse('not_found')
  return { ...row, redirect_uri: REDIRECT_URI, logout_uri: LOGOUT_URI, domains: await listDomains(reader) }
}

async function listDomains(reader: Reader): Promise<ProviderDomain[]> {
  const rows = await reader<{ domain: string; challenge: string; proved_at: string | null }>(sql`
    select domain, challenge, proved_at from identity_provider_domains
    where organization_id = ${reader.organizationId} order by inserted_at, domain`)
  return rows.map(({ domain, challenge, proved_at }) => ({
    domain,
    record_name: recordNameOf(domain),
    record_value: challenge,
    proved_at,
  }))
}

/** Context of a command of an owner, who has proved who they are. */
type ProvenCommand = { readonly tx: Tx; readonly person: Person; readonly stepUpId: string | null }

type Connection = ProvenCommand & {
  readonly claim: { readonly id: NewId }
  readonly body: NewIdentityProvider
  /** Issuer, written as the provider does. */
  readonly issuer: string
}

/** Connects a provider and uses up the step-up. Refuses `identity_provider_connected`. */
export async function connectProvider({ tx, person, stepUpId, claim, body, issuer }: Connection): Promise<void> {
  await useStepUp(tx, person, stepUpId)
  const { client_id, client_secret: secret } = body
  const made = await tx`
    insert into identity_providers ${values({
      id: claim.id,
      organization_id: tx.organizationId,
      issuer,
      client_id,
      sealed: encryptForRow(claim.id, { secret }),
      connected_by: person.userId,
    })}
    on conflict (organization_id) do nothing returning id`
  if (made.length === 0) refuse('identity_provider_connected')
  await record(tx, providerEvents.connected, { subjectId: claim.id, cause: newCause(), payload: { issuer } })
  await mailOwners(tx, 'An identity provider was connected', (name) => [
    `Members of ${quoteInMail(name)} may now sign in at an identity provider, once a domain is proved.`,
  ])
}

/** Locks the provider; refuses `not_found`. */
export async function lockProvider(tx: Tx): Promise<{ readonly id: IdentityProviderId; readonly required: boolean }> {
  const [found] = await tx<{ id: IdentityProviderId; required: boolean }[]>`
    select id, required from identity_providers where organization_id = ${tx.organizationId} for update`
  return found ?? refuse('not_found')
}

type Change = ProvenCommand & { readonly body: IdentityProviderChanges }

/**
 * Changes the secret, and if members have to sign in there. Refuses `invalid_state` to an owner who could lock all out:
 * they have signed in there once, and have a passkey for the day on which the provider fails.
 */
export async function changeProvider({ tx, person, stepUpId, body }: Change): Promise<IdentityProvider> {
  const { id, required: before } = await lockProvider(tx)
  const { required = before, client_secret: secret } = body
  const changed = [...(required === before ? [] : ['required']), ...(secret === undefined ? [] : ['client_secret'])]
  if (changed.length === 0) return findProvider(within(tx))
  if (required && !before) await requireWayIn(tx, person)
  await useStepUp(tx, person, stepUpId)
  const sealed = secret === undefined ? sql`sealed` : sql`${encryptForRow(id, { secret })}::bytea`
  await tx`
    update identity_providers set required = ${required}, sealed = ${sealed}, updated_at = business_now()
      ${secret === undefined ? sql`` : sql`, ${noFailures()}`}
    where id = ${id}`
  await record(tx, providerEvents.updated, { subjectId: id, cause: newCause(), payload: { changed, required } })
  if (required !== before) await mailChange(tx, required)
  return findProvider(within(tx))
}

const mailChange = (tx: Tx, required: boolean): Promise<void> =>
  mailOwners(tx, 'How members sign in was changed', (name) => [
    required
      ? `Members of ${quoteInMail(name)} with an address of its domains see it only when they signed in at its identity provider. Owners may sign in with a passkey, of which all owners are written to.`
      : `Members of ${quoteInMail(name)} may sign in with their own passwords again.`,
  ])

/**
 * Lets members sign in without the provider again, for an operator: its owners cannot, without a passkey. Refuses
 * `not_found`, and `invalid_state` if it is not required.
 */
export const letInWithoutProvider = (organizationId: OrganizationId, reason: string): Promise<void> =>
  inOrganization({ kind: 'admin' }, organizationId, async (tx) => {
    const { id, required } = await lockProvider(tx)
    if (!required) refuse('invalid_state', { current: 'optional', allowed: [] })
    await tx`update identity_providers set required = false, updated_at = business_now() where id = ${id}`
    const payload = { changed: ['required'], required: false, reason }
    await record(tx, providerEvents.updated, { subjectId: id, cause: newCause(), payload })
    await mailChange(tx, false)
  })

async function requireWayIn(tx: Tx, { userId }: Person): Promise<void> {
  const [has] = await tx<{ domain: boolean; link: boolean; passkey: boolean }[]>`
    select exists (select from identity_provider_domains where organization_id = ${tx.organizationId}
        and proved_at is not null) as domain,
      exists (select from identity_links where organization_id = ${tx.organizationId} and user_id = ${userId}) as link,
      exists (select from passkeys where user_id = ${userId} and removed_at is null) as passkey`
  if (!has?.domain) refuse('invalid_state', { current: 'optional', allowed: [], reason: 'no_proved_domain' })
  if (!has.link) refuse('invalid_state', { current: 'optional', allowed: [], reason: 'provider_untried' })
  if (!has.passkey) refuse('invalid_state', { current: 'optional', allowed: [], reason: 'passkey_missing' })
}

/** Disconnects the provider: its links, its sessions and its domains end, and nobody has to sign in there. */
export async function disconnectProvider({ tx, person, stepUpId }: ProvenCommand): Promise<void> {
  const { id } = await lockProvider(tx)
  await useStepUp(tx, person, stepUpId)
  await endIdentityLinks(tx, 'all', 'provider_disconnected')
  await tx`delete from provider_sign_ins where provider_id = ${id}`
  await tx`delete from identity_provider_domains where organization_id = ${tx.organizationId}`
  await tx`delete from identity_providers where id = ${id}`
  await record(tx, providerEvents.disconnected, { subjectId: id, cause: newCause() })
  await mailOwners(tx, 'The identity provider was disconnected', (name) => [
    `Members of ${quoteInMail(name)} sign in with their own passwords again. A member without one asks for a new password.`,
  ])
}

/** Client of this service at the provider of an organization. */
export type OpenedProvider = {
  readonly id: IdentityProviderId
  readonly organizationId: OrganizationId
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Has failed at a sign-in since the last one that went well. */
  readonly fails: boolean
}

/** Opens the secret of the provider; undefined if it was disconnected. */
export async function openProvider(reader: Reader, id: IdentityProviderId): Promise<OpenedProvider | undefined> {
  const row = await first(
    reader<{ issuer: string; client_id: string; sealed: Buffer; fails: boolean }>(sql`
      select issuer, client_id, sealed, failures > 0 as fails from identity_providers where id = ${id}`),
  )
  if (!row) return undefined
  const { secret } = decryptForRow(id, row.sealed) as { secret: string } // sealed above
  const { issuer, client_id: clientId, fails } = row
  return { id, organizationId: reader.organizationId, issuer, clientId, clientSecret: secret, fails }
}
