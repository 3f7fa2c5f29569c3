/** Bill: uploads the file of one, and waits until it is read. */
import { openAsBlob } from 'node:fs'
import { basename, extname } from 'node:path'
import type { NewBillFile } from 'business-finance-client'
import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { EXIT, Failure } from '../failures.ts'
import type { Act } from '../run.ts'

const LOOK_MS = 1000

const TYPES: Readonly<Record<string, NewBillFile['content_type']>> = {
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.xml': 'application/xml',
}

const NO_BILL = 'A bill is a PDF, PNG, JPEG, WebP, TIFF or XML file.'
const NO_HEIC = 'A HEIC picture cannot be read: send it as JPEG, PNG or PDF.'

export function addBill(program: Command, act: Act): void {
  program
    .command('bill')
    .description('bills from files')
    .command('add')
    .description('add the file of a bill, and wait until it is read')
    .argument('<file>', 'PDF, PNG, JPEG, WebP, TIFF or XML')
    .option('--idempotency-key <key>', 'the same key makes one bill')
    .action(act(addFile))
}

async function addFile(context: Context, file: string, options: { readonly idempotencyKey?: string }): Promise<number> {
  const { client, output, io } = context
  const ending = extname(file).toLowerCase()
  const content_type = TYPES[ending]
  if (!content_type) throw new Failure(EXIT.usage, ending === '.heic' ? NO_HEIC : NO_BILL)
  const organization_id = context.organization()
  const bytes = await openAsBlob(file, { type: content_type })
  output.progress('uploading')
  const slot = { organization_id, filename: basename(file), byte_size: bytes.size, content_type }
  const file_id = await client.upload('createBillUpload', slot, bytes)
  let bill = await client.createBill({ organization_id, file_id }, options)
  while (bill.status === 'extracting') {
    output.progress('reading')
    await io.pause(LOOK_MS)
    bill = (await client.getBill({ bill_id: bill.id }, { signal: io.signal })).bill
  }
  output.endProgress()
  output.answer(JSON.stringify(bill), bill)
  if (bill.extraction_failed_at) output.say('It could not be read: a person has to fill it in.')
  return bill.extraction_failed_at ? EXIT.waitsForPerson : EXIT.done
}
