/** Demo of a payment batch: imported, approved as one, paid row by row; and a statement. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PaymentBatch } from '../../clients/typescript/src/index.ts'
import { approve, client, dataDir, follow, newKey, organization_id, sayRun, say } from './caller.ts'

const ROWS = [
  'payee_svc_id,account_holder_name,bank_country,iban,amount,currency,payout_reason,statement_description',
  'demo-payee,,,,12.50,USD,services,October',
  'demo-payee,,,,20.00,USD,services,November',
  ',Ada Example,DE,DE02120300000000202051,310.00,EUR,salary,November',
  ',Ben Example,DE,DE02500105170137075030,295.40,EUR,salary,November',
  ',Cleo Example,NL,NL91ABNA0417164300,305.10,EUR,salary,November',
]

export async function batch(): Promise<PaymentBatch> {
  const file = new Blob([ROWS.join('\r\n')], { type: 'text/csv' })
  const { id: batch_id } = await client.createPaymentBatch({ organization_id, name: 'Demo salaries' })
  const slot = { batch_id, filename: 'salaries.csv', byte_size: file.size, content_type: 'text/csv' } as const
  await client.importPaymentBatchFile({
    batch_id,
    file_id: await client.upload('createPaymentBatchUpload', slot, file),
  })
  const read = () => client.getPaymentBatch({ batch_id })
  const imported = await follow(read, ({ status }) => status !== 'importing')
  const totals = imported.totals.map((sum) => `${sum.amount} ${sum.currency}`).join(' and ')
  say('A file of payments:', `${imported.rows_valid} of ${imported.rows_total} rows can be paid, ${totals} in all`)
  sayRun('  its workflow pays it here', `payment-batch-${batch_id}`)
  const submitted = await client.submitPaymentBatch({ batch_id }, newKey())
  await approve(submitted.approval_request_id)
  const paid = await follow(read, ({ status }) => status !== 'processing')
  say('  the batch is', `${paid.status}: ${paid.rows_succeeded} paid, ${paid.rows_failed} failed`)
  return paid
}

/** Writes a PDF statement of today's balances, beside the data of `npm start`. */
export async function statement(): Promise<void> {
  const today = new Date().toISOString().slice(0, 10)
  const order = { type: 'balance_statement', format: 'pdf', from: today, to: today } as const
  const { id } = await client.createExport({ organization_id, ...order })
  const made = await follow(
    () => client.getExport({ export_id: id }),
    ({ status }) => status !== 'pending',
  )
  const file = join(dataDir, made.filename)
  await writeFile(file, await client.download(made.download_url ?? ''))
  say('A statement', `of ${organization_id} is in ${file}`)
}
