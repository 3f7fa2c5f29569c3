import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { writable } from '../db/model/receipt.ts'
import {
  type TestPerson,
  approve,
  baseUrl,
  createPayment,
  fund,
  join,
  organization,
  payerAndPayee,
  person,
} from './support/api.ts'
import { owner } from './support/database.ts'
import { BANK, contactWith } from './support/destinations.ts'
import { usePartners } from './support/partners.ts'
import { become } from './support/payouts.ts'
import { executed, quoteOf } from './support/quotes.ts'
import { until } from './support/until.ts'
import { useWorker } from './support/worker.ts'

usePartners()
useWorker()

async function receipt(by: TestPerson, id: string) {
  const headers = { authorization: `Bearer ${by.token}` }
  const answer = await fetch(`${baseUrl}/api/v1/payments/${id}/receipt`, { headers })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, type: answer.headers.get('content-type'), bytes }
}

/** How many pages a PDF has, and its text: what its streams show by the operator TJ, piece by piece. */
function read(pdf: Buffer): { pages: number; text: string } {
  const whole = pdf.toString('latin1')
  const streams = [...whole.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, data]) => {
    const bytes = Buffer.from(data ?? '', 'latin1')
    return whole.includes('/FlateDecode') ? inflateSync(bytes).toString('latin1') : bytes.toString('latin1')
  })
  const lines = streams.flatMap((stream) =>
    [...stream.matchAll(/\[([^\]]*)\] TJ/g)].map(([, array]) =>
      [...(array ?? '').matchAll(/<([0-9a-f]*)>/g)]
        .map(([, hex]) => Buffer.from(hex ?? '', 'hex').toString('latin1'))
        .join(''),
    ),
  )
  return { pages: [...whole.matchAll(/\/Type \/Page\b(?!s)/g)].length, text: lines.join('\n') }
}

test('a payment by bank: who paid whom, how much, what it cost, when, and where to look it up', async () => {
  const at = { ...(await contactWith([BANK])), rail: 'fiat' as const }
  await fund(at.payer.id, '200.00', 'EUR')
  const quote = await quoteOf(at.boss, at.contact, { amount: '100.00', currency: 'EUR' })
  const payment = await executed(at.boss, quote.quote_id)

  const early = await receipt(at.boss, payment.id)
  expect(early.status).toBe(409)
  expect(JSON.parse(early.bytes.toString()).error).toMatchObject({
    type: 'invalid_state',
    details: { current: 'awaiting_approval' },
  })

  await approve(at.boss, payment)
  const paid = await become(at, payment, 'succeeded')
  const answer = await receipt(at.boss, payment.id)
  expect([answer.status, answer.type]).toEqual([200, 'application/pdf'])
  const { pages, text } = read(answer.bytes)
  expect(pages).toBe(1)
  const [row] = await owner`select partner_reference from payments where id = ${payment.id}`
  const said = ['Paid', 'Payer', 'Payee', '…2051', '100.00 EUR', '0.20 EUR', '99.80 EUR', 'Invoice 1']
  for (const part of [...said, payment.id, paid.transaction_id, row?.['partner_reference'], 'Bank transfer']) {
    expect(text).toContain(asWritten(String(part)))
  }
  expect(text).not.toContain(BANK.iban)
})

/** As the standard fonts write it. */
const asWritten = (text: string): string => text.replaceAll('…', '\x85')

test('a payment by service ID that succeeded, whatever letters its names have', async () => {
  const { boss, contactId, payer } = await payerAndPayee('10.00')
  await owner`update organizations set name = ${'Łódź Žižkov 東京 😀 \u0007'} where id = ${payer.id}`
  await owner`update payment_contacts set name = ${'W'.repeat(255)} where id = ${contactId}`
  const payment = await createPayment(boss, contactId, '1.00')
  await approve(boss, payment)
  const answer = await until('the receipt', async () => {
    const tried = await receipt(boss, payment.id)
    return tried.status === 200 && tried
  })
  const { pages, text } = read(answer.bytes)
  expect(pages).toBe(1)
  expect(text).toContain('Lódz')
  expect(text).toContain('1.00 USD')
  expect(text).not.toContain('Fee')
  expect(text).not.toContain('Exchange rate')
})

test('a page holds it, however long everything is', async () => {
  const at = await contactWith([{ ...BANK, account_holder_name: 'W'.repeat(255) }])
  const long = 'W'.repeat(255)
  await owner`update organizations set name = ${long} where id = ${at.payer.id}`
  await owner`update payment_contacts set name = ${long} where id = ${at.contact}`
  const quote = await quoteOf(at.boss, at.contact, { amount: '100.00', currency: 'EUR' })
  const payment = await executed(at.boss, quote.quote_id, { statement_description: long })
  await owner`update payments set status = 'succeeded', rate = '1.000000000000000000000001', transaction_id = feed_id,
    partner_reference = ${long} where id = ${payment.id}`
  expect(read((await receipt(at.boss, payment.id)).bytes).pages).toBe(1)
})

test('what is seen by nobody else has no receipt for them', async () => {
  const { boss, contactId, payer } = await payerAndPayee('10.00')
  const payment = await createPayment(boss, contactId, '1.00')
  await owner`update payments set status = 'succeeded' where id = ${payment.id}`
  const [member, stranger] = [await person(), await person()]
  await join(payer.id, member, 'member')
  await organization(stranger)
  for (const somebody of [member, stranger]) expect((await receipt(somebody, payment.id)).status).toBe(404)
  expect((await receipt(boss, payment.id)).status).toBe(200)
})

test('letters that the fonts lack lose their marks, and what has no such letter is a question mark', () => {
  expect(writable('Żółć – “naïve” €5')).toBe('Zólc – “naïve” €5')
  expect(writable('東京 Tower')).toBe('?? Tower')
  expect(writable('a\tb\u200bc\u0000')).toBe('a bc')
  expect(writable('e\u0301')).toBe('é')
})
