/** `POST …/advance` of the sandbox follows the arrows of states.md, by callbacks. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, api, createPayment, payerAndPayee } from '../../support/api.ts'
import { refusal } from '../../support/http/refusals.ts'
import { fault, payoutAt, usePartners } from '../../support/partners/partners.ts'
import { type Rail, advance, become, cancel, outgoing, payerBy, read, sent } from '../../support/payments/payouts.ts'
import { useWorker } from '../../support/worker.ts'
import { partnerOf } from '../../../domain/rails.ts'
import { everyNth } from '../../support/model-runs.ts'

usePartners()
useWorker()
const TARGETS = ['processing', 'on_hold', 'succeeded', 'failed', 'reversed', 'cancelled'] as const
type Target = (typeof TARGETS)[number]

/** The way to each state of a manual payment, and the targets from there. */
const FROM: Readonly<Record<string, { path: Target[]; allowed: Target[] }>> = {
  processing: { path: ['processing'], allowed: ['on_hold', 'succeeded', 'failed'] },
  on_hold: { path: ['on_hold'], allowed: ['processing', 'failed'] },
  succeeded: { path: ['succeeded'], allowed: ['reversed'] },
  failed: { path: ['failed'], allowed: [] },
  reversed: { path: ['succeeded', 'reversed'], allowed: [] },
}

async function manuals(rail: Rail, count: number) {
  await fault(partnerOf(rail), 'manual', count * 2) // an order that is repeated takes one, too
  const payer = await payerBy(rail)
  const make = async () => {
    const payment = await sent(payer, '10.00')
    await become(payer, payment, 'processing')
    return { payer, payment }
  }
  return Promise.all(Array.from({ length: count }, make))
}
type Manual = Awaited<ReturnType<typeof manuals>>[number]
const manual = async (rail: Rail) => (await manuals(rail, 1))[0] as Manual

describe.each(['fiat', 'crypto'] as const)('by %s', (rail) => {
  /** In `npm test`, each rail takes a quarter of the arrows, different from the other rail's. */
  const half = rail === 'fiat' ? 0 : 1
  const arrows = Object.entries(FROM).flatMap(([status, { path, allowed }]) =>
    allowed.map((to) => [status, to, path] as const),
  )
  const STEPS = everyNth(arrows, 4, half * 2)
  const ENDS = everyNth(Object.entries(FROM), 4, half * 2)

  const ready: Manual[] = []
  const next = () => ready.pop() as Manual
  beforeAll(async () => void ready.push(...(await manuals(rail, STEPS.length + ENDS.length))))

  test.each(STEPS)('from %s to %s', async (_, to, path) => {
    const { payer, payment } = next()
    for (const step of path) expect((await advance(payment, step)).body.status).toBe(step)
    const answer = await advance(payment, to, 'because')
    expect([answer.status, answer.body.status, answer.body.status_detail]).toEqual([200, to, 'because'])
    expect(answer.body).toEqual(await read(payer, payment))
  })

  test.each(ENDS)('from %s to nowhere else', async (status, { path, allowed }) => {
    const { payer, payment } = next()
    for (const step of path) await advance(payment, step)
    for (const to of TARGETS.filter((target) => !allowed.includes(target))) {
      const error = { type: 'invalid_state', details: { current: status } }
      expect(await advance(payment, to), to).toMatchObject({ status: 409, body: { error } })
    }
    expect((await read(payer, payment)).status).toBe(status)
  })
})

test.each(['processing', 'cancelled'] as const)('who cancels waits for the custodian: %s', async (to) => {
  const { payer, payment } = await manual('crypto')
  expect((await cancel(payer, payment)).status).toBe(200)
  const answer = await advance(payment, to)
  expect([answer.status, answer.body.status, answer.body.cancellable]).toEqual([200, to, false])
  expect(await payoutAt('custodian', payment.id)).toMatchObject({ status: to })
})

test('one that is just being submitted is waited for', async () => {
  const payer = await payerBy('fiat')
  await fault('bank', 'manual', 1)
  await fault('bank', 'error', 1)
  const payment = await sent(payer)
  expect((await advance(payment, 'failed')).body.status).toBe('failed')
})

test('of several at once one moves it', async () => {
  const { payment } = await manual('fiat')
  const answers = await Promise.all(Array.from({ length: 6 }, () => advance(payment, 'failed')))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(5)
  expect(await payoutAt('bank', payment.id)).toMatchObject({ status: 'rejected', version: 2 })
})

test('refused: one that waits for approval, one by service ID, an unknown one, a wrong body', async () => {
  const payer = await payerBy('fiat')
  const { boss, contactId } = await payerAndPayee()
  const failed = { to: 'failed', reason: ' ' }
  const blank = await api('POST', `/sandbox/payments/${randomUUID()}/advance`, { body: failed })
  const answers: [Answer, number, string][] = [
    [await advance(await outgoing(payer), 'succeeded'), 409, 'invalid_state'],
    [await advance(await createPayment(boss, contactId), 'succeeded'), 409, 'invalid_state'],
    [await advance({ id: randomUUID() }, 'succeeded'), 404, 'not_found'],
    [await advance({ id: 'nonsense' }, 'succeeded'), 400, 'invalid_request'],
    [await advance({ id: randomUUID() }, 'submitted'), 400, 'invalid_request'],
    [blank, 400, 'invalid_request'],
  ]
  for (const [answer, status, type] of answers) expect(refusal(answer)).toEqual([status, type])
})
