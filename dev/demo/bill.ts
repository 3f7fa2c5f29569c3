/** Demo of a bill: an invoice as PDF, read, reviewed, and paid. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { approve, bytesOf, call, dataDir, follow, organization, sayRun, say, sendTo } from './caller.ts'
import { invoice } from './invoice.ts'
import { waitForEnd } from './money.ts'

const SHOWN = ['supplier_name', 'bill_number', 'amount', 'due_date', 'iban', 'payment_reference']

export async function bill(): Promise<{ status: string }> {
  const fileId = await sendTo(`${organization}/bills`, 'invoice.pdf', 'application/pdf', await invoice())
  const { id } = await call('POST', `${organization}/bills`, { file_id: fileId })
  const { bill: read } = await follow(`/bills/${id}`, (now) => now.bill.status !== 'extracting')
  say('A bill as PDF:', `${read.supplier_name} asks for ${read.amount} ${read.currency} by ${read.due_date}`)
  for (const { field, value, method, page } of (await call('GET', `/bills/${id}/provenance`)).data) {
    if (SHOWN.includes(field)) say(`  ${field}`, `${value}, by ${method}${page ? `; seen on page ${page}` : ''}`)
  }
  const picture = join(dataDir, 'invoice-page-1.png')
  await writeFile(picture, await bytesOf(`/bills/${id}/pages/1.png?mark=true`))
  say('  the page, with its fields marked, is in', picture)
  const asked = await call('POST', `/bills/${id}/request-payment`, {})
  say('  its payment', `${asked.fiat_outgoing_id} is asked for; it waits for approval as every payment does`)
  await approve(asked.approval_request_id)
  sayRun('  its workflow read it here', `bill-${id}`)
  return waitForEnd(`/payments/${asked.fiat_outgoing_id}`, (now) => now.status_detail)
}
