/** Audit and reconciliations on an operator's request: after a restore, before anything else. */
import { setTimeout as delay } from 'node:timers/promises'
import { WorkflowFailedError } from '@temporalio/client'
import type { ReconciliationResult } from '../activities/reconciliation.ts'
import { isBehind } from '../services/audit/behind.ts'
import { countFindings } from '../services/audit/findings.ts'
import type { AuditVerdict } from '../workflows/audit.ts'
import { BOOKED_CONNECTIONS } from '../services/connections/connections.ts'
import { type ScheduleName, reconciliationOf, startNow, titleOf } from './schedules.ts'

const WAIT_MS = 120_000

const sayReconciled = ({ records, differences, unknown }: ReconciliationResult): string =>
  `${records} records read, ${differences} differences, ${unknown} deposits that were not known`
const sayAudited = ({ audited, faulty, faults }: AuditVerdict): string =>
  `${audited} organizations audited, ${faulty} with faults, ${faults} faults that concern all`

const ROUNDS: readonly (readonly [ScheduleName, string, (result: unknown) => string])[] = [
  ...BOOKED_CONNECTIONS.map(
    ({ name }) =>
      [
        reconciliationOf(name),
        titleOf(name),
        (result: unknown) => sayReconciled(result as ReconciliationResult), // the workflow's result
      ] as const,
  ),
  ['ledger-audit', 'books', (result) => sayAudited(result as AuditVerdict)],
]

/** Runs the audit and all reconciliations; answers a line for each, also for those open after two minutes. */
export async function reconcileNow(waitMs = WAIT_MS): Promise<string> {
  const over = new AbortController()
  const late = delay(waitMs, 'goes on; its findings come later', { signal: over.signal }).catch(() => '')
  const lines = await Promise.all(
    ROUNDS.map(async ([name, title, say]) => {
      const handle = await startNow(name)
      const ended = handle.result().then(say, (error: unknown) => `failed: ${reasonOf(error)}`)
      return `${title}: ${await Promise.race([ended, late])}`
    }),
  )
  over.abort()
  const open = (await countFindings()).reduce((sum, { count }) => sum + count, 0)
  const findings = open === 0 ? 'no finding is open' : `${open} findings are open: npm run admin -- books findings`
  const behind = (await isBehind()) ? ['the database is behind: see docs/runbook.md, "A restored database"'] : []
  return [...lines, findings, ...behind].join('\n')
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof WorkflowFailedError ? error.cause : error
  const root = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return root instanceof Error ? root.message : String(root)
}
