/** The driver of files and the stand-in of a bank: money goes out and comes in, by files alone. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { visit } from '../../support/bank-files/bank.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { advance, become, payerBy, sent, taken } from '../../support/payments/payouts.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

await vi.hoisted(async () => {
  const { connectStandIn } = await import('../../support/bank-files/connecting.ts')
  connectStandIn()
})
usePartners()
useWorker()

/** Visits the bank again and again, as the schedule does. */
const stopping = new AbortController()
let visiting: Promise<void>
beforeAll(() => {
  visiting = (async () => {
    while (!stopping.signal.aborted) {
      await visit().catch(() => {})
      await delay(100, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()
})
afterAll(async () => {
  stopping.abort()
  await visiting
})

test('a payment leaves in a file and settles by the entry of the bank', async () => {
  const payer = await payerBy('fiat')
  await become(payer, await sent(payer), 'succeeded')
})

test('money of the sandbox is known again in the file of the bank, and credited once', async () => {
  const { payer } = await payerBy('fiat', '321.00')
  const [booked] = await owner<{ id: string }[]>`
    select partner_deposit_id as id from deposits where organization_id = ${payer.id}`
  await until('the bank has told of it', async () => {
    const told = await owner`select from bank_entry_parts where id = ${booked?.id ?? ''} and kind = 'deposit'`
    return told.length > 0
  })
  const [all] = await owner`
    select count(*)::int as count from deposits d full join unmatched_deposits u on false
    where '321' in (trunc(d.amount)::text, trunc(u.amount)::text)`
  expect(all?.['count']).toBe(1)
})

test('a payment goes where the sandbox moves it, and comes back short', async () => {
  const { payer, payment } = await taken('fiat')
  for (const [to, reason] of [['succeeded'], ['reversed', 'AC04']] as const) {
    expect((await advance(payment, to, reason)).status).toBe(200)
    await become(payer, payment, to) // its answer waits for the bank's file as long as a request may take
  }
})
