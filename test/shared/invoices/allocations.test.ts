/** Manual allocations. No worker runs: nothing is allocated by itself. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { api, approve, contact, createPayment, join, organization, person } from '../../support/api.ts'
import { expectRefusal } from '../../support/http/refusals.ts'
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
import { historyOf, invoiceOf, readInvoice, step } from '../../support/invoices/invoices.ts'
import { tamper } from '../../support/ledger/books.ts'
import { main } from '../../../activities/index.ts'
import type { OrganizationId, TransactionId } from '../../../domain/ids.ts'

/** Incoming money without a worker: the test takes the steps of its run. */

const STEPS = {
  allocation: main.matchIncomingPayment,
  proposal: main.proposeInvoices,
  pass: main.passIncomingPayment,
  reconsideration: main.reconsiderProposal,
}

/** Takes the due steps of incoming money, as its run does, until it is at rest. */
async function followMoney(organizationId: string, id: string): Promise<void> {
  const ref = { id: id as TransactionId, organizationId: organizationId as OrganizationId } // as the API answered them
  for (;;) {
    const view = await main.viewIncomingPayment(ref)
    if (view.again) continue
    if (view.at_rest) return
    await STEPS[view.due](ref)
  }
}

const boss = await person({ authenticator: true })

test('a transaction pays a part of an invoice, and the rest makes it paid on the day of the money', async () => {
  const at = await seller(boss)
  const invoice = await sentInvoice(at, '100')
  const [first, second] = [await received(at, '30.00'), await received(at, '80.00')]
  const part = await allocate(boss, invoice.id, first, '30')
  expect(part.status).toBe(201)
  expect(part.body).toEqual({
    id: expect.any(String),
    organization_id: at.id,
    invoice_id: invoice.id,
    transaction_id: first,
    amount: '30.00',
    currency: 'EUR',
    created_by_id: boss.userId,
    inserted_at: expect.any(String),
  })
  expect(await readInvoice(boss, invoice.id)).toMatchObject({ state: 'sent', allocated: '30.00', due_amount: '70.00' })
  const rest = await allocate(boss, invoice.id, second, '70.00')
  const paid = await readInvoice(boss, invoice.id)
  const money = await api('GET', `/transactions/${second}`, { token: boss.token })
  expect(paid).toMatchObject({ state: 'paid', allocated: '100.00', due_amount: '0.00', paid_at: money.body.posted_at })
  expect(paid.completed_at).not.toBe(null)
  expect(await allocationsOf(boss, invoice.id)).toEqual([rest.body, part.body])
  expect(await historyOf(boss, invoice.id)).toEqual([
    'invoice.created',
    'invoice.sent',
    'invoice.allocated',
    'invoice.allocated',
    'invoice.paid',
  ])
  expect(await violationsOf(boss, at.id)).toEqual([])
})

test('more than is left of the transaction or of the invoice is refused with what is available', async () => {
  const at = await seller(boss)
  const [one, other] = [await sentInvoice(at, '100'), await sentInvoice(at, '100')]
  const money = await received(at, '150.00')
  expectRefusal(await allocate(boss, one.id, money, '100.01'), 'allocation_exceeds', { available: '100.00' })
  expect((await allocate(boss, one.id, money, '100')).status).toBe(201)
  expect((await allocate(boss, other.id, money, '50.01')).body.error.details).toEqual({ available: '50.00' })
  expect((await allocate(boss, other.id, money, '0.001')).body.error.type).toBe('amount_precision')
  expect((await readInvoice(boss, other.id)).allocated).toBe('0.00')
})

test('only money that came in, is posted, and is in the currency of the invoice pays; of another organization it does not exist', async () => {
  const at = await seller(boss)
  const invoice = await sentInvoice(at, '10')
  const dollars = await received(at, '10.00', null, { currency: 'USD' })
  const { svcId } = await organization(await person())
  const sent = await createPayment(boss, await contact(boss, at.id, svcId), '1.00')
  await approve(boss, sent)
  const [out] = await owner<{ id: string }[]>`
    select id from transactions where organization_id = ${at.id} and direction = 'out'`
  const pending = await received(at, '10.00')
  await tamper(
    (tx) =>
      tx`update transactions set status = 'pending', running_balance = null, posted_at = null where id = ${pending}`,
  )
  for (const [id, reason] of [
    [dollars, 'other_currency'],
    [out?.id ?? '', 'not_incoming'],
    [pending, 'not_posted'],
  ] as const) {
    expectRefusal(await allocate(boss, invoice.id, id, '10'), 'allocation_exceeds', { available: '0.00', reason })
  }
  const foreign = await received(await seller(), '10.00')
  for (const id of [foreign, randomUUID()])
    expect((await allocate(boss, invoice.id, id, '10')).body.error.type).toBe('not_found')
})

test('only sent and finalized invoices take allocations', async () => {
  const at = await seller(boss)
  const money = await received(at, '500.00')
  const draft = await invoiceOf(boss, at.id, at.contactId)
  expectRefusal(await allocate(boss, draft.id, money, '1'), 'invalid_state', { current: 'draft' })
  const paid = await sentInvoice(at, '10')
  await step(boss, paid.id, 'mark-paid')
  expect((await allocate(boss, paid.id, money, '1')).body.error.details.current).toBe('paid')
  const finalized = await sentInvoice(at, '10')
  await step(boss, finalized.id, 'finalize', { accepted_amount: '8' })
  expect((await allocate(boss, finalized.id, money, '8.01')).body.error.details).toEqual({ available: '8.00' })
  expect((await allocate(boss, finalized.id, money, '8')).status).toBe(201)
  expect((await readInvoice(boss, finalized.id)).state).toBe('paid')
})

test('an allocation that is taken back opens the invoice as it was before, and its money pays another one', async () => {
  const at = await seller(boss)
  const [sent, finalized] = [await sentInvoice(at, '10'), await sentInvoice(at, '10')]
  await step(boss, finalized.id, 'finalize')
  const before = await readInvoice(boss, finalized.id)
  const money = await received(at, '10.00')
  const first = await allocate(boss, sent.id, money, '10')
  const back = await takeBack(boss, sent.id, first.body.id)
  expect([back.status, back.body]).toEqual([200, { deleted: true, id: first.body.id }])
  const open = { state: 'sent', allocated: '0.00', due_amount: '10.00', paid_at: null, completed_at: null }
  expect(await readInvoice(boss, sent.id)).toMatchObject(open)
  expect(await allocationsOf(boss, sent.id)).toEqual([])
  const history = (await historyOf(boss, sent.id)).slice(-2)
  expect(history).toEqual(['invoice.allocation_taken_back', 'invoice.reopened'])
  const second = await allocate(boss, finalized.id, money, '10')
  await takeBack(boss, finalized.id, second.body.id)
  const asBefore = { state: 'finalized', completed_at: before.completed_at, due_amount: '10.00' }
  expect(await readInvoice(boss, finalized.id)).toMatchObject(asBefore)
  expect((await takeBack(boss, finalized.id, second.body.id)).body.error.type).toBe('not_found')
  expect(await owner`select from processes where id = ${finalized.id}`).toHaveLength(1)
  expect(await violationsOf(boss, at.id)).toEqual([])
})

test('marked as paid by a transaction, an invoice takes what is due of it, or nothing if it does not suffice', async () => {
  const at = await seller(boss)
  const invoice = await sentInvoice(at, '10')
  const [short, enough] = [await received(at, '9.99'), await received(at, '12.00')]
  expectRefusal(await step(boss, invoice.id, 'mark-paid', { transaction_id: short }), 'allocation_exceeds', {
    available: '9.99',
  })
  const paid = await step(boss, invoice.id, 'mark-paid', { transaction_id: enough })
  expect(paid.body).toMatchObject({ state: 'paid', allocated: '10.00' })
  expect(await allocationsOf(boss, invoice.id)).toMatchObject([{ transaction_id: enough, amount: '10.00' }])
  const late = await sentInvoice(at, '2')
  const body = { transaction_id: enough, paid_at: '2999-01-01T00:00:00Z' }
  expect((await step(boss, late.id, 'mark-paid', body)).body.error.type).toBe('invalid_request')
  const day = '2026-01-02T03:04:05Z'
  expect((await step(boss, late.id, 'mark-paid', { ...body, paid_at: day })).body.paid_at).toBe(day)
})

test('who may update invoices and not allocate does not mark as paid by a transaction', async () => {
  const at = await seller(boss)
  const member = await person()
  await join(at.id, member, 'member')
  const invoice = await sentInvoice({ ...at, boss: member }, '10')
  expectRefusal(
    await step(member, invoice.id, 'mark-paid', { transaction_id: await received(at, '10.00') }),
    'forbidden',
    { permission: 'billing_invoices.allocate' },
  )
})

test('of many allocations at once of one deposit over several invoices as many are made as it has', async () => {
  const at = await seller(boss)
  const invoices = [await sentInvoice(at, '30'), await sentInvoice(at, '30'), await sentInvoice(at, '30')]
  const money = await received(at, '40.00')
  const answers = await Promise.all([...invoices, ...invoices].map(({ id }) => allocate(boss, id, money, '15')))
  for (const { status } of answers) expect([201, 422, 503]).toContain(status)
  const made = answers.filter(({ status }) => status === 201)
  const now = await Promise.all(invoices.map(({ id }) => readInvoice(boss, id)))
  expect(now.reduce((sum, { allocated }) => sum + Number(allocated), 0)).toBe(made.length * 15)
  expect(await violationsOf(boss, at.id)).toEqual([])
  // concurrent: freed amounts can be used again, and no more
  await Promise.all([
    ...made.map(({ body }) => takeBack(boss, body.invoice_id, body.id)),
    ...invoices.map(({ id }) => allocate(boss, id, money, '30')),
  ])
  expect(await violationsOf(boss, at.id)).toEqual([])
})

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
