/** Temporal cut off, silent or without workers: requests are answered at once, and runs catch up. */
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test, vi } from 'vitest'
import { client } from '../../../temporal/client.ts'
import { type RunningWorker, startWorker } from '../../../worker.ts'
import { type TestPerson, api, approvalPath, createPayment, payerAndPayee, paymentBody } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { OTHER, answer, arriveCrypto, deposit } from '../../support/deposits/deposits.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { become, cancel, holdings, outgoing, payerBy, taken } from '../../support/payments/payouts.ts'
import { type Payment, earnStepUp, eventually, stateOf } from '../../support/runs/runs.ts'
import { until } from '../../support/until.ts'
import { everyNth, longTest } from '../../support/model-runs.ts'
import '../../support/temporal-runtime.ts'

const { temporal } = await vi.hoisted(async () => {
  const { startProxy } = await import('../../support/faults/proxy.ts')
  const proxy = await startProxy(process.env['TEMPORAL_ADDRESS'] ?? '')
  process.env['TEMPORAL_ADDRESS'] = proxy.address
  return { temporal: proxy }
})
usePartners()
/** Waiting for a silent Temporal takes five seconds; this leaves some time to a busy machine. */
const PROMPT_MS = 4000
let worker: RunningWorker | undefined
const work = async () => {
  worker ??= await startWorker()
}
afterAll(() => worker?.stop())

const ready = async () => {
  const { status, body } = await api('GET', '//readyz')
  return [status, body.missing]
}

async function promptly(request: () => ReturnType<typeof api>) {
  const started = Date.now()
  const { status, body } = await request()
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  expect(Date.now() - started).toBeLessThan(PROMPT_MS)
  return body
}

/** Payments by service ID and by bank that await approval, and coins that await their sender. */
async function scene() {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const paid: Payment = await createPayment(boss, contactId, '10.00')
  const unwanted: Payment = await createPayment(boss, contactId, '20.00')
  const withdrawn: Payment = await createPayment(boss, contactId, '30.00')
  const banker = await payerBy('fiat')
  const wired: Payment = await outgoing(banker)
  await earnStepUp(boss, paid)
  await earnStepUp(banker.boss, wired)
  const coins = await arriveCrypto(payer.id, '1000')
  return { boss, payer, contactId, paid, unwanted, withdrawn, banker, wired, coins, key: randomUUID() }
}
type Scene = Awaited<ReturnType<typeof scene>>

const statusOf = async ({ token }: TestPerson, { id }: { id: string }) =>
  (await api('GET', `/payments/${id}`, { token })).body.status
const ask = ({ boss, contactId, key }: Scene) =>
  promptly(() => api('POST', '/payments', { token: boss.token, key, body: paymentBody(contactId, '5.00') }))
const decide = ({ token }: TestPerson, payment: Payment, verb: string) =>
  promptly(() => api('POST', `${approvalPath(payment)}/${verb}`, { token, body: {} }))

/** Sends each request twice and checks the answers: nothing is done twice. */
async function beAnswered(s: Scene): Promise<Payment> {
  const made = await ask(s)
  expect(await ask(s)).toEqual(made)
  const { boss, banker } = s
  for (let times = 0; times < 2; times += 1) {
    expect((await decide(boss, s.paid, 'approve')).status).toBe('approved')
    expect((await decide(boss, s.unwanted, 'reject')).status).toBe('rejected')
    expect((await decide(boss, s.withdrawn, 'cancel')).status).toBe('cancelled')
    expect((await decide(banker.boss, s.wired, 'approve')).status).toBe('approved')
  }
  expect(await promptly(() => answer(boss, s.coins.id, OTHER))).toMatchObject({ travel_rule_complete: true })
  const decided = await Promise.all([s.paid, s.unwanted, s.withdrawn].map((payment) => statusOf(boss, payment)))
  expect(decided).toEqual(['succeeded', 'cancelled', 'cancelled'])
  expect(await statusOf(banker.boss, s.wired)).toBe('submitted')
  expect((await deposit(boss, s.coins.id)).status).toBe('credited')
  return made
}

const unseen = () => owner`select workflow, id, why from processes where unseen_since is not null`
const movesOf = async ({ id }: Payment) =>
  Number((await owner`select count(*) as n from ledger_transfers where key like ${`payment:${id}:%`}`)[0]?.['n'])
const decisionsOn = async ({ approval_request_id: id }: Payment) =>
  (await owner`select decision from approval_decisions where approval_id = ${id}`).map((row) => row['decision'])

/** Expects that every change was seen, each row has one end, and waiting rows have a run. */
async function expectCaughtUp(s: Scene, made: Payment): Promise<void> {
  await until('everything to be seen', async () => (await unseen()).length === 0)
  for (const [payment, moves, decisions] of [
    [s.paid, 2, ['approve']],
    [s.unwanted, 0, ['reject']],
    [s.withdrawn, 0, ['cancel']],
  ] as const) {
    await eventually(() => stateOf(payment)).toBe('COMPLETED')
    expect([await movesOf(payment), await decisionsOn(payment)]).toEqual([moves, decisions])
  }
  const coinsRun = async () => (await client.workflow.getHandle(`deposit-${s.coins.id}`).describe()).status.name
  await eventually(coinsRun).toBe('COMPLETED')
  expect([await statusOf(s.boss, made), await stateOf(made)]).toEqual(['awaiting_approval', 'RUNNING'])
  const settled = await become(s.banker, s.wired, 'succeeded')
  const left = 900 - Number(settled.deducting.amount)
  expect(await holdings(s.banker, s.banker.payer.id)).toEqual({ available: left, held: 0 })
  expect(await owner`select status from sandbox_payouts where id = ${s.wired.id}`).toEqual([{ status: 'settled' }])
  const { data } = (await api('GET', `/organizations/${s.payer.id}/balances`, { token: s.boss.token })).body
  const usd = data.find((row: { currency: string }) => row.currency === 'USD')
  expect(usd).toMatchObject({ available: { amount: '90.00' }, held: { amount: '0.00' } })
}

longTest('before any worker runs, people are answered, and the first worker that starts catches up', async () => {
  expect(await ready()).toEqual([200, ['worker', 'version', 'queues']])
  const s = await scene()
  const made = await beAnswered(s)
  expect(await unseen()).not.toEqual([])
  await work()
  await expectCaughtUp(s, made)
  await eventually(ready).toEqual([200, []])
})

const WAYS: [string, () => Promise<void>][] = [
  ['cut off', () => temporal.cut()],
  ['silent', async () => temporal.hush()],
]
test.each(everyNth(WAYS, 2))(
  'while Temporal is %s people are answered, and everything is seen when it is back',
  async (_, goAway) => {
    await work()
    const s = await scene()
    const { payer: trader, payment: withdrawal } = await taken('crypto')
    await goAway()
    let made: Payment
    try {
      made = await beAnswered(s)
      for (const _time of ['first', 'again'])
        expect((await promptly(() => cancel(trader, withdrawal))).status).toBe('cancelling')
      expect(await ready()).toEqual([200, expect.arrayContaining(['temporal', 'worker'])])
      expect(await unseen()).not.toEqual([])
    } finally {
      await temporal.mend()
    }
    await expectCaughtUp(s, made)
    await become(trader, withdrawal, 'cancelled')
    expect(await holdings(trader, trader.payer.id)).toEqual({ available: 900, held: 0 })
    await eventually(ready).toEqual([200, []])
  },
)
