/** Incoming payments: certain matches are allocated, others are proposed to people. */
import { expect, test } from 'vitest'
import { api, contact, createPayment, approve, fund, join, organization, person } from '../../support/api.ts'
import { expectRefusal } from '../../support/http/refusals.ts'
import { owner } from '../../support/database.ts'
import { answer, arriveCrypto, OWN } from '../../support/deposits/deposits.ts'
import {
  allocate,
  allocationsOf,
  matched,
  received,
  seller,
  sentInvoice,
  takeBack,
  violationsOf,
} from '../../support/invoices/allocations.ts'
import { invoiceOf, readInvoice, step } from '../../support/invoices/invoices.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const boss = await person({ authenticator: true })

const toAllocate = async (by: { token: string }, id: string) =>
  (await api('GET', `/organizations/${id}/attention?kind=allocate_deposit`, { token: by.token })).body.data

test('a deposit that names one open invoice and brings what is due pays it by itself, and the log says why', async () => {
  const at = await seller(boss)
  const invoice = await sentInvoice(at, '119')
  const other = await sentInvoice(at, '119')
  const money = await received(at, '119.00', `Rechnung ${invoice.number.toLowerCase().replace('-', ' ')}, danke`)
  expect(await matched(money)).toBe('allocated')
  expect(await readInvoice(boss, invoice.id)).toMatchObject({ state: 'paid', allocated: '119.00' })
  expect((await readInvoice(boss, other.id)).state).toBe('sent')
  const [allocation] = await allocationsOf(boss, invoice.id)
  expect(allocation).toMatchObject({ transaction_id: money, amount: '119.00', created_by_id: null })
  const events = await api('GET', `/invoices/${invoice.id}/events?limit=100`, { token: boss.token })
  const said = events.body.data.find((event: { event_type: string }) => event.event_type === 'invoice.allocated')
  expect(JSON.stringify(said)).toContain('number')
  const [cause] = await owner`select type from events where id = ${said.causation_id}`
  expect(cause).toEqual({ type: 'deposit.credited' })
  expect(await toAllocate(boss, at.id)).toEqual([])
  // a removed allocation is not made again
  await takeBack(boss, invoice.id, allocation.id)
  expect(await toAllocate(boss, at.id)).toEqual([])
  expect((await readInvoice(boss, invoice.id)).state).toBe('sent')
  expect(await violationsOf(boss, at.id)).toEqual([])
})

test('a payment by service ID, and coins that were held, are looked at as deposits by bank are', async () => {
  const at = await seller(boss)
  const invoice = await sentInvoice(at, '10', { currency: 'USD', buyer_reference: 'Invoice 1' })
  const payer = await organization(boss)
  await fund(payer.id, '100.00')
  const [handle] = await owner<{ svc_id: string }[]>`select svc_id from organizations where id = ${at.id}`
  const payment = await createPayment(boss, await contact(boss, payer.id, handle?.svc_id ?? ''), '10.00')
  await approve(boss, payment)
  await until('it is allocated', async () => (await readInvoice(boss, invoice.id)).state === 'paid')
  expect(await allocationsOf(boss, invoice.id)).toMatchObject([{ amount: '10.00', created_by_id: null }])
  const open = await sentInvoice(at, '7', { currency: 'USD' })
  await owner`update invoices set currency = 'USDC', total = 1000, net_total = 1000 where id = ${open.id}`
  const held = await arriveCrypto(at.id, '1000')
  await answer(boss, held.id, OWN)
  expect(await matched(held.transaction_id)).toBe('proposed')
})

test('what is less sure is asked of people with the invoices that it may pay, until it is allocated', async () => {
  const at = await seller(boss)
  const member = await person()
  await join(at.id, member, 'member')
  const [one, other] = [await sentInvoice(at, '50'), await sentInvoice(at, '50')]
  const money = await received(at, '50.00', 'thank you', { name: 'Lindenhof GmbH' })
  expect(await matched(money)).toBe('proposed')
  const [item] = await toAllocate(boss, at.id)
  expect(item).toMatchObject({
    severity: 'action',
    actionable_by_viewer: true,
    action: { transaction_id: money, invoice_ids: expect.arrayContaining([one.id, other.id]) },
    subject: { type: 'transaction', transaction_id: money },
  })
  expect(item.summary).toContain('50.00 EUR from "Lindenhof GmbH"')
  expect(await toAllocate(member, at.id)).toEqual([])
  await allocate(boss, one.id, money, '20')
  expect(await toAllocate(boss, at.id)).toHaveLength(1)
  await allocate(boss, other.id, money, '30')
  expect(await toAllocate(boss, at.id)).toEqual([])
})

test('of two deposits at once for one invoice one pays it', async () => {
  const at = await seller(boss)
  const invoice = await sentInvoice(at, '50')
  const money = await Promise.all([1, 2].map(() => received(at, '50.00', invoice.number)))
  const became = await Promise.all(money.map(matched))
  expect(became.filter((status) => status === 'allocated')).toHaveLength(1)
  expect(await readInvoice(boss, invoice.id)).toMatchObject({ state: 'paid', allocated: '50.00' })
  expect(await allocationsOf(boss, invoice.id)).toHaveLength(1)
  expect(await violationsOf(boss, at.id)).toEqual([])
})

test('money for an organization without an open invoice in the currency is nobody’s question', async () => {
  const at = await seller(boss)
  await invoiceOf(boss, at.id, at.contactId)
  await sentInvoice(at, '50', { currency: 'USD' })
  expect(await matched(await received(at, '50.00', 'INV-000001'))).toBe(undefined)
})

test('the sandbox has a customer pay: what is due, or a part, under the number of the invoice', async () => {
  const at = await seller(boss)
  const invoice = await sentInvoice(at, '50')
  const path = `/sandbox/invoices/${invoice.id}/pay`
  const part = await api('POST', path, { body: { amount: '20' } })
  const amount = { amount: '20.00', currency: 'EUR' }
  expect(part).toMatchObject({ status: 201, body: { amount, source: { reference: invoice.number } } })
  expect(await matched(part.body.transaction_id)).toBe('proposed')
  await allocate(boss, invoice.id, part.body.transaction_id, '20')
  const rest = await api('POST', path, { body: {} })
  expect(rest.body.amount).toEqual({ amount: '30.00', currency: 'EUR' })
  expect(await matched(rest.body.transaction_id)).toBe('allocated')
  expect((await readInvoice(boss, invoice.id)).state).toBe('paid')
  expect((await api('POST', path, { body: {} })).body.error.details.current).toBe('paid')
  const { id: free } = await sentInvoice(at, '0')
  const refused = await api('POST', `/sandbox/invoices/${free}/pay`, { body: {} })
  expectRefusal(refused, 'invalid_state', { reason: 'nothing_due' })
})

test('a late invoice, and one whose mails did not arrive for three days, are asked of who may do something', async () => {
  const at = await seller(boss)
  const member = await person()
  await join(at.id, member, 'member')
  const [late, lost] = [await sentInvoice(at, '50'), await sentInvoice(at, '60')]
  const own = await sentInvoice({ ...at, boss: member }, '70')
  await owner`update invoices set issue_date = '2026-01-01', due_date = '2026-01-31' where id = any (${[late.id, own.id]})`
  await owner`
    insert into invoice_mails (id, organization_id, invoice_id, kind, recipient, status, message_id, inserted_at)
    select gen_random_uuid(), organization_id, id, 'invoice', 'nobody@example.com', 'failed', gen_random_uuid(),
      business_now() - make_interval(days => case id when ${lost.id} then 3 else 2 end)
    from invoices where id = any (${[lost.id, late.id]})`
  const path = `/organizations/${at.id}/attention`
  const list = async (by: { token: string }, kind: string) =>
    (await api('GET', `${path}?kind=${kind}`, { token: by.token })).body.data
  const overdue = await list(boss, 'overdue_invoice')
  expect(overdue.map((one: { subject: { invoice_id: string } }) => one.subject.invoice_id).toSorted()).toEqual(
    [late.id, own.id].toSorted(),
  )
  expect(overdue[0]).toMatchObject({ severity: 'action', summary: expect.stringContaining('2026-01-31') })
  expect(await list(member, 'overdue_invoice')).toMatchObject([{ subject: { type: 'invoice', invoice_id: own.id } }])
  expect(await list(boss, 'undelivered_invoice')).toMatchObject([
    { action: { kind: 'undelivered_invoice', invoice_id: lost.id } },
  ])
  expect(await list(member, 'undelivered_invoice')).toEqual([])
  await owner`update invoice_mails set status = 'delivered' where invoice_id = ${lost.id}`
  expect(await list(boss, 'undelivered_invoice')).toEqual([])
  await step(boss, late.id, 'mark-paid')
  await step(boss, own.id, 'finalize')
  expect(await list(boss, 'overdue_invoice')).toEqual([])
})

test('the summary says what is owed, late, paid and not sent by currency, and what was invoiced and paid by month', async () => {
  const at = await seller(boss)
  await sentInvoice(at, '100')
  const [late, accepted] = [await sentInvoice(at, '50'), await sentInvoice(at, '40')]
  const partly = await sentInvoice(at, '30')
  await sentInvoice(at, '1000', { currency: 'JPY' })
  await invoiceOf(boss, at.id, at.contactId)
  await owner`update invoices set issue_date = '2026-01-15', due_date = '2026-01-31' where id = ${late.id}`
  await step(boss, accepted.id, 'finalize', { accepted_amount: '35' })
  await step(boss, accepted.id, 'mark-paid', { paid_at: '2026-02-28T23:59:59Z' })
  await allocate(boss, partly.id, await received(at, '10.00', 'x'), '10')
  const path = `/organizations/${at.id}/invoices/summary`
  const { status, body } = await api('GET', `${path}?from=2026-01&to=2030-03`, { token: boss.token })
  expect(status).toBe(200)
  expect(body).toEqual({
    by_currency: [
      { currency: 'EUR', outstanding: '170.00', overdue: '50.00', paid: '35.00', credited: '0.00', draft: '172.50' },
      { currency: 'JPY', outstanding: '1000', overdue: '0', paid: '0', credited: '0', draft: '0' },
    ],
    by_month: [
      { month: '2026-01', currency: 'EUR', invoiced: '50.00', paid: '0.00' },
      { month: '2026-02', currency: 'EUR', invoiced: '0.00', paid: '35.00' },
      { month: '2030-03', currency: 'EUR', invoiced: '170.00', paid: '0.00' },
      { month: '2030-03', currency: 'JPY', invoiced: '1000', paid: '0' },
    ],
  })
  const turned = await api('GET', `${path}?from=2026-02&to=2026-01`, { token: boss.token })
  expect(turned.body.error.type).toBe('invalid_request')
})
