/** What a file is, by its bytes and never by its name, and what is refused before anything opens it. */
import { UnreadableBill } from '../../domain/bills/reader.ts'
import type { EmbeddedFile, Pdf } from './pdf.ts'

export type Kind = 'pdf' | 'png' | 'jpeg' | 'xml'

const BYTES_MAX = 10 * 1024 * 1024
/** Readers of PDF take a file if its header begins within so many bytes (ISO 32000-1, annex H.3.4.1). */
const PDF_HEADER_WITHIN = 1024
/** The file of the European Institute for Computer Antivirus Research that every scanner knows, in two parts here. */
const EICAR = Buffer.from(String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$` + 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!', 'latin1')
/** The type of CMS (RFC 5652, section 5.1), in DER: 1.2.840.113549.1.7.2, right behind the length of the whole. */
const SIGNED_DATA = Buffer.from('06092a864886f70d010702', 'hex').toString('latin1')
const ENVELOPE_WITHIN = 32
/** How programs of Windows, Linux and macOS begin, in hexadecimal. */
const PROGRAMS = ['4d5a', '7f454c46', 'cafebabe', 'cefaedfe', 'cffaedfe']
/** Within so many bytes a program has one that no text has. */
const PROGRAM_HEADER_BYTES = 64

/**
 * The kind of a file. Throws UnreadableBill: `too_large` over 10 MiB, `hostile` if it is the test file of virus
 * scanners or has it inside, `unknown_format` if it is none of the four.
 */
export function kindOf(bytes: Uint8Array): Kind {
  if (bytes.length > BYTES_MAX) throw new UnreadableBill('too_large', 'The file is larger than 10 MB')
  refuseVirus(bytes)
  const begins = Buffer.from(bytes.subarray(0, PDF_HEADER_WITHIN)).toString('latin1')
  if (begins.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (begins.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (/^(\xef\xbb\xbf)?\s*</.test(begins) || /^(\xff\xfe|\xfe\xff|\0<)/.test(begins)) return 'xml'
  if (begins.includes('%PDF-')) return 'pdf'
  if (isEnvelope(begins)) {
    throw new UnreadableBill('unknown_format', 'The file is a signed envelope (.p7m): send the document that is inside')
  }
  throw new UnreadableBill('unknown_format', 'The file is no PDF, PNG, JPEG or XML')
}

/** Tells an envelope of CMS, as bytes or in base64, with a header line or without. */
function isEnvelope(begins: string): boolean {
  const base64 = begins.replace(/^-----BEGIN [A-Z0-9 ]{3,20}-----/, '').trimStart()
  const decoded = Buffer.from(base64.slice(0, 4 * ENVELOPE_WITHIN), 'base64').toString('latin1')
  return [begins, decoded].some((text) => text.slice(0, ENVELOPE_WITHIN).includes(SIGNED_DATA))
}

function refuseVirus(bytes: Uint8Array): void {
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(EICAR)) {
    throw new UnreadableBill('hostile', 'The file is the test file of virus scanners, or has it inside')
  }
}

/** Refuses a program within a PDF: `hostile`. Documents and archives beside the bill are not opened. */
function refuseProgram(bytes: Uint8Array): void {
  refuseVirus(bytes)
  const header = Buffer.from(bytes.subarray(0, PROGRAM_HEADER_BYTES))
  const begins = header.toString('hex')
  if (header.includes(0) && PROGRAMS.some((signature) => begins.startsWith(signature))) {
    throw new UnreadableBill('hostile', 'The file has a program inside')
  }
}

/**
 * The files that are inside a PDF. Throws UnreadableBill `hostile` for a PDF that says openly that it runs something,
 * or has inside what may not be there. What is said in compressed objects is never run either, since nothing here can.
 */
export function embeddedFiles(pdf: Pdf, bytes: Uint8Array): EmbeddedFile[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  if (/\/S\s*\/(JavaScript|Launch)\b/.test(text))
    throw new UnreadableBill('hostile', 'The PDF runs programs when it is opened')
  if (pdf.hasScripts()) throw new UnreadableBill('hostile', 'The PDF brings programs of its own')
  const files = pdf.embedded()
  for (const file of files) refuseProgram(file.bytes)
  return files
}
