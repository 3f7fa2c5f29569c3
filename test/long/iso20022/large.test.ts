/** The largest file of a bank: read in a process with bounded memory, booked page by page, and once. */
import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { account, entry, eur, today, visit } from '../../support/bank-files/bank.ts'
import { filesIn, findings, readFile } from '../../support/bank-files/files.ts'
import { say } from '../../support/bank-files/words.ts'
import { owner } from '../../support/database.ts'

await vi.hoisted(async () => {
  const { connectFileBank } = await import('../../support/bank-files/connecting.ts')
  connectFileBank()
})

const ENTRIES = Number(process.env['ENTRIES'] ?? 100_000)
/** Limit of documents/reading/limits.ts, with what a process has at its start. */
const READER_MB_MAX = 420
/** Growth of this process at most: the content of one file, and a page of it. */
const GROWTH_MB_MAX = 600
const amountOf = (at: number): string => `${(at % 40) + 1}.00`

/** Watches the peaks of memory of the processes that read files, in MB. */
function watchReaders() {
  const peaks = new Map<string, number>()
  const stopping = new AbortController()
  const notePeak = (pid: string) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      if (Number(/PPid:\s+(\d+)/.exec(status)?.[1]) !== process.pid) return
      peaks.set(pid, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      // it has ended
    }
  }
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) notePeak(pid)
      await delay(50)
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await watching
      return Math.round(Math.max(...peaks.values()))
    },
  }
}

async function read(what: string): Promise<{ reader: number; growth: number }> {
  await visit()
  const [file] = await filesIn('fetched')
  const watch = watchReaders()
  const [began, before] = [Date.now(), process.memoryUsage().rss]
  await readFile(file!)
  const growth = Math.round((process.memoryUsage().rss - before) / 1e6)
  const reader = await watch.stop()
  console.log(`${what}: ${Math.round((Date.now() - began) / 1000)} s, reader ${reader} MB, this process +${growth} MB`)
  return { reader, growth }
}

const countEntries = async () => {
  const [row] = await owner`
    select (select count(*) from bank_entries)::int as entries, count(*)::int as deposits, sum(amount)::float8 as sum
    from bank_entry_parts where kind = 'deposit'`
  return row
}

test(`a file of ${ENTRIES} entries is read in bounded memory, and each is booked once`, async () => {
  const isNamed = (at: number) => at % 10 !== 0 // some banks give no references, or not to all
  const entries = Array.from({ length: ENTRIES }, (_, at) =>
    entry('credit', amountOf(at), {}, { parts: [], info: null, ...(isNamed(at) ? {} : { reference: null }) }),
  )
  const sum = entries.reduce((all, { amount }) => all + Number(amount.amount), 0)
  const [opening, closing] = ['0.00', `${sum}.00`].map((amount) => ({ amount: eur(amount), day: today() }))
  say(account(entries, { kind: 'statement', opening: opening!, closing: closing! }))
  const booked = { entries: ENTRIES, deposits: ENTRIES, sum }
  const first = await read('first')
  expect(await countEntries()).toEqual(booked)
  await owner`update bank_files set status = 'fetched' where direction = 'in'`
  const again = await read('again')
  expect(await countEntries()).toEqual(booked)
  expect(await findings()).toEqual([])
  for (const { growth, reader } of [first, again]) {
    expect(reader).toBeLessThan(READER_MB_MAX)
    expect(growth).toBeLessThan(GROWTH_MB_MAX)
  }
})

test('a file of more entries is refused by its reader, and is a finding', async () => {
  const one = entry('credit', '1.00', {}, { parts: [] })
  say(account(Array.from({ length: 110_001 }, () => one)), 'too-many.xml')
  const { reader } = await read('too many')
  expect(reader).toBeLessThan(READER_MB_MAX)
  expect(await findings()).toEqual(['bank_file_unreadable too-many.xml'])
})
