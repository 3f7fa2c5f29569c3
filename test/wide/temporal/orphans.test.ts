/** Open runs of rows at rest, as after a restore of Temporal. No worker runs here. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { client, mainQueue } from '../../../temporal/client.ts'
import { type OpenRun, endOrphans, listOpenRuns } from '../../../temporal/orphans.ts'
import { createPayment, payerAndPayee } from '../../support/api.ts'
import { eventually } from '../../support/runs/runs.ts'
import { sweep } from '../../../temporal/sweep.ts'
import { until } from '../../support/until.ts'
import '../../support/temporal-runtime.ts'

const start = (type: string, workflowId: string) =>
  client.workflow.start(type, { workflowId, taskQueue: mainQueue, args: [] })
const stateOf = async (id: string) => (await client.workflow.getHandle(id).describe()).status.name
const signalsOf = async (id: string) =>
  ((await client.workflow.getHandle(id).fetchHistory()).events ?? []).flatMap(
    (event) => event.workflowExecutionSignaledEventAttributes?.signalName ?? [],
  )

/** The open runs, once Temporal lists these. */
const listing = (...ids: string[]): Promise<Map<string, OpenRun>> =>
  until('the runs are listed', async () => {
    const runs = await listOpenRuns()
    return ids.every((id) => runs.has(id)) && runs
  })

test('a run without a process is told to look, and ended if it does not; what has one, is young, or is another’s stays', async () => {
  const { boss, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId, '10.00')
  await eventually(async () => (await sweep(0), stateOf(`payment-${payment.id}`).catch(() => ''))).toBe('RUNNING')
  const orphan = `payment-${randomUUID()}`
  const others = ['audit', `payment-of-another`, `cover-${randomUUID()}`]
  await start('payment', orphan)
  for (const id of others) await start(id === 'audit' ? 'audit' : 'payment', id)
  const runs = await listing(orphan, `payment-${payment.id}`)
  expect(others.filter((id) => runs.has(id))).toEqual([])
  await endOrphans(runs)
  expect(await signalsOf(orphan)).toEqual([])
  await endOrphans(runs, { graceMs: 0 })
  await endOrphans(runs, { graceMs: 0 })
  expect([await signalsOf(orphan), await stateOf(orphan)]).toEqual([['at_rest'], 'RUNNING'])
  await endOrphans(runs, { graceMs: 0, patienceMs: -1 })
  expect(await stateOf(orphan)).toBe('TERMINATED')
  await endOrphans(runs, { graceMs: 0, patienceMs: -1 })
  expect(await stateOf(`payment-${payment.id}`)).toBe('RUNNING')
  expect(await signalsOf(`payment-${payment.id}`)).not.toContain('at_rest')
  for (const id of others) expect([await signalsOf(id), await stateOf(id)]).toEqual([[], 'RUNNING'])
})
