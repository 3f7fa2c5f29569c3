/** SIGKILL to the worker in executions on a date: each payment is held and ordered once. */
import { beforeAll, expect, test, vi } from 'vitest'
import { approve, payerAndPayee } from '../../support/api.ts'
import { draftOf, ended, outcomes, submit } from '../../support/batches/batches.ts'
import { owner } from '../../support/database.ts'
import { closeGate, installGates } from '../../support/faults/gates.ts'
import { faultsOfAll } from '../../support/histories/replayed.ts'
import { payoutAt, usePartners } from '../../support/partners/partners.ts'
import { type Rail, PARTNER, become, eventsOf, payerBy, violations } from '../../support/payments/payouts.ts'
import { businessDay, moveToHour, scheduled } from '../../support/payments/schedules.ts'
import { startWorker } from '../../support/processes.ts'

// steps at a gate leave connections free
vi.hoisted(() => Object.assign(process.env, { DATABASE_POOL_SIZE: '40' }))

usePartners()

const RAILS: readonly Rail[] = ['fiat', 'crypto']
/** Steps at which the worker dies: in the transaction that holds the money, and before the order is recorded. */
const MOMENTS = ['settle', 'look'] as const

type Case = Awaited<ReturnType<typeof waiting>> & { readonly rail: Rail; readonly moment: (typeof MOMENTS)[number] }

async function waiting(rail: Rail, day: string) {
  const payer = await payerBy(rail)
  return { payer, payment: await scheduled(payer, day) }
}

const cases: Case[] = []
let batch: Parameters<typeof approve>[1] & { id: string }
let begun: number

beforeAll(async () => {
  await installGates({
    settle: { on: 'update on payments', when: "old.status = 'scheduled' and new.status <> 'scheduled'" },
    look: { on: 'update on payments', when: "old.status = 'submitted' and new.status <> 'submitted'" },
    create: { on: 'insert on payments', when: 'new.payment_batch_id is not null' },
  })
  const day = await businessDay()
  for (const rail of RAILS) for (const moment of MOMENTS) cases.push({ rail, moment, ...(await waiting(rail, day)) })
  const { boss, payer, payee } = await payerAndPayee('100.00')
  const rows = [1, 2, 3].map((amount) => ({ svc: payee, amount: `${amount}.00` }))
  ;({ body: batch } = await submit(boss, await draftOf(boss, payer.id, rows), { execute_on: day }))
  await approve(boss, batch)
  const worker = await startWorker()
  const gates = await Promise.all([
    ...cases.map(({ payer: at, moment }) => closeGate(moment, at.payer.id)),
    closeGate('create', payer.id),
  ])
  await moveToHour(day, 6)
  for (const gate of gates) await gate.waiting()
  begun = (await owner`select from payments where payment_batch_id = ${batch.id}`).length
  await worker.kill()
  for (const gate of gates) await gate.open()
  await startWorker()
}, 120_000)

test.each(RAILS.flatMap((rail) => MOMENTS.map((moment) => ({ rail, moment }))))(
  'a payment by $rail on a date is held and ordered once, when its worker is killed at $moment',
  async ({ rail, moment }) => {
    const { payer, payment } = cases.find((one) => one.rail === rail && one.moment === moment)! // there is one of each
    await become(payer, payment, 'succeeded')
    expect(await payoutAt(PARTNER[rail], payment.id)).toMatchObject({ status: 'settled' })
    const held = await owner`select from ledger_transfers where key = ${`payment:${payment.id}:reserve`}`
    expect(held).toHaveLength(1)
    const events = await eventsOf(payer, payment)
    expect(new Set(events).size).toBe(events.length)
    expect(await violations(payer, payer.payer.id)).toEqual([])
  },
)

test('a batch on a date pays each row once, when its worker is killed in its first page', async () => {
  expect(begun).toBe(0)
  await ended(batch.id)
  expect(await outcomes(batch.id)).toHaveLength(3)
  expect(await owner`select from payments where payment_batch_id = ${batch.id} and status = 'succeeded'`).toHaveLength(
    3,
  )
})

test('every history is replayed by the code that wrote it', async () => {
  expect(await faultsOfAll(cases.length + 1)).toEqual([])
})
