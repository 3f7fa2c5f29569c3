/** Files of thousands of entries: read in pages, with statements and commits by the page in place of by the entry. */
import { countCosts } from '../../support/costs/counters.ts'
import { v7 } from 'uuid'
import { expect, test, vi } from 'vitest'
import { account, entry, report, visit } from '../../support/bank-files/bank.ts'
import { filesIn, findings, readFile } from '../../support/bank-files/files.ts'
import { say } from '../../support/bank-files/words.ts'
import { owner } from '../../support/database.ts'
import { fileIdOf } from '../../../domain/bank-files/references.ts'

await vi.hoisted(async () => {
  await import('../../support/costs/counters.ts')
  const { connectFileBank } = await import('../../support/bank-files/connecting.ts')
  connectFileBank()
})

const ENTRIES = Number(process.env['ENTRIES'] ?? 1000)
const PAGE = 200
const amountOf = (at: number) => `${(at % 40) + 1}.00`

/** Makes a file with payments that the bank has. */
async function uploadedFile() {
  const fileId = v7()
  const ids = Array.from({ length: ENTRIES }, () => v7())
  await owner`
    insert into bank_files (id, connection, direction, name, status, currency, scheme, message_id, due_at)
    values (${fileId}, 'bank', 'out', ${fileId}, 'uploaded', 'EUR', 'sepa', ${fileIdOf(fileId)}, business_now() + '1 day')`
  await owner`
    insert into bank_payments (connection, id, kind, file_id, end_to_end_id, amount, currency, hash, sealed, status)
    select 'bank', p.id, 'payout', ${fileId}, replace(p.id::text, '-', ''), p.amount, 'EUR', '', '', 'processing'
    from unnest(${ids}::uuid[], ${ids.map((_, at) => amountOf(at))}::numeric[]) p (id, amount)`
  return { fileId, ids }
}

/** Reads what the bank has written; answers what that cost. */
async function costOf(name: string) {
  await visit()
  const files = await filesIn('fetched')
  const startedAt = performance.now()
  const { commits, statements } = await countCosts(async () => {
    for (const id of files) await readFile(id)
  })
  const calls = Object.values(statements).reduce((all, one) => all + one, 0)
  console.log(`${name}: ${ENTRIES} entries, ${calls} statements, ${commits} commits, ${Math.round(performance.now() - startedAt)} ms`) // prettier-ignore
  return { calls, commits }
}

const countOf = async (condition: string) =>
  (await owner.unsafe(`select count(*)::int as count from ${condition}`))[0]?.['count']

const CALLS = `partner_callbacks where subject = 'payment'`

test('thousands of payments are settled, and deposits booked, page by page, each once', async () => {
  const { fileId, ids } = await uploadedFile()
  const rejected = ids.slice(0, 10)
  const reasons = [{ code: 'AC04', text: null }]
  const payments = ids.map((id, at) =>
    at < 10
      ? ({ endToEndId: fileIdOf(id), status: 'RJCT', reasons, amount: null } as const)
      : ({ endToEndId: fileIdOf(id), status: 'ACSP', reasons: [], amount: null } as const),
  )
  say(report(fileIdOf(fileId), { status: 'PART', payments }))
  const reported = await costOf('pain.002')
  const debits = ids.map((id, at) => entry('debit', amountOf(at), { endToEndId: fileIdOf(id) })).slice(rejected.length)
  say(account(debits))
  const settled = await costOf('camt.054 of payments')
  expect(await countOf(`bank_payments where status = 'settled'`)).toBe(ENTRIES - rejected.length)
  expect(await countOf(`bank_payments where status = 'rejected'`)).toBe(rejected.length)
  const credits = Array.from({ length: ENTRIES }, (_, at) =>
    entry('credit', amountOf(at), { remittance: `Invoice ${at}` }, at % 2 === 0 ? { reference: null } : {}),
  )
  say(account(credits))
  const credited = await costOf('camt.054 of deposits')
  say(account([...debits, ...credits], { kind: 'statement' }))
  const again = await costOf('camt.053 of both')
  expect(await countOf(`bank_entry_parts where kind = 'deposit'`)).toBe(ENTRIES)
  expect(await countOf(`bank_entry_parts where kind = 'payout'`)).toBe(ENTRIES - rejected.length)
  expect(await findings()).toEqual([])
  expect(await countOf(CALLS)).toBe(ENTRIES) // the statement says nothing new of a payment
  const pages = ENTRIES / PAGE
  for (const { calls, commits } of [reported, settled, credited])
    expect({ calls: calls < 60 * pages, commits: commits < 3 * pages + 10 }).toEqual({ calls: true, commits: true })
  expect(again.calls).toBeLessThan(120 * pages)
})

test('a reading that ends before it calls about payments calls about all of them when it is repeated', async () => {
  const { ids } = await uploadedFile()
  const before = await countOf(CALLS)
  say(account(ids.map((id, at) => entry('debit', amountOf(at), { endToEndId: fileIdOf(id) }))))
  await visit()
  const [file] = await filesIn('fetched')
  await owner`alter table partner_callbacks add constraint away check (false) not valid`
  await expect(readFile(file!)).rejects.toThrow('away')
  expect(await countOf(CALLS)).toBe(before)
  await owner`alter table partner_callbacks drop constraint away`
  await readFile(file!)
  expect(await countOf(CALLS)).toBe(before + ENTRIES)
})
