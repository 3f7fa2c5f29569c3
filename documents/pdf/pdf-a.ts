/** Documents that archives keep: PDF/A-3b (ISO 19005-3). */
import { escapeXml } from '../xml/text.ts'

export const PDF_A = { pdfVersion: '1.7', subset: 'PDF/A-3b' } as const

/** Writes author and subject into the XMP (ISO 16684-1). As `info`, pdfkit would not escape them there. */
export function describeDocument(
  document: PDFKit.PDFDocument,
  { author, subject }: { readonly author: string; readonly subject?: string },
): void {
  const description =
    subject === undefined
      ? ''
      : `
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(subject)}</rdf:li></rdf:Alt></dc:description>`
  document.appendXML(`
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:creator><rdf:Seq><rdf:li>${escapeXml(author)}</rdf:li></rdf:Seq></dc:creator>${description}
</rdf:Description>`)
}
