/** Domains of an organization: claimed, proved by a record of their name servers, removed. */
import { refuse } from '../../domain/errors.ts'
import { isShared, recordNameOf } from '../../domain/identity-providers/domains.ts'
import { providerEvents } from '../../domain/identity-providers/events.ts'
import { DOMAINS_MAX, type IdentityProvider } from '../../domain/identity-providers/identity-provider.ts'
import { newId } from '../../domain/ids.ts'
import { newToken } from '../../platform/encryption.ts'
import { refusingIndexOf } from '../../db/postgres/driver.ts'
import { newCause, record } from '../events.ts'
import { type Reader, type Tx, first, sql, within } from '../../db/postgres/sql.ts'
import { findProvider, lockProvider } from './providers.ts'

/** Claims a domain; a repeat answers the same record. Refuses `domain_not_usable` and `domain_taken`. */
export async function addDomain(tx: Tx, domain: string): Promise<IdentityProvider> {
  await lockProvider(tx)
  if (isShared(domain)) refuse('domain_not_usable', { reason: 'domain_shared', domain })
  const own = await tx<{ domain: string }[]>`
    select domain from identity_provider_domains where organization_id = ${tx.organizationId}`
  if (own.some((one) => one.domain === domain)) return findProvider(within(tx))
  if (own.length >= DOMAINS_MAX) refuse('domain_not_usable', { reason: 'too_many_domains', limit: DOMAINS_MAX })
  await requireFree(tx, domain)
  await tx`
    insert into identity_provider_domains (id, organization_id, domain, challenge)
    values (${newId()}, ${tx.organizationId}, ${domain}, ${`bfs-domain-verification=${newToken()}`})`
  return findProvider(within(tx))
}

async function requireFree(tx: Tx, domain: string): Promise<void> {
  const [taken] = await tx<{ is: boolean }[]>`select is_proved_domain(${domain}) as is`
  if (taken?.is) refuse('domain_taken', { domain })
}

/** Reads the record that a domain has to show; refuses `not_found` for one that was not claimed. */
export async function readChallenge(reader: Reader, domain: string): Promise<{ name: string; value: string }> {
  const found = await first(
    reader<{ challenge: string }>(sql`
      select challenge from identity_provider_domains
      where organization_id = ${reader.organizationId} and domain = ${domain}`),
  )
  return found ? { name: recordNameOf(domain), value: found.challenge } : refuse('not_found')
}

/** Marks a domain as proved, which has shown its record. Refuses `domain_taken` if another organization was first. */
export async function proveDomain(tx: Tx, domain: string, challenge: string): Promise<IdentityProvider> {
  const { id } = await lockProvider(tx)
  const [row] = await tx<{ proved_at: string | null }[]>`
    select proved_at from identity_provider_domains
    where organization_id = ${tx.organizationId} and domain = ${domain} and challenge = ${challenge} for update`
  if (!row) refuse('not_found')
  if (row.proved_at) return findProvider(within(tx))
  await tx`
    update identity_provider_domains set proved_at = business_now()
    where organization_id = ${tx.organizationId} and domain = ${domain}`.catch((error: unknown) => {
    // the unique index decides between organizations, also of proofs that come at once
    if (refusingIndexOf(error) !== undefined) refuse('domain_taken', { domain })
    throw error
  })
  await record(tx, providerEvents.domain_proved, { subjectId: id, cause: newCause(), payload: { domain } })
  return findProvider(within(tx))
}

/** Removes a domain: its addresses are as any others from then on. */
export async function removeDomain(tx: Tx, domain: string): Promise<IdentityProvider> {
  const { id } = await lockProvider(tx)
  const removed = await tx`
    delete from identity_provider_domains where organization_id = ${tx.organizationId} and domain = ${domain}
    returning id`
  if (removed.length === 0) refuse('not_found')
  await record(tx, providerEvents.domain_removed, { subjectId: id, cause: newCause(), payload: { domain } })
  return findProvider(within(tx))
}
