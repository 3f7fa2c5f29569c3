import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { embeddedFiles } from '../../documents/reading/kinds.ts'
import { withPdf } from '../../documents/pdf/pdf.ts'
import { readings } from '../../documents/bills/readers.ts'
import { ciiOf } from '../../documents/invoices/cii.ts'
import { writeDocuments } from '../../documents/invoices/pdf.ts'
import { ublOf } from '../../documents/invoices/ubl.ts'
import type { Page } from '../../domain/bills/page.ts'
import { type InvoiceDocument, INVOICE_LANGUAGES, TAX_CATEGORIES } from '../../domain/invoice-documents/document.ts'
import { WORDS, dayIn, decimalIn, moneyIn } from '../../domain/invoice-documents/words.ts'
import { pagesOf } from '../support/bills/readings.ts'
import { billFieldsOf, documentOf, lineOf } from '../support/invoices/documents.ts'
import { faultsOf, metadataIn } from '../support/invoices/pdfa.ts'
import { documents, totalled } from '../support/invoices/random.ts'
import { everyNth, propertyRuns } from '../support/model-runs.ts'

const PROFILES = ['none', 'en16931', 'xrechnung'] as const
const brand = sharp({ create: { width: 512, height: 512, channels: 4, background: '#1f6f5480' } })
const logo = await brand.webp().toBuffer()
const pdfOf = async (given: Partial<InvoiceDocument> = {}) => (await writeDocuments(documentOf(given), logo)).pdf
const textsOf = async (given: Partial<InvoiceDocument>) => (await pagesOf(await pdfOf(given))).map(textOf)
const textOf = ({ words }: Page): string => words.map(({ text }) => text).join(' ')
/** Removes blanks, because a page has other ones than a text. */
const bare = (text: string): string => text.normalize('NFKC').replaceAll(/\s/g, '')

test('the XML is that of the profile, and the PDF holds the one that Factur-X asks for', async () => {
  for (const profile of PROFILES) {
    const document = documentOf({ profile })
    const { pdf, xml } = await writeDocuments(document, null)
    const files = await withPdf(pdf, async (open) => embeddedFiles(open, pdf))
    const cii = Buffer.from(ciiOf(document, 'en16931'))
    const written = { none: null, en16931: cii.toString(), xrechnung: ublOf(document, 'xrechnung') }
    expect(xml && Buffer.from(xml).toString()).toEqual(written[profile])
    expect(files).toEqual(profile === 'none' ? [] : [{ name: 'factur-x.xml', bytes: cii }])
  }
})

const plain = await pdfOf()

test('the same invoice and logo give the same bytes', async () => expect(Buffer.compare(plain, await pdfOf())).toBe(0))

describe('PDF/A-3b, as far as the structure of a file tells it', () => {
  test('holds for any invoice', async () => {
    await fc.assert(
      fc.asyncProperty(documents, fc.boolean(), async (document, hasLogo) => {
        const { pdf } = await writeDocuments(document, hasLogo ? logo : null)
        expect(faultsOf(pdf)).toEqual([])
      }),
      { numRuns: propertyRuns(25) },
    )
  })

  test('the metadata says who wrote it, what it is, and which invoice is inside', async () => {
    const { seller } = documentOf()
    const named = await pdfOf({ number: 'A&B<1>-7', seller: { ...seller, name: 'Kräuter & Söhne <GmbH>' } })
    const { values } = metadataIn(named)
    const inside = { DocumentType: 'INVOICE', DocumentFileName: 'factur-x.xml', Version: '1.0' }
    const written = { ConformanceLevel: 'EN 16931', creator: 'Kräuter & Söhne <GmbH>' }
    expect(Object.fromEntries(values)).toMatchObject({ ...inside, ...written })
    expect(metadataIn(await pdfOf({ profile: 'none' })).values.has('ConformanceLevel')).toBe(false)
  })

  test.each([
    ['6.1.3 ID of the file', /\/ID \[<[^\]]*\]/, '/XX []'],
    ['6.2.3 output intent', '/GTS_PDFA1', '/GTS_PDFX1'],
    ['6.2.11 every font embedded', '/FontFile2 ', '/FontFileX '],
    ['6.3.2 annotations are printed', /\/F 4\n/, '/F 2\n'],
    ['6.6.4 part and conformance', '<pdfaid:part>3', '<pdfaid:part>2'],
    ['6.8 files are associated', '/AFRelationship /Alternative', '/AFRelationshipX Alternative'],
  ])('the check finds fault with %s', (rule, from, to) => {
    const text = Buffer.from(plain).toString('latin1')
    expect(faultsOf(Buffer.from(text.replace(from, to), 'latin1'))).toContain(rule)
  })
})

describe.each(everyNth(INVOICE_LANGUAGES, 2))('in %s', (language) => {
  test('our own reader of bills finds every field, in the XML within and in the text of the page', async () => {
    const sold = [
      lineOf({ description: 'Tisch', quantity: '12', price: '1234.5' }),
      lineOf({ description: 'Buch', quantity: '3', price: '28', tax_percentage: '7' }),
    ]
    const share = { reason: null, percentage: '10', amount: null, tax: null }
    const early = [{ percentage: '2', days: 14, until: '2026-03-16', amount: '100.00' }]
    const more = { order_number: 'PO-77', early_payment_discounts: early }
    const adjusted = { discounts: [share], charges: [share] }
    const document = documentOf({ language, profile: 'en16931', ...totalled(sold, 'EUR', adjusted), ...more })
    const { pdf } = await writeDocuments(document, null)
    const found = await readings({ bytes: pdf, contentType: 'application/pdf' })
    const expected = billFieldsOf(document)
    const onPage = Object.entries(expected).filter(([field]) => !/^tax_total$|^address_/.test(field))
    const valuesOf = (fields: (typeof found)[number]['fields']) =>
      Object.fromEntries(fields.map(({ field, value }) => [field, value]))
    expect(found.map(({ fields, ...rest }) => ({ ...rest, fields: valuesOf(fields) }))).toMatchObject([
      { method: 'factur-x', doubts: [], notPayable: null },
      { method: 'text-layer', doubts: [], notPayable: null },
    ])
    // only pages have a bank name; no tax is read from theirs, nor an address, which could be that of the buyer
    const page = { ...Object.fromEntries(onPage), bank_name: 'Sandbox Bank' }
    expect(found.map(({ fields }) => valuesOf(fields))).toEqual([expected, page])
  })

  test('it says why a tax is not charged, as the law asks', async () => {
    const untaxed = TAX_CATEGORIES.filter((category) => category !== 'S')
    const sold = untaxed.map((category) =>
      lineOf({ tax_category: category, tax_percentage: '0', tax_exemption_reason: `Grund ${category}` }),
    )
    const said = bare((await textsOf({ language, profile: 'none', ...totalled(sold, 'EUR') })).join(''))
    for (const category of untaxed)
      expect(said).toContain(bare(`${WORDS[language].untaxed[category]}: Grund ${category}`))
  })
})

test.each([
  ['en', '1,234,567.891', '-€1,234.50', '1,234.50 USD', '1 March 2026'],
  ['de', '1.234.567,891', '-1.234,50 €', '1.234,50 USD', '1. März 2026'],
  ['fr', '1 234 567,891', '-1 234,50 €', '1 234,50 USD', '1er mars 2026'],
  ['es', '1.234.567,891', '-1.234,50 €', '1.234,50 USD', '1 de marzo de 2026'],
  ['it', '1.234.567,891', '-1.234,50 €', '1.234,50 USD', '1 marzo 2026'],
] as const)('amounts and days are written as in %s', (language, decimal, credit, dollars, day) => {
  const spaced = (text: string) => text.replaceAll('\u00a0', ' ')
  expect(spaced(decimalIn({ language }, '1234567.8910'))).toBe(decimal)
  expect(spaced(moneyIn({ language, currency: 'EUR' }, '-1234.50'))).toBe(credit)
  expect(spaced(moneyIn({ language, currency: 'USD' }, '1234.50'))).toBe(dollars)
  expect(dayIn({ language }, '2026-03-01')).toBe(day)
})

test('addresses stand as people wrote them; only without that, the postal one with its country', async () => {
  const { seller, buyer } = documentOf()
  const postal_address = { line1: 'Rue A 1', line2: null, postal_code: '1000', city: 'Bruxelles', country_code: 'BE' }
  const written = Array.from({ length: 300 }, (_, index) => `z${index}`)
  const parties = {
    seller: { ...seller, address: written.join('\n') },
    buyer: { ...buyer, address: null, postal_address },
  }
  const [first, ...others] = await textsOf({ language: 'de', ...parties })
  expect(written.filter((line) => !first?.includes(line))).toEqual([])
  for (const said of ['1000 Bruxelles', 'Belgien']) expect(first).toContain(said)
  expect(first).not.toContain('Lindenstraße')
  expect(others.join(' ')).not.toContain('Rechnungsnummer')
})

const sold = Array.from({ length: 90 }, (_, index) => {
  const description = `Posten-${index}. ${'Wort '.repeat(index % 7 === 0 ? 40 : 2)}`.trim()
  return lineOf({ description, quantity: String(index + 1) })
})

test('many lines stand on many pages, each once, below the names of the columns', async () => {
  const pages = await textsOf(totalled(sold, 'EUR'))
  expect(pages.length).toBeGreaterThan(3)
  const whole = pages.join(' ')
  for (const index of sold.keys()) expect(whole.split(`Posten-${index}.`)).toHaveLength(2)
  for (const [index, page] of pages.entries()) {
    expect(page).toContain(`Seite ${index + 1} von ${pages.length}`)
    if (page.includes('Posten-')) expect(page).toMatch(/Beschreibung Menge Einzelpreis USt\. Betrag/)
  }
  const words = sold.map(({ description }) => description.split('Wort').length - 1)
  expect(whole.match(/Wort/g)).toHaveLength(words.reduce((a, b) => a + b))
})

test('the totals are on the page of the last line, however many lines there are', async () => {
  const lengths = Array.from({ length: 36 }, (_, index) => index + 8)
  for (const length of everyNth(lengths, 6)) {
    const pages = await textsOf({ profile: 'none', ...totalled(sold.slice(0, length), 'EUR') })
    const last = pages.find((page) => page.includes('Zu zahlen'))
    expect(last?.includes(`Posten-${length - 1}.`), `${length} lines`).toBe(true)
  }
})

/** Height of the box of a word relative to its size. */
const LOOSE = 1.42

test('a value that is too wide for its place wraps, and no letter is smaller than six points', async () => {
  const { seller, buyer, account } = documentOf()
  const long = (word: string) => Array.from({ length: 24 }, (_, index) => `${word}${index}`).join(' ')
  const digits = '9'.repeat(60)
  const pdf = await pdfOf({
    order_number: long('Bestellung'),
    buyer: { ...buyer, buyer_reference: `R${'8'.repeat(200)}` },
    seller: { ...seller, name: long('Firma') },
    account: { ...account!, holder: long('Inhaber'), bank_name: long('Bank') },
    lines: [lineOf({ quantity: '123456789.123456', unit: 'XPK', price: digits, total: '999999999999999.00' })],
  })
  const pages = await pagesOf(pdf)
  const words = pages.flatMap((page) => page.words)
  const heights = words.filter(({ text }) => /^[A-Z9]/.test(text)).map(({ box }) => box[3])
  expect(Math.min(...heights)).toBeGreaterThan(6 * LOOSE)
  const text = bare(pages.map(textOf).join(''))
  for (const said of [long('Bestellung'), long('Inhaber'), long('Bank'), `R${'8'.repeat(200)}`])
    expect(text).toContain(bare(said))
  expect(text.match(/9/g)?.length).toBeGreaterThan(60)
})

test('one line that is longer than a page goes on, and nothing of it is lost', async () => {
  const description = Array.from({ length: 2500 }, (_, index) => `w${index}`).join(' ')
  const pages = await textsOf({ lines: [lineOf({ description: `${description} ${'x'.repeat(500)}` })] })
  const words = pages.join(' ')
  expect(description.split(' ').filter((word) => !words.includes(word))).toEqual([])
  expect(words.match(/x/g)?.length).toBeGreaterThanOrEqual(500)
})

test('whatever people write stays on its page, and what the font lacks is told', async () => {
  await fc.assert(
    fc.asyncProperty(documents, async (document) => {
      const pages = await pagesOf((await writeDocuments(document, null)).pdf)
      for (const { words, width, height } of pages) {
        const isInside = ({ box: [x, y, w, h] }: (typeof words)[number]) =>
          x >= 40 && y >= 30 && x + w <= width - 40 && y + h <= height - 20
        expect(words.filter((word) => !isInside(word))).toEqual([])
      }
    }),
    { numRuns: propertyRuns(25) },
  )
  const note = async (profile: InvoiceDocument['profile'], comments: string) =>
    (await textsOf({ profile, comments, language: 'en' }))[0]
  const inXml = 'it is shown as "?". The XML within this file has all of them.'
  expect(await note('en16931', 'to 株式会社')).toContain(inXml)
  expect(await note('none', 'to 株式会社')).toMatch(/it is shown as "\?"\. (?!The XML)/)
  expect(await note('none', 'Really? Ελληνικά, Кириллица')).not.toContain('is shown as')
})
