/** Commands on connections with accounting programs, from the consent to the end. */
import { createHash } from 'node:crypto'
import { connectionEvents, connectionMoves } from '../../domain/accounting/events.ts'
import { AUTHORIZATION_MINUTES, type Provider } from '../../domain/accounting/integration.ts'
import type { Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { ConnectionStatus } from '../../domain/accounting/connection-flow.ts'
import {
  type AccountingConnectionId,
  type DeviceId,
  type OrganizationId,
  type SessionId,
  type SyncRunId,
  type UserId,
  newId,
} from '../../domain/ids.ts'
import { can, type Permission, type Role } from '../../domain/permissions.ts'
import { decryptForRow, encryptForRow, newToken, tokenHash } from '../../platform/encryption.ts'
import { inSeconds } from '../../db/processes/asking.ts'
import { record } from '../events.ts'
import { lockMemberships } from '../../db/postgres/locks.ts'
import { liveSession } from '../people/devices.ts'
import { type Tx, first, sql, values } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { type Tokens, tokenColumns } from './lease.ts'
import { failRunsOf, requestRun } from './sync-runs.ts'

/** Begun consent: its state, and its PKCE challenge (RFC 7636, S256). */
export type ConsentStart = { readonly state: string; readonly challenge: string; readonly expiresAt: string }

/** Begins a person's consent. Stores only hashes and sealed values. */
export async function beginAuthorization(tx: Tx, { userId, sessionId }: Person): Promise<ConsentStart> {
  const id = newId<'accounting_authorization'>()
  const [state, verifier] = [newToken(), newToken()]
  const [row] = await tx<{ expires_at: string }[]>`
    insert into accounting_authorizations (id, organization_id, user_id, session_id, state_hash, sealed, expires_at)
    values (${id}, ${tx.organizationId}, ${userId}, ${sessionId}, ${tokenHash(state)},
      ${encryptForRow(id, { verifier })}, ${inSeconds(AUTHORIZATION_MINUTES * 60)})
    returning expires_at`
  if (!row) throw new Error('an insert answers its row')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { state, challenge, expiresAt: row.expires_at }
}

/** Returned consent, with the PKCE verifier for the provider. */
export type ConsentState = {
  readonly organizationId: OrganizationId
  readonly person: Person
  readonly verifier: string
}

type TakenRow = {
  readonly id: string
  readonly organization_id: OrganizationId
  readonly user_id: UserId
  readonly session_id: SessionId
  readonly sealed: Buffer
}

/** Uses up the consent of a state. Undefined if it is unknown, used or too old, or its session has ended. */
export async function takeAuthorization(state: string): Promise<ConsentState | undefined> {
  const row = await first(sql<TakenRow[]>`
    select id, organization_id, user_id, session_id, sealed from take_accounting_authorization(${tokenHash(state)})`)
  if (!row) return undefined
  const { organization_id: organizationId, user_id: userId, session_id: sessionId } = row
  const session = await first(sql<{ device_id: DeviceId }[]>`
    select s.device_id from sessions s where s.id = ${sessionId} and ${liveSession(sql`s`)}`)
  if (!session) return undefined
  const { verifier } = decryptForRow(row.id, row.sealed) as { verifier: string } // sealed above
  return { organizationId, person: { kind: 'user', userId, sessionId, deviceId: session.device_id }, verifier }
}

/** Books that a consent opened, named by the provider. */
export type Books = {
  readonly provider: Provider
  readonly tenantId: string
  readonly tenantName: string
  readonly providerConnectionId: string
}

const OPEN = sql`status in ('connected', 'needs_reconnect')`

/**
 * Connects the organization with these books and begins a sync; returns the organization's name. The same books take
 * the new tokens; other books are disconnected. Throws `not_found`, `forbidden`, `organization_unavailable`.
 */
export async function connect(tx: Tx, { userId }: Person, books: Books, tokens: Tokens): Promise<string> {
  await lockMemberships(tx, 'keep')
  const organization = await requireConnector(tx, userId)
  const rows = await tx<{ id: AccountingConnectionId; same: boolean; open: boolean }[]>`
    select id, tenant_id = ${books.tenantId} as same, ${OPEN} as open from accounting_connections
    where status <> 'disconnected' order by ${OPEN} desc, inserted_at desc for no key update`
  const kept = rows.find(({ same }) => same)
  const id = kept?.id ?? newId<'accounting_connection'>()
  for (const row of rows) if (row.open && row !== kept) await endConnection(tx, row.id, `replaced:${newId()}`)
  const [provider, tenantId, tenantName] = [books.provider, books.tenantId, books.tenantName]
  if (kept) {
    await transition(tx, connectionMoves, id, {
      events: ['reconnect'],
      cause: `consent:${newId()}`,
      // the current lease holder uses earlier tokens
      set: sql`${tokenColumns(id, tokens)}, tenant_name = ${tenantName},
        provider_connection_id = ${books.providerConnectionId}, connected_by = ${userId},
        connected_at = business_now(), ended_at = null, lease = null, leased_until = null`,
    })
  } else {
    await tx`
      insert into accounting_connections ${values({
        id,
        organization_id: tx.organizationId,
        provider,
        status: 'connected',
        tenant_id: tenantId,
        tenant_name: tenantName,
        provider_connection_id: books.providerConnectionId,
        sealed: encryptForRow(id, { access: tokens.access, refresh: tokens.refresh }),
        access_expires_at: sql`business_now() + make_interval(secs => ${tokens.accessSeconds})`,
        connected_by: userId,
      })}`
    const payload = { provider, tenant_id: tenantId, tenant_name: tenantName }
    await record(tx, connectionEvents.connected, { subjectId: id, cause: `consent:${id}`, payload })
  }
  await requestRun(tx, id, { trigger: 'connect', requestedBy: userId })
  return organization
}

/** Locks the organization and returns its name. Throws unless the person may still connect it. */
async function requireConnector(tx: Tx, userId: UserId): Promise<string> {
  const [found] = await tx<{ name: string; status: string; role: Role | null; removed: Permission[] | null }[]>`
    select o.name, o.status, m.role, m.permissions_removed as removed from organizations o
    left join members m on m.organization_id = o.id and m.user_id = ${userId}
    where o.id = ${tx.organizationId} for no key update of o`
  if (!found?.role || found.status === 'banned' || found.status === 'deleted') refuse('not_found')
  if (!can({ role: found.role, removed: found.removed }, 'integrations.connect'))
    refuse('forbidden', { permission: 'integrations.connect' })
  if (found.status !== 'active') refuse('organization_unavailable')
  return found.name
}

/** Ends the connection, once; its process then revokes it. Throws `accounting_not_connected`. */
export async function disconnect(tx: Tx, cause: string): Promise<AccountingConnectionId> {
  const [latest] = await tx<{ id: AccountingConnectionId; status: ConnectionStatus }[]>`
    select id, status from accounting_connections where status <> 'disconnected'
    order by ${OPEN} desc, inserted_at desc limit 1 for no key update`
  if (!latest) refuse('accounting_not_connected')
  if (latest.status !== 'disconnecting') await endConnection(tx, latest.id, cause)
  return latest.id
}

export async function disconnectDeleted(tx: Tx, cause: string): Promise<void> {
  const open = await tx<{ id: AccountingConnectionId }[]>`
    select id from accounting_connections where ${OPEN} for no key update`
  for (const { id } of open) await endConnection(tx, id, cause)
}

async function endConnection(tx: Tx, id: AccountingConnectionId, cause: string): Promise<void> {
  await transition(tx, connectionMoves, id, {
    events: ['disconnect'],
    cause,
    // takes the lease, so that the revocation need not wait
    set: sql`ended_at = coalesce(ended_at, business_now()), ask_at = null, asks = 0, ask_note = null,
      unclear_since = null, lease = null, leased_until = null`,
  })
  await failRunsOf(tx, id, 'disconnected')
}

/** Begins a sync for a person. Throws `organization_unavailable`, `accounting_not_connected`. */
export async function requestSync(tx: Tx, userId: UserId): Promise<SyncRunId> {
  const [open] = await tx<{ id: AccountingConnectionId; status: string; organization_status: string }[]>`
    select c.id, c.status, o.status as organization_status
    from accounting_connections c join organizations o on o.id = c.organization_id
    where c.status in ('connected', 'needs_reconnect') for share of c`
  if (!open) refuse('accounting_not_connected')
  if (open.status === 'needs_reconnect') refuse('accounting_not_connected', { reason: 'needs_reconnect' })
  if (open.organization_status !== 'active') refuse('organization_unavailable')
  return requestRun(tx, open.id, { trigger: 'manual', requestedBy: userId })
}
