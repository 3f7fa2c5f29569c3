/** Logouts that identity providers send from behind (OpenID Connect Back-Channel Logout 1.0). */
import type { IdentityProviderId, OrganizationId } from '../../domain/ids.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { inSeconds } from '../../db/processes/asking.ts'
import { type Transaction, readerOf, speakFor, sql } from '../../db/postgres/sql.ts'
import { endProviderSessions } from '../people/sessions.ts'
import { type OpenedProvider, openProvider } from './providers.ts'

/** Lists the providers for which a logout token may be. */
export async function providersOfLogout(issuer: string, audiences: readonly string[]): Promise<OpenedProvider[]> {
  const rows = await sql<{ id: IdentityProviderId; organization_id: OrganizationId }[]>`
    select id, organization_id from providers_of_logout(${issuer}, ${[...audiences]}::text[])`
  const opened = await Promise.all(rows.map(({ id, organization_id }) => openProvider(readerOf(organization_id), id)))
  return opened.filter((one) => one !== undefined)
}

/** Logout that was verified. */
type Logout = { readonly id: string; readonly subject: string | null; readonly session: string | null }

/** Ends the sessions of a logout, once; a token that comes again ends nothing. */
export async function endByLogout(
  plain: Transaction,
  provider: OpenedProvider,
  { id, subject, session }: Logout,
  seconds: number,
): Promise<void> {
  const tx = await speakFor(plain, {
    organizationId: provider.organizationId,
    actor: { kind: 'system' },
    correlationId: null,
  })
  const first = await tx`
    insert into provider_logouts (organization_id, token_hash, expires_at)
    values (${tx.organizationId}, ${tokenHash(`${provider.issuer} ${id}`)}, ${inSeconds(seconds)})
    on conflict do nothing returning token_hash`
  if (first.length > 0) await endProviderSessions(tx, provider.id, { subject, session })
}
