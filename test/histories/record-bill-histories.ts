/** `npm run histories`: walks the paths of bills that are read and records their histories. */
import PdfDocument from 'pdfkit'
import { afterAll, vi } from 'vitest'
import { api, organization, person } from '../support/api.ts'
import { readBill } from '../support/bills/bills.ts'
import { fault } from '../support/partners/partners.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { useWorker } from '../support/worker.ts'

const { provider } = await vi.hoisted(async () => {
  const events = await import('node:events')
  const { createServer } = await import('node:http')
  const provider = createServer((request, response) => {
    request.resume()
    response.end(JSON.stringify({ choices: [{ message: { content: '{}' } }] }))
  })
  await events.default.once(provider.listen(0, '127.0.0.1'), 'listening')
  Object.assign(process.env, {
    TASK_QUEUE_PREFIX: 'recorded-bills-',
    BILL_MODEL_PROVIDER: 'openai',
    BILL_MODEL_URL: `http://127.0.0.1:${Object(provider.address()).port}/v1`,
    BILL_MODEL_NAME: 'reader-1',
  })
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
  return { provider }
})
afterAll(() => provider.close())
useWorker({ whole: true })

const INVOICE = `<?xml version="1.0"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:ID>R-1</cbc:ID><cbc:IssueDate>2026-03-01</cbc:IssueDate><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
</Invoice>`

/** A bill of this text after its reading, with `refusals` by storage before. */
async function handedIn(text: string, refusals = 0) {
  const boss = await person({ name: PRIVATE.firstName })
  const { id } = await organization(boss, PRIVATE.payer)
  const bill = await readBill(boss, id, Buffer.from(text), 'application/xml', async () => {
    if (refusals > 0) await fault('storage', 'down', refusals)
  })
  return { boss, bill, run: runOf('bill', bill.id) }
}

async function pageOf(text: string): Promise<Buffer> {
  const pdf = new PdfDocument()
  const pieces: Buffer[] = []
  pdf.on('data', (piece: Buffer) => pieces.push(piece))
  pdf.text(text).end()
  await new Promise((resolve) => pdf.on('end', resolve))
  return Buffer.concat(pieces)
}

recordPaths({
  async 'bill-read-with-a-model'() {
    const boss = await person({ name: PRIVATE.firstName })
    const { id } = await organization(boss, PRIVATE.payer)
    const bill = await readBill(boss, id, await pageOf(PRIVATE.statement), 'application/pdf')
    return runOf('bill', bill.id)
  },
  'bill-read': async () => (await handedIn(INVOICE)).run,
  'bill-tried-twice': async () => (await handedIn(INVOICE, 1)).run,
  'bill-given-up': async () => (await handedIn('<order/>')).run,
  async 'bill-read-again'() {
    const { boss, bill, run } = await handedIn('<order/>')
    await api('POST', `/bills/${bill.id}/extract`, { token: boss.token, body: {} })
    await run.result()
    return run
  },
})
