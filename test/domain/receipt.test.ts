/** Receipts as they are drawn: letters, letterhead, the same bytes each time. */
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawReceipt } from '../../documents/statements/receipt-page.ts'
import { type Receipt, writable } from '../../domain/payments/receipt.ts'
import { readPdf } from '../support/exports/pdf.ts'
import { everyNth } from '../support/model-runs.ts'

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
