/** Visible and hidden content of pages, and pages beside a bill in XML. */
import { buffer } from 'node:stream/consumers'
import PdfDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { readings } from '../../documents/bills/readers.ts'
import type { BillField } from '../../domain/bills/fields.ts'
import { mergeReadings } from '../../documents/bills/merged.ts'
import type { Reading } from '../../domain/bills/reader.ts'
import { electronic } from '../../dev/sample-bills/electronic.ts'
import { billOf } from '../../dev/sample-bills/random.ts'

const IBAN = 'DE02 1203 0000 0000 2020 51'
const OTHER_IBAN = 'DE02 5001 0517 0137 0750 30'
const BILL = [
  'Rechnung',
  'Rechnungsnummer: R-7',
  'Rechnungsdatum: 01.03.2026',
  'Gesamtbetrag: 119,00 EUR',
  // enough words for a page of text instead of a picture
  'Wir danken Ihnen für Ihren Auftrag und freuen uns auf die weitere Zusammenarbeit mit Ihnen',
]

type Pdf = InstanceType<typeof PdfDocument>

async function read(lines: readonly string[], more: (pdf: Pdf) => void = () => {}): Promise<readonly Reading[]> {
  const pdf = new PdfDocument({ size: 'A4' })
  for (const [index, line] of lines.entries()) pdf.text(line, 72, 72 + index * 20)
  more(pdf)
  pdf.end()
  return readings({ bytes: await buffer(pdf), contentType: 'application/pdf' })
}

const valueOf = (found: readonly Reading[], wanted: BillField) =>
  mergeReadings(found).fields.find(({ field }) => field === wanted)?.value ?? null

test.each<[string, (pdf: Pdf) => void]>([
  ['white on white', (pdf) => pdf.fillColor('#fff').text(`IBAN: ${IBAN}`, 72, 400)],
  ['too faint to be seen', (pdf) => pdf.fillColor('#fdfdfd').text(`IBAN: ${IBAN}`, 72, 400)],
  ['invisibly', (pdf) => pdf.addContent('3 Tr').text(`IBAN: ${IBAN}`, 72, 400)],
  ['beyond the page', (pdf) => pdf.text(`IBAN: ${IBAN}`, 72, -40)],
  ['smaller than print', (pdf) => pdf.fontSize(1).text(`IBAN: ${IBAN}`, 72, 400)],
])('an account that is written %s is not read', async (_, hide) => {
  const found = await read(BILL, hide)
  expect([valueOf(found, 'bill_number'), valueOf(found, 'iban')]).toEqual(['R-7', null])
})

test.each([
  [90, [0, -1, 1, 0, 0, 841.89]],
  [180, [-1, 0, 0, -1, 595.28, 841.89]],
  [270, [0, 1, -1, 0, 595.28, 0]],
] as const)('a page that is shown turned by %i degrees is read as it is seen', async (degrees, [a, b, c, d, e, f]) => {
  const found = await read([], (pdf) => {
    Object.assign(pdf.page.dictionary.data, { Rotate: degrees })
    pdf.transform(a, b, c, d, e, f)
    for (const [index, line] of [...BILL, `IBAN: ${IBAN}`].entries())
      pdf.text(line, 72, 72 + index * 20, { lineBreak: false })
  })
  const values = (['bill_number', 'amount', 'iban'] as const).map((field) => valueOf(found, field))
  expect(values).toEqual(['R-7', '119.00', IBAN.replaceAll(' ', '')])
})

test('a page that shows another amount and account than its XML is told as a doubt, and no account is taken', async () => {
  const xml = electronic(billOf(4, 'de'), 'cii-en16931')
  const found = await read([...BILL, `IBAN: ${OTHER_IBAN}`], (pdf) =>
    pdf.file(Buffer.from(xml), { name: 'factur-x.xml', type: 'text/xml' }),
  )
  const { doubts } = mergeReadings(found)
  expect(doubts.map(({ code, fields }) => [code, ...fields])).toEqual([
    ['contradicted', 'bill_number', 'amount', 'currency'],
    ['contradicted', 'iban', 'account_number'],
  ])
  expect(valueOf(found, 'iban')).toBe(null)
})

test.each([
  [['Total due: USD 119.00', 'Routing number: 021000021', 'Account number: 123456789'], 'USD US 021000021 - 123456789'],
  [['Total due: £119.00', 'Sort code: 08-99-99', 'Account number: 66374958'], 'GBP GB - 089999 66374958'],
])('an American bill has its routing number, and a British one its sort code: %j', async (lines, bank) => {
  const found = await read(['Invoice', 'Invoice number: R-7', 'Invoice date: 1 March 2026', ...lines])
  const fields = ['amount', 'currency', 'bank_country_alpha2', 'aba_code', 'sort_code', 'account_number'] as const
  expect(fields.map((field) => valueOf(found, field) ?? '-').join(' ')).toBe(`119.00 ${bank}`)
})
