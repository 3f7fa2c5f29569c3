/** T9: Temporal’s data is deleted under a running worker: rows in every state end right without another restart. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestPerson } from '../support/api.ts'
import { type Child, startServers, startWorker } from '../support/processes.ts'

const servers = await startServers() // before anything reads the environment
const { api, approve, approvalPath, createPayment, fund, payerAndPayee } = await import('../support/api.ts')
const { IBAN, ...inBatches } = await import('../support/batches/batches.ts')
const inBills = await import('../support/bills/bills.ts')
const { electronic } = await import('../../dev/sample-bills/electronic.ts')
const { billOf } = await import('../../dev/sample-bills/random.ts')
const { billFaults } = await import('../support/chaos/bills.ts')
const { HEADER, TERMS, importFile, newBatch, uploaded } = await import('../support/batches/imports.ts')
const { invoicesUnderWay } = await import('../support/invoices/under-way.ts')
const { fault, usePartners } = await import('../support/partners/partners.ts')
const { advance, cancel, outgoing, payerBy, sent } = await import('../support/payments/payouts.ts')
const { owner } = await import('../support/database.ts')
const { client } = await import('../../temporal/client.ts')
const { currentBuild } = await import('../../temporal/deployment.ts')
const { scheduleId } = await import('../../temporal/schedules.ts')
const { allAreSeen } = await import('../support/runs/runs.ts')
const { until } = await import('../support/until.ts')
const { httpReceiver } = await import('../support/webhooks/receivers.ts')
const { rename, subscribed, tried, verified } = await import('../support/webhooks/webhooks.ts')

const HEALED_MS = 200_000

usePartners()
let worker: Child
beforeAll(async () => {
  worker = await startWorker()
})
afterAll(() => worker.stop())

const eventually = <Found>(what: string, condition: () => Promise<Found | undefined | false>) =>
  until(what, condition, HEALED_MS)

const becomes = (table: 'payments' | 'payment_batches', id: string, status: string) =>
  eventually(`${id} ${status}`, async () => {
    return (await owner`select from ${owner(table)} where id = ${id} and status = ${status}`)[0]
  })

/** Batches in every driven state, without their data in Temporal; returns the end of each. */
async function batchesUnderWay({ boss, payer, payee }: Awaited<ReturnType<typeof payerAndPayee>>) {
  await fund(payer.id, '1000.00', 'EUR')
  const rows = [
    { svc: payee, amount: '1.00' },
    { iban: IBAN, amount: '2.00' },
  ]
  const waits = await inBatches.submitted(boss, payer.id, rows)
  const expires = await inBatches.submitted(boss, payer.id, rows)
  const withdrawn = await inBatches.submitted(boss, payer.id, rows)
  await fault('bank', 'manual', 2)
  const paying = await inBatches.approved(boss, payer.id, rows)
  const stopped = await inBatches.approved(boss, payer.id, rows)
  const taken = await until('the bank to have both', async () => {
    const found = await owner<{ id: string; batch: string }[]>`
      select id, payment_batch_id as batch from payments
      where payment_batch_id = any (${[paying.id, stopped.id]}) and rail = 'fiat' and status = 'processing'`
    return found.length === 2 && found
  })
  expect((await inBatches.cancel(boss, stopped.id)).body.status).toBe('cancelling')
  const imports = await newBatch(boss, payer.id)
  const file = await uploaded(boss, imports, `${HEADER}\n${payee.svcId},,,,1.00,USD,${TERMS}\n`)
  return {
    async goOn() {
      expect((await importFile(boss, imports, file)).status).toBe(202)
      expect((await approve(boss, waits)).body.status).toBe('approved')
      expect((await inBatches.cancel(boss, withdrawn.id)).body.status).toBe('cancelled')
      await owner`update approvals set expires_at = business_now() where id = ${expires.approval_request_id}`
      await owner`update processes set look_at = business_now() where id = ${expires.id}`
      for (const payment of taken) expect((await advance(payment, 'succeeded')).status).toBe(200)
    },
    ends: {
      [imports]: 'draft',
      [waits.id]: 'completed',
      [expires.id]: 'draft',
      [withdrawn.id]: 'cancelled',
      [paying.id]: 'completed',
      [stopped.id]: 'completed', // its rows had begun before the cancellation
    },
  }
}

/** Bills that wait to be read again, for approval, or for the bank; returns the end of each. */
async function billsUnderWay({ boss, payer }: Awaited<ReturnType<typeof payerAndPayee>>) {
  const handIn = async (between?: () => Promise<void>) => {
    const file = await inBills.sentFile(
      boss,
      payer.id,
      Buffer.from(electronic(billOf(12, 'de'), 'ubl-peppol')),
      'application/xml',
    )
    await between?.()
    return (await inBills.create(boss, payer.id, { file_id: file })).body.id as string
  }
  const requested = async (amount: string) => {
    const bill = await inBills.typedBill(boss, payer.id, { amount, bill_number: amount })
    return (await inBills.requestPayment(boss, bill.id)).body
  }
  const unread = await handIn(() => fault('storage', 'down', 1))
  await until('a try that failed', async () => {
    const [row] = await owner`select tries, ask_at from bills where id = ${unread}`
    return row?.['tries'] === 1 && row['ask_at'] !== null
  })
  const [waits, expires, underWay] = [await requested('1.00'), await requested('2.00'), await requested('3.00')]
  await fault('bank', 'manual', 1)
  await approve(boss, underWay)
  await becomes('payments', underWay.fiat_outgoing_id, 'processing')
  let later = ''
  return {
    async goOn() {
      later = await handIn()
      expect((await approve(boss, waits)).body.status).toBe('approved')
      await owner`update approvals set expires_at = business_now() where id = ${expires.approval_request_id}`
      await owner`update processes set look_at = business_now() where id = ${expires.fiat_outgoing_id}`
      expect((await advance({ id: underWay.fiat_outgoing_id }, 'failed')).status).toBe(200)
    },
    async end() {
      for (const id of [unread, later, expires.id, underWay.id]) {
        const { bill } = await eventually(`bill ${id} extracted`, async () => {
          const found = await inBills.detail(boss, id)
          return found.bill.status === 'extracted' && found
        })
        expect(bill).toMatchObject({ extraction_failed_at: null, fiat_outgoing_id: null, iban: expect.any(String) })
      }
      await becomes('payments', waits.fiat_outgoing_id, 'succeeded')
      expect(await billFaults()).toEqual([])
    },
  }
}

/** An idle endpoint, and one whose delivery is to be retried. */
async function endpointsUnderWay(boss: TestPerson) {
  const begun = async (firstAnswer: number) => {
    let answer = firstAnswer
    const receiver = await httpReceiver((_, response) => {
      response.writeHead(answer).end()
      answer = 204
    })
    const at = await subscribed(boss, receiver, { types: ['organization.updated'] })
    await rename(at, 'One')
    await tried(at, 1)
    return { at, receiver }
  }
  const all = [await begun(204), await begun(500)]
  return {
    async goOn() {
      for (const { at } of all) await rename(at, 'Two')
    },
    async end() {
      for (const { at, receiver } of all) {
        const places = () => verified(receiver, at.secret).map(({ data }) => data.seq as number)
        await eventually('both names', async () => new Set(places()).size === 2)
        expect(places()).toEqual(places().toSorted((a, b) => a - b))
      }
    },
  }
}

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
  for (const payment of [underWay, held, withdrawn]) await becomes('payments', payment.id, 'processing')
  await advance(held, 'on_hold')
  await becomes('payments', held.id, 'on_hold')
  expect((await cancel(coins, withdrawn)).body.status).toBe('cancelling')
  const batches = await batchesUnderWay(internal)
  const bills = await billsUnderWay(internal)
  const invoices = await invoicesUnderWay(internal.boss)
  const endpoints = await endpointsUnderWay(internal.boss)
  await allAreSeen()

  await servers.temporal.wipe()
  expect((await approve(internal.boss, waits)).body.status).toBe('approved')
  expect((await approve(bank.boss, asked)).body.status).toBe('approved')
  expect((await createPayment(internal.boss, internal.contactId)).status).toBe('awaiting_approval')
  await owner`update approvals set expires_at = business_now() where id = ${expires.approval_request_id}`
  await owner`update processes set look_at = business_now() where id = ${expires.id}`
  expect((await advance(underWay, 'succeeded')).status).toBe(200)
  expect((await advance(held, 'failed')).status).toBe(200)
  await batches.goOn()
  await bills.goOn()
  await invoices.goOn()
  await endpoints.goOn()
  await advance(withdrawn, 'cancelled') // otherwise the custodian decides after three seconds

  const ends = { succeeded: [waits, asked, underWay], cancelled: [expires, withdrawn], failed: [held] }
  for (const [status, payments] of Object.entries(ends)) {
    for (const { id } of payments) await becomes('payments', id, status)
  }
  for (const [id, end] of Object.entries(batches.ends)) await becomes('payment_batches', id, end)
  await bills.end()
  await invoices.end()
  await endpoints.end()
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
  await allAreSeen(HEALED_MS)
})
