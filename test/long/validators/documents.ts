/** Every kind of document that the service writes, as the validators take them. */
import sharp from 'sharp'
import { pdfOf } from '../../../documents/statements/pdf.ts'
import { ciiOf } from '../../../documents/invoices/cii.ts'
import { writeDocuments } from '../../../documents/invoices/pdf.ts'
import type { AttachedFile } from '../../../documents/invoices/terms.ts'
import { ublOf } from '../../../documents/invoices/ubl.ts'
import { drawReceipt } from '../../../documents/statements/receipt-page.ts'
import type { InvoiceDocument } from '../../../domain/invoice-documents/document.ts'
import { account, report, whole } from '../../support/exports/reports.ts'
import { sampleWhole } from '../../support/invoices/whole.ts'
import type { Kind } from './validators.ts'

export type Made = { readonly name: string; readonly kinds: readonly Kind[]; readonly bytes: Uint8Array }

const CSV = Buffer.from('day;hours\n2030-02-01;7,5\n')
/** Attachment of each sixth invoice. */
const FILES: readonly AttachedFile[] = [
  {
    file_id: '01900000-0000-7000-8000-000000000003',
    stored_as: '01900000-0000-7000-8000-000000000004',
    sha256: 'ab'.repeat(32),
    filename: 'Stunden "März" & <April>.csv',
    content_type: 'text/csv',
    byte_size: CSV.length,
    description: 'Über & <mehr>',
    bytes: CSV,
  },
]

const brand = sharp({ create: { width: 512, height: 512, channels: 4, background: '#1f6f5480' } })

/** Writes `invoices` invoices or more, credit notes of each fourth, statements, receipts. */
export async function* writeAll(invoices: number, seed: number): AsyncGenerator<Made> {
  const logo = await brand.webp().toBuffer()
  for (const [index, document] of sampleWhole(invoices, seed).entries()) {
    yield* invoiceOf(`invoice-${index}`, document, index % 2 === 0 ? logo : null, index % 6 === 0 ? FILES : [])
    const { number, issue_date } = document
    const note = { ...document, number: `CN-${index}`, due_date: issue_date, corrects: { number, issue_date } }
    if (index % 4 === 0) yield* invoiceOf(`credit-note-${index}`, note, null)
  }
  yield* statements(logo)
  yield* receipts(logo)
}

async function* invoiceOf(
  name: string,
  document: InvoiceDocument,
  logo: Buffer | null,
  files: readonly AttachedFile[] = [],
): AsyncGenerator<Made> {
  const { pdf } = await writeDocuments(document, logo, files)
  if (document.profile === 'none') return yield { name: `${name}.pdf`, kinds: ['pdf'], bytes: pdf }
  yield { name: `${name}.pdf`, kinds: ['pdf', 'factur-x'], bytes: pdf }
  yield { name: `${name}.cii.xml`, kinds: ['cii'], bytes: Buffer.from(ciiOf(document, 'en16931', files)) }
  yield { name: `${name}.ubl.xml`, kinds: ['ubl'], bytes: Buffer.from(ublOf(document, 'en16931', files)) }
  if (document.profile === 'xrechnung')
    yield {
      name: `${name}.xrechnung.xml`,
      kinds: ['xrechnung'],
      bytes: Buffer.from(ublOf(document, 'xrechnung', files)),
    }
}

async function* statements(logo: Buffer): AsyncGenerator<Made> {
  const sections = () => [
    account('EUR', '100.00', [{ minor: 5n, counterparty: 'Ελληνικά 株式会社 <&>', description: 'x'.repeat(300) }]),
    account(
      'JPY',
      '0',
      Array.from({ length: 100 }, (_, index) => ({ minor: BigInt(index + 1) })),
      1000,
    ),
  ]
  for (const [name, own] of [['statement-logo', logo] as const, ['statement', null] as const]) {
    const bytes = await whole(pdfOf(report('balance_statement', sections(), { logo: own, name: 'Smith & <Sons> Ω' })))
    yield { name: `${name}.pdf`, kinds: ['pdf'], bytes }
  }
  const bytes = await whole(pdfOf(report('expenses', [{ ...account('USD', '0.00', []), account: null }])))
  yield { name: 'expenses.pdf', kinds: ['pdf'], bytes }
}

async function* receipts(logo: Buffer): AsyncGenerator<Made> {
  const given = {
    id: '01900000-0000-7000-8000-000000000001',
    status: 'succeeded',
    rail: 'fiat',
    payer: 'Smith & <Sons> 株式会社',
    payer_address: '1 High Street\nLondon',
    payer_tax_id: 'GB 1',
    logo,
    payee: 'Ελληνικά ßäöü',
    account: '3000',
    account_holder: 'x'.repeat(300),
    bic: 'BYLADEM1001',
    payee_address: null,
    deducting: { amount: '10.00', currency: 'EUR' },
    landing: { amount: '11.00', currency: 'USD' },
    fee: { amount: '0.50', currency: 'EUR' },
    rate: '1.1',
    description: 'Rechnung\n42',
    bill_number: null,
    attachments: null,
    reference: 'R-1',
    transaction_id: null,
    connection: 'house-bank',
    instant: false,
    created_at: '2026-01-01T00:00:00Z',
    execute_on: '2026-01-02',
    paid_at: '2026-01-02T00:00:00Z',
    returned: null,
    reversed_at: null,
    event_id: '01900000-0000-7000-8000-000000000002',
    event_hash: 'ab'.repeat(32),
  } as const
  yield { name: 'receipt.pdf', kinds: ['pdf'], bytes: await drawReceipt(given) }
  yield {
    name: 'receipt-0.pdf',
    kinds: ['pdf'],
    bytes: await drawReceipt({ ...given, logo: null, fee: { amount: '0', currency: 'EUR' } }),
  }
}
