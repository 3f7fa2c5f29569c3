/** A bank by files: payments leave in a file and settle by what the bank books; credits become deposits. */
import { expect, test, vi } from 'vitest'
import { approve } from '../../support/api.ts'
import { account, entry, report, takeUploaded, uploaded, visit } from '../../support/bank-files/bank.ts'
import { say } from '../../support/bank-files/words.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { openAccount } from '../../support/deposits/deposits.ts'
import { become } from '../../support/payments/payouts.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'
import { fileIdOf } from '../../../domain/bank-files/references.ts'

await vi.hoisted(async () => {
  const { connectFileBank } = await import('../../support/bank-files/connecting.ts')
  connectFileBank()
})
useWorker()

test('money comes by its reference, a payment leaves in one file, and settles when the bank has booked it', async () => {
  const at = await contactWith([BANK])
  const payer = { ...at, rail: 'fiat' as const }
  const opened = await openAccount(at.boss, at.payer.id, 'EUR')
  say(account([entry('credit', '900.00', { remittance: `Inv 7 ${opened.account}` })]))
  await visit()
  await until('the money is there', async () => {
    const [row] = await owner`select status from deposits where organization_id = ${at.payer.id}`
    return row?.['status'] === 'credited'
  })
  const quote = await quoteOf(at.boss, at.contact, { amount: '100.00', currency: 'EUR' }, { side: 'landing' })
  const payment = await executed(at.boss, quote.quote_id)
  expect((await approve(at.boss, payment)).status).toBe(200)
  await become(payer, payment, 'processing')
  const [name = ''] = await until('it is uploaded', async () => {
    await visit()
    const names = takeUploaded()
    return names.length > 0 && names
  })
  expect(uploaded(name)).toContain(`<EndToEndId>${fileIdOf(payment.id)}</EndToEndId>`)
  const [file] = await owner`select message_id, count, sum::float8 as sum from bank_files where name = ${name}`
  expect(file).toMatchObject({ count: 1, sum: 100 })
  say(report(file?.['message_id']))
  await visit()
  await until('it is acknowledged', async () => {
    const [row] = await owner`select status from bank_files where name = ${name}`
    return row?.['status'] === 'acknowledged'
  })
  say(account([entry('debit', '100.00', { endToEndId: fileIdOf(payment.id) })]))
  await visit()
  await become(payer, payment, 'succeeded')
  await until('its file is closed', async () => {
    const [row] = await owner`select status from bank_files where name = ${name}`
    return row?.['status'] === 'closed'
  })
})
