/** Broken books, which only the owner of the tables can make, and on-demand audits. */
import { randomUUID } from 'node:crypto'
import { client, mainQueue } from '../../../temporal/client.ts'
import type { Part, ReconciliationResult } from '../../../activities/reconciliation.ts'
import type { ConnectionName } from '../../../domain/partner.ts'
import { type ScheduleName, scheduleId } from '../../../temporal/schedules.ts'
import { owner } from '../database.ts'
import { until } from '../until.ts'

/** Runs a statement past the triggers that keep entries unchanged. */
export async function tamper(statement: (tx: typeof owner) => Promise<unknown>): Promise<void> {
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await statement(tx as unknown as typeof owner)
  })
}

/** Adds an amount to the first entry of an organization's account. */
export const alterEntry = (organizationId: string, amount: string) =>
  tamper(
    (tx) => tx`
      update ledger_entries e set amount = e.amount + ${amount}::numeric
      where (e.transfer_id, e.account_id) = (select l.transfer_id, l.account_id from ledger_entries l
        where l.organization_id = ${organizationId} order by l.posted_at, l.seq limit 1)`,
  )

/** Runs a schedule's workflow to its end and returns its result. */
export async function runScheduled(name: ScheduleName): Promise<any> {
  const handle = client.schedule.getHandle(scheduleId(name))
  const latest = async () => (await handle.describe()).info.recentActions.at(-1)?.action.workflow
  await until(`the schedule ${name}`, () => handle.describe().catch(() => false as const))
  const before = await latest()
  await handle.trigger('BUFFER_ONE') // one that its clock has just begun would swallow it
  const { workflowId, firstExecutionRunId } = await until(`a run of ${name}`, async () => {
    const run = await latest()
    return run && run.firstExecutionRunId !== before?.firstExecutionRunId && run
  })
  return client.workflow.getHandle(workflowId, firstExecutionRunId).result()
}

export const reconcileWith = (partner: ConnectionName) =>
  client.workflow.execute<(part: Part) => Promise<ReconciliationResult>>('reconciliation', {
    workflowId: scheduleId(`reconciliation-${partner}`) + randomUUID(),
    taskQueue: mainQueue,
    args: [{ partner }],
  })

export const findingsOf = (organizationId: string) => owner<{ kind: string; check_name: string; subject: string }[]>`
  select kind, check_name, subject from audit_findings
  where organization_id = ${organizationId} and resolved_at is null order by check_name, subject`

/** The open findings of the service with a matching subject, as `check subject`. */
export async function serviceFindings(kind: string, subject = '%'): Promise<string[]> {
  const rows = await owner<{ finding: string }[]>`
    select check_name || ' ' || subject as finding from service_findings
    where kind = ${kind} and resolved_at is null and subject like ${subject} order by 1`
  return rows.map(({ finding }) => finding)
}
