/** Connections with accounting programs: made by a consent, refused by the provider, ended by people. */
import { encryptForRow } from '../../platform/encryption.ts'
import { record } from '../events.ts'
import { lockMemberships } from '../locks.ts'
import { sendMessage } from '../messages/messages.ts'
import { connectionEvents, connectionMoves } from '../../domain/accounting/events.ts'
import type { Integration, Provider } from '../../domain/accounting/integration.ts'
import type { Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { ConnectionStatus } from '../../domain/flows/accounting/connection.ts'
import { type AccountingConnectionId, type UserId, newId } from '../../domain/ids.ts'
import { type Role, can } from '../../domain/permissions.ts'
import { quotedInMail } from '../../domain/text.ts'
import { type Fragment, type Reader, type Tx, sql } from '../sql.ts'
import { transition } from '../transition.ts'
import { endRuns, findLatestRun, requestRun } from './sync-runs.ts'

/** The books that a consent opened, as the provider names them. */
export type Books = {
  readonly provider: Provider
  readonly tenantId: string
  readonly tenantName: string
  readonly providerConnectionId: string
}

/** What opens them; the access token lives for so many seconds. */
export type Tokens = { readonly access: string; readonly refresh: string; readonly accessSeconds: number }

/** The columns of tokens, sealed for the connection's row. */
export const tokenColumns = (id: string, { access, refresh, accessSeconds }: Tokens): Fragment => sql`
  sealed = ${encryptForRow(id, { access, refresh })},
  access_expires_at = business_now() + make_interval(secs => ${accessSeconds})`

const OPEN = sql`status in ('connected', 'needs_reconnect')`

/**
 * Connects the organization with these books, in the name of who consented, and begins a sync. The same books take the
 * new tokens, also if they were about to be disconnected; others are replaced, and revoked. Everything about the person
 * is looked at again: refuses `not_found`, `forbidden` and `organization_unavailable`. Answers the organization's name.
 */
export async function connect(tx: Tx, { userId }: Person, books: Books, tokens: Tokens): Promise<string> {
  await lockMemberships(tx, 'keep')
  const organization = await checkConnector(tx, userId)
  const rows = await tx<{ id: AccountingConnectionId; same: boolean; open: boolean }[]>`
    select id, tenant_id = ${books.tenantId} as same, ${OPEN} as open from accounting_connections
    where status <> 'disconnected' order by ${OPEN} desc, inserted_at desc for no key update`
  const kept = rows.find(({ same }) => same)
  const id = kept?.id ?? newId<'accounting_connection'>()
  for (const row of rows) if (row.open && row !== kept) await end(tx, row.id, `replaced:${newId()}`)
  if (kept) {
    await transition(tx, connectionMoves, id, {
      events: ['reconnect'],
      cause: `consent:${newId()}`,
      // whoever speaks with the provider about it at this moment does so with earlier tokens
      set: sql`${tokenColumns(id, tokens)}, tenant_name = ${books.tenantName},
        provider_connection_id = ${books.providerConnectionId}, connected_by = ${userId},
        connected_at = business_now(), ended_at = null, lease = null, leased_until = null`,
    })
  } else await insertConnection(tx, userId, { id, books, tokens })
  await requestRun(tx, id, { trigger: 'connect', requestedBy: userId })
  return organization
}

async function insertConnection(
  tx: Tx,
  userId: UserId,
  { id, books, tokens }: { id: AccountingConnectionId; books: Books; tokens: Tokens },
): Promise<void> {
  await tx`
    insert into accounting_connections (id, organization_id, provider, status, tenant_id, tenant_name,
      provider_connection_id, sealed, access_expires_at, connected_by)
    values (${id}, ${tx.organizationId}, ${books.provider}, 'connected', ${books.tenantId}, ${books.tenantName},
      ${books.providerConnectionId}, ${encryptForRow(id, { access: tokens.access, refresh: tokens.refresh })},
      business_now() + make_interval(secs => ${tokens.accessSeconds}), ${userId})`
  await record(tx, connectionEvents.connected, {
    subjectId: id,
    cause: `consent:${id}`,
    payload: { provider: books.provider, tenant_id: books.tenantId, tenant_name: books.tenantName },
  })
}

/** Whoever began it may still do it, and the organization can be used. Locks it, and answers its name. */
async function checkConnector(tx: Tx, userId: UserId): Promise<string> {
  const [found] = await tx<{ name: string; status: string; role: Role | null }[]>`
    select o.name, o.status, m.role from organizations o
    left join members m on m.organization_id = o.id and m.user_id = ${userId}
    where o.id = ${tx.organizationId} for no key update of o`
  if (!found?.role || found.status === 'banned' || found.status === 'deleted') refuse('not_found')
  if (!can(found.role, 'integrations.connect')) refuse('forbidden', { permission: 'integrations.connect' })
  if (found.status !== 'active') refuse('organization_unavailable')
  return found.name
}

/**
 * Ends the connection: from now on nothing is posted, and its process revokes it. A repeat while that goes on changes
 * nothing. Refuses `accounting_not_connected` if there is none.
 */
export async function disconnect(tx: Tx, cause: string): Promise<AccountingConnectionId> {
  const [latest] = await tx<{ id: AccountingConnectionId; status: ConnectionStatus }[]>`
    select id, status from accounting_connections where status <> 'disconnected'
    order by ${OPEN} desc, inserted_at desc limit 1 for no key update`
  if (!latest) refuse('accounting_not_connected')
  if (latest.status !== 'disconnecting') await end(tx, latest.id, cause)
  return latest.id
}

/** The same of an organization that is deleted; nothing if it has none. */
export async function disconnectDeleted(tx: Tx, cause: string): Promise<void> {
  const open = await tx<{ id: AccountingConnectionId }[]>`
    select id from accounting_connections where ${OPEN} for no key update`
  for (const { id } of open) await end(tx, id, cause)
}

async function end(tx: Tx, id: AccountingConnectionId, cause: string): Promise<void> {
  await transition(tx, connectionMoves, id, {
    events: ['disconnect'],
    cause,
    // whoever speaks with the provider about it at this moment stops, and the revocation need not wait
    set: sql`ended_at = coalesce(ended_at, business_now()), ask_at = null, asks = 0, ask_note = null,
      unclear_since = null, lease = null, leased_until = null`,
  })
  await endRuns(tx, id, 'disconnected')
}

/**
 * The provider refuses us for good: whoever connected it is told, and nothing is posted until somebody connects it
 * again. A repeat changes nothing, nor does what a holder was told who has lost the lease: it was about earlier tokens.
 */
export async function noteRefused(tx: Tx, id: AccountingConnectionId, holder: string): Promise<void> {
  const [row] = await tx<{ tenant_name: string; organization: string; email: string | null }[]>`
    select c.tenant_name, o.name as organization,
      (select p.email from members m join people p on p.id = m.user_id
        where m.organization_id = o.id and m.user_id = c.connected_by) as email
    from accounting_connections c join organizations o on o.id = c.organization_id
    where c.id = ${id} and c.status = 'connected' and c.lease = ${holder} for no key update of c`
  if (!row) return
  await transition(tx, connectionMoves, id, {
    events: ['refuse'],
    cause: `refused:${newId()}`,
    set: sql`ended_at = business_now()`,
  })
  await endRuns(tx, id, 'needs_reconnect')
  if (row.email === null) return
  await sendMessage(tx, {
    recipient: row.email,
    channel: 'email',
    subject: 'Please connect Xero again',
    body: `Xero does not take what ${quotedInMail(row.organization)} posts to ${quotedInMail(row.tenant_name)} any more. Nothing is posted there until somebody connects it again. No money is affected.`,
  })
}

type Row = Omit<Integration, 'type' | 'needs_reconnect' | 'last_sync' | 'id'> & { readonly id: AccountingConnectionId }

/** What the organization is connected with, or is about to be disconnected from, newest first. */
export async function listIntegrations(reader: Reader): Promise<Integration[]> {
  const rows = await reader<Row>(sql`
    select c.id, c.provider, c.status, c.tenant_id, c.tenant_name, c.connected_at, c.ended_at,
      jsonb_build_object('id', p.id, 'first_name', p.first_name, 'last_name', p.last_name) as connected_by
    from accounting_connections c join people p on p.id = c.connected_by
    where c.organization_id = ${reader.organizationId} and c.status <> 'disconnected'
    order by c.inserted_at desc, c.id desc limit ${LISTED_MAX}`)
  return Promise.all(rows.map((row) => toIntegration(reader, row)))
}

/** More than one is there only while others are being revoked. */
const LISTED_MAX = 20

async function toIntegration(reader: Reader, row: Row): Promise<Integration> {
  return {
    ...row,
    type: 'accounting',
    needs_reconnect: row.status === 'needs_reconnect',
    last_sync: await findLatestRun(reader, row.id),
  }
}

/** One of them, as it is now. */
export async function findIntegration(reader: Reader, id: AccountingConnectionId): Promise<Integration> {
  const found = (await listIntegrations(reader)).find((integration) => integration.id === id)
  return found ?? refuse('accounting_not_connected')
}
