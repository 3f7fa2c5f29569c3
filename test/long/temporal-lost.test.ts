/**
 * T9: Temporal’s data is deleted under a running worker: rows in every state end right without a restart of anything
 * else.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Child, startServers, startWorker } from '../support/processes.ts'

const servers = await startServers() // before anything reads the environment
const { api, approve, approvalPath, createPayment, payerAndPayee } = await import('../support/api.ts')
const { fault, usePartners } = await import('../support/partners.ts')
const { advance, cancel, outgoing, payerBy, sent } = await import('../support/payouts.ts')
const { owner } = await import('../support/database.ts')
const { client } = await import('../../temporal/client.ts')
const { currentBuild } = await import('../../temporal/deployment.ts')
const { scheduleId } = await import('../../temporal/schedules.ts')
const { until } = await import('../support/until.ts')

const HEALED_MS = 200_000

usePartners()
let worker: Child
beforeAll(async () => {
  worker = await startWorker()
})
afterAll(() => worker.stop())

const eventually = <Found>(what: string, condition: () => Promise<Found | undefined | false>) =>
  until(what, condition, HEALED_MS)

test('all that Temporal knew is gone, and every row still comes to its end', async () => {
  const internal = await payerAndPayee('1000.00')
  const [bank, coins] = [await payerBy('fiat'), await payerBy('crypto')]
  await fault('bank', 'manual', 2)
  await fault('custodian', 'manual', 1)
  const waits = await createPayment(internal.boss, internal.contactId)
  const expires = await createPayment(internal.boss, internal.contactId)
  const asked = await outgoing(bank, '10.00')
  const underWay = await sent(bank, '11.00')
  const held = await sent(bank, '12.00')
  const withdrawn = await sent(coins, '13.00')
  const isNow = (payment: { id: string }, status: string) =>
    until(`${payment.id} ${status}`, async () => {
      const [row] = await owner`select status from payments where id = ${payment.id}`
      return row?.['status'] === status
    })
  await isNow(underWay, 'processing')
  await isNow(held, 'processing')
  await isNow(withdrawn, 'processing')
  await advance(held, 'on_hold')
  await isNow(held, 'on_hold')
  expect((await cancel(coins, withdrawn)).body.status).toBe('cancelling')
  await until(
    'all are seen',
    async () => (await owner`select from processes where unseen_since is not null`).length === 0,
  )

  await servers.temporal.wipe()
  expect((await approve(internal.boss, waits)).body.status).toBe('approved')
  expect((await approve(bank.boss, asked)).body.status).toBe('approved')
  expect((await createPayment(internal.boss, internal.contactId)).status).toBe('awaiting_approval')
  await owner`update approvals set expires_at = business_now() where id = ${expires.approval_request_id}`
  await owner`update processes set look_at = business_now() where id = ${expires.id}`
  expect((await advance(underWay, 'succeeded')).status).toBe(200)
  expect((await advance(held, 'failed')).status).toBe(200)
  await advance(withdrawn, 'cancelled') // unless the custodian has decided by itself, which takes it three seconds

  const ends = { succeeded: [waits, asked, underWay], cancelled: [expires, withdrawn], failed: [held] }
  for (const [status, payments] of Object.entries(ends)) {
    for (const { id } of payments) {
      await eventually(`payment ${id} ${status}`, async () => {
        const [row] = await owner`select status from payments where id = ${id}`
        return row?.['status'] === status
      })
    }
  }
  expect(await currentBuild()).toBe('dev')
  await eventually('the schedules', () =>
    client.schedule
      .getHandle(scheduleId('ledger-audit'))
      .describe()
      .then(() => true)
      .catch(() => false as const),
  )
  const late = await createPayment(internal.boss, internal.contactId)
  await api('POST', `${approvalPath(late)}/cancel`, { token: internal.boss.token, body: {} })
  await eventually(
    'nothing unseen',
    async () => (await owner`select from processes where unseen_since is not null`).length === 0,
  )
})
