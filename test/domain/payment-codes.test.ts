import jsqr from 'jsqr'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { invoicePage } from '../../api/invoices/page.ts'
import { writeDocuments } from '../../documents/invoices/pdf.ts'
import { withPdf } from '../../documents/pdf/pdf.ts'
import { type InvoiceDocument, INVOICE_LANGUAGES } from '../../domain/invoice-documents/document.ts'
import { paymentCodeOf } from '../../domain/invoice-documents/payment-code.ts'
import {
  creditorReferenceOf,
  qrReferenceOf,
  swissBillOf,
  swissCodeOf,
  swissFaultsOf,
} from '../../domain/invoice-documents/swiss-code.ts'
import { warningsOf } from '../../domain/invoices/warnings.ts'
import { matchOf } from '../../domain/invoices/matching.ts'
import { pagesOf } from '../support/bills/readings.ts'
import { documentOf, lineOf } from '../support/invoices/documents.ts'
import { faultsOf } from '../support/invoices/pdfa.ts'

describe('the code of a credit transfer', () => {
  const { account } = documentOf()
  test('is that of EPC069-12, line by line', () => {
    expect(paymentCodeOf(documentOf())).toBe(
      'BCD\n002\n1\nSCT\nBYLADEM1001\nLindenhof Werkstätten GmbH\nDE02120300000000202051\nEUR119.00\n\n\nINV-000042',
    )
    const bare = documentOf({ account: { ...account!, bic: null, holder: 'ä'.repeat(80) } })
    expect(paymentCodeOf(bare)?.split('\n').slice(4, 6)).toEqual(['', 'ä'.repeat(70)])
    const lines = documentOf({ account: { ...account!, holder: 'Lindenhof\r\nGmbH' } })
    expect(paymentCodeOf(lines)?.split('\n').slice(5, 7)).toEqual(['Lindenhof GmbH', account?.iban])
  })

  test.each<[string, Partial<InvoiceDocument>]>([
    ['another currency', { currency: 'USD' }],
    ['no IBAN', { account: { ...account!, iban: null } }],
    ['no account', { account: null }],
    ['nothing to pay', { total: '0.00' }],
    ['less than nothing', { total: '-1.00' }],
    ['more than the scheme takes', { total: '1000000000.00' }],
  ])('is not there with %s', (_, given) => expect(paymentCodeOf(documentOf(given))).toBe(null))

  test('is what a camera reads from the page', async () => {
    const document = documentOf()
    const { pdf } = await writeDocuments(document, null)
    const { pixels, width, height } = await withPdf(pdf, async (open) => open.coloured(1))
    const [left, top] = [Math.floor(width / 2), Math.floor(height / 2)]
    const part = sharp(pixels, { raw: { width, height, channels: 3 } }).extract({ left, top, width: left, height: top })
    const { data, info } = await part.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    expect(jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(paymentCodeOf(document))
  })
})

const { account, buyer, seller } = documentOf()
const swiss = (given: Partial<InvoiceDocument> = {}) =>
  documentOf({ currency: 'CHF', account: { ...account!, iban: 'CH93 0076 2011 6238 5295 7' }, ...given })
const QR_IBAN = { ...account!, iban: 'CH4431999123000889012' }
const linesOf = (document: InvoiceDocument) => swissCodeOf(swissBillOf(document)!).split('\n')

test('the code has the 31 lines of version 0200, with structured addresses and a creditor reference', () => {
  const head = ['SPC', '0200', '1', 'CH9300762011623852957']
  const creditor = ['S', 'Lindenhof Werkstätten GmbH', 'Lindenstraße', '12', '04109', 'Leipzig', 'DE']
  const debtor = ['S', 'Stadt Musterhafen', 'Rathausplatz', '1', '26122', 'Oldenburg', 'DE']
  const payment = ['SCOR', 'RF29INV000042', 'INV-000042', 'EPD']
  const none = Array<string>(7).fill('')
  expect(linesOf(swiss())).toEqual([head, creditor, none, ['119.00', 'CHF'], debtor, payment].flat())
})

test('references have the check digits of ISO 11649, and of the guidelines of SIX', () => {
  expect(creditorReferenceOf('539007547034')).toBe('RF18539007547034')
  expect(qrReferenceOf('21000000000313947143000901')).toBe('210000000003139471430009017')
  expect([creditorReferenceOf('--'), creditorReferenceOf('A'.repeat(22)), qrReferenceOf('INV')]).toEqual([
    null,
    null,
    null,
  ])
})

test('an account with an institution of QR references gets one, and a number too long for a reference none', () => {
  expect(linesOf(swiss({ account: QR_IBAN })).slice(27, 29)).toEqual(['QRR', qrReferenceOf('42')])
  expect(linesOf(swiss({ number: 'N'.repeat(30) })).slice(27, 30)).toEqual(['NON', '', 'N'.repeat(30)])
})

test.each<[string, Partial<InvoiceDocument>]>([
  ['another currency', { currency: 'USD' }],
  ['an IBAN of another country', { account: account! }],
  ['no account', { account: null }],
  ['a seller without a postal address', { seller: { ...seller, postal_address: null } }],
  ['a holder in letters that the code lacks', { account: { ...QR_IBAN, holder: 'Ελλάς' } }],
  ['nothing to pay', { total: '0.00' }],
  ['a credit note, which asks for no money', { corrects: { number: 'INV-000041', issue_date: '2026-01-01' } }],
  ['more than the scheme takes', { total: '1000000000.00' }],
])('there is none with %s', (_, given) => expect(swissBillOf(swiss(given))).toBeNull())

test.each<[string, Partial<InvoiceDocument>, string[]]>([
  ['a holder in other letters', { account: { ...QR_IBAN, holder: 'Ελλάς' } }, ['swiss_account_holder']],
  ['no postal address', { seller: { ...seller, postal_address: null } }, ['swiss_postal_address']],
  [
    'a city in other letters',
    { seller: { ...seller, postal_address: { ...seller.postal_address!, city: '東京' } } },
    ['swiss_postal_address'],
  ],
  ['signs that are replaced', { account: { ...QR_IBAN, holder: 'L’Atelier' } }, []],
  ['another currency', { currency: 'USD', account: { ...QR_IBAN, holder: 'Ελλάς' } }, []],
  ['an account of another country', { account: { ...account!, holder: 'Ελλάς' } }, []],
  ['nothing to pay', { total: '0.00', account: { ...QR_IBAN, holder: 'Ελλάς' } }, []],
])('what keeps the Swiss part away is named by its field: %s', (_, given, faults) => {
  expect(swissFaultsOf(swiss(given))).toEqual(faults)
  expect(warningsOf(swiss(given), { isEarlier: false })).toEqual(expect.arrayContaining(faults))
})

test.each([
  ['L’Atelier – “Zoé”', "L'Atelier - 'Zoé'"],
  ['Dürr… & Cie', 'Dürr... & Cie'],
  ['Zu\u0308rich', 'Zürich'],
])('signs that the code lacks are replaced, and letters with accents stay: %s', (holder, written) => {
  const lines = linesOf(swiss({ account: { ...QR_IBAN, holder }, buyer: { ...buyer, name: holder } }))
  expect([lines[5], lines[21]]).toEqual([written, written])
})

test('a customer that the code cannot write is left for the payer to fill in', () => {
  expect(linesOf(swiss({ buyer: { ...buyer, name: 'Кириллица' } })).slice(20, 27)).toEqual(Array(7).fill(''))
})

test.each(INVOICE_LANGUAGES)(
  'a camera reads the code in %s from 46 mm at its place, the cross in its middle',
  async (language) => {
    const many = Array.from({ length: language === 'it' ? 30 : 1 }, () => lineOf())
    const document = swiss({
      language,
      lines: many,
      ...(language === 'fr' && { account: { ...QR_IBAN, holder: 'Zoé Ÿ' } }),
    })
    const { pdf } = await writeDocuments(document, null)
    expect(faultsOf(pdf)).toEqual([])
    const pages = await pagesOf(pdf)
    const { pixels, width, height } = await withPdf(pdf, async (open) => open.coloured(pages.length))
    const dots = (mm: number) => Math.round((mm * width) / 210)
    const at = { left: dots(67 - 4), top: height - dots(105 - 17 + 4), width: dots(46 + 8), height: dots(46 + 8) }
    const part = sharp(pixels, { raw: { width, height, channels: 3 } }).extract(at)
    const { data, info } = await part.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    const read = jsqr.default(new Uint8ClampedArray(data), info.width, info.height)
    expect(read?.data).toBe(swissCodeOf(swissBillOf(document)!))
    const side = read!.location.topRightCorner.x - read!.location.topLeftCorner.x
    expect(Math.abs(side - dots(46))).toBeLessThanOrEqual(dots(0.7))
    const middle = (info.width * Math.floor(info.height / 2) + Math.floor(info.width / 2)) * 4
    expect(data[middle]).toBeGreaterThan(200) // the arms of the cross are white
    expect(data[middle + Math.round(dots(2.6)) * 4]).toBeLessThan(60) // and what surrounds them is black
  },
)

const NOTHING_CREDITED = { credited: '0.00', isCredited: false, creditNotes: [], early: [], discount: null }

test('the public page has the code of what is left to be paid', async () => {
  const invoice = {
    document: swiss(),
    paidOn: null,
    isOverdue: false,
    accepted: null,
    settled: '0.00',
    due: '9.00',
    ...NOTHING_CREDITED,
  }
  const { html } = await invoicePage({ ...invoice, logoId: null, files: { pdf: false, xml: false } }, 'token')
  const [svg = ''] = /<svg [^]*?<\/svg>/.exec(html) ?? []
  const drawn = svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"')
  const picture = sharp(Buffer.from(drawn)).flatten({ background: '#fff' }).ensureAlpha()
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  expect(jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data).toContain('\n9.00\nCHF\n')
})

test.each(['RF29INV000042', qrReferenceOf('42')!])('a payment with %s pays the invoice', (text) => {
  const invoice = { id: 'a', number: 'INV-000042', buyer_reference: null, internal_reference_number: null }
  const open = { ...invoice, customer: 'Kunde', due: '119.00', early: [], closed: false }
  const match = matchOf({ amount: '119.00', text, payer: null }, [open, { ...open, id: 'b', number: 'INV-000043' }])
  expect(match).toEqual({ kind: 'certain', invoiceId: 'a', by: 'number' })
})
