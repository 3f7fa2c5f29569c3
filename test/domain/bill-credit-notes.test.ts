/** Credit notes, our own and of others: their number, never that of the bill that they correct. */
import { expect, test } from 'vitest'
import { mergeReadings } from '../../documents/bills/merged.ts'
import { openFile } from '../../documents/bills/readers.ts'
import { readPages } from '../../documents/bills/text/reading.ts'
import { writeDocuments } from '../../documents/invoices/pdf.ts'
import { INVOICE_LANGUAGES, INVOICE_PROFILES } from '../../domain/invoice-documents/document.ts'
import { typedPage } from '../support/bills/typed-page.ts'
import { documentOf } from '../support/invoices/documents.ts'

const corrects = { number: 'INV-000042', issue_date: '2026-03-02' }
const OURS = INVOICE_LANGUAGES.flatMap((language) => INVOICE_PROFILES.map((profile) => [language, profile] as const))

test.each(OURS)('our own in %s and %s is read back, as PDF and as XML', async (language, profile) => {
  const given = { number: 'CN-000007', issue_date: '2026-03-09', account: null, comments: 'INV-000042' }
  const { pdf, xml } = await writeDocuments(documentOf({ ...given, language, profile, corrects }), null)
  for (const bytes of xml ? [pdf, xml] : [pdf]) {
    const { fields, doubts, notPayable } = mergeReadings((await openFile({ bytes, contentType: '' })).readings)
    expect(Object.fromEntries(fields.map(({ field, value }) => [field, value]))).toMatchObject({
      bill_number: 'CN-000007',
      issue_date: '2026-03-09',
      amount: '-119.00',
      currency: 'EUR',
      supplier_name: 'Lindenhof Werkstätten GmbH',
    })
    expect([doubts, notPayable]).toEqual([[], 'credit_note'])
  }
})

const numberOn = (...lines: string[]) =>
  readPages([typedPage([...lines, ...Array<string>(20).fill('Posten   1,00')])], 'text-layer').fields.find(
    ({ field }) => field === 'bill_number',
  )?.value

test.each([
  [['# Rechnungskorrektur', '', 'Nummer   G-7', 'Rechnung   R-42, 02.03.2026'], 'G-7'],
  [['# Gutschrift', '', 'Gutschriftsnummer:   G-7', 'Rechnungsnummer:   R-42'], 'G-7'],
  [['# Credit note', '', 'Invoice number:   R-42', 'Credit note number:   C-7'], 'C-7'],
  [['# Nota di credito', '', 'Numero   N-7', 'Fattura n. 42/2026 del 02/03/2026'], 'N-7'],
  [['# Avoir', '', 'Numéro   A-7', 'Facture F-42'], 'A-7'],
  [['# Gutschrift G-7', '', 'Rechnung R-42'], 'G-7'],
  [['# Stornorechnung', '', 'Stornorechnungsnummer:   S-7', 'Rechnungsnummer:   R-42'], 'S-7'],
  [['# Gutschrift', '', 'Rechnung R-42'], undefined],
  [['# Gutschrift', '', 'Rechnungsnummer:   G-7'], 'G-7'],
  [['# Rechnung R-42', '', 'Gutschrift', 'Handelsrechnung 9000'], 'R-42'],
])('of %j it is %s', (lines, number) => expect(numberOn(...lines)).toBe(number))
