/** Steps of connections and syncs on our own tables; steps at Xero are in activities/accounting/. */
import { connectionMoves } from '../../domain/accounting/events.ts'
import { type ConnectionStatus, connectionFlow } from '../../domain/accounting/connection-flow.ts'
import { type AccountingConnectionId, type SyncRunId, newId } from '../../domain/ids.ts'
import { aboutOrganization } from '../../domain/messages/footers.ts'
import { quoteInMail } from '../../domain/text.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { askAgain, isTriedInVain } from '../../db/processes/asking.ts'
import { sendMessage } from '../messages/messages.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { failRun, failRunsOf } from './sync-runs.ts'

/**
 * Records a refused connection, and mails the person who connected. Idempotent; does nothing for a holder that
 * lost the lease, whose tokens were earlier ones.
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
  await failRunsOf(tx, id, 'needs_reconnect')
  if (row.email === null) return
  await sendMessage(tx, {
    recipient: row.email,
    channel: 'email',
    mail: {
      subject: 'Please connect Xero again',
      paragraphs: [
        'Xero does not take what is posted to it any more. Nothing is posted there until it is connected again.',
        'No money is affected.',
      ],
      facts: [
        ['Organization', quoteInMail(row.organization)],
        ['At Xero', quoteInMail(row.tenant_name)],
      ],
      footer: aboutOrganization(row.organization),
    },
  })
}

/** Tells if a connection still has to be revoked. */
export async function findRevocation(tx: Tx, id: AccountingConnectionId): Promise<boolean> {
  return (await tx`select from accounting_connections where id = ${id} and status = 'disconnecting'`).length === 1
}

/** Ends a revoked connection and deletes its tokens; once. */
export async function noteRevoked(tx: Tx, id: AccountingConnectionId): Promise<void> {
  const locked = await tx`
    select from accounting_connections where id = ${id} and status = 'disconnecting' for no key update`
  if (locked.length === 0) return
  await transition(tx, connectionMoves, id, {
    events: ['end'],
    cause: `revoked:${id}`,
    set: sql`sealed = null, lease = null, leased_until = null`,
  })
}

/** Schedules the next try to revoke a connection, with backoff. */
export async function noteUnrevoked(tx: Tx, id: AccountingConnectionId, note: string): Promise<void> {
  await tx`
    ${askAgain('accounting_connections', config.partnerPollSeconds, note)} where id = ${id} and status = 'disconnecting'`
  wake(tx, connectionFlow, { ids: [id], why: 'asked' })
}

/** Deletes the tokens of a connection that was not revoked within a day: they expire at the provider. */
export async function giveUpRevocation(tx: Tx, id: AccountingConnectionId): Promise<void> {
  const over = await tx`
    select from accounting_connections c
    where c.id = ${id} and c.status = 'disconnecting' and ${isTriedInVain(sql`c`)} for no key update`
  if (over.length === 0) return
  log.error({ connection_id: id }, 'a connection to an accounting program was dropped, but not revoked')
  await noteRevoked(tx, id)
}

type StopRow = { readonly connection_status: ConnectionStatus; readonly organization_status: string }

/** Fails a sync whose connection has ended, or whose organization is not active. */
export async function stopSync(tx: Tx, id: SyncRunId): Promise<void> {
  const [row] = await tx<StopRow[]>`
    select c.status as connection_status, o.status as organization_status
    from accounting_sync_runs r join accounting_connections c on c.id = r.connection_id
    join organizations o on o.id = r.organization_id
    where r.id = ${id} and r.status = 'running' for no key update of r`
  if (!row) return
  const { connection_status: connection, organization_status: organization } = row
  if (connection !== 'connected') {
    await failRun(tx, id, connection === 'needs_reconnect' ? 'needs_reconnect' : 'disconnected')
  } else if (organization !== 'active') await failRun(tx, id, 'organization_unavailable')
}

/** Fails a sync whose accounting program did not answer for a day. */
export async function giveUpSync(tx: Tx, id: SyncRunId): Promise<void> {
  const over = await tx`
    select from accounting_sync_runs r
    where r.id = ${id} and r.status = 'running' and ${isTriedInVain(sql`r`)} for no key update`
  if (over.length > 0) await failRun(tx, id, 'unreachable')
}
