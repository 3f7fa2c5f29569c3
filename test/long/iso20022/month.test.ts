/**
 * A month of statements (camt.053). A notification (camt.054) has some of the entries of each day before: payments with
 * and without charges, returns, deposits. The books say to the cent what the bank holds.
 */
import { expect, test, vi } from 'vitest'
import type { BankEntry } from '../../../domain/bank-files/messages.ts'
import { approve, organization, person } from '../../support/api.ts'
import { account, entry, eur, visit } from '../../support/bank-files/bank.ts'
import { findings } from '../../support/bank-files/files.ts'
import { takeFiles } from '../../support/bank-files/playing.ts'
import { say } from '../../support/bank-files/words.ts'
import { ended, submit, violations } from '../../support/batches/batches.ts'
import { fileOf, imported, newBatch, toAccount } from '../../support/batches/imports.ts'
import { owner } from '../../support/database.ts'
import { openAccount } from '../../support/deposits/deposits.ts'
import { comparisonOf, prove } from '../../support/ledger/funds.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

await vi.hoisted(async () => {
  const { connectFileBank } = await import('../../support/bank-files/connecting.ts')
  connectFileBank()
})
useWorker()

const DAYS = 30
/** Payments of a day: plain, plain, with charges, one that comes back. */
const EACH_DAY = 4
const DAY_MS = 86_400_000
const PATIENCE_MS = 240_000
/** Day of which the bank first states a sum that cannot be. */
const WRONG_DAY = 15
const [FUNDS, CHARGE, KEPT] = [500_000, 20, 50]
const SENDER = { name: 'Sender', account: 'DE02120300000000202051', country: 'DE' }

/** Amounts are in cents. */
const text = (cents: number): string => (cents / 100).toFixed(2)
const dayAt = (at: number): string => new Date(Date.now() - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10)
const writtenAt = (at: number): string => (at === DAYS - 1 ? new Date().toISOString() : `${dayAt(at)}T20:00:00.000Z`)

type Payment = { readonly endToEndId: string; readonly cents: number }

test('a month of statements is in the books to the cent; a sum that cannot be is a finding, and books nothing twice', async () => {
  const boss = await person({ authenticator: true })
  const { id: payer } = await organization(boss, 'Payer')
  const { account: reference } = await openAccount(boss, payer, 'EUR')
  await tell([deposit(0, FUNDS, reference)], 0)
  await until('the money', async () => (await countOf('deposits', 'credited')) === 1)
  const { batchId, payments } = await payAll(boss, payer)

  let balance = 0
  let deposits = 1
  let late: BankEntry[] = []
  for (let at = 0; at < DAYS; at += 1) {
    const own = payments.slice(at * EACH_DAY, (at + 1) * EACH_DAY)
    const { entries, later } = entriesOf(at, own, reference)
    const all = [...(at === 0 ? [first] : []), ...entries, ...late]
    late = later
    deposits += 3
    await tell(entries.filter((_, position) => position % 2 === 0), at) // prettier-ignore
    const closing = all.reduce((sum, one) => sum + centsOf(one), balance)
    if (at === WRONG_DAY) await state(all, at, [balance, closing + 1])
    await state(all, at, [balance, closing])
    balance = closing
  }
  await until('all is read', async () => (await owner`select from bank_files where status = 'fetched'`).length === 0, PATIENCE_MS) // prettier-ignore
  expect(await ended(batchId, PATIENCE_MS)).toMatchObject({ status: 'partially_completed' })
  await until('all deposits', async () => (await countOf('deposits', 'credited')) === deposits, PATIENCE_MS)

  const statements = await owner<{ day: string; opening: string; amount: string }[]>`
    select day::text, opening::text, amount::text from bank_balances order by day`
  expect(statements).toHaveLength(DAYS)
  for (const [at, one] of statements.entries()) expect(one.opening).toBe(at === 0 ? '0.00' : statements[at - 1]?.amount)
  expect(statements.at(-1)).toMatchObject({ day: dayAt(DAYS - 1), amount: text(balance) })
  expect(await findings()).toEqual([expect.stringMatching(/^bank_file_contradiction .*:Bal$/)])

  await until('all returns', async () => (await countOf('payments', 'reversed')) === DAYS, PATIENCE_MS)
  await prove(false)
  const comparison = await comparisonOf('bank', 'EUR')
  expect(comparison).toMatchObject({ outcome: 'equal', items: [] })
  expect(Number(comparison.clearing).toFixed(2)).toBe(text(balance))
  expect(await violations(payer)).toEqual([])
}, 400_000)

const countOf = async (table: string, status: string) =>
  (await owner`select from ${owner(table)} where status = ${status}`).length

/** Makes a credit of a stranger for the organization. */
const deposit = (at: number, cents: number, remittance: string): BankEntry =>
  dated(at, entry('credit', text(cents), { debtor: SENDER, remittance }))
const dated = (at: number, one: BankEntry): BankEntry => ({ ...one, bookedOn: dayAt(at), valuedOn: dayAt(at) })
const centsOf = ({ amount, direction }: BankEntry): number =>
  Math.round(Number(amount.amount) * 100) * (direction === 'credit' ? 1 : -1)

/** First entry of the month: the notification and the statement of its day have it. */
let first: BankEntry

async function tell(entries: readonly BankEntry[], at: number): Promise<void> {
  if (at === 0) first ??= entries[0]!
  say(account(entries, { createdAt: writtenAt(at) }))
  await visit()
}

/** States a day, with its balances. */
async function state(entries: readonly BankEntry[], at: number, [opening, closing]: readonly [number, number]) {
  const balances = [opening, closing].map((cents) => ({ amount: eur(text(cents)), day: dayAt(at) }))
  say(account(entries, { kind: 'statement', createdAt: writtenAt(at), opening: balances[0]!, closing: balances[1]! }))
  await visit()
}

/** Pays all payments of the month in one batch; answers them as the bank takes them. */
async function payAll(boss: Awaited<ReturnType<typeof person>>, payer: string) {
  const batchId = await newBatch(boss, payer)
  const rows = Array.from({ length: DAYS * EACH_DAY }, (_, at) => toAccount('DE02120300000000202051', text(1000 + at)))
  await imported(boss, batchId, fileOf(...rows))
  const { body } = await submit(boss, batchId)
  expect((await approve(boss, body)).status).toBe(200)
  const payments: Payment[] = []
  await until('all payments at the bank', async () => {
      await visit()
      for (const file of takeFiles())
        payments.push(...file.payments.map(({ amount, endToEndId }) => ({ endToEndId, cents: Math.round(Number(amount) * 100) }))) // prettier-ignore
      return payments.length === rows.length
    }, PATIENCE_MS) // prettier-ignore
  return { batchId, payments }
}

/** Makes the entries of a day, and those of the next one: on even days a payment comes back on the day itself. */
function entriesOf(at: number, [plain, other, charged, back]: readonly Payment[], reference: string) {
  if (!plain || !other || !charged || !back) throw new Error('a day has four payments')
  const debit = ({ cents, endToEndId }: Payment, charge = 0): BankEntry => {
    const charges = [{ amount: eur(text(charge)), isIncluded: true, isCredit: false }]
    return dated(at, entry('debit', text(cents + charge), { endToEndId, ...(charge > 0 && { charges }) }))
  }
  const isSameDay = at % 2 === 0
  const returned = { reason: 'AC01', text: null }
  const credit = entry('credit', text(back.cents - KEPT), {
    endToEndId: back.endToEndId,
    returned,
    instructed: eur(text(back.cents)),
  })
  const entries = [
    deposit(at, 100 + at, reference),
    debit(plain),
    debit(other),
    deposit(at, 200, reference),
    debit(charged, CHARGE),
    deposit(at, 200, reference), // another one that is alike
    debit(back, CHARGE),
  ]
  if (isSameDay || at === DAYS - 1) return { entries: [...entries, dated(at, credit)], later: [] }
  return { entries, later: [dated(at + 1, credit)] }
}
