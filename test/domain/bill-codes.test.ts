/** Payment QR codes: Swiss QR bills and EPC codes. */
import { buffer } from 'node:stream/consumers'
import PdfDocument from 'pdfkit'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { codesOn, mayShowCode } from '../../documents/pdf/codes.ts'
import { withPdf } from '../../documents/pdf/pdf.ts'
import { greyPicture } from '../../documents/bills/pictures/files.ts'
import { readDocument } from '../../documents/bills/read-document.ts'
import { mergeReadings } from '../../documents/bills/merged.ts'
import { codesRead } from '../../documents/bills/payment-codes.ts'
import type { Reading } from '../../domain/bills/reader.ts'
import * as codes from '../support/bills/payment-codes.ts'
import { codesOf, valueOf } from '../support/bills/readings.ts'
import { listed } from '../support/listed.ts'

const { CREDITOR_REFERENCE, QR_IBAN, QR_REFERENCE, SWISS_IBAN, epcCode, swissCode } = codes
const BOX = [400, 600, 130, 130] as const
const read = (payloads: readonly (string | Uint8Array)[], others: readonly Reading[] = []) => {
  const found = payloads.map((payload) => ({ bytes: Buffer.from(payload), page: 1, box: BOX }))
  return codesRead(found, others)
}
const valuesOf = (reading: Pick<Reading, 'fields'> | undefined) =>
  Object.fromEntries(reading?.fields.map(({ field, value }) => [field, value]) ?? [])
const doubtsOf = (reading: Reading | undefined) => reading && codesOf(reading)
const textOf = (values: Partial<Record<Reading['fields'][number]['field'], string>>): Reading => {
  const place = { page: 1, box: BOX, confidence: null }
  const found = ([field, value]: [string, string]) => ({ field: field as 'iban', value, text: value, ...place }) // a key
  const fields = Object.entries(values).map(found)
  return { method: 'text-layer', fields, doubts: [], notPayable: null }
}

describe('a Swiss QR bill', () => {
  test('names account, creditor, amount, currency and reference', () => {
    const reading = read([swissCode()])
    expect(reading).toMatchObject({ method: 'swiss-qr', doubts: [], notPayable: null })
    expect(valuesOf(reading)).toEqual({
      iban: QR_IBAN,
      account_holder_name: 'Käserei Tannegg AG',
      supplier_name: 'Käserei Tannegg AG',
      amount: '1949.75',
      currency: 'CHF',
      payment_reference: QR_REFERENCE,
      address_street: 'Dorfstrasse',
      address_building_number: '7',
      address_postal_code: '3550',
      address_town: 'Langnau',
      address_country: 'CH',
      bank_country_alpha2: 'CH',
    })
    expect(reading?.fields[0]).toMatchObject({ page: 1, box: BOX, confidence: 1 })
  })

  const info = String.raw`//S1/10/R\/2018-7/11/180305/20/1400.000-53/30/106017086/31/180508/32/7.7/40/2:10;0:30`
  const dates = { issue_date: '2018-03-05', due_date: '2018-04-04' }
  test.each([
    ['number, dates and tax id', { info }, { bill_number: 'R/2018-7', ...dates, supplier_tax_id: 'CHE106017086' }],
    ['no date that no calendar has', { info: '//S1/11/180231/40/0:30' }, { due_date: undefined }],
    [
      'a creditor reference with any other IBAN',
      { iban: SWISS_IBAN, type: 'SCOR', reference: CREDITOR_REFERENCE },
      { iban: SWISS_IBAN, payment_reference: CREDITOR_REFERENCE },
    ],
    ['or none', { iban: SWISS_IBAN, type: 'NON', reference: '' }, { payment_reference: undefined }],
    ['maybe no amount', { amount: '' }, { currency: 'CHF', iban: QR_IBAN }],
  ])('names %s', (_, given, values) => {
    const { due_date, payment_reference, ...rest } = valuesOf(read([swissCode(given)]))
    expect({ due_date, payment_reference, ...rest }).toMatchObject(values)
  })

  test.each([
    ['a reference with wrong check digits', { reference: '210000000003139471430009018' }],
    ['a QR reference for an IBAN of another kind', { iban: SWISS_IBAN }],
    ['another reference for a QR-IBAN', { type: 'SCOR', reference: CREDITOR_REFERENCE }],
    ['no reference for a QR-IBAN', { type: 'NON', reference: '' }],
    ['an IBAN of another country', { iban: 'DE02120300000000202051' }],
    ['another currency', { currency: 'USD' }],
    ['another version', { version: '0300' }],
  ])('with %s names nothing, and is doubted', (_, given) => {
    const reading = read([swissCode(given)])
    expect([valuesOf(reading), doubtsOf(reading)]).toEqual([{}, [['malformed', 'iban', 'amount', 'payment_reference']]])
  })

  test('with wrong check digits of its IBAN names no account', () => {
    const reading = read([swissCode({ iban: 'CH4531999123000889012' })])
    expect(valuesOf(reading)).not.toHaveProperty('iban')
    expect(doubtsOf(reading)).toContainEqual(['wrong_check_digits', 'iban'])
  })
})

test('an EPC code names account, holder, amount and what to quote, in the character set that it names', () => {
  expect(valuesOf(read([epcCode()]))).toEqual({
    iban: 'DE02120300000000202051',
    account_holder_name: 'Bäckerei Sonnenhof',
    supplier_name: 'Bäckerei Sonnenhof',
    amount: '119.50',
    currency: 'EUR',
    payment_reference: 'R-4711',
    bank_country_alpha2: 'DE',
  })
  const structured = read([epcCode({ structured: CREDITOR_REFERENCE, text: '' })])
  expect(valuesOf(structured)).toMatchObject({ payment_reference: CREDITOR_REFERENCE })
  const latin = read([Buffer.from(epcCode({ charset: '2' }), 'latin1')])
  expect(valuesOf(latin)).toMatchObject({ account_holder_name: 'Bäckerei Sonnenhof' })
})

test.each([{ amount: 'USD5.00' }, { amount: 'EUR-5' }, { charset: '9' }, { structured: CREDITOR_REFERENCE }])(
  'an EPC code against its rules names nothing: %o',
  (given) => {
    const reading = read([epcCode(given)])
    expect([valuesOf(reading), doubtsOf(reading)?.[0]?.[0]]).toEqual([{}, 'malformed'])
  },
)

describe('codes on one bill', () => {
  test('that are no payments say nothing', () =>
    expect(read(['https://example.com', 'WIFI:S:x;;', ''])).toBe(undefined))

  test('that differ leave in doubt what they differ in', () => {
    const reading = read([swissCode({ amount: '100.00' }), swissCode({ amount: '200.00' })])
    expect(valuesOf(reading)).not.toHaveProperty('amount')
    expect(valuesOf(reading)).toMatchObject({ iban: QR_IBAN })
    expect(doubtsOf(reading)).toEqual([['contradicted', 'amount']])
  })

  test('go before the page, and what the page says otherwise is doubted', () => {
    const text = textOf({ amount: '1949.70', currency: 'CHF', iban: SWISS_IBAN, payment_reference: 'R-7' })
    const reading = read([swissCode()], [text])
    const bill = mergeReadings([...(reading ? [reading] : []), text])
    const doubted = ['payment_reference', 'amount', 'iban'].map((field) => ['contradicted', field])
    expect(codesOf(bill).map(([code, field]) => [code, field])).toEqual(doubted)
    expect([valueOf(bill, 'amount'), valueOf(bill, 'iban')]).toEqual(['1949.75', null])
  })

  test('name who is paid, and the page who supplied', () => {
    const text = textOf({ supplier_name: 'Praxis am See', supplier_tax_id: 'CHE-106.017.086 MWST' })
    const fields = valuesOf(read([swissCode({ info: '//S1/30/116281710' })], [text]))
    expect([fields['supplier_name'], fields['supplier_tax_id']]).toEqual([undefined, undefined])
    expect(fields['account_holder_name']).toBe('Käserei Tannegg AG')
  })
})

const LINES = listed`
  Rechnung | Rechnungsnummer: R-7 | Rechnungsdatum: 01.03.2026
  Wir danken Ihnen für Ihren Auftrag und freuen uns auf die weitere Zusammenarbeit mit Ihnen`

async function pdfWith(payload: string, side: number): Promise<Buffer> {
  const pdf = new PdfDocument({ size: 'A4' })
  for (const [index, line] of LINES.entries()) pdf.text(line, 72, 72 + index * 20)
  codes.drawCode(pdf, payload, [190, 620], side)
  pdf.end()
  return buffer(pdf)
}

test('a page with a code is read by it, in a file and in a picture that is turned', async () => {
  const bytes = await pdfWith(swissCode(), 130)
  const found = await readDocument({ bytes, contentType: 'application/pdf' })
  expect(found.map(({ method }) => method)).toEqual(['swiss-qr', 'text-layer'])
  expect(found[0]?.fields[0]?.box?.slice(0, 3).map(Math.round)).toEqual([190, 620, 130])
  const merged = mergeReadings(found)
  expect(valuesOf(merged)).toMatchObject({ amount: '1949.75', iban: QR_IBAN, bill_number: 'R-7' })
  const { pixels, width, height } = await withPdf(bytes, async (pdf) => pdf.picture(1, 150))
  const picture = sharp(Buffer.from(pixels), { raw: { width, height, channels: 1 } })
  const turned = await picture.rotate(93, { background: '#fff' }).jpeg({ quality: 60 }).toBuffer()
  const { scale, ...grey } = await greyPicture(turned, 'jpeg')
  expect(valuesOf(codesRead(await codesOn(grey, scale, 1), []))).toMatchObject({ iban: QR_IBAN })
})

test.each([
  [swissCode(), 130, true],
  [epcCode(), 60, true],
  ['', 0, false],
])('a page with a code is told from one without by what is dark: %j', async (payload, side, isDark) => {
  const pdf = await pdfWith(payload, side)
  expect(await withPdf(pdf, async (open) => mayShowCode(open.picture(1, 72)))).toBe(isDark)
})
