/**
 * A batch of many payments at a bank by files, whose worker dies by SIGKILL at each step: it becomes one file, each payment
 * is paid once, what the bank refuses is given back, and the books agree with the statement.
 *
 * A payment costs about 65 ms of processor time until it is ordered, and 50 ms until it is settled: each has a run of its
 * own. `PAYMENTS=5000` is for a machine with time.
 */
import { expect, test, vi } from 'vitest'
import { api, approve, organization, person } from '../../support/api.ts'
import { account, entry, eur, namesIn, report, today, uploaded, visit } from '../../support/bank-files/bank.ts'
import { findings } from '../../support/bank-files/files.ts'
import { type Uploaded, takeFiles } from '../../support/bank-files/playing.ts'
import { say } from '../../support/bank-files/words.ts'
import { ended, submit, violations } from '../../support/batches/batches.ts'
import {
  atRest,
  fileOf,
  importFile,
  newBatch,
  toAccount,
  uploaded as uploadRows,
} from '../../support/batches/imports.ts'
import { owner } from '../../support/database.ts'
import { openAccount } from '../../support/deposits/deposits.ts'
import { closeGate, installGates } from '../../support/faults/gates.ts'
import { type Child, startWorker } from '../../support/processes.ts'
import { until } from '../../support/until.ts'

await vi.hoisted(async () => {
  const { connectFileBank } = await import('../../support/bank-files/connecting.ts')
  connectFileBank({ flush_minutes: 1000 }) // the test says when the file is due
})

const PAYMENTS = Number(process.env['PAYMENTS'] ?? 500)
const HALF = PAYMENTS / 2
const REFUSED = 7
const FEE = 0.2
const PATIENCE_MS = 900_000
const IBAN = 'DE02120300000000202051'
/** The payment in the middle has an amount of its own. */
const [AMOUNT, AMOUNT_OF_HALF] = ['1.00', '1.07']
const FUNDS = PAYMENTS * 2

const ofBank = (on: string, when: string) => ({ on, when, of: 'connection' }) as const
/** Steps at which the worker dies: what it has written is not committed. */
const MOMENTS = {
  page: { on: 'update on payment_batches', when: 'old.rows_begun > 0 and new.rows_begun > old.rows_begun' },
  put: ofBank('insert on bank_payments', `new.seq = ${HALF}`),
  write: ofBank('update on bank_files', `new.status = 'written' and old.status <> 'written'`),
  claim: ofBank('update on bank_files', 'new.upload is distinct from old.upload'),
  upload: ofBank('update on bank_files', `new.status = 'uploaded' and old.status <> 'uploaded'`),
  acknowledge: ofBank('update on bank_files', `new.status = 'acknowledged' and old.status <> 'acknowledged'`),
  book: ofBank('insert on bank_entries', `new.reference = 'half'`),
  call: ofBank('update on bank_payments', `new.amount = ${AMOUNT_OF_HALF} and new.changes_called > old.changes_called`),
  settle: {
    on: 'update on payments',
    when: `new.status = 'succeeded' and old.status <> 'succeeded' and new.landing_amount = ${AMOUNT_OF_HALF}`,
  },
  read: ofBank('update on bank_files', `new.status = 'read' and new.kind = 'statement'`),
} as const
type Moment = keyof typeof MOMENTS

const began = Date.now()
let kills = 0
let worker: Child

/** Has the worker die where it reaches a moment, and starts another one. */
async function killAt(moment: Moment, of: string, begin: () => Promise<unknown>): Promise<void> {
  const gate = await closeGate(moment, of)
  await begin()
  await gate.waiting(PATIENCE_MS)
  await worker.kill()
  await gate.open()
  worker = await startWorker()
  kills += 1
  console.log(`${Math.round((Date.now() - began) / 1000)} s: killed at ${moment}`)
}

/** Lets the bank say something, and the service hear it. */
async function tell(...message: Parameters<typeof say>): Promise<void> {
  say(...message)
  await visit()
}

test(`${PAYMENTS} payments in one file are paid once each, whichever step the worker dies at`, async () => {
  await installGates<Moment>(MOMENTS)
  worker = await startWorker()
  const boss = await person({ authenticator: true })
  const { id: payer } = await organization(boss, 'Payer')
  const opened = await openAccount(boss, payer, 'EUR')
  await tell(account([entry('credit', `${FUNDS}.00`, { remittance: opened.account })]))
  await until('the money', async () => (await owner`select from deposits where status = 'credited'`).length > 0)

  const batch = await submitBatch(boss, payer)
  await killAt('page', payer, async () => expect((await approve(boss, batch)).status).toBe(200))
  await killAt('put', 'bank', async () => {})
  await countBecomes(batch.id, { processing: PAYMENTS })
  const file = await writeAndUpload()
  expect(file.payments.length).toBe(PAYMENTS)

  const refused = new Set(file.payments.slice(0, REFUSED).map(({ endToEndId }) => endToEndId))
  await killAt('acknowledge', 'bank', () => tell(reportOn(file, refused)))
  await countBecomes(batch.id, { failed: REFUSED, processing: PAYMENTS - REFUSED })

  const paid = file.payments.filter(({ endToEndId }) => !refused.has(endToEndId))
  const debits = paid.map(({ amount, endToEndId }, at) =>
    entry('debit', amount, { endToEndId }, at === Math.floor(HALF) ? { reference: 'half' } : {}),
  )
  await killAt('book', 'bank', () => tell(account(debits)))
  await killAt('call', 'bank', async () => {})
  await killAt('settle', payer, async () => {})
  expect(await ended(batch.id, PATIENCE_MS)).toMatchObject({ rows_failed: REFUSED, rows_succeeded: paid.length })

  const sum = paid.reduce((all, { amount }) => all + Number(amount), 0)
  const day = today()
  const closing = { amount: eur((FUNDS - sum).toFixed(2)), day }
  const opening = { amount: eur(`${FUNDS}.00`), day }
  await killAt('read', 'bank', () => tell(account(debits, { kind: 'statement', opening, closing })))
  await until('the statement is read', async () => (await owner`select from bank_balances`).length > 0)

  await agree({ batchId: batch.id, payer, paid, token: boss.token })
  await worker.stop()
  console.log(`${PAYMENTS} payments, ${kills} kills: ${Math.round((Date.now() - began) / 1000)} s`)
}, 1_800_000)

async function submitBatch(boss: Awaited<ReturnType<typeof person>>, payer: string) {
  const id = await newBatch(boss, payer)
  const rows = Array.from({ length: PAYMENTS }, (_, at) => toAccount(IBAN, at === HALF ? AMOUNT_OF_HALF : AMOUNT))
  await importFile(boss, id, await uploadRows(boss, id, fileOf(...rows)))
  expect(await atRest(boss, id, PATIENCE_MS)).toMatchObject({ status: 'draft', rows_valid: PAYMENTS })
  return (await submit(boss, id)).body
}

/** Has the file written and uploaded, with a death at each step; answers it as the bank takes it. */
async function writeAndUpload(): Promise<Uploaded> {
  const dueNow = async () => {
    await owner`update bank_files set due_at = business_now() where status = 'collecting'`
    await visit()
  }
  await killAt('write', 'bank', dueNow)
  await killAt('claim', 'bank', visit)
  await killAt('upload', 'bank', async () => {})
  const [file, ...others] = await until('an upload', async () => {
    const files = takeFiles()
    return files.length > 0 && files
  }, PATIENCE_MS) // prettier-ignore
  if (!file || others.length > 0) throw new Error('the payments are not in one file')
  return file
}

const reportOn = ({ messageId, payments }: Uploaded, refused: ReadonlySet<string>) =>
  report(messageId, {
    status: 'PART',
    payments: payments.map(({ endToEndId }) =>
      refused.has(endToEndId)
        ? { endToEndId, status: 'RJCT', reasons: [{ code: 'AC04', text: 'closed account' }], amount: null }
        : { endToEndId, status: 'ACSP', reasons: [], amount: null },
    ),
  })

const countBecomes = (batchId: string, counts: Readonly<Record<string, number>>) =>
  until(
    JSON.stringify(counts),
    async () => {
      const rows = await owner<{ status: string; count: number }[]>`
        select status, count(*)::int from payments where payment_batch_id = ${batchId} group by status`
      return JSON.stringify(Object.fromEntries(rows.map((row) => [row.status, row.count]).toSorted())) === JSON.stringify(counts) // prettier-ignore
    },
    PATIENCE_MS,
  )

type Outcome = { batchId: string; payer: string; paid: Uploaded['payments']; token: string }

/** Compares the books with what the bank has paid. */
async function agree({ batchId, paid, payer, token }: Outcome): Promise<void> {
  const all = [...namesIn('in'), ...namesIn('taken')].map(uploaded).join('')
  const sent = [...all.matchAll(/<EndToEndId>([^<]+)</g)].map(([, ends]) => ends)
  expect({ sent: sent.length, once: new Set(sent).size }).toEqual({ sent: PAYMENTS, once: PAYMENTS })
  const [settled] = await owner`
    select count(*)::int as count, sum(landing_amount)::float8 as sum from payments
    where payment_batch_id = ${batchId} and status = 'succeeded'`
  const sum = paid.reduce((total, { amount }) => total + Math.round(Number(amount) * 100), 0) / 100
  expect(settled).toEqual({ count: paid.length, sum })
  const { body } = await api('GET', `/organizations/${payer}/balances`, { token })
  const { available, held } = body.data.find(({ currency }: { currency: string }) => currency === 'EUR')
  const left = FUNDS - sum - paid.length * FEE
  expect({ available: available.amount, held: held.amount }).toEqual({ available: left.toFixed(2), held: '0.00' })
  const [entries] = await owner`
    select count(*)::int as count, sum(amount)::float8 as sum from bank_entry_parts where kind = 'payout'`
  expect(entries).toEqual({ count: paid.length, sum })
  expect(await findings()).toEqual([])
  expect(await violations(payer)).toEqual([])
  await until('the file is closed', async () =>
    (await owner`select from bank_files where direction = 'out' and status = 'closed'`).length === 1) // prettier-ignore
}
