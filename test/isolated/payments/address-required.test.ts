/** The day from which banks are paid only with the address of the payee. */
import { expect, test, vi } from 'vitest'

const from = vi.hoisted(() => {
  const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  process.env['ADDRESS_REQUIRED_FROM'] = day
  return day
})
const { api, approvalPath, approve, fund } = await import('../../support/api.ts')
const { submit } = await import('../../support/batches/batches.ts')
const { errorsOf, imported, newBatch, rowsOf } = await import('../../support/batches/imports.ts')
const { requestPayment, typedBill } = await import('../../support/bills/bills.ts')
const { BANK, WALLET, contactWith } = await import('../../support/contacts/destinations.ts')
const { refusal } = await import('../../support/http/refusals.ts')
const { usePartners } = await import('../../support/partners/partners.ts')
const { moveTo } = await import('../../support/payments/schedules.ts')
const { execute, executed, quoteOf } = await import('../../support/payments/quotes.ts')
const { useWorker } = await import('../../support/worker.ts')

usePartners()
useWorker()

const EUROS = { amount: '10.00', currency: 'EUR' }
const KOELN = { town: 'Köln', country_code: 'DE' }
const OTHER_IBAN = 'DE89370400440532013000'
const types = (notices: readonly { type: string }[]): string[] => notices.map(({ type }) => type)

test('until that day payments without an address are warned of; from it on each way to one is refused', async () => {
  const at = await contactWith([BANK])
  const { boss, payer, contact } = at
  await fund(payer.id, '500.00', 'EUR')
  const quoted = () => quoteOf(boss, contact, EUROS)
  const rows = async (id: string) => {
    const [row] = await rowsOf(boss, id)
    return [row.status, errorsOf([row])[0], row.warnings.map(({ code }: any) => code)]
  }
  const requirements = await api('GET', '/payment-destinations/requirements?country_code=DE&currency=EUR', {
    token: boss.token,
  })
  expect(requirements.body.payee_address.required_from).toBe(from)
  const item = async () =>
    (await api('GET', `/organizations/${payer.id}/attention?kind=complete_payee`, { token: boss.token })).body.data[0]
  expect(await item()).toMatchObject({ due_at: `${from}T00:00:00Z`, summary: expect.stringContaining(from) })

  await moveTo(new Date(Date.parse(from) - 60_000).toISOString()) // a minute before
  const early = await quoted()
  expect([types(early.warnings).includes('address_missing'), early.blocked_by]).toEqual([true, []])
  const waiting = await executed(boss, early.quote_id)
  const held = await executed(boss, (await quoted()).quote_id)
  expect((await approve(boss, held)).status).toBe(200)
  const draft = await newBatch(boss, payer.id)
  const header = 'payment_contact_id,amount,currency,payout_reason,statement_description'
  await imported(boss, draft, `${header}\n${contact},1.00,EUR,services,Invoice 1`)
  expect(await rows(draft)).toEqual(['valid', [], ['address_missing']])
  const other = await newBatch(boss, payer.id)
  await imported(boss, other, `${header}\n${contact},2.00,EUR,services,Invoice 1`)
  const batch = (await submit(boss, other)).body
  const bill = await typedBill(boss, payer.id, { iban: OTHER_IBAN, amount: '20.00' })
  const late = await quoted()

  await moveTo(new Date(Date.parse(from)).toISOString())
  const refused = [422, 'address_required']
  expect(types((await quoted()).blocked_by)).toEqual(['address_required'])
  expect(refusal(await execute(boss, late.quote_id))).toEqual(refused)
  expect(refusal(await approve(boss, waiting))).toEqual(refused)
  const detail = await api('GET', approvalPath(waiting), { token: boss.token })
  expect(detail.body.blocked_by).toContain('address_required')
  const denied = await approve(boss, batch)
  expect([...refusal(denied), denied.body.error.details.rows]).toEqual([...refused, 1])
  expect(refusal(await submit(boss, draft))).toEqual([422, 'batch_has_invalid_rows'])
  expect(await rows(draft)).toEqual(['invalid', ['payment_contact_id address_required'], []])
  expect(refusal(await requestPayment(boss, bill.id))).toEqual(refused)

  // complete again, all of it goes on, but what was made without
  const body = { payee_address: KOELN }
  await api('PATCH', `/payment-contacts/${contact}`, { token: boss.token, body })
  expect((await quoted()).blocked_by).toEqual([])
  expect((await execute(boss, late.quote_id)).status).toBe(201)
  expect(refusal(await approve(boss, waiting))).toEqual(refused)
  expect((await submit(boss, draft)).status).toBe(200)
  await api('PATCH', `/bills/${bill.id}`, {
    token: boss.token,
    body: { address_town: 'Bonn', address_country: 'DE' },
  })
  expect((await requestPayment(boss, bill.id)).status).toBe(200)
})

test('coins are paid as before', async () => {
  const { boss, contact } = await contactWith([WALLET])
  const quote = await quoteOf(boss, contact, { amount: '5', currency: 'USDC' })
  expect(types(quote.blocked_by)).toEqual([])
})
