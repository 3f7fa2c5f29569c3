/** Cells of an export that are of the payment, batch, bill or deposit behind a row. */
import { expect, test } from 'vitest'
import { api, approve, createPayment, fund, payerAndPayee } from '../../support/api.ts'
import { draftOf, rowIdOf } from '../../support/batches/batches.ts'
import { typedBill } from '../../support/bills/bills.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { openAccount } from '../../support/deposits/deposits.ts'
import { readCsv } from '../../support/exports/csv.ts'
import { exported } from '../../support/exports/exports.ts'
import { faultsOfCamt053 } from '../../support/exports/xsd.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { become } from '../../support/payments/payouts.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const bank = { ...BANK, swift_code: 'BYLADEM1001' }

/** Rows of a CSV file by the names of their columns. */
function recordsIn(file: Uint8Array): Record<string, string>[] {
  const [header = [], ...rows] = readCsv(file)
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])))
}

test('a payment by bank has notes, reference and invoice number of its batch row or bill, IBAN and BIC; its fee no party', async () => {
  const at = { ...(await contactWith([bank])), rail: 'fiat' as const }
  await fund(at.payer.id, '200.00', 'EUR')
  const account = await openAccount(at.boss, at.payer.id, 'EUR')
  const quote = await quoteOf(at.boss, at.contact, { amount: '100.00', currency: 'EUR' })
  const payment = await executed(at.boss, quote.quote_id, { internal_notes: 'For the roof' })
  await approve(at.boss, payment)
  await become(at, payment, 'succeeded')

  const read = async () => {
    const rows = recordsIn(await exported(at.boss, at.payer.id, { type: 'transactions', format: 'csv' }))
    return (type: string) => rows.find((row) => row['type'] === type) ?? {}
  }
  const first = await read()
  const none = { reference: '', invoice_number: '' }
  expect(first('payment')).toMatchObject({ internal_notes: 'For the roof', counterparty_account: BANK.iban, ...none })
  expect(first('fee')).toMatchObject({ counterparty_account: '', payment_id: payment.id })

  const bill = { bill_number: 'B-7', payment_reference: 'RF18539007547034' }
  const { id: billId } = await typedBill(at.boss, at.payer.id, bill)
  await owner`update transactions set bill_id = ${billId} where payment_id = ${payment.id}`
  expect((await read())('payment')).toMatchObject({ reference: 'RF18539007547034', invoice_number: 'B-7' })

  const batchId = await draftOf(at.boss, at.payer.id, [{ amount: '1.00', iban: BANK.iban }])
  await owner`
    update payment_batch_rows set reference = 'R-1', payment_id = ${payment.id} where id = ${await rowIdOf(batchId)}`
  const [transaction] = await owner<{ id: string }[]>`
    select id from transactions where payment_id = ${payment.id} and type = 'payment'`
  const path = `/transactions/${transaction?.id}`
  await api('PATCH', path, { token: at.boss.token, body: { internal_notes: 'For the whole roof' } })
  const named = { reference: 'R-1', invoice_number: 'B-7', internal_notes: 'For the whole roof' }
  expect((await read())('payment')).toMatchObject(named)

  const camt = await exported(at.boss, at.payer.id, { type: 'balance_statement', format: 'camt053', currency: 'EUR' })
  expect(await faultsOfCamt053(camt)).toEqual([])
  const [, own = '', entries = ''] = /<Acct>(.*?)<\/Acct>(.*)/s.exec(camt.toString()) ?? []
  expect(own).toContain(`<IBAN>${account.account}</IBAN>`)
  expect(own).toContain('<BICFI>SBOXDEFF</BICFI>')
  expect(entries).toContain(`<CdtrAcct><Id><IBAN>${BANK.iban}</IBAN></Id></CdtrAcct>`)
  expect(entries).toContain('<BICFI>BYLADEM1001</BICFI>')
  expect(entries.match(/<RltdPties>/g)).toHaveLength(1) // the payment: the deposit names no one, the fee has no party
})

test('a deposit has the reference and account of its sender', async () => {
  const { boss, payer } = await payerAndPayee('10.00')
  const sender = { name: 'Customer', reference: 'Thank you', account_reference: BANK.iban }
  const amount = { amount: '30.00', currency: 'EUR' }
  const body = { organization_id: payer.id, rail: 'fiat', amount, sender }
  expect((await api('POST', '/sandbox/deposits', { body })).status).toBe(201)
  const order = { type: 'transactions', format: 'csv', currency: 'EUR' }
  const [deposit] = recordsIn(await exported(boss, payer.id, order))
  expect(deposit).toMatchObject({ reference: 'Thank you', counterparty_account: BANK.iban })
})

test('a payee sees neither notes nor references of the payer', async () => {
  const { boss, payeeBoss, payer, payee, contactId } = await payerAndPayee('10.00')
  const payment = await createPayment(boss, contactId, '1.00')
  await approve(boss, payment)
  await owner`update payments set internal_notes = 'Never again' where id = ${payment.id}`
  const order = { type: 'transactions', format: 'csv' }
  const [own] = recordsIn(await exported(boss, payer.id, order)).filter(({ type }) => type === 'payment')
  expect(own).toMatchObject({ internal_notes: 'Never again', counterparty_account: payee.svcId })
  const [theirs] = recordsIn(await exported(payeeBoss, payee.id, order))
  const none = { internal_notes: '', reference: '', invoice_number: '', counterparty_account: '' }
  expect(theirs).toMatchObject({ payment_id: payment.id, direction: 'in', ...none })
})
