/** G6: a million transactions as CSV against COPY of the same rows; memory. G4: reads beside it. */
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { csvOf } from '../documents/statements/csv.ts'
import { type ReportTry, withReport } from '../services/exports/report.ts'
import { newKey, put, remove } from '../platform/storage/storage.ts'
import { TRANSACTION_COLUMNS } from '../domain/exports/report.ts'
import type { FileId } from '../domain/ids.ts'
import { against, compare, line, median, reportReadsDuring, timeOf } from './measure.ts'
import { type OwnerAccount, callerOf, insertFeed, insertOwned, owner } from './owner.ts'
import { type Round, isPaired, noteValues } from './turns.ts'

const ROWS = Number(process.env['BENCH_FEED_ROWS'] ?? 1_000_000)
const RANGE = { from: '2025-01-01', to: '2034-12-31' }
const GETS_PER_SECOND = 50
const SECONDS = 4

/** Reports exports; `workerPid` is the running worker. */
export async function benchExports(apiUrl: string, workerPid: number, rounds: number): Promise<void> {
  const feed = await insertOwned('Exports')
  await insertFeed(feed, ROWS)
  await benchSpeed(feed, rounds)
  const api = caller(apiUrl, feed)
  await api.exported({ from: '2025-01-01', to: '2025-01-01' }) // a small one first: its memory is the base
  await benchMemory(api, workerPid)
  const reads = { read: api.get, perSecond: GETS_PER_SECOND, seconds: SECONDS }
  await reportReadsDuring('G4 GET during an export ÷ quiet, p99', rounds, reads, () => api.exported())
}

/** Measures from the snapshot until the file is stored, against COPY of the rows to nowhere. */
async function benchSpeed(feed: OwnerAccount, rounds: number): Promise<void> {
  const [whole, first] = ['G6 export as CSV ÷ COPY drained', 'G6 first byte after the snapshot, ms']
  const firsts: number[] = []
  const ours = async () => {
    const { firstMs, ...round } = await writeFile(feed, ROWS)
    firsts.push(firstMs)
    noteValues({ 'first byte ms': firstMs })
    return round
  }
  const { a, b, p50 } = await compare(whole, rounds, ours, () => copyRows(feed))
  const note = `${ROWS} rows, ${against(a.p50Ms / 1000, b.p50Ms / 1000, 's')}`
  line(whole, p50, note, { atMost: 2.5 })
  if (!isPaired()) line(first, median(firsts), '', { atMost: 100 })
}

/** Writes the export of a feed of `rows` into storage, and removes it. */
export async function writeFile(
  { organizationId, userId }: OwnerAccount,
  rows: number,
): Promise<Round & { firstMs: number }> {
  const begun = performance.now()
  const fileId = randomUUID() as FileId
  const wanted = { id: randomUUID(), number: 1, fileId, userId, ownOnly: false, currency: null, ...RANGE }
  const key = newKey(fileId)
  let firstMs = 0
  // ids of a row that is not written
  await withReport(organizationId, { ...wanted, type: 'transactions', format: 'csv' } as ReportTry, async (report) => {
    const snapshot = performance.now()
    async function* content(): AsyncGenerator<Uint8Array> {
      for await (const piece of csvOf(report)) {
        firstMs ||= performance.now() - snapshot
        yield piece
      }
    }
    await put(key, content())
  })
  const ms = performance.now() - begun
  await remove(key)
  return { rate: (rows / ms) * 1000, p50Ms: ms, count: rows, firstMs }
}

/** Cells that are not of the row, as one would read each by itself. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  payment_batch_id: '(select p.payment_batch_id from payments p where p.id = t.payment_id)',
  reference: '(select r.reference from payment_batch_rows r where r.payment_id = t.payment_id)',
  invoice_number: '(select b.bill_number from bills b where b.id = t.bill_id)',
  counterparty_account: "(select d.source ->> 'account_reference' from deposits d where d.id = t.deposit_id)",
  attachments: "''",
  account_code: "''",
  tax_code: "''",
}

async function copyRows({ organizationId }: OwnerAccount): Promise<Round> {
  const cells = TRANSACTION_COLUMNS.map(({ name }) => ELSEWHERE[name] ?? `t.${name}`)
  const copying = `
    copy (select ${cells.join(', ')} from transactions t
      where t.organization_id = '${organizationId}' and t.discarded_at is null order by t.feed_at, t.seq, t.id)
    to program 'cat > /dev/null' (format csv)`
  const ms = await timeOf(() => owner.unsafe(copying))
  return { rate: (ROWS / ms) * 1000, p50Ms: ms, count: ROWS }
}

type Api = { readonly get: () => Promise<unknown>; readonly exported: (range?: typeof RANGE) => Promise<void> }

function caller(apiUrl: string, { organizationId, token }: OwnerAccount): Api {
  const call = callerOf(apiUrl, token)
  return {
    get: () => call('GET', `/organizations/${organizationId}/transactions?limit=50`),
    async exported(range = RANGE) {
      const order = { type: 'transactions', format: 'csv', ...range }
      const { id } = await call('POST', `/organizations/${organizationId}/exports`, order)
      for (;;) {
        const { status } = await call('GET', `/exports/${id}`)
        if (status === 'completed') return
        if (status === 'failed') throw new Error('an export has failed')
        await delay(200)
      }
    },
  }
}

/** Measures the growth of the worker's memory over that after a small export. */
async function benchMemory({ exported }: Api, pid: number): Promise<void> {
  const mb = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  const before = mb('VmRSS')
  writeFileSync(`/proc/${pid}/clear_refs`, '5') // resets the peak
  await exported()
  line('G6 memory of the worker, MB more', mb('VmHWM') - before, `from ${before.toFixed(0)} MB`)
}
