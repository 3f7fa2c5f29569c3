/** SIGKILL to the worker during a sync: the books have nothing twice, and miss nothing. */
import { expect, test } from 'vitest'
import { accounting, connectBooks, itemsIn, mapped, runsOf } from '../../support/accounting/accounting.ts'
import { api, organization, person } from '../../support/api.ts'
import { received } from '../../support/invoices/allocations.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { startWorker } from '../../support/processes.ts'
import { until } from '../../support/until.ts'

usePartners()

const DEPOSITS = 90
const KILLS = 3

test('a sync whose worker is killed again and again is through at last, with each transaction in the books once', async () => {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss)
  const { tenant_id: tenantId } = await connectBooks(boss, id)
  await mapped(boss, id)
  for (let made = 0; made < DEPOSITS; made += 1) await received({ id }, `${made + 1}.00`)
  const inBooks = async (): Promise<string[]> =>
    (await itemsIn(tenantId, 'BankTransactions')).map((one) => one.Reference)
  let worker = await startWorker()
  await accounting(boss, id, 'POST', 'sync', {})
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await until('some more is in the books', async () => (await inBooks()).length >= kill * 25, 120_000)
    await worker.kill()
    worker = await startWorker()
  }
  const [run] = await until(
    'the sync is through',
    async () => {
      const runs = await runsOf(boss, id)
      return runs.every(({ ended_at: ended }) => ended) && runs
    },
    180_000,
  )
  const { body } = await api('GET', `/organizations/${id}/transactions?limit=100&status=posted`, { token: boss.token })
  expect((await inBooks()).toSorted()).toEqual(body.data.map((one: { id: string }) => one.id).toSorted())
  expect(run).toMatchObject({ status: 'completed', failed: 0, skipped: 0 })
  await worker.stop()
})
