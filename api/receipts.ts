/** Receipts of payments, as PDF of one page. */
import PDFDocument from 'pdfkit'
import * as v from 'valibot'
import { type Receipt, linesOf, writable } from '../db/model/receipt.ts'
import { findReceipt } from '../db/receipts.ts'
import { PaymentParams, findVisible } from './payments.ts'
import { route } from './route.ts'

const MARGIN = 56
const LABEL_WIDTH = 120
const VALUE_WIDTH = 360
const [TITLE_SIZE, SUBTITLE_SIZE, TEXT_SIZE] = [20, 11, 10]
const LINE_GAP = 6

export const receipts = [
  route({
    method: 'get',
    path: '/payments/{payment_id}/receipt',
    operationId: 'getPaymentReceipt',
    summary: 'Read the receipt of a payment that was paid, as PDF',
    tag: 'Payments',
    can: 'transactions.list_own',
    owner: { kind: 'payment', param: 'payment_id' },
    params: PaymentParams,
    returns: v.instance(Uint8Array),
    produces: 'application/pdf',
    handle: async (context) => {
      await findVisible(context)
      return draw(await findReceipt(context.read, context.params.payment_id))
    },
  }),
]

/** The names stand in the document's properties as they are: its fonts are the standard ones, which lack most letters. */
async function draw(receipt: Receipt): Promise<Uint8Array<ArrayBuffer>> {
  const { payer, payee, id, created_at: createdAt } = receipt
  const document = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    info: {
      Title: `Payment receipt ${id}`,
      Subject: `${payer} to ${payee}`,
      CreationDate: new Date(receipt.paid_at ?? createdAt),
    },
  })
  const chunks: Uint8Array[] = []
  const finished = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
  document.font('Helvetica-Bold').fontSize(TITLE_SIZE).text('Payment receipt')
  document.font('Helvetica').fontSize(SUBTITLE_SIZE).text(writable(payer)).moveDown(2)
  for (const { label, value } of linesOf(receipt)) {
    const top = document.y
    document.font('Helvetica-Bold').fontSize(TEXT_SIZE).text(label, MARGIN, top, { width: LABEL_WIDTH })
    document.font('Helvetica').text(value, MARGIN + LABEL_WIDTH, top, { width: VALUE_WIDTH, lineGap: 1 })
    document.y += LINE_GAP
  }
  document.end()
  return finished
}
