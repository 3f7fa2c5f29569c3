import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readXml } from '../../documents/bills/xml/read.ts'
import { ciiOf } from '../../documents/invoices/cii.ts'
import { writeDocuments } from '../../documents/invoices/pdf.ts'
import { ublOf } from '../../documents/invoices/ubl.ts'
import { parseXml } from '../../documents/xml/document.ts'
import { type Element, all, textAt } from '../../documents/xml/element.ts'
import type { Page } from '../../domain/bills/page.ts'
import { mailAboutCreditNote } from '../../domain/credit-notes/mail-texts.ts'
import { creditWords } from '../../domain/invoice-documents/credit-note-words.ts'
import { type InvoiceDocument, INVOICE_LANGUAGES } from '../../domain/invoice-documents/document.ts'
import { headRows } from '../../domain/invoice-documents/rows.ts'
import { WORDS, dayIn, moneyIn } from '../../domain/invoice-documents/words.ts'
import { renderText } from '../../domain/messages/mail.ts'
import { pagesOf } from '../support/bills/readings.ts'
import { documentOf } from '../support/invoices/documents.ts'
import { faultsOf } from '../support/invoices/pdfa.ts'
import { documents } from '../support/invoices/random.ts'
import { writtenIn } from '../support/invoices/written.ts'
import { propertyRuns } from '../support/model-runs.ts'
import { always } from '../support/property.ts'

const CORRECTS = { number: 'INV-000042', issue_date: '2026-03-02' }
const creditNote = (given: Partial<InvoiceDocument> = {}) =>
  documentOf({
    number: 'CN-000007',
    issue_date: '2026-03-20',
    comments: 'Zwei Stühle fehlten.',
    corrects: CORRECTS,
    ...given,
  })

/** The terms that a credit note has beside those of an invoice: BT-25, BT-26, BT-20. */
function creditIn(root: Element) {
  const [at, day, terms] =
    root.name === 'CreditNote'
      ? (['BillingReference/InvoiceDocumentReference', 'IssueDate', 'PaymentTerms/Note'] as const)
      : ([
          'SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/InvoiceReferencedDocument',
          'FormattedIssueDateTime/DateTimeString',
          'SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/SpecifiedTradePaymentTerms/Description',
        ] as const)
  const [reference] = all(root, at)
  const number = textAt(reference, root.name === 'CreditNote' ? 'ID' : 'IssuerAssignedID')?.value
  return { number, issued: textAt(reference, day)?.value.replaceAll('-', ''), terms: textAt(root, terms)?.value }
}

describe.each(Object.entries({ ubl: ublOf, cii: ciiOf }))('a credit note in %s', (syntax, write) => {
  test('is of type 381, names its invoice and the day of that, and else says what an invoice of its lines says', () =>
    always(100, documents, (invoice) => {
      const xml = (document: InvoiceDocument) => Buffer.from(write(document, 'en16931'))
      const note = { ...invoice, corrects: CORRECTS }
      const { terms } = creditWords(note)
      const delivered = invoice.delivery_date ?? (invoice.period ? null : '2026-03-02')
      expect(writtenIn(xml(note))).toEqual({ ...writtenIn(xml(invoice)), typeCode: '381', due: null, terms, delivered })
      expect(creditIn(parseXml(xml(note)))).toEqual({ number: 'INV-000042', issued: '20260302', terms })
    }))

  test('is read as a credit note, which nobody pays', () => {
    const read = readXml(Buffer.from(write(creditNote(), 'xrechnung')), 'file')
    expect(read.notPayable).toBe('credit_note')
    expect(syntax === 'ubl').toBe(write(creditNote(), 'xrechnung').includes('<CreditNote '))
  })
})

test('the day of supply is that of the page: its own, else none beside a period, else that of the invoice', () => {
  const period = { from: '2026-02-01', to: '2026-02-28' }
  for (const [given, day] of [
    [documentOf(), '2026-03-02'],
    [documentOf({ delivery_date: '2026-02-27', period }), '2026-02-27'],
    [documentOf({ period }), null],
    [creditNote(), '2026-03-02'],
  ] as const)
    for (const write of [ublOf, ciiOf]) {
      expect(writtenIn(Buffer.from(write(given, 'xrechnung'))).delivered).toBe(day)
      const printed = headRows(given).find(([label]) => label === WORDS[given.language].delivered)?.[1]
      expect(printed ?? null).toBe(day && dayIn(given, day))
    }
})

/** The elements of a UBL 2.1 credit note that are written, in the order of its schema. */
const ORDER =
  'CustomizationID ProfileID ID IssueDate CreditNoteTypeCode Note DocumentCurrencyCode BuyerReference BillingReference ' +
  'AccountingSupplierParty AccountingCustomerParty Delivery PaymentMeans PaymentTerms TaxTotal LegalMonetaryTotal CreditNoteLine'

test('its elements in UBL stand in the order of the schema', () => {
  const { children } = parseXml(Buffer.from(ublOf(creditNote({ delivery_date: '2026-03-01' }), 'xrechnung')))
  expect([...new Set(children.map(({ name }) => name))]).toEqual(ORDER.split(' '))
})

const textOf = (pages: readonly Page[]): string => pages.flatMap(({ words }) => words.map(({ text }) => text)).join(' ')
const bare = (text: string): string => text.normalize('NFKC').replaceAll(/\s/g, '')

test.each(INVOICE_LANGUAGES)(
  'its page says in %s what is credited, of which invoice and why, and asks for no money',
  async (language) => {
    const document = creditNote({ language })
    const { pdf } = await writeDocuments(document, null)
    expect(faultsOf(pdf)).toEqual([])
    const page = bare(textOf(await pagesOf(pdf)))
    const words = creditWords(document)
    const amount = moneyIn(document, document.total)
    for (const said of [
      words.title,
      'CN-000007',
      words.credits(amount),
      words.amount,
      `${words.reason}: Zwei Stühle fehlten.`,
    ])
      expect(page).toContain(bare(said))
    for (const said of [
      WORDS[language].pay,
      WORDS[language].due,
      document.account?.iban ?? '',
      WORDS[language].payable,
    ])
      expect(page).not.toContain(bare(said))
    const mail = mailAboutCreditNote(document)
    const body = renderText(mail)
    expect(mail.subject).toContain('CN-000007')
    for (const said of ['CN-000007', 'INV-000042', amount, document.page_url ?? '']) expect(body).toContain(said)
  },
)

test('any credit note is PDF/A-3b', async () => {
  await fc.assert(
    fc.asyncProperty(documents, async (invoice) => {
      const { pdf } = await writeDocuments({ ...invoice, corrects: CORRECTS }, null)
      expect(faultsOf(pdf)).toEqual([])
    }),
    { numRuns: propertyRuns(5) },
  )
})
