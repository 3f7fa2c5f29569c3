/** Across all organizations: what is due by business time, and what a workflow must be driving. Ids and states only. */
import postgres from 'postgres'
import { config } from './config.ts'
import type { Target } from './model/approval.ts'
import type { Flow } from './model/flow.ts'
import type { MessageId, OrganizationId } from './model/ids.ts'
import type { Rail } from './model/payment.ts'
import { sql } from './sql.ts'

const BATCH = 500

/** What waits for an approval that has expired, or whose approvers are to be reminded, by business time. */
export async function dueApprovals(): Promise<Target[]> {
  const rows = await sql<Target[]>`select target_type as type, target_id as id from due_approvals()`
  return [...rows]
}

/** Invitations whose time is over by business time. */
export async function dueInvitations(): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from due_invitations()`
  return rows.map((row) => row.id)
}

/** Held deposits whose sender was not named in time, by business time. */
export async function dueDeposits(): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from due_deposits()`
  return rows.map((row) => row.id)
}

type DrivenRow = { id: string; organization_id: OrganizationId; status: string; rail: Rail | null }

/** Rows of a machine in driven states that nobody touched for that long, batch by batch. */
export async function* drivenRows(machine: Flow, untouchedSeconds: number): AsyncGenerator<DrivenRow> {
  let after: string | null = null
  for (;;) {
    const rows: DrivenRow[] = await sql<DrivenRow[]>`
      select id, organization_id, status, rail
      from driven_rows(${machine.table}, make_interval(secs => ${untouchedSeconds}), ${after}, ${BATCH})`
    yield* rows
    if (rows.length < BATCH) return
    after = rows.at(-1)?.id ?? null
  }
}

/** Forgets what no approval waits for any more; returns how many rows that were. */
export async function forgetApprovalWaits(): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`select forget_approval_waits() as rows`
  return row?.rows ?? 0
}

/** Sums up how many approvals wait for what; returns how many rows that were. */
export async function compactApprovalCounts(): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`select compact_approval_wait_counts() as rows`
  return row?.rows ?? 0
}

/** Queued mails that nobody touched for that long, oldest first, batch by batch. */
export async function* queuedMessages(untouchedSeconds: number): AsyncGenerator<MessageId> {
  let after: MessageId | null = null
  for (;;) {
    const rows: { id: MessageId }[] = await sql<{ id: MessageId }[]>`
      select id from messages
      where status = 'queued' and updated_at < business_now() - make_interval(secs => ${untouchedSeconds})
        and (${after}::uuid is null or id > ${after})
      order by id limit ${BATCH}`
    yield* rows.map((row) => row.id)
    if (rows.length < BATCH) return
    after = rows.at(-1)?.id ?? null
  }
}

/**
 * One reconciler at a time over all workers: true for whoever gets the turn. The lock lives with a connection of its own,
 * so that a dead worker or a lost connection gives it back.
 */
export async function withReconcilerLock(work: () => Promise<void>): Promise<boolean> {
  const LOCK = 7_340_022
  const session = postgres(config.databaseUrl, { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    const [row] = await session<{ taken: boolean }[]>`select pg_try_advisory_lock(${LOCK}) as taken`
    if (!row?.taken) return false
    await work()
    await session`select pg_advisory_unlock(${LOCK})`
    return true
  } finally {
    await session.end({ timeout: 5 })
  }
}

/** Extends the hash chains by what was committed since; returns how many events were chained. */
export async function extendEventChain(most = 1000): Promise<number> {
  const [row] = await sql<{ chained: number }[]>`select extend_event_chain(${most}) as chained`
  return row?.chained ?? 0
}
