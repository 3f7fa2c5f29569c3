/** Child process that reads files of strangers: without secrets, with limits of memory and processor time. */
import type { InvoiceDocument } from '../domain/invoice-documents/document.ts'
import type { FileRows } from '../domain/batches/columns.ts'
import type { CodesFile, CodesRow } from '../domain/coding/csv.ts'
import type { BankFileContent } from '../domain/bank-files/messages.ts'
import type { ListCode, ListPart } from '../domain/screening/lists.ts'
import type { DailyRates } from '../domain/reference-rates.ts'
import { UnreadableFile } from '../domain/batches/columns.ts'
import { type BillFile, type OpenDocument, UnreadableBill, pagesToShow } from '../domain/bills/reader.ts'
import { TESSERACT } from './bills/pictures/recognition.ts'
import { openFile } from './bills/readers.ts'
import { readBankFile } from './bank-files/read.ts'
import { readTable } from './batches/read-table.ts'
import { readCodes } from './coding/read.ts'
import type { MailPart, MailTask } from './mails/read.ts'
import { type CheckedType, findFault } from './invoices/attachment-check.ts'
import type { Decoder, Picture } from './pictures/decoder.ts'
import { readDailyRates } from './rates/ecb.ts'
import { readList } from './screening/read.ts'
import { beginFile, watchThisProcess } from './reading/limits.ts'

export type Boxes = readonly (readonly number[])[]
type PageTask = { readonly file: BillFile; readonly number: number; readonly boxes: Boxes }
type Attachment = { readonly bytes: Uint8Array; readonly type: CheckedType }
type Drawing = { readonly document: InvoiceDocument; readonly logo: Uint8Array | null }
type Sanctions = { readonly bytes: Uint8Array; readonly list: ListCode }
type Codes = { readonly bytes: Uint8Array; readonly kind: CodesFile }
type Table = { readonly bytes: Uint8Array; readonly isWorkbook: boolean }

/** Loads the decoders, restricted to some kinds. They take memory that reading needs. */
async function loadPictures(kinds: readonly Decoder[] = ['Png', 'Jpeg', 'Webp', 'Tiff']) {
  const { restrictDecoders } = await import('./pictures/decoder.ts')
  restrictDecoders(kinds)
  return import('./bills/pictures/files.ts')
}

/** Readers by kind of file. One that sends parts answers nothing. */
const READERS = {
  /** Answers few pages: our parent would take them all in one turn, and a small PDF may have 200,000 words. */
  async bill(file: BillFile): Promise<OpenDocument> {
    const { readings, pages } = await openFile(file, TESSERACT, loadPictures, sendPart)
    return { readings, pages: pagesToShow(pages) }
  },
  async page({ file, number, boxes }: PageTask): Promise<Uint8Array<ArrayBuffer> | null> {
    await loadPictures()
    const { drawing } = await import('./bills/drawing.ts')
    return drawing(file, number, boxes)
  },
  /** Answers the fault of the first attachment that has one; all of a request share its limits. */
  async attachments(files: readonly Attachment[]): Promise<string | null> {
    beginFile('attachments')
    for (const { bytes, type } of files) {
      const fault = await findFault(bytes, type)
      if (fault) return fault
    }
    return null
  },
  async picture(bytes: Uint8Array): Promise<Picture> {
    beginFile('picture')
    const { decode, restrictDecoders } = await import('./pictures/decoder.ts')
    restrictDecoders(['Png', 'Jpeg', 'Webp'])
    return decode(bytes)
  },
  /** Draws a draft of an invoice or credit note. */
  async invoice({ document, logo }: Drawing): Promise<Uint8Array> {
    beginFile('file')
    const { writeDocuments } = await import('./invoices/pdf.ts') // pdfkit takes long to load
    const { pdf } = await writeDocuments({ ...document, profile: 'none' }, logo && Buffer.from(logo))
    return pdf
  },
  /** Answers the reference rates of a day. */
  async rates(bytes: Uint8Array): Promise<DailyRates> {
    beginFile('rates')
    return readDailyRates(bytes)
  },
  /** Answers what a bank has sent by a file: statuses of payments, and entries of accounts. */
  async bankFile(bytes: Uint8Array): Promise<BankFileContent> {
    beginFile('bankFile')
    return readBankFile(bytes)
  },
  /** Answers the subjects of a list of sanctions, in parts. */
  async *sanctions({ bytes, list }: Sanctions): AsyncGenerator<ListPart, null> {
    beginFile('sanctions')
    yield* readList(bytes, list)
    return null
  },
  /** Answers the files of a mail, then what it says of itself. */
  async *mail(task: MailTask): AsyncGenerator<MailPart, null> {
    beginFile('mail')
    const { readMail } = await import('./mails/read.ts') // few processes read mails
    yield* readMail(task)
    return null
  },
  /** Answers the rows of a chart or of dimensions. */
  async codes({ bytes, kind }: Codes): Promise<CodesRow[]> {
    beginFile('table')
    return readCodes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), kind)
  },
  async *table({ bytes, isWorkbook }: Table): AsyncGenerator<FileRows, null> {
    beginFile('table')
    yield* readTable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), isWorkbook)
    return null
  },
} as const

type Readers = typeof READERS
export type Kind = keyof Readers
export type Task<K extends Kind> = Parameters<Readers[K]>[0]
export type Result<K extends Kind> = Awaited<ReturnType<Readers[K]>>
export type Part<K extends Kind> = ReturnType<Readers[K]> extends AsyncGenerator<infer Sent> ? Sent : never

export type Answer =
  /** One of many, the next of which follow once some are taken. */
  | { readonly part: unknown }
  /** A process that recognized a picture has grown. */
  | { readonly result: unknown; readonly isGrown: boolean }
  | { readonly refused: unknown }
  | { readonly crash: string }

/** Parts that are under way to our parent. */
const PARTS_AHEAD = 4
let ahead = 0
let goOn = () => {}

/** Sends what is read so far, and waits until it has left: what comes next may keep this process busy until its end. */
const sendPart = (part: unknown): Promise<void> =>
  new Promise((resolve) => (process.send ? process.send({ part } satisfies Answer, () => resolve()) : resolve()))

/** Sends the parts of a file, as fast as they are taken; answers the result. */
async function resultOf(reading: Promise<unknown> | AsyncGenerator): Promise<unknown> {
  if (reading instanceof Promise) return reading
  for (ahead = 0; ; ahead += 1) {
    const { done, value } = await reading.next()
    if (done) return value
    process.send?.({ part: value } satisfies Answer)
    while (ahead >= PARTS_AHEAD) await new Promise<void>((resolve) => (goOn = resolve))
  }
}

async function answer(kind: Kind, task: unknown): Promise<Answer> {
  try {
    const reader = READERS[kind] as (task: unknown) => Promise<unknown> | AsyncGenerator // one of them
    const result = await resultOf(reader(task))
    return { result, isGrown: kind === 'bill' && isRecognized(result as OpenDocument) }
  } catch (error) {
    if (error instanceof UnreadableBill) return { refused: { code: error.code, message: error.message } }
    if (error instanceof UnreadableFile) return { refused: error.fault }
    return { crash: String(error) }
  }
}

const isRecognized = ({ readings }: OpenDocument): boolean =>
  readings.some(({ method }) => method.startsWith('tesseract'))

watchThisProcess()
process.on('SIGINT', () => {}) // from a terminal: our parent drains, and ends us
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL')) // an orderly exit would wait for the file
process.on('message', (message: 'more' | { readonly kind: Kind; readonly task: unknown }) => {
  if (message !== 'more') return void answer(message.kind, message.task).then((said) => process.send?.(said))
  ahead -= 1
  goOn()
})
