/** Members while Temporal takes connections and says nothing: what is done is answered in time. */
import { afterAll, expect, test, vi } from 'vitest'
import { DefaultLogger, Runtime, makeTelemetryFilterString } from '@temporalio/worker'
import { type RunningWorker, startWorker } from '../worker.ts'
import { approve, createPayment, payerAndPayee } from './support/api.ts'
import { joined, setRules } from './support/approvals.ts'
import { changeRole, remove, rolesOf } from './support/members.ts'

const { silence, DEADLINE_MS } = await vi.hoisted(async () => {
  const { connect, createServer } = await import('node:net')
  const state = { silent: false }
  const { hostname, port } = new URL(`tcp://${process.env['TEMPORAL_ADDRESS'] ?? ''}`)
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    near.on('data', (data) => state.silent || far.write(data))
    far.on('data', (data) => state.silent || near.write(data))
    near.on('error', () => {}).on('close', () => far.destroy())
    far.on('error', () => {}).on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const address = server.address()
  const own = typeof address === 'object' ? address?.port : undefined
  Object.assign(process.env, { TEMPORAL_ADDRESS: `127.0.0.1:${own}`, REQUEST_DEADLINE_MS: '1500' })
  return { silence: state, DEADLINE_MS: 1500 }
})
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } }, // retries are wanted here
  shutdownSignals: [],
})
/** What telling the workflows may take, and what a busy machine may add. */
const SLACK_MS = 6000

let worker: RunningWorker
afterAll(() => worker.stop())

test('who has approved is removed, and who has approved gets another role, while Temporal is silent', async () => {
  worker = await startWorker()
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [one, two, three] = await joined(payer.id, 'admin', 3)
  if (!one || !two || !three) throw new Error('they joined')
  await setRules(payer.id, boss, [{ steps: [{ required: 2, roles: ['admin'] }] }])
  await approve(one, await createPayment(boss, contactId, '1.00'))
  await approve(two, await createPayment(boss, contactId, '1.00'))
  await changeRole(boss, payer.id, three.userId, 'member') // opens the window of the step-up
  silence.silent = true
  try {
    const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), DEADLINE_MS + SLACK_MS))
    const changes = Promise.all([remove(boss, payer.id, one.userId), changeRole(boss, payer.id, two.userId, 'member')])
    const answers = await Promise.race([changes, late])
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }])
  } finally {
    silence.silent = false
  }
  expect(await rolesOf(payer.id, [one, two])).toEqual([undefined, 'member'])
}, 60_000)
