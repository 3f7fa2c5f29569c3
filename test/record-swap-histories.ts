/** Walks the paths of a swap after it was executed, and keeps their histories: `npm run histories`. */
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { afterEach, expect, test, vi } from 'vitest'
import { startProcess } from '../api/processes.ts'
import { client } from '../temporal/client.ts'
import type { OrganizationId } from '../db/model/ids.ts'
import { swapFlow } from '../db/model/swap-flow.ts'
import { reconcile } from './support/reconcile.ts'
import { type RunningWorker, startWorker } from '../worker.ts'
import { organization, person } from './support/api.ts'
import { usePartners } from './support/partners.ts'
import { type History, PRIVATE, keepHistory } from './support/recorded.ts'
import { eventually } from './support/runs.ts'
import { coverOf, endow, execute, quoted, setMarket } from './support/swaps.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-swaps-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
usePartners()

let worker: RunningWorker | undefined
const work = async () => {
  worker = await startWorker()
}
afterEach(async () => {
  await worker?.stop()
  worker = undefined
})

const runOf = (id: string) => client.workflow.getHandle(`swap-${id}`)
const stateOf = async (id: string) => (await runOf(id).describe()).status.name
const detailsOf = async (id: string) =>
  (await runOf(id).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails
const covered = (id: string) => eventually(async () => (await coverOf({ id }))?.status).toBe('covered')

/** A swap of somebody and an amount that nobody may read in its history; nothing is done about it before work() begins. */
async function executed() {
  const boss = await person({ name: PRIVATE.firstName })
  const org = await organization(boss, PRIVATE.payer)
  await endow(org.id, '100.00', 'USD')
  const { quote_id } = await quoted({ boss, org }, { source_amount: PRIVATE.amount })
  const { status, body } = await execute(boss, quote_id)
  expect(status).toBe(200)
  return { id: body.swap_id as string, organization_id: org.id as OrganizationId, status: 'executed' } // a row's id
}

/** One whose trade came when the market had closed. */
async function late(): Promise<string> {
  const { id } = await executed()
  await setMarket('closed')
  await work()
  await eventually(() => detailsOf(id)).toContain('market_closed')
  return id
}

/** Each path answers the swap that took it. */
const paths: Record<string, () => Promise<string>> = {
  async covered() {
    const { id } = await executed()
    await work()
    return id
  },
  async 'market-closed'() {
    const id = await late()
    await setMarket('open')
    return id
  },
  /** Started again from its row alone. */
  async resumed() {
    const id = await late()
    await runOf(id).terminate('ended by an operator')
    await eventually(async () => (await reconcile()) + Number((await stateOf(id)) === 'RUNNING')).toBeGreaterThan(0)
    await setMarket('open')
    return id
  },
  /** Started again when there was nothing to do any more. */
  async rested() {
    const row = await executed()
    await work()
    await covered(row.id)
    await eventually(() => stateOf(row.id)).toBe('COMPLETED')
    await startProcess(swapFlow, row)
    return row.id
  },
}

test.each(Object.entries(paths))('%s', async (name, walk) => {
  const id = await walk()
  await covered(id)
  await eventually(() => stateOf(id)).toBe('COMPLETED')
  // The shape that historyToJSON documents.
  keepHistory(`swap-${name}`, JSON.parse(historyToJSON(await runOf(id).fetchHistory())) as History)
})
