import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawReceipt } from '../../../api/payments/receipt-page.ts'
import { type Receipt, writable } from '../../../domain/payments/receipt.ts'
import { type TestPerson, approve, baseUrl, createPayment, fund, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { advance, become } from '../../support/payments/payouts.ts'
import { readPdf } from '../../support/exports/pdf.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'
import { everyNth } from '../../support/model-runs.ts'

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

const money = { amount: '1.00', currency: 'EUR' }
const drawn: Receipt = {
  execute_on: null,
  id: '01900000-0000-7000-8000-000000000000',
  status: 'succeeded',
  rail: 'svc_id',
  payer: 'Łódź',
  payer_address: null,
  payer_tax_id: null,
  logo: null,
  payee: 'Αθήνα',
  account: 'BFS1',
  account_holder: null,
  bic: null,
  payee_address: null,
  deducting: money,
  landing: money,
  fee: { ...money, amount: '0.00' },
  rate: null,
  description: 'Invoice 1',
  bill_number: null,
  reference: null,
  transaction_id: null,
  created_at: '2026-01-01T00:00:00.000Z',
  paid_at: '2026-01-02T00:00:00.000Z',
  reversed_at: null,
  event_id: null,
  event_hash: null,
}

test('a receipt has the letterhead of the payer, separators of thousands, and the hash of its event', async () => {
  const logo = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#ff0000' } })
    .webp()
    .toBuffer()
  const large = { amount: '1234567.80', currency: 'EUR' }
  const letterhead = { payer_address: '1 High Street\nLondon', payer_tax_id: 'GB 1', logo }
  const proof = { event_id: '01900000-0000-7000-8000-000000000001', event_hash: 'ab'.repeat(32) }
  const made = await drawReceipt({
    ...drawn,
    ...letterhead,
    ...proof,
    landing: large,
    deducting: large,
    bill_number: 'B-7',
  })
  const { text } = readPdf(made)
  const said = ['1 High Street', 'London', 'Tax ID GB 1', '1,234,567.80 EUR paid on 2 January 2026', 'B-7', 'BFS1']
  for (const part of [...said, `event ${proof.event_id}`, `SHA-256 ${proof.event_hash}`]) expect(text).toContain(part)
  expect(Buffer.from(made).toString('latin1')).toContain('/DCTDecode')
})

test('a receipt is the same bytes each time', async () => {
  expect(Buffer.compare(await drawReceipt(drawn), await drawReceipt(drawn))).toBe(0)
})

test('each letter that may be written is one that the font has', async () => {
  const letters = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).filter(
    (letter) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(letter) && writable(letter) === letter,
  )
  expect(letters.length).toBeGreaterThan(1500)
  const parts = Array.from({ length: Math.ceil(letters.length / 100) }, (_, part) =>
    letters.slice(part * 100, part * 100 + 100).join(''),
  )
  for (const payee of everyNth(parts, 15)) {
    const { text } = readPdf(await drawReceipt({ ...drawn, payee }))
    expect(text.replaceAll('\n', '')).toContain(payee)
    expect(text).not.toContain('\ufffd')
  }
})

test('letters that the font lacks lose their marks, and what has no such letter is a question mark', () => {
  const kept = 'Żółć – “naïve” €5 № Αθήνα Київ Iğdır Đặng'
  expect(writable(kept)).toBe(kept)
  expect(writable('東京 Tower שלום 😀')).toBe('?? Tower ???? ?')
  expect(writable('ﬁ Ｗ ² ɓ̀ Ọ̀ṣun')).toBe('fi W ² ɓ Ọṣun')
  expect(writable('a\tb\u200bc\u0000\u202e')).toBe('a bc')
  expect(writable('e\u0301')).toBe('é')
})
