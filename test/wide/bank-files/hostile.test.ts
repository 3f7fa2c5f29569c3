/** Hostile files of a bank: nothing is lost or booked twice, each is a finding, and the next file is read. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { approve, fund } from '../../support/api.ts'
import { takeUploaded, visit, write } from '../../support/bank-files/bank.ts'
import { OWN_IBAN } from '../../support/bank-files/connecting.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { openAccount } from '../../support/deposits/deposits.ts'
import { become } from '../../support/payments/payouts.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'
import { fileIdOf } from '../../../domain/bank-files/references.ts'
import {
  type Entry,
  type Part,
  writeNotification,
  writeStatement,
} from '../../../sandbox/partners/file-bank/accounts.ts'
import { writeReport } from '../../../sandbox/partners/file-bank/reports.ts'

await vi.hoisted(async () => {
  const { connectFileBank } = await import('../../support/bank-files/connecting.ts')
  connectFileBank()
})
useWorker()

const OWN = { iban: OWN_IBAN, currency: 'EUR', bic: 'INGDDEFFXXX' }
const OTHER = { ...OWN, iban: 'DE45500105175400000055' }
const at = () => new Date().toISOString()
const today = () => at().slice(0, 10)
const nextId = () => fileIdOf(randomUUID())

/** Entry of one transaction; debits are negative. */
function entryOf(amount: string, part: Partial<Part> = {}, more: Partial<Entry> = {}): Entry {
  const reference = more.reference ?? `H${nextId().slice(0, 20)}`
  const party = { name: 'Stranger', account: null }
  const whole = { reference, amount: amount.replace('-', ''), party, remittance: null, ...part }
  const code = amount.startsWith('-') ? 'PMNT/ICDT/ESCT' : 'PMNT/RCDT/ESCT'
  return {
    iban: OWN_IBAN,
    currency: 'EUR',
    amount,
    bookedOn: today(),
    document: { code, parts: [whole] },
    ...more,
    reference,
  }
}
const told = (entries: readonly Entry[], account = OWN) =>
  writeNotification({ id: nextId(), at: at(), account }, entries)

let count = 0
/** Gives a file, and waits until it is read, or refused; answers its row. */
async function give(content: string | Uint8Array) {
  const name = `hostile-${(count += 1)}.xml`
  write(name, content)
  return until(`the end of ${name}`, async () => {
    await visit()
    const [row] = await owner<{ status: string; faults: string[] }[]>`
      select status, faults from bank_files where name = ${name} and direction = 'in' and status <> 'fetched'`
    return row
  })
}

type Paid = { readonly id: string; readonly messageId: string; readonly organizationId: string }
let payer: Awaited<ReturnType<typeof contactWith>> & { rail: 'fiat' }
let account = ''
let open: Paid
let paid: Paid

/** Pays 100.00 by a file that the bank has taken. */
async function pay(): Promise<Paid> {
  const quote = await quoteOf(payer.boss, payer.contact, { amount: '100.00', currency: 'EUR' }, { side: 'landing' })
  const payment = await executed(payer.boss, quote.quote_id)
  const { id } = payment
  expect((await approve(payer.boss, payment)).status).toBe(200)
  return until('it is uploaded', async () => {
    await visit()
    takeUploaded()
    const [row] = await owner<{ messageId: string }[]>`
      select f.message_id as "messageId" from bank_payments p join bank_files f on f.id = p.file_id
      where p.id = ${id} and f.status = 'uploaded'`
    return row && { id, messageId: row.messageId, organizationId: payer.payer.id }
  })
}

beforeAll(async () => {
  payer = { ...(await contactWith([BANK])), rail: 'fiat' }
  ;({ account } = await openAccount(payer.boss, payer.payer.id, 'EUR'))
  await fund(payer.payer.id, '900.00', 'EUR')
  open = await pay()
  paid = await pay()
  await give(told([entryOf('-100.00', { endToEndId: fileIdOf(paid.id) })]))
  await become(payer, paid, 'succeeded')
})

/** Answers all that a file could change: payments, deposits, and what the organization has. */
async function books() {
  const [row] = await owner<{ statuses: string; deposits: number; unmatched: number; money: number }[]>`
    select (select string_agg(status, ',' order by id) from payments where id in (${open.id}, ${paid.id})) as statuses,
      (select count(*) from deposits)::int as deposits, (select count(*) from unmatched_deposits)::int as unmatched,
      (select coalesce(sum(e.amount), 0) from ledger_entries e join ledger_accounts a on a.id = e.account_id
        where a.organization_id = ${payer.payer.id} and a.kind = 'available')::float8 as money`
  if (!row) throw new Error('there are no books')
  return row
}

const credited = async (amount: string): Promise<number> => {
  const rows = await owner`select from deposits where amount = ${amount} and status = 'credited'`
  return rows.length
}

const CUT = told([entryOf('5.00')]).slice(0, 500)
const ENTITIES = `<?xml version="1.0"?><!DOCTYPE Document [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08">&b;</Document>`
const OUTSIDE = `<?xml version="1.0"?><!DOCTYPE Document [<!ENTITY f SYSTEM "file:///etc/passwd">]><Document>&f;</Document>`

describe('a file that cannot be read is named, and changes nothing', () => {
  test.each([
    ['cut in the middle', () => CUT],
    ['empty', () => ''],
    ['a page of a gateway', () => '<html><body>Bad gateway</body></html>'],
    ['with entities', () => ENTITIES],
    ['with an entity from outside', () => OUTSIDE],
    ['of zeros', () => Buffer.alloc(4096)],
    ['of 33 MB', () => Buffer.alloc(33 * 1024 * 1024, 32)],
    ['with a negative amount', () => told([entryOf('5.00')]).replaceAll('>5.00<', '>-5.00<')],
    ['with an amount that is no number', () => told([entryOf('5.00')]).replaceAll('>5.00<', '>5,00<')],
    ['with more decimals than its currency has', () => told([entryOf('5.00')]).replaceAll('>5.00<', '>5.001<')],
  ])('%s', async (_, content) => {
    const before = await books()
    expect(await give(content())).toMatchObject({ status: 'unreadable' })
    expect(await books()).toEqual(before)
  })
})

describe('what a file says that cannot be is a finding, and changes nothing', () => {
  test.each<[string, () => string, RegExp]>([
    ['the account of another', () => told([entryOf('5.00')], OTHER), /^other_account/],
    ['a debit that we never ordered', () => told([entryOf('-5.00', { endToEndId: nextId() })]), /^entry_unknown/],
    ['a debit without an id', () => told([entryOf('-5.00')]), /^entry_unknown/],
    [
      'our payment with another amount',
      () => told([entryOf('-99.99', { endToEndId: fileIdOf(open.id) })]),
      /^entry_unknown/,
    ],
    [
      'a return of a payment that is not ours',
      () =>
        told([entryOf('5.00', { endToEndId: nextId(), returned: { code: 'AC04', words: null, original: '5.00' } })]),
      /^entry_unknown/,
    ],
    ['a report about a file that is not ours', () => reportAbout(nextId(), 'RJCT'), /^about_no_file/],
  ])('%s', async (_, content, fault) => {
    const before = await books()
    const { faults, status } = await give(content())
    expect([status, faults]).toEqual(['read', [expect.stringMatching(fault)]])
    expect(await books()).toEqual(before)
  })
})

const reportAbout = (about: string, status: string | null, reason: string | null = null): string =>
  writeReport({ id: nextId(), at: at(), bic: OWN.bic, about, status, reason, transfers: [] })

test('the statement of a day after a gap is a finding', async () => {
  const head = () => ({ id: nextId(), at: at(), account: OWN })
  const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  await give(writeStatement(head(), { number: 1, day: day(9), opening: '10.00', closing: '10.00' }, []))
  await give(writeStatement(head(), { number: 3, day: day(7), opening: '17.00', closing: '17.00' }, []))
  // it is found by what looks at all files, after this one is read
  await until('the gap is found', async () => {
    const found = await owner`select from service_findings where check_name = 'bank_file_statement_missing'`
    return found.length === 1
  })
})

test('a statement whose entries do not explain its balances is a finding', async () => {
  const entries = [entryOf('3.00', { remittance: account })]
  const statement = { number: 4, day: today(), opening: '17.00', closing: '17.00' }
  const { faults } = await give(writeStatement({ id: nextId(), at: at(), account: OWN }, statement, entries))
  expect(faults).toEqual(['contradiction:Bal'])
})

test('the same entry many times, in one file and in many, is one deposit', async () => {
  const entry = entryOf('7.77', { remittance: account })
  await give(told([entry, entry, entry]))
  for (let time = 0; time < 5; time += 1) await give(told([entry]))
  await until('it is credited', async () => (await credited('7.77')) > 0)
  expect(await credited('7.77')).toBe(1)
})

test('two payments that are alike are two deposits', async () => {
  await give(told([entryOf('1.11', { remittance: account }), entryOf('1.11', { remittance: account })]))
  await until('both are credited', async () => (await credited('1.11')) === 2)
})

test('money that a payee sends by itself is a deposit, also under the id of our payment', async () => {
  const { statuses } = await books()
  await give(told([entryOf('0.01', { endToEndId: fileIdOf(paid.id), remittance: account })]))
  await until('it is credited', async () => (await credited('0.01')) === 1)
  expect((await books()).statuses).toBe(statuses)
})

test('a refusal after the payment was made changes nothing', async () => {
  const { statuses } = await books()
  await give(reportAbout(paid.messageId, 'RJCT', 'AM04'))
  expect((await books()).statuses).toBe(statuses)
})

test('a file that the bank calls a repeat is not given back: what it took at first goes on', async () => {
  const { faults } = await give(reportAbout(open.messageId, 'RJCT', 'DU01'))
  expect(faults).toEqual([`repeated:${open.messageId}`])
})

test('after all of them the next file is read', async () => {
  await give(told([entryOf('-100.00', { endToEndId: fileIdOf(open.id) })]))
  await become(payer, open, 'succeeded')
})
