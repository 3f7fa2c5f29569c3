/** Operators' view of processes, and restarts of their runs. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { administer } from '../../../admin.ts'
import { client } from '../../../temporal/client.ts'
import { approve, createPayment, payerAndPayee } from '../../support/api.ts'
import { eventually, waits } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker({ whole: true })
const admin = (...words: string[]) => administer(words)
const waiting = async () => {
  const { boss, contactId, payer } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId, '6.00')
  const run = client.workflow.getHandle(`payment-${payment.id}`)
  await waits(payment)
  // the look's task ends a moment after it; only then the server knows the build
  await eventually(async () => (await run.describe()).raw.pendingWorkflowTask ?? null).toBe(null)
  return { boss, payer, payment, run }
}

test('a process is listed, and shown with what its run waits for, by its id and by that of its run', async () => {
  const { payer, payment } = await waiting()
  const named = `payment-${payment.id} of organization ${payer.id}`
  const line = new RegExp(`${named}: awaiting_approval \\(created\\), waits until .* UTC$`)
  const lines = (await admin('processes', 'list')).split('\n')
  expect(lines.filter((one) => one.includes(payment.id))).toEqual([expect.stringMatching(line)])
  for (const id of [payment.id, `payment-${payment.id}`, payment.id.toUpperCase()]) {
    const shown = await admin('processes', 'show', id)
    expect(shown.split('\n')[0]).toMatch(line)
    expect(shown).toMatch(/^run payment-\S+: RUNNING since .*, build dev \(builds with workers: dev\)$/m)
    expect(shown).toMatch(/^it moves$/m)
    expect(shown).toMatch(/^it says: Waits for approval since .*: 1 more of owner, admin\.$/m)
  }
})

test('a process runs afresh when it is restarted, and is decided then; over, it is shown as it ended, and not restarted', async () => {
  const { boss, payment, run } = await waiting()
  const { runId } = await run.describe()
  expect(await admin('processes', 'restart', payment.id)).toBe(`payment-${payment.id} runs afresh`)
  const after = await run.describe()
  expect([after.status.name, after.runId === runId]).toEqual(['RUNNING', false])
  expect((await approve(boss, payment)).body.status).toBe('approved')
  await expect.poll(async () => (await run.describe()).status.name).toBe('COMPLETED')
  const ended = /^nothing is open: run payment-\S+ is completed at .*, succeeded$/
  expect(await admin('processes', 'show', payment.id)).toMatch(ended)
  await expect(admin('processes', 'restart', payment.id)).rejects.toMatchObject({ type: 'not_found' })
  await expect(admin('processes', 'show', randomUUID())).rejects.toMatchObject({ type: 'not_found' })
})
