/** SIGKILL to worker and API while money comes and people allocate it: nothing pays twice. */
import { beforeAll, expect, test } from 'vitest'
import { person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { MortalWorker } from '../../support/faults/mortal.ts'
import { replayAll } from '../../support/histories/replayed.ts'
import { seller, sentInvoice, violationsOf } from '../../support/invoices/allocations.ts'
import { call, startApi } from '../../support/processes.ts'
import { until } from '../../support/until.ts'

const boss = await person()
const worker = new MortalWorker()

beforeAll(() => worker.start())

test('money that comes and people who allocate it at once, while worker and API are killed: nothing pays twice', async () => {
  const at = await seller(boss)
  const invoices: { id: string; number: string }[] = []
  for (let count = 0; count < 8; count += 1) invoices.push(await sentInvoice(at, '25'))
  let served = await startApi()
  const ask = (method: string, path: string, body?: object) =>
    call(served, method, path, { token: boss.token, ...(body && { body }) }).catch(() => undefined) // it was killed
  const deposit = async (text: string, amount: string) => {
    const sender = { name: null, reference: text }
    const money = { amount, currency: 'EUR' }
    const body = { organization_id: at.id, rail: 'fiat', amount: money, sender }
    return (await ask('POST', '/sandbox/deposits', body))?.body?.transaction_id as string | undefined
  }
  const pay = async ({ id, number }: { id: string; number: string }, index: number) => {
    const other = invoices[(index + 1) % invoices.length]! // there are eight
    const [one, two] = await Promise.all([
      deposit(number, '25.00'),
      deposit(`${number} ${other.number}`, '50.00'),
      deposit(number, '25.00'),
    ])
    const path = `/invoices/${id}`
    await Promise.all([
      ask('POST', `${path}/allocations`, { transaction_id: one, amount: '25' }),
      ask('POST', `/invoices/${other.id}/allocations`, { transaction_id: one, amount: '10' }),
      ask('POST', `${path}/mark-paid`, { transaction_id: two }),
      ask('POST', `${path}/finalize`, { accepted_amount: '20' }),
    ])
    const listed = await ask('GET', `${path}/allocations`)
    for (const { id: allocation } of listed?.body?.data ?? []) await ask('DELETE', `${path}/allocations/${allocation}`)
  }
  const paying = Promise.all(invoices.map(pay))
  for (let times = 0; times < 2; times += 1) {
    await worker.kill()
    await worker.start()
    await served.kill()
    served = await startApi()
    await Promise.all(invoices.map(pay))
  }
  await paying
  await served.stop()
  const looked = async () => {
    const waiting = await owner`select from incoming_payments where organization_id = ${at.id} and status = 'matching'`
    return waiting.length === 0
  }
  // a worker that dies in its sweep has signalled no one; its rows are taken again after half a minute
  await until('all money to be looked at', looked, 100_000)
  expect(await violationsOf(boss, at.id)).toEqual([])
  const wrong = await owner`
    select i.number from invoices i where i.organization_id = ${at.id} and (
      i.allocated <> (select coalesce(sum(amount), 0) from invoice_allocations a
        where a.invoice_id = i.id and a.taken_back_at is null)
      or (i.status = 'paid') <> (i.allocated >= coalesce(i.accepted_amount, i.total)))
    union all
    select t.id::text from transactions t join invoice_allocations a on a.transaction_id = t.id
    where t.organization_id = ${at.id} and a.taken_back_at is null group by t.id having sum(a.amount) > t.amount`
  expect(wrong).toEqual([])
  const { faults } = await replayAll()
  expect(faults).toEqual([])
})
