/** Payment QR codes: Swiss QR bills and EPC codes. */
import { buffer } from 'node:stream/consumers'
import PdfDocument from 'pdfkit'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { codesOn, mayShowCode } from '../../activities/bills/pictures/codes.ts'
import { withPdf } from '../../activities/bills/pdf.ts'
import { greyPicture } from '../../activities/bills/pictures/files.ts'
import { readDocument } from '../../activities/bills/read-document.ts'
import { mergeReadings } from '../../domain/bills/merged.ts'
import { codesRead } from '../../domain/bills/payment-codes.ts'
import type { Reading } from '../../domain/bills/reader.ts'
import {
  CREDITOR_REFERENCE,
  QR_IBAN,
  QR_REFERENCE,
  SWISS_IBAN,
  drawCode,
  epcCode,
  swissCode,
} from '../support/bills/payment-codes.ts'

const BOX = [400, 600, 130, 130] as const
const read = (payloads: readonly (string | Uint8Array)[], others: readonly Reading[] = []) =>
  codesRead(
    payloads.map((payload) => ({ bytes: Buffer.from(payload), page: 1, box: BOX })),
    others,
  )
const fieldsOf = (reading: Reading | undefined) =>
  Object.fromEntries(reading?.fields.map(({ field, value }) => [field, value]) ?? [])
const codesOf = (reading: Reading | undefined) => reading?.doubts.map(({ code, fields }) => [code, ...fields])
const textOf = (values: Partial<Record<Reading['fields'][number]['field'], string>>): Reading => ({
  method: 'text-layer',
  fields: Object.entries(values).map(([field, value]) => ({
    field: field as 'iban', // a key of the values
    value,
    page: 1,
    box: BOX,
    text: value,
    confidence: null,
  })),
  doubts: [],
  notPayable: null,
})

describe('a Swiss QR bill', () => {
  test('names account, creditor, amount, currency and reference', () => {
    const reading = read([swissCode()])
    expect(reading).toMatchObject({ method: 'swiss-qr', doubts: [], notPayable: null })
    expect(fieldsOf(reading)).toEqual({
      iban: QR_IBAN,
      account_holder_name: 'Käserei Tannegg AG',
      supplier_name: 'Käserei Tannegg AG',
      amount: '1949.75',
      currency: 'CHF',
      payment_reference: QR_REFERENCE,
      bank_country_alpha2: 'CH',
    })
    expect(reading?.fields[0]).toMatchObject({ page: 1, box: BOX, confidence: 1 })
  })

  test('names number, dates and tax id in its bill information', () => {
    const info = String.raw`//S1/10/R\/2018-7/11/180305/20/1400.000-53/30/106017086/31/180508/32/7.7/40/2:10;0:30`
    expect(fieldsOf(read([swissCode({ info })]))).toMatchObject({
      bill_number: 'R/2018-7',
      issue_date: '2018-03-05',
      due_date: '2018-04-04',
      supplier_tax_id: 'CHE106017086',
    })
    expect(fieldsOf(read([swissCode({ info: '//S1/11/180231/40/0:30' })]))).not.toHaveProperty('due_date')
  })

  test('has a creditor reference, or none, with any other IBAN', () => {
    const iban = SWISS_IBAN
    expect(fieldsOf(read([swissCode({ iban, type: 'SCOR', reference: CREDITOR_REFERENCE })]))).toMatchObject({
      iban,
      payment_reference: CREDITOR_REFERENCE,
    })
    expect(fieldsOf(read([swissCode({ iban, type: 'NON', reference: '' })]))).not.toHaveProperty('payment_reference')
    expect(fieldsOf(read([swissCode({ amount: '' })]))).toMatchObject({ currency: 'CHF', iban: QR_IBAN })
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
    expect([fieldsOf(reading), codesOf(reading)]).toEqual([{}, [['malformed', 'iban', 'amount', 'payment_reference']]])
  })

  test('with wrong check digits of its IBAN names no account', () => {
    const reading = read([swissCode({ iban: 'CH4531999123000889012' })])
    expect(fieldsOf(reading)).not.toHaveProperty('iban')
    expect(codesOf(reading)).toContainEqual(['wrong_check_digits', 'iban'])
  })
})

describe('an EPC code', () => {
  test('names account, holder, amount and what to quote', () => {
    expect(fieldsOf(read([epcCode()]))).toEqual({
      iban: 'DE02120300000000202051',
      account_holder_name: 'Bäckerei Sonnenhof',
      supplier_name: 'Bäckerei Sonnenhof',
      amount: '119.50',
      currency: 'EUR',
      payment_reference: 'R-4711',
      bank_country_alpha2: 'DE',
    })
    expect(fieldsOf(read([epcCode({ structured: CREDITOR_REFERENCE, text: '' })]))).toMatchObject({
      payment_reference: CREDITOR_REFERENCE,
    })
  })

  test('is read in the character set that it names', () => {
    expect(fieldsOf(read([Buffer.from(epcCode({ charset: '2' }), 'latin1')]))).toMatchObject({
      account_holder_name: 'Bäckerei Sonnenhof',
    })
  })

  test.each([{ amount: 'USD5.00' }, { amount: 'EUR-5' }, { charset: '9' }, { structured: CREDITOR_REFERENCE }])(
    'against its rules names nothing: %o',
    (given) => {
      expect(fieldsOf(read([epcCode(given)]))).toEqual({})
      expect(codesOf(read([epcCode(given)]))?.[0]?.[0]).toBe('malformed')
    },
  )
})

describe('codes on one bill', () => {
  test('that are no payments say nothing', () => {
    expect(read(['https://example.com', 'WIFI:S:x;;', ''])).toBe(undefined)
  })

  test('that differ leave in doubt what they differ in', () => {
    const reading = read([swissCode({ amount: '100.00' }), swissCode({ amount: '200.00' })])
    expect(fieldsOf(reading)).not.toHaveProperty('amount')
    expect(fieldsOf(reading)).toMatchObject({ iban: QR_IBAN })
    expect(codesOf(reading)).toEqual([['contradicted', 'amount']])
  })

  test('go before the page, and what the page says otherwise is doubted', () => {
    const text = textOf({ amount: '1949.70', currency: 'CHF', iban: SWISS_IBAN, payment_reference: 'R-7' })
    const reading = read([swissCode()], [text])
    const bill = mergeReadings([...(reading ? [reading] : []), text])
    expect(bill.doubts.map(({ code, fields: [field] }) => [code, field])).toEqual([
      ['contradicted', 'payment_reference'],
      ['contradicted', 'amount'],
      ['contradicted', 'iban'],
    ])
    expect(bill.fields.find(({ field }) => field === 'amount')?.value).toBe('1949.75')
    expect(bill.fields.find(({ field }) => field === 'iban')).toBe(undefined)
  })

  test('name who is paid, and the page who supplied', () => {
    const text = textOf({ supplier_name: 'Praxis am See', supplier_tax_id: 'CHE-106.017.086 MWST' })
    const fields = fieldsOf(read([swissCode({ info: '//S1/30/116281710' })], [text]))
    expect([fields['supplier_name'], fields['supplier_tax_id']]).toEqual([undefined, undefined])
    expect(fields['account_holder_name']).toBe('Käserei Tannegg AG')
  })
})

const LINES = [
  'Rechnung',
  'Rechnungsnummer: R-7',
  'Rechnungsdatum: 01.03.2026',
  'Wir danken Ihnen für Ihren Auftrag und freuen uns auf die weitere Zusammenarbeit mit Ihnen',
]

async function pdfWith(payload: string, side: number): Promise<Buffer> {
  const pdf = new PdfDocument({ size: 'A4' })
  for (const [index, line] of LINES.entries()) pdf.text(line, 72, 72 + index * 20)
  drawCode(pdf, payload, [190, 620], side)
  pdf.end()
  return buffer(pdf)
}

describe('a page with a code', () => {
  test('is read by it, in a file and in a picture that is turned', async () => {
    const bytes = await pdfWith(swissCode(), 130)
    const found = await readDocument({ bytes, contentType: 'application/pdf' })
    expect(found.map(({ method }) => method)).toEqual(['swiss-qr', 'text-layer'])
    const [x = 0, y = 0, width = 0] = found[0]?.fields[0]?.box ?? []
    expect([x, y, width].map(Math.round)).toEqual([190, 620, 130])
    expect(Object.fromEntries(mergeReadings(found).fields.map(({ field, value }) => [field, value]))).toMatchObject({
      amount: '1949.75',
      iban: QR_IBAN,
      bill_number: 'R-7',
    })
    const { pixels, width: across, height } = await withPdf(bytes, async (pdf) => pdf.picture(1, 150))
    const picture = sharp(Buffer.from(pixels), { raw: { width: across, height, channels: 1 } })
    const turned = await picture.rotate(93, { background: '#fff' }).jpeg({ quality: 60 }).toBuffer()
    const { scale, ...grey } = await greyPicture(turned, 'jpeg')
    expect(fieldsOf(codesRead(await codesOn(grey, scale, 1), []))).toMatchObject({ iban: QR_IBAN })
  })

  test('is told from one without by what is dark', async () => {
    const isDark = async (payload: string, side: number) =>
      withPdf(await pdfWith(payload, side), async (pdf) => mayShowCode(pdf.picture(1, 72)))
    expect([await isDark(swissCode(), 130), await isDark(epcCode(), 60), await isDark('', 0)]).toEqual([
      true,
      true,
      false,
    ])
  })
})
