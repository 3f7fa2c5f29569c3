import { expect, test } from 'vitest'
import { type TestPerson, approve, baseUrl, createPayment, fund, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { advance, become } from '../../support/payments/payouts.ts'
import { readPdf } from '../../support/exports/pdf.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

async function receipt(by: TestPerson, id: string) {
  const headers = { authorization: `Bearer ${by.token}` }
  const answer = await fetch(`${baseUrl}/api/v1/payments/${id}/receipt`, { headers })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const [type, name] = ['content-type', 'content-disposition'].map((header) => answer.headers.get(header))
  return { status: answer.status, type, name, bytes }
}

test('a payment by bank: who paid whom, how much, what it cost, when, and where to look it up', async () => {
  const at = { ...(await contactWith([BANK])), rail: 'fiat' as const }
  await fund(at.payer.id, '200.00', 'EUR')
  const quote = await quoteOf(at.boss, at.contact, { amount: '100.00', currency: 'EUR' })
  const payment = await executed(at.boss, quote.quote_id)

  const early = await receipt(at.boss, payment.id)
  const error = { type: 'invalid_state', details: { current: 'awaiting_approval' } }
  expect(JSON.parse(early.bytes.toString())).toMatchObject({ error })

  await approve(at.boss, payment)
  const paid = await become(at, payment, 'succeeded')
  const answer = await receipt(at.boss, payment.id)
  expect([answer.status, answer.type]).toEqual([200, 'application/pdf'])
  expect(answer.name).toBe(`inline; filename="receipt-${payment.id}.pdf"`)
  const { pages, text } = readPdf(answer.bytes)
  expect(pages).toBe(1)
  const [row] = await owner`select partner_reference from payments where id = ${payment.id}`
  const said = ['Paid', 'Payer', 'Payee', '…2051', '100.00 EUR', '0.20 EUR', '99.80 EUR', 'Invoice 1']
  for (const part of [...said, payment.id, paid.transaction_id, row?.['partner_reference'], 'Bank transfer']) {
    expect(text).toContain(String(part))
  }
  const [event] = await owner`
    select id from events where subject_id = ${payment.id} and type = 'payment.settled'`
  expect(text).toContain(`event ${event?.['id']}`)
  expect(text).not.toContain(BANK.iban)
  expect(text).not.toContain('Returned')

  await advance(payment, 'reversed')
  await become(at, payment, 'reversed')
  const returned = readPdf((await receipt(at.boss, payment.id)).bytes).text
  expect(returned).toMatch(/Returned\s+99\.80 EUR, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC,\s+without the fee/)
  const back =
    await owner`select amount, currency from transactions where payment_id = ${payment.id} and type = 'reversal'`
  expect(back.map(({ amount, currency }) => [Number(amount), currency])).toEqual([[99.8, 'EUR']])
})

test('a payment by service ID that succeeded, whatever letters its names have', async () => {
  const { boss, contactId, payer } = await payerAndPayee('10.00')
  await owner`update organizations set name = ${'Łódź Αθήνα Київ Iğdır Đặng 東京 😀 \u0007'} where id = ${payer.id}`
  await owner`update payment_contacts set name = ${'W'.repeat(255)} where id = ${contactId}`
  const payment = await createPayment(boss, contactId, '1.00')
  await approve(boss, payment)
  const answer = await until('the receipt', async () => {
    const tried = await receipt(boss, payment.id)
    return tried.status === 200 && tried
  })
  const { pages, text } = readPdf(answer.bytes)
  expect(pages).toBe(1)
  expect(text).toContain('Łódź Αθήνα Київ Iğdır Đặng ?? ?')
  expect(answer.bytes.length).toBeLessThan(50_000)
  expect(text).toContain('1.00 USD')
  expect(text).not.toContain('Fee')
  expect(text).not.toContain('Exchange rate')
})

test('a page holds it, however long everything is', async () => {
  const at = await contactWith([{ ...BANK, account_holder_name: 'W'.repeat(255) }])
  const long = 'Ԫ'.repeat(255) // the widest letter
  await owner`update organizations set name = ${long} where id = ${at.payer.id}`
  await owner`update payment_contacts set name = ${long} where id = ${at.contact}`
  const quote = await quoteOf(at.boss, at.contact, { amount: '100.00', currency: 'EUR' })
  const payment = await executed(at.boss, quote.quote_id, { statement_description: long })
  await owner`update payments set status = 'succeeded', rate = '1.000000000000000000000001', transaction_id = feed_id,
    partner_reference = ${long} where id = ${payment.id}`
  expect(readPdf((await receipt(at.boss, payment.id)).bytes).pages).toBe(1)
})
