/** Members while Temporal accepts connections and stays silent: immediate answers, later signals. */
import { afterAll, expect, test, vi } from 'vitest'
import { type RunningWorker, startWorker } from '../../../worker.ts'
import { approve, createPayment, payerAndPayee } from '../../support/api.ts'
import { joined, setRules } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { changeRole, remove, rolesOf } from '../../support/organizations/members.ts'
import { until } from '../../support/until.ts'
import '../../support/temporal-runtime.ts'

const { temporal } = await vi.hoisted(async () => {
  const { startProxy } = await import('../../support/faults/proxy.ts')
  const proxy = await startProxy(process.env['TEMPORAL_ADDRESS'] ?? '')
  process.env['TEMPORAL_ADDRESS'] = proxy.address
  return { temporal: proxy }
})
/** On a busy machine; waiting for Temporal would take longer. */
const PROMPT_MS = 2500

let worker: RunningWorker
afterAll(() => worker.stop())

const unseen = () => owner`select workflow, id, why from processes where unseen_since is not null`

test('who has approved is removed, and who has approved gets another role, while Temporal is silent', async () => {
  worker = await startWorker({ versioned: false, reconciles: false })
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [one, two, three] = await joined(payer.id, 'admin', 3)
  if (!one || !two || !three) throw new Error('they joined')
  await setRules(payer.id, boss, [{ steps: [{ required: 2, roles: ['admin'] }] }])
  const payments = [await createPayment(boss, contactId, '1.00'), await createPayment(boss, contactId, '1.00')]
  await approve(one, payments[0])
  await approve(two, payments[1])
  await changeRole(boss, payer.id, three.userId, 'member') // opens the step-up window
  await until('everything to be seen', async () => (await unseen()).length === 0)
  temporal.hush()
  try {
    const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), PROMPT_MS))
    const changes = Promise.all([remove(boss, payer.id, one.userId), changeRole(boss, payer.id, two.userId, 'member')])
    const answers = await Promise.race([changes, late])
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }])
    expect((await unseen()).map(({ id }) => id).toSorted()).toEqual(payments.map(({ id }) => id).toSorted())
  } finally {
    await temporal.mend()
  }
  expect(await rolesOf(payer.id, [one, two])).toEqual([undefined, 'member'])
  await until('the approvals that were taken back to be seen', async () => (await unseen()).length === 0)
}, 60_000)
