/** Walks the scheduled runs, and keeps their histories: `npm run histories`. */
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { test, vi } from 'vitest'
import { client } from '../temporal/client.ts'
import { type Scheduled, scheduleId } from '../temporal/schedules.ts'
import { createPayment, payerAndPayee } from './support/api.ts'
import { runScheduled } from './support/books.ts'
import { usePartners } from './support/partners.ts'
import { type History, keepHistory } from './support/recorded.ts'
import { useWorker } from './support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-audits-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
usePartners()
useWorker()

const PATHS: readonly (readonly [string, Scheduled])[] = [
  ['audit-clean', 'ledger-audit'],
  ['reconciliation-bank', 'reconciliation-bank'],
  ['reconciliation-custodian', 'reconciliation-custodian'],
  ['reconciliation-rates', 'reconciliation-rates'],
]

test.each(PATHS)('%s', async (name, scheduled) => {
  const { boss, contactId } = await payerAndPayee()
  await createPayment(boss, contactId)
  await runScheduled(scheduled)
  const query = `WorkflowId STARTS_WITH '${scheduleId(scheduled)}'`
  for await (const run of client.workflow.list({ query })) {
    const history = await client.workflow.getHandle(run.workflowId, run.runId).fetchHistory()
    return keepHistory(name, JSON.parse(historyToJSON(history)) as History) // the shape that historyToJSON documents
  }
  throw new Error(`${name} did not run`)
})
