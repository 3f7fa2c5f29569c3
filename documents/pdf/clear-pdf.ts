/** PDFs in clear: rewritten by PDFium, without encryption and object streams. */
import { memory, withDocument } from './pdf.ts'

/** Flag of PDFium: not added to the file as it came, and without its encryption. */
const REMOVE_SECURITY = 3

/**
 * Writes all objects of a PDF in clear, whatever filters and encryption they have; null beyond `bytesMax`. Throws
 * UnreadableBill: `encrypted` for a password that is needed to open it, or `damaged`.
 */
export const clearTextOf = (bytes: Uint8Array, bytesMax: number): Promise<string | null> =>
  withDocument(bytes, async (pdfium, document) => {
    const writer = pdfium.PDFiumExt_OpenFileWriter()
    const isWritten = pdfium.FPDF_SaveAsCopy(document, writer, REMOVE_SECURITY)
    const size = pdfium.PDFiumExt_GetFileWriterSize(writer)
    if (!isWritten || size > bytesMax) return null
    const at = pdfium.pdfium.wasmExports.malloc(size)
    if (at === 0) return null
    pdfium.PDFiumExt_GetFileWriterData(writer, at, size)
    pdfium.PDFiumExt_CloseFileWriter(writer)
    return Buffer.from(memory(pdfium).slice(at, at + size)).toString('latin1')
  })
