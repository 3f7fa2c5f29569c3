/** Receipts of payments, as PDF of one page. */
import { type Receipt, linesOf, writable } from '../../domain/payments/receipt.ts'
import { PDF_A, describeDocument } from '../../activities/pdf-a.ts'
import { findReceipt } from '../../db/payments/payments.ts'
import { BOLD, FEATURES, REGULAR } from '../../platform/fonts.ts'
import { findVisible } from './payments.ts'
import { operations } from '../http/operation.ts'

const { query } = operations('Payments')

const MARGIN = 56
const LABEL_WIDTH = 120
const VALUE_WIDTH = 360
const [TITLE_SIZE, SUBTITLE_SIZE, TEXT_SIZE] = [20, 11, 10]
const LINE_GAP = 6
/** Four lines of a value, three of the subtitle: all of it fits on one page. */
const [VALUE_HEIGHT, SUBTITLE_HEIGHT] = [60, 46]

const features = FEATURES as unknown as PDFKit.Mixins.OpenTypeFeatures[] // fontkit takes either

export const receipts = [
  query('/payments/{payment_id}/receipt', 'getPaymentReceipt')
    .says('Read the receipt of a payment that was paid, as PDF')
    .of('payment')
    .delegates('read')
    .can('transactions.list_own')
    .refuses('invalid_state')
    .bytes('application/pdf', ({ payment_id }) => `receipt-${payment_id}.pdf`)
    .does(async (context) => {
      await findVisible(context)
      return draw(await findReceipt(context.read, context.params.payment_id))
    }),
]

/** Draws a PDF of one page, the same bytes for the same receipt. Its properties hold names that the fonts lack. */
export async function draw(receipt: Receipt): Promise<Uint8Array<ArrayBuffer>> {
  const { payer, payee, id, created_at: createdAt } = receipt
  const { default: PDFDocument } = await import('pdfkit') // it takes long to load
  const document = new PDFDocument({
    ...PDF_A,
    size: 'A4',
    margin: MARGIN,
    font: '', // none but ours
    info: { Title: `Payment receipt ${id}`, CreationDate: new Date(receipt.paid_at ?? createdAt) },
  })
  describeDocument(document, { author: payer, subject: `${payer} to ${payee}` })
  const chunks: Uint8Array[] = []
  const finished = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
  document.registerFont('regular', REGULAR).registerFont('bold', BOLD)
  document.font('bold', TITLE_SIZE).text('Payment receipt', { features })
  const subtitle = { height: SUBTITLE_HEIGHT, ellipsis: true, features }
  document.font('regular', SUBTITLE_SIZE).text(writable(payer), subtitle).moveDown(2)
  for (const { label, value } of linesOf(receipt)) {
    const top = document.y
    document.font('bold', TEXT_SIZE).text(label, MARGIN, top, { width: LABEL_WIDTH, features })
    const box = { width: VALUE_WIDTH, height: VALUE_HEIGHT, ellipsis: true, lineGap: 1, features }
    document.font('regular').text(value, MARGIN + LABEL_WIDTH, top, box)
    document.y += LINE_GAP
  }
  document.end()
  return finished
}
