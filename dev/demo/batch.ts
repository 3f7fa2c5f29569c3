/** Demo of a payment batch: imported, approved as one, paid row by row; and a statement. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { approve, call, dataDir, follow, organization, ready, sayRun, say, sendTo } from './caller.ts'

const ROWS = [
  'payee_svc_id,account_holder_name,bank_country,iban,amount,currency,payout_reason,statement_description',
  'demo-payee,,,,12.50,USD,services,October',
  'demo-payee,,,,20.00,USD,services,November',
  ',Ada Example,DE,DE02120300000000202051,310.00,EUR,salary,November',
  ',Ben Example,DE,DE02500105170137075030,295.40,EUR,salary,November',
  ',Cleo Example,NL,NL91ABNA0417164300,305.10,EUR,salary,November',
]

export async function batch(): Promise<{ status: string }> {
  const file = Buffer.from(ROWS.join('\r\n'))
  const { id } = await call('POST', `${organization}/payment-batches`, { name: 'Demo salaries' })
  const path = `/payment-batches/${id}`
  const fileId = await sendTo(path, 'salaries.csv', 'text/csv', file)
  await call('POST', `${path}/import`, { file_id: fileId })
  const imported = await follow(path, ({ status }) => status !== 'importing')
  const totals = imported.totals.map((sum: any) => `${sum.amount} ${sum.currency}`).join(' and ')
  say('A file of payments:', `${imported.rows_valid} of ${imported.rows_total} rows can be paid, ${totals} in all`)
  sayRun('  its workflow pays it here', `payment-batch-${id}`)
  const submitted = await call('POST', `${path}/submit`, {})
  await approve(submitted.approval_request_id)
  const paid = await follow(path, ({ status }) => status !== 'processing')
  say('  the batch is', `${paid.status}: ${paid.rows_succeeded} paid, ${paid.rows_failed} failed`)
  return paid
}

/** Writes a PDF statement of today's balances, beside the data of `npm start`. */
export async function statement(): Promise<void> {
  const today = new Date().toISOString().slice(0, 10)
  const order = { type: 'balance_statement', format: 'pdf', from: today, to: today }
  const { id } = await call('POST', `${organization}/exports`, order)
  const made = await follow(`/exports/${id}`, ({ status }) => status !== 'pending')
  const file = join(dataDir, made.filename)
  await writeFile(file, Buffer.from(await (await fetch(made.download_url)).arrayBuffer()))
  say('A statement', `of ${ready.demo.organization_id} is in ${file}`)
}
