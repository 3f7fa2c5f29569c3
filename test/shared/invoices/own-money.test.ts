/** An invoice is paid at the moment its own money arrives. No worker: each step is the test's. */
import { describe, expect, test } from 'vitest'
import { api, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import {
  type Seller,
  allocate,
  allocationsOf,
  received,
  seller,
  sentInvoice,
  takeBack,
  violationsOf,
} from '../../support/invoices/allocations.ts'
import { followMoney } from '../../support/invoices/incoming.ts'
import { historyOf, readInvoice, step } from '../../support/invoices/invoices.ts'

const boss = await person({ authenticator: true })

/** Looks at incoming money and returns its state; undefined without a process. */
async function look(at: Seller, money: string): Promise<string | undefined> {
  await followMoney(at.id, money)
  const [row] = await owner<{ status: string }[]>`select status from incoming_payments where id = ${money}`
  return row?.status
}

const asked = async (at: Seller): Promise<string[]> =>
  (await api('GET', `/organizations/${at.id}/attention?kind=allocate_deposit`, { token: boss.token })).body.data.map(
    (item: { action: { transaction_id: string } }) => item.action.transaction_id,
  )

async function expectPaidBy(at: Seller, invoice: string, money: string): Promise<void> {
  expect(await readInvoice(boss, invoice)).toMatchObject({ state: 'paid', allocated: '50.00', due_amount: '0.00' })
  expect(await allocationsOf(boss, invoice)).toMatchObject([{ transaction_id: money, created_by_id: null }])
  const [paid] = await owner`
    select payload::json ->> 'elsewhere' as elsewhere, payload::json ->> 'transaction_id' as by from events
    where subject_id = ${invoice} and type = 'invoice.paid' order by occurred_at desc, id desc limit 1`
  expect(paid).toEqual({ elsewhere: 'false', by: money })
  expect(await violationsOf(boss, at.id)).toEqual([])
}

describe('mark-paid and the money of the invoice itself', () => {
  test('after the deposit is booked and before it is looked at: the mark allocates it', async () => {
    const at = await seller(boss)
    const [invoice] = [await sentInvoice(at, '50'), await sentInvoice(at, '50')]
    const money = await received(at, '50.00', invoice.number)
    const marked = await step(boss, invoice.id, 'mark-paid', { paid_at: '2026-03-01T12:00:00Z' })
    expect(marked.body).toMatchObject({ state: 'paid', allocated: '50.00', paid_at: '2026-03-01T12:00:00Z' })
    await expectPaidBy(at, invoice.id, money)
    expect(await look(at, money)).toBe('allocated')
    expect(await asked(at)).toEqual([])
  })

  test('before the deposit is booked: it is allocated all the same, and the invoice is not paid elsewhere', async () => {
    const at = await seller(boss)
    const invoice = await sentInvoice(at, '50')
    await step(boss, invoice.id, 'finalize')
    expect((await step(boss, invoice.id, 'mark-paid')).status).toBe(200)
    const money = await received(at, '50.00', `pays ${invoice.number}`)
    expect(await look(at, money)).toBe('allocated')
    await expectPaidBy(at, invoice.id, money)
    expect((await historyOf(boss, invoice.id)).slice(-4)).toEqual([
      'invoice.paid',
      'invoice.reopened',
      'invoice.allocated',
      'invoice.paid',
    ])
  })

  test('ten minutes later, of another amount, or for an invoice that money has paid, it stays as it was said', async () => {
    const at = await seller(boss)
    const [late, other, paid] = [await sentInvoice(at, '50'), await sentInvoice(at, '60'), await sentInvoice(at, '70')]
    for (const { id } of [late, other]) await step(boss, id, 'mark-paid')
    await allocate(boss, paid.id, await received(at, '70.00', 'x'), '70')
    await owner`update invoices set paid_elsewhere_at = business_now() - interval '10 minutes' where id = ${late.id}`
    const moneys = [
      await received(at, '50.00', late.number),
      await received(at, '59.00', other.number),
      await received(at, '70.00', paid.number),
    ]
    for (const money of moneys) expect(await look(at, money)).toBe('unrelated')
    expect((await readInvoice(boss, late.id)).allocated).toBe('0.00')
    expect((await readInvoice(boss, other.id)).allocated).toBe('0.00')
  })

  test('money that names two open invoices pays none by a mark, and is asked about while one of them is open', async () => {
    const at = await seller(boss)
    const [one, other] = [await sentInvoice(at, '50'), await sentInvoice(at, '50')]
    const money = await received(at, '50.00', `${one.number} ${other.number}`)
    await step(boss, one.id, 'mark-paid')
    expect((await readInvoice(boss, one.id)).allocated).toBe('0.00')
    expect(await look(at, money)).toBe('proposed')
    expect(await asked(at)).toEqual([money])
    await step(boss, other.id, 'mark-paid')
    expect((await readInvoice(boss, other.id)).allocated).toBe('0.00')
    expect([await look(at, money), await asked(at)]).toEqual(['unrelated', []])
  })
})

test('money is proposed exactly as long as a part of it is left and an invoice that it may pay is open', async () => {
  const at = await seller(boss)
  const invoice = await sentInvoice(at, '50')
  const money = await received(at, '49.00', invoice.number)
  expect(await look(at, money)).toBe('proposed')
  const due = async () => owner`select why from processes where id = ${money}`
  expect(await due()).toEqual([])
  await step(boss, invoice.id, 'mark-paid')
  expect(await due()).toEqual([{ why: 'candidates_changed' }])
  expect([await look(at, money), await asked(at)]).toEqual(['unrelated', []])

  const next = await sentInvoice(at, '40')
  const more = await received(at, '45.00', next.number)
  expect(await look(at, more)).toBe('proposed')
  const { body: allocation } = await allocate(boss, next.id, more, '40')
  expect([await look(at, more), await asked(at)]).toEqual(['unrelated', []])
  await takeBack(boss, next.id, allocation.id)
  expect([await look(at, more), await asked(at)]).toEqual(['proposed', [more]])
  const { body: large } = await allocate(boss, (await sentInvoice(at, '45')).id, more, '45')
  expect(large.amount).toBe('45.00')
  expect([await look(at, more), await asked(at)]).toEqual(['allocated', []])
})
