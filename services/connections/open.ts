/** Guard of the start: a partner is not left out while it has money of ours, or something is under way there. */
import { UnusableConfiguration } from '../../platform/live.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { sql } from '../../db/postgres/sql.ts'
import { MONEY_CONNECTIONS, clearingAt, findConnection } from './connections.ts'

type UnderWay = { readonly workflow: string; readonly connection: ConnectionName; readonly count: number }

const NOUNS: Readonly<Record<string, string>> = {
  payment: 'payments',
  deposit: 'deposits',
  cover: 'covers',
  'receiving-account': 'requests for accounts',
}

/** Requires a connection for all that is under way, and for all money. Throws with how much there is at which partner. */
export async function requireConnections(): Promise<void> {
  const [underWay, left, screened] = await Promise.all([
    sql<UnderWay[]>`select workflow, connection, count from count_at_connections() where connection is not null`,
    sql<{ connection: ConnectionName; money: string }[]>`
      select connection, money from left_at_connections(${MONEY_CONNECTIONS.map(({ name }) => clearingAt(name))}::text[])`,
    sql<Omit<UnderWay, 'workflow'>[]>`select connection, count from screenings_at_connections()`,
  ])
  const all = [
    ...underWay.map(({ workflow, connection, count }) => ({
      connection,
      what: `${count} open ${NOUNS[workflow] ?? workflow}`,
    })),
    ...screened.map(({ connection, count }) => ({ connection, what: `${count} names that hold their subject` })),
    ...left.map(({ connection, money }) => ({ connection, what: money })),
  ]
  const missing = new Map<ConnectionName, string[]>()
  for (const { connection, what } of all) {
    if (findConnection(connection)) continue
    missing.set(connection, [...(missing.get(connection) ?? []), what])
  }
  if (missing.size === 0) return
  const faults = [...missing].map(
    ([name, has]) =>
      `${name} is not connected, and has ${has.join(', ')}: connect it as closed until nothing is there (docs/partners.md#connections).`,
  )
  throw new UnusableConfiguration(faults.join('\n'))
}
