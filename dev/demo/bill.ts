/** Demo of a bill: an invoice as PDF, read, reviewed, and paid. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Payment } from '../../clients/typescript/src/index.ts'
import { approve, client, dataDir, follow, newKey, organization_id, sayRun, say } from './caller.ts'
import { invoice } from './invoice.ts'
import { waitForPayment } from './money.ts'

const SHOWN = ['supplier_name', 'bill_number', 'amount', 'due_date', 'iban', 'payment_reference']

export async function bill(): Promise<Payment> {
  const file = new Blob([new Uint8Array(await invoice())], { type: 'application/pdf' })
  const slot = {
    organization_id,
    filename: 'invoice.pdf',
    byte_size: file.size,
    content_type: 'application/pdf',
  } as const
  const { id } = await client.createBill({
    organization_id,
    file_id: await client.upload('createBillUpload', slot, file),
  })
  const { bill: read } = await follow(
    () => client.getBill({ bill_id: id }),
    (now) => now.bill.status !== 'extracting',
  )
  say('A bill as PDF:', `${read.supplier_name} asks for ${read.amount} ${read.currency} by ${read.due_date}`)
  for (const { field, value, method, page } of (await client.getBillProvenance({ bill_id: id })).data) {
    if (SHOWN.includes(field)) say(`  ${field}`, `${value}, by ${method}${page ? `; seen on page ${page}` : ''}`)
  }
  const picture = join(dataDir, 'invoice-page-1.png')
  const page = await client.getBillPage({ bill_id: id, n: 1, mark: true })
  await writeFile(picture, Buffer.from(await page.arrayBuffer()))
  say('  the page, with its fields marked, is in', picture)
  const asked = await client.requestBillPayment({ bill_id: id }, newKey())
  const paymentId = asked.fiat_outgoing_id ?? ''
  say('  its payment', `${paymentId} is asked for; it waits for approval as every payment does`)
  await approve(asked.approval_request_id)
  sayRun('  its workflow read it here', `bill-${id}`)
  return waitForPayment(paymentId)
}
