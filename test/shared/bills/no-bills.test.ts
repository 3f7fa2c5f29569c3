/** Files that may be no bill: by their title, or because they have no number. */
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { approve, fund, organization, person } from '../../support/api.ts'
import { IBAN, change, detail, eventsOf, readBill, requestPayment } from '../../support/bills/bills.ts'
import { fullRefusal } from '../../support/http/refusals.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const boss = await person({ authenticator: true })
const { id } = await organization(boss, 'Payer')
await fund(id, '500.00', 'EUR')

async function pdfOf(lines: readonly string[]): Promise<Buffer> {
  const pdf = new PDFDocument()
  for (const [index, line] of lines.entries()) pdf.text(line, 72, 72 + index * 20)
  pdf.end()
  return buffer(pdf)
}

const REST = ['Müller & Söhne GmbH', 'Lindenstr. 5', '10969 Berlin', 'Total amount: 119.00 EUR', `IBAN: ${IBAN}`]
const read = async (...lines: string[]) => readBill(boss, id, await pdfOf([...lines, ...REST]), 'application/pdf')

test('an offer is not to be paid, until a person says so', async () => {
  const bill = await read('Quotation', 'Date: 1 March 2026')
  expect(bill).toMatchObject({ not_payable: 'not_a_bill', amount: '119.00' })
  expect(fullRefusal(await requestPayment(boss, bill.id))).toEqual([
    422,
    'unprocessable_entity',
    { reason: 'not_a_bill' },
  ])
  expect((await change(boss, bill.id, { not_payable: null })).body.not_payable).toBe(null)
})

test('a file without the number of a bill is paid only if its payer says that it has none', async () => {
  const bill = await read('Invoice', 'Date: 2 April 2026')
  expect(bill).toMatchObject({ not_payable: null, amount: '119.00', bill_number: null })
  await change(boss, bill.id, { supplier_name: 'Müller & Söhne GmbH', account_holder_name: 'Müller & Söhne GmbH' })
  const [status, type, details] = fullRefusal(await requestPayment(boss, bill.id))
  expect([status, type, details]).toMatchObject([422, 'bill_incomplete', { fields: ['bill_number'] }])
  const asked = await requestPayment(boss, bill.id, { acknowledge_missing_number: true })
  expect([asked.status, asked.body]).toMatchObject([200, {}])
  const waiting = asked.body.waits_for?.approval_request_id
  if (waiting) {
    await approve(boss, waiting)
    expect((await requestPayment(boss, bill.id, { acknowledge_missing_number: true })).status).toBe(200)
  }
  const { events } = await detail(boss, bill.id)
  expect(await eventsOf(boss, bill.id)).toContain('bill.payment_requested')
  expect(events.at(-1).payload).toMatchObject({ acknowledged_missing_number: true })
})

test('a number that is typed needs no acknowledgement', async () => {
  const bill = await read('Invoice', 'Date: 3 May 2026')
  await change(boss, bill.id, { bill_number: 'R-1' })
  const [, type] = fullRefusal(await requestPayment(boss, bill.id))
  expect(type).not.toBe('bill_incomplete')
})
