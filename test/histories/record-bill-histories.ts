/** Walks the paths of bills that are read, and keeps their histories: `npm run histories`. */
import { vi } from 'vitest'
import { api, organization, person } from '../support/api.ts'
import { readBill } from '../support/bills/bills.ts'
import { fault } from '../support/partners/partners.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { useWorker } from '../support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-bills-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
useWorker({ whole: true })

const INVOICE = `<?xml version="1.0"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:ID>R-1</cbc:ID><cbc:IssueDate>2026-03-01</cbc:IssueDate><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
</Invoice>`

/** A bill of this text, once it is read or given up, though storage refuses so often. */
async function handedIn(text: string, refusals = 0) {
  const boss = await person({ name: PRIVATE.firstName })
  const { id } = await organization(boss, PRIVATE.payer)
  const bill = await readBill(boss, id, Buffer.from(text), 'application/xml', async () => {
    if (refusals > 0) await fault('storage', 'down', refusals)
  })
  return { boss, bill, run: runOf('bill', bill.id) }
}

recordPaths({
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
