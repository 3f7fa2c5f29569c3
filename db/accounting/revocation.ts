/** How a connection ends: its consent is revoked at the provider, then its tokens are gone from here, too. */
import { askAgain } from '../asking.ts'
import { config } from '../../platform/config.ts'
import { connectionMoves } from '../../domain/accounting/events.ts'
import { connectionFlow } from '../../domain/flows/accounting/connection.ts'
import type { AccountingConnectionId } from '../../domain/ids.ts'
import { type Tx, sql } from '../sql.ts'
import { transition } from '../transition.ts'
import { wake } from '../wakes.ts'

/** Whether a connection still has to be revoked. */
export async function findRevocation(tx: Tx, id: AccountingConnectionId): Promise<boolean> {
  const found = await tx`select from accounting_connections where id = ${id} and status = 'disconnecting'`
  return found.length === 1
}

/** It is revoked, and over. Nothing if it was before. */
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

/** Notes that a connection was not revoked: it is tried again after a pause that doubles. */
export async function noteUnrevoked(tx: Tx, id: AccountingConnectionId, note: string): Promise<void> {
  await tx`
    ${askAgain('accounting_connections', config.partnerPollSeconds, note)} where id = ${id} and status = 'disconnecting'`
  wake(tx, connectionFlow, { ids: [id], why: 'asked' })
}
