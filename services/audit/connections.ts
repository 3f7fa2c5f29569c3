/** Connections as operators see them: what each has under way, what it last said, and what a person has to do. */
import { config } from '../../platform/config.ts'
import type { Connection, ConnectionKind } from '../../platform/connections.ts'
import { openFindings } from './findings.ts'
import { type PartnerHealth, partnersHealth } from './partners.ts'
import { listAnswers, type HeardConnection } from '../connections/answers.ts'
import { listPauses } from '../connections/pauses.ts'
import { sql } from '../../db/postgres/sql.ts'

type Orders = {
  readonly connection: string
  readonly open: number
  readonly oldest_at: string | null
  readonly oldest_seconds: number | null
  readonly waiting_seconds: number | null
  readonly uncalled_seconds: number | null
  readonly on_hold: number
}

/** Connection with its work and its health. Times are null if nothing of the kind ever was. */
export type ConnectionStanding = Pick<Connection, 'name' | 'kind' | 'closed'> & {
  readonly driver: Connection['settings']['driver']
  readonly pause: { readonly reason: string; readonly since: string; readonly by: string } | null
  readonly answered_at: string | null
  /** Seconds since when its calls fail; null if the last one was answered. */
  readonly silent_seconds: number | null
  readonly called_at: string | null
  readonly read_at: string | null
  readonly unread_seconds: number | null
  readonly unhandled_callbacks: number
  readonly orders: number
  readonly oldest_at: string | null
  /** Seconds for which an order has waited that it has not taken; null while it is paused. */
  readonly late_seconds: number | null
  /** Seconds without a call, while it has an order that is older than its last one. */
  readonly uncalled_seconds: number | null
  readonly on_hold: number
  readonly findings: number
}

const FINDINGS_MAX = 1000
/** Findings about desks, which do not begin with a name of theirs. */
const OF_DESKS = /^(trade|exchange)_/

/** Lists the connections in the order of the configuration. */
export async function listConnections(): Promise<ConnectionStanding[]> {
  const [orders, health, answers, pauses, findings] = await Promise.all([
    sql<Orders[]>`select * from connection_orders()`,
    partnersHealth(),
    listAnswers(),
    listPauses(),
    openFindings(FINDINGS_MAX),
  ])
  const configured = config.connections.map(({ name, kind, settings: { driver }, closed }) => ({
    name,
    kind,
    driver,
    closed,
  }))
  return configured.map((one) => {
    const { name, kind } = one
    const pause = pauses.find(({ connection }) => connection === name)
    const found = findings.filter(({ check, subject }) => isOf({ name, kind }, check, subject))
    const known = {
      orders: orders.find(({ connection }) => connection === name),
      health: health.find(({ partner }) => partner === name),
      heard: answers.find(({ connection }) => connection === name),
    }
    return {
      ...one,
      pause: pause ? { reason: pause.reason, since: pause.since, by: pause.by } : null,
      ...standingOf(known, pause !== undefined),
      findings: found.length,
    }
  })
}

const isOf = ({ name, kind }: { name: string; kind: ConnectionKind }, check: string, subject: string): boolean =>
  check.startsWith(`${name}_`) || subject.startsWith(`${name}:`) || (kind === 'rates' && OF_DESKS.test(check))

type Sources = {
  readonly orders: Orders | undefined
  readonly health: PartnerHealth | undefined
  readonly heard: HeardConnection | undefined
}

const standingOf = ({ orders, health, heard }: Sources, isPaused: boolean) => ({
  answered_at: heard?.answered_at ?? null,
  silent_seconds: heard?.silent_seconds ?? null,
  called_at: health?.called_at ?? null,
  read_at: health?.read_at ?? null,
  unread_seconds: health?.unread_seconds ?? null,
  unhandled_callbacks: health?.unhandled_callbacks ?? 0,
  orders: orders?.open ?? 0,
  oldest_at: orders?.oldest_at ?? null,
  late_seconds: isPaused ? null : (orders?.waiting_seconds ?? null),
  uncalled_seconds: orders?.uncalled_seconds ?? null,
  on_hold: orders?.on_hold ?? 0,
})
