/** The files of an invoice: the PDF that is mailed, and the XML that its profile names. */
import type { InvoiceDocument } from '../../domain/invoices/document.ts'
import { ciiOf } from './cii.ts'
import { pdfOf } from './pdf.ts'
import { ublOf } from './ubl.ts'

/**
 * The same bytes for the same document and logo. `xml` is UBL by XRechnung, CII by EN 16931, and null without a
 * profile; inside the PDF it is always CII by EN 16931, as Factur-X asks for. What missingFor() finds is not looked for
 * again.
 * @param logo a picture of any form that sharp reads
 */
export async function writeDocuments(
  document: InvoiceDocument,
  logo: Buffer | null,
): Promise<{ pdf: Uint8Array; xml: Uint8Array | null }> {
  const { profile } = document
  const cii = profile === 'none' ? null : ciiOf(document, 'en16931')
  const xml = profile === 'xrechnung' ? ublOf(document, profile) : cii
  return { pdf: await pdfOf(document, logo, cii), xml: xml === null ? null : Buffer.from(xml) }
}
