/** SIGKILL to the worker between a partner and the record of what it took: each payment is paid once. */
import { beforeAll, expect, test, vi } from 'vitest'
import { closeGate, installGates } from '../../support/faults/gates.ts'
import { faultsOfAll } from '../../support/histories/replayed.ts'
import { payoutAt, usePartners } from '../../support/partners/partners.ts'
import {
  PARTNER,
  type Rail,
  become,
  eventsOf,
  payerBy,
  read,
  sent,
  violations,
} from '../../support/payments/payouts.ts'
import { startWorker } from '../../support/processes.ts'

// callbacks at a gate leave connections free
vi.hoisted(() => Object.assign(process.env, { DATABASE_POOL_SIZE: '40' }))

usePartners()

const RAILS: readonly Rail[] = ['fiat', 'crypto']

/** A payment at its partner, whose update waits at the gate before it is recorded. */
async function unrecorded(rail: Rail) {
  const payer = await payerBy(rail)
  const gate = await closeGate('settle', payer.payer.id)
  const payment = await sent(payer)
  await gate.waiting()
  expect(await payoutAt(PARTNER[rail], payment.id)).toBeDefined()
  expect(await read(payer, payment)).toMatchObject({ status: 'submitted' })
  return { payer, payment, gate }
}

const taken = new Map<Rail, Awaited<ReturnType<typeof unrecorded>>>()

/** Both are under way when the one worker dies, and continue with the next one. */
beforeAll(async () => {
  await installGates({
    settle: { on: 'update on payments', when: "old.status = 'submitted' and new.status <> 'submitted'" },
  })
  const worker = await startWorker()
  for (const rail of RAILS) taken.set(rail, await unrecorded(rail))
  await worker.kill()
  for (const { gate } of taken.values()) await gate.open()
  await startWorker()
})

test.each(RAILS)('a payment by %s that its partner took, and nobody recorded, is paid once', async (rail) => {
  const { payer, payment } = taken.get(rail)! // there is one by each
  await become(payer, payment, 'succeeded')
  expect(await payoutAt(PARTNER[rail], payment.id)).toMatchObject({ status: 'settled' })
  const events = await eventsOf(payer, payment)
  expect(new Set(events).size).toBe(events.length)
  expect(await violations(payer, payer.payer.id)).toEqual([])
})

test('every history is replayed by the code that wrote it', async () => {
  expect(await faultsOfAll(RAILS.length)).toEqual([])
})
