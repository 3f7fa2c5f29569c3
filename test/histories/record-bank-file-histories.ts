/** `npm run histories`: walks the paths of files to a bank and of a bank, and of visits to its folder. */
import { randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import { startNow, visitsOf } from '../../temporal/schedules.ts'
import { fileIdOf } from '../../domain/bank-files/references.ts'
import { account, entry, report, visit } from '../support/bank-files/bank.ts'
import { say } from '../support/bank-files/words.ts'
import { approve } from '../support/api.ts'
import { BANK, contactWith } from '../support/contacts/destinations.ts'
import { owner } from '../support/database.ts'
import { openAccount } from '../support/deposits/deposits.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { wait } from '../support/identity/identity.ts'
import { become, sent } from '../support/payments/payouts.ts'
import { executed, quoteOf } from '../support/payments/quotes.ts'
import { waits } from '../support/runs/runs.ts'
import { until } from '../support/until.ts'
import { useWorker } from '../support/worker.ts'

await vi.hoisted(async () => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-bank-files-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
  const { connectFileBank } = await import('../support/bank-files/connecting.ts')
  connectFileBank({ poll_minutes: 0.4, instant: true }) // two visits in a run
})
useWorker({ whole: true })

const DAY = 24 * 3600
const SENDER = { debtor: { name: PRIVATE.payer, account: null, country: 'DE' } }

/** Says that money came, for an organization that has an account; answers the name of the file. */
async function said() {
  const at = await contactWith([BANK])
  const opened = await openAccount(at.boss, at.payer.id, 'EUR')
  const words = { ...SENDER, remittance: `${PRIVATE.reason} ${opened.account}` }
  return { at, name: say(account([entry('credit', '900.00', words)]), `${randomUUID()}.xml`) }
}

/** Waits until a file of the bank, or to it, is in a status; the folder is visited meanwhile. */
const becomes = (where: { name: string } | { payment: string }, status: string) =>
  until(`a file that is ${status}`, async () => {
    await visit()
    const [row] = await owner<{ id: string; messageId: string }[]>`
      select id, message_id as "messageId" from bank_files where status = ${status} and ${
        'name' in where
          ? owner`name = ${where.name}`
          : owner`id = (select file_id from bank_payments where id = ${where.payment})`
      }`
    return row
  })

/** A payer who has money. */
async function payerWithMoney() {
  const { at } = await said()
  await until('the money is there', async () => {
    await visit()
    const [row] = await owner`select status from deposits where organization_id = ${at.payer.id}`
    return row?.['status'] === 'credited'
  })
  return { ...at, rail: 'fiat' as const }
}

/** An instant payment: its file waits for no visit of a schedule, and none is made here. */
async function uploadedAtOnce() {
  const payer = await payerWithMoney()
  const asked = { side: 'landing', speed: 'instant' } as const
  const quote = await quoteOf(payer.boss, payer.contact, { amount: '100.00', currency: 'EUR' }, asked)
  const payment = await executed(payer.boss, quote.quote_id)
  await approve(payer.boss, payment)
  const { id } = await until('an uploaded file', async () => {
    const [row] = await owner<{ id: string }[]>`
      select id from bank_files where status = 'uploaded' and scheme = 'sepa_instant'
        and id = (select file_id from bank_payments where id = ${payment.id})`
    return row
  })
  say(account([entry('debit', '100.00', { endToEndId: fileIdOf(payment.id) })]), `${randomUUID()}.xml`)
  await visit()
  await become(payer, payment, 'succeeded')
  return runOf('bank-file', id)
}

/** A payment in a file that the bank has. */
async function uploaded() {
  const payer = await payerWithMoney()
  const payment = await sent(payer)
  const file = await becomes({ payment: payment.id }, 'uploaded')
  await waits(file)
  const settle = async () => {
    say(account([entry('debit', '100.00', { endToEndId: fileIdOf(payment.id) })]), `${randomUUID()}.xml`)
    await visit()
    await become(payer, payment, 'succeeded')
  }
  return { file, payment: payment.id, settle, run: runOf('bank-file', file.id) }
}

recordPaths({
  async 'bank-file-read'() {
    const { name } = await said()
    const { id } = await becomes({ name }, 'read')
    return runOf('bank-file', id)
  },
  async 'bank-file-acknowledged-then-closed'() {
    const { file, payment, settle, run } = await uploaded()
    say(report(file.messageId), `${randomUUID()}.xml`)
    await becomes({ payment }, 'acknowledged')
    await settle()
    return run
  },
  'bank-file-instant-then-closed': uploadedAtOnce,
  /** Path: a schedule's run of two visits. */
  async 'bank-folder-visited-twice'() {
    await said()
    const run = await startNow(visitsOf('bank'))
    await run.result()
    return run
  },
  /** Path: the bank says nothing about the file for a day, and books its payment then. */
  async 'bank-file-on-hold-then-closed'() {
    const { payment, settle, run } = await uploaded()
    await wait(DAY + 60)
    await becomes({ payment }, 'on_hold')
    await settle()
    return run
  },
})
