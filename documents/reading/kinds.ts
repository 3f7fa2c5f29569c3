/** Kinds of files, by bytes and never by name; hostile ones are refused before anything opens them. */
import { UnreadableBill } from '../../domain/bills/reader.ts'
import { hasActionOfProgram } from '../pdf/actions.ts'
import type { EmbeddedFile, Pdf } from '../pdf/pdf.ts'

export type Kind = 'pdf' | 'png' | 'jpeg' | 'webp' | 'tiff' | 'xml'

const BYTES_MAX = 10 * 1024 * 1024
/** Offset of a PDF header that readers still accept (ISO 32000-1, annex H.3.4.1). */
const PDF_HEADER_WITHIN = 1024
/** EICAR's antivirus test file, in two parts so that scanners ignore this source. */
const EICAR = Buffer.from(String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$` + 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!', 'latin1')
/** Type of CMS (RFC 5652, 5.1) in DER, right after the length of the whole: 1.2.840.113549.1.7.2. */
const SIGNED_DATA = Buffer.from('06092a864886f70d010702', 'hex').toString('latin1')
const ENVELOPE_WITHIN = 32
/** Brands of pictures that phones take, in their first box (ISO/IEC 23008-12, annex B; AV1 image file format, 8). */
const HEIF = /^.{4}ftyp(?:hei[cxms]|hev[cxms]|mif[12]|msf1|avi[fs])/s
const PROGRAMS = ['4d5a', '7f454c46', 'cafebabe', 'cefaedfe', 'cffaedfe']
/** First bytes in which a program has one that no text has. */
const PROGRAM_HEADER_BYTES = 64

/** Detects the kind. Throws UnreadableBill: `too_large`, `hostile` with EICAR's test file, `unknown_format`. */
export function kindOf(bytes: Uint8Array): Kind {
  if (bytes.length > BYTES_MAX) throw new UnreadableBill('too_large', 'The file is larger than 10 MB')
  refuseVirus(bytes)
  const begins = Buffer.from(bytes.subarray(0, PDF_HEADER_WITHIN)).toString('latin1')
  if (begins.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (begins.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (/^RIFF.{4}WEBP/s.test(begins)) return 'webp'
  if (begins.startsWith('II*\0') || begins.startsWith('MM\0*')) return 'tiff'
  if (HEIF.test(begins)) {
    throw new UnreadableBill('unknown_format', 'The file is a HEIC or AVIF picture: send it as JPEG, PNG or PDF')
  }
  if (/^(\xef\xbb\xbf)?\s*</.test(begins) || /^(\xff\xfe|\xfe\xff|\0<)/.test(begins)) return 'xml'
  if (begins.includes('%PDF-')) return 'pdf'
  if (isEnvelope(begins)) {
    throw new UnreadableBill('unknown_format', 'The file is a signed envelope (.p7m): send the document that is inside')
  }
  throw new UnreadableBill('unknown_format', 'The file is no PDF, PNG, JPEG, WebP, TIFF or XML')
}

/** Tells whether it is a CMS envelope, binary or base64, with or without header line. */
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

/** Refuses a program as `hostile`. Documents and archives beside the bill are not opened. */
export function refuseProgram(bytes: Uint8Array): void {
  refuseVirus(bytes)
  const header = Buffer.from(bytes.subarray(0, PROGRAM_HEADER_BYTES))
  const begins = header.toString('hex')
  if (header.includes(0) && PROGRAMS.some((signature) => begins.startsWith(signature))) {
    throw new UnreadableBill('hostile', 'The file has a program inside')
  }
}

/**
 * Lists the files inside a PDF. Throws UnreadableBill `hostile` for visible actions or forbidden files. Actions in
 * compressed objects never run, as nothing here can run them.
 */
export function embeddedFiles(pdf: Pdf, bytes: Uint8Array): EmbeddedFile[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  if (hasActionOfProgram(text)) throw new UnreadableBill('hostile', 'The PDF runs programs when it is opened')
  if (pdf.hasScripts()) throw new UnreadableBill('hostile', 'The PDF brings programs of its own')
  const files = pdf.embedded()
  for (const file of files) refuseProgram(file.bytes)
  return files
}
