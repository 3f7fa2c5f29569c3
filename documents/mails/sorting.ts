/** Files of a mail, sorted: which are bills, which are beside one, and which are none. */
import type { FileOutcome } from '../../domain/inbound-mails/inbound-mail.ts'
import type { Kind } from '../reading/kinds.ts'
import { INVOICE_ROOTS } from '../bills/xml/read.ts'

/** A file as its bytes show it; `kind` is null for what no bill can be. */
export type MailFile = {
  readonly filename: string
  readonly kind: Kind | null
  readonly byteSize: number
  /** True for a picture that the text of the mail shows: a logo, a signature. */
  readonly isShownInText: boolean
  readonly isInvoiceXml: boolean
}

/** Outcome of a file before bills are looked at; `besideOf` is the place of the XML that says the same. */
export type SortedFile = { readonly outcome: FileOutcome; readonly besideOf: number | null }

/** A picture with fewer bytes shows no page. */
const PICTURE_BYTES_MIN = 8 * 1024

/** Sorts files: XML beside a PDF of the same bill is one bill, by its XML. */
export function sortFiles(files: readonly MailFile[], bytesMax: number): readonly SortedFile[] {
  const own = files.map((file) => ofOne(file, bytesMax))
  const bills = files.flatMap((file, at) => (own[at] === 'bill' ? [{ ...file, at }] : []))
  const [xmls, pdfs] = [bills.filter(({ kind }) => kind === 'xml'), bills.filter(({ kind }) => kind === 'pdf')]
  return own.map((outcome, at) => {
    const pdf = pdfs.find((one) => one.at === at)
    const xml = pdf && xmlOf(pdf, { xmls, pdfs })
    return xml ? { outcome: 'beside_xml', besideOf: xml.at } : { outcome, besideOf: null }
  })
}

type FileAtPlace = MailFile & { readonly at: number }

/** Finds the XML of a PDF: of the same name, or the only one beside the only PDF. One XML has one PDF. */
function xmlOf(
  pdf: FileAtPlace,
  { xmls, pdfs }: { readonly xmls: readonly FileAtPlace[]; readonly pdfs: readonly FileAtPlace[] },
) {
  const named = xmls.filter((xml) => stemOf(xml) === stemOf(pdf))
  const rivals = pdfs.filter((other) => stemOf(other) === stemOf(pdf))
  if (named.length === 1 && rivals.length === 1) return named[0]
  return xmls.length === 1 && pdfs.length === 1 ? xmls[0] : undefined
}

const stemOf = ({ filename }: MailFile): string => filename.replace(/\.[^.]*$/, '').toLowerCase()

function ofOne({ kind, byteSize, isShownInText, isInvoiceXml }: MailFile, bytesMax: number): FileOutcome {
  if (kind === null) return 'no_bill'
  if (byteSize > bytesMax) return 'too_large'
  if (kind === 'xml') return isInvoiceXml ? 'bill' : 'no_bill'
  if (kind === 'pdf') return 'bill'
  return isShownInText || byteSize < PICTURE_BYTES_MIN ? 'no_bill' : 'bill'
}

const HEAD_BYTES = 64 * 1024
const SKIPPED = [
  ['<?', '?>'],
  ['<!--', '-->'],
] as const

/** Tells by the first element, without reading on, if XML may be an invoice: HTML is none. */
export function mayBeInvoice(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES))
  const isWide = head[0] === 0xff || head[0] === 0xfe || head[0] === 0
  // of UTF-16 the names have letters of ASCII, with zeros between
  let text = isWide ? head.toString('latin1').replaceAll('\0', '') : head.toString('latin1')
  for (;;) {
    const at = text.indexOf('<')
    if (at < 0) return false
    text = text.slice(at)
    const skipped = SKIPPED.find(([begin]) => text.startsWith(begin))
    if (!skipped) break
    const end = text.indexOf(skipped[1], skipped[0].length)
    if (end < 0) return false
    text = text.slice(end + skipped[1].length)
  }
  const [, root = ''] = /^<(?:[\w.-]{1,64}:)?([\w.-]{1,64})/.exec(text) ?? []
  return INVOICE_ROOTS.includes(root)
}
