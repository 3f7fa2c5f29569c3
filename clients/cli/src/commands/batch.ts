/** Batch: imports a file of payments, and shows how far it is. */
import { openAsBlob } from 'node:fs'
import { basename, extname } from 'node:path'
import type { PaymentBatch } from 'business-finance-client'
import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { EXIT } from '../failures.ts'
import type { Act } from '../run.ts'
import { formatValue } from '../table.ts'
import { sayApproval } from './approve.ts'

type Options = { readonly name?: string; readonly submit?: boolean }

const LOOK_MS = 500

export function addBatch(program: Command, act: Act): void {
  program
    .command('batch')
    .description('payment batches from files')
    .command('import')
    .description('import a CSV file or a workbook (.xlsx) as a batch: bfs payment-batches get-template -o template.csv')
    .argument('<file>')
    .option('--name <name>', 'name of the batch; that of the file by default')
    .option('--submit', 'ask for its approval, if every row can be paid')
    .action(act(importBatch))
}

async function importBatch(context: Context, file: string, options: Options): Promise<number> {
  const { client, output, io } = context
  const bytes = await openAsBlob(file, { type: 'text/csv' })
  const name = options.name ?? basename(file)
  const { id: batch_id } = await client.createPaymentBatch({ organization_id: context.organization(), name })
  output.progress('uploading')
  const slot = { batch_id, filename: basename(file), byte_size: bytes.size }
  const file_id =
    extname(file).toLowerCase() === '.xlsx'
      ? await client.upload('createPaymentBatchDocumentUpload', { ...slot, format: 'xlsx' }, bytes)
      : await client.upload('createPaymentBatchUpload', { ...slot, content_type: 'text/csv' }, bytes)
  let batch = await client.importPaymentBatchFile({ batch_id, file_id })
  while (batch.status === 'importing') {
    output.progress(`importing  ${batch.rows_total} rows`)
    await io.pause(LOOK_MS)
    batch = await client.getPaymentBatch({ batch_id }, { signal: io.signal })
  }
  output.progress(describeRows(batch))
  output.endProgress()
  if (options.submit && canBePaid(batch)) batch = await client.submitPaymentBatch({ batch_id })
  output.answer(context.latestJson(), batch)
  return endOf(context, batch)
}

const canBePaid = (batch: PaymentBatch): boolean =>
  !batch.import_error && batch.rows_invalid === 0 && batch.rows_valid > 0

function describeRows({ rows_valid: valid, rows_total: total, totals }: PaymentBatch): string {
  const sums = totals.map(formatValue).join(' and ')
  return `${valid} of ${total} rows can be paid${sums ? `, ${sums} in all` : ''}`
}

function endOf(context: Context, { id, import_error: error, rows_invalid: invalid, ...batch }: PaymentBatch): number {
  if (error) {
    context.output.say(`The file was not imported${error.line ? `, line ${error.line}` : ''}: ${error.message}`)
    return EXIT.refused
  }
  if (invalid > 0) {
    context.output.say(`What is wrong: bfs payment-batches list-rows ${id} --status invalid`)
    return EXIT.refused
  }
  return batch.approval_request_id ? sayApproval(context, batch.approval_request_id) : EXIT.done
}
