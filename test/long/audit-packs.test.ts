/** An audit pack of 100,000 payments: in five minutes, complete despite a killed worker, and verified. */
import { execFile } from 'node:child_process'
import { createWriteStream, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import { startServers, startWorker } from '../support/processes.ts'

await startServers() // before anything reads the environment
const { approve, createPayment, payerAndPayee } = await import('../support/api.ts')
const { owner } = await import('../support/database.ts')
const { readExport, requestExport } = await import('../support/exports/exports.ts')
const { here } = await import('../support/files/files.ts')
const { copyPayment } = await import('../support/exports/many-payments.ts')
const { until } = await import('../support/until.ts')
const { extendEventChain } = await import('../../services/webhooks/chain.ts')

const PAYMENTS = Number(process.env['AUDIT_PACK_PAYMENTS'] ?? 100_000)
/** Memory: what a whole worker, with its other work, has not collected yet. A pack alone keeps a page (docs/decisions). */
const [TIME_MS, MEMORY_BYTES, PATIENCE_MS] = [300_000, 160 * 1024 * 1024, 600_000]
/** Young garbage is bounded as for workers of files in ops/. */
const AS_FOR_FILES = { NODE_OPTIONS: '--max-semi-space-size=4' }
/** Heap of the script: less than all rows. */
const BOUNDED = '--max-old-space-size=64'
const RANGE = { from: '2026-01-01', to: '2035-12-31' }
const sample = { size: 25, seed: 'words of the auditor' }
const run = promisify(execFile)

const { boss, payer, contactId } = await payerAndPayee('1000.00')
const payment = await createPayment(boss, contactId, '12.50')
await approve(boss, payment)
const worker = await startWorker()
await until('the run of the payment to end', async () => {
  const [row] = await owner`select from processes where id = ${payment.id}`
  return row === undefined
})
await worker.stop()
await copyPayment(payment, PAYMENTS - 1)
await extendEventChain(PAYMENTS * 10, false)

/** Finds the worker among our children, for what the kernel says of its memory. */
function workerPid(): number {
  const found = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const [, parent = ''] = /\) \w (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
      return parent === String(process.pid) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('worker.')
    } catch {
      return false // it has ended
    }
  })
  if (found === undefined) throw new Error('no worker runs')
  return Number(found)
}

const bytesOf = (pid: number, name: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024

const ask = async (order: object): Promise<string> =>
  (await requestExport(boss, payer.id, { ...RANGE, ...order } as never)).body.id

const when = (what: string, id: string, is: (one: any) => boolean) =>
  until(
    what,
    async () => {
      const { body } = await readExport(boss, id)
      return is(body) && body
    },
    PATIENCE_MS,
  )

test(
  'a pack takes at most five minutes and a bounded memory, and the script verifies it',
  async () => {
    const worker = await startWorker(AS_FOR_FILES)
    const none = { from: '2034-01-01', to: '2034-12-31' }
    await when(
      'a small pack',
      await ask({ type: 'audit_pack', sample, ...none }),
      ({ status }) => status === 'completed',
    )
    const pid = workerPid()
    const before = bytesOf(pid, 'VmRSS')
    writeFileSync(`/proc/${pid}/clear_refs`, '5') // resets the peak
    const begun = performance.now()
    const done = await when('the pack', await ask({ type: 'audit_pack', sample }), ({ status }) => status !== 'pending')
    const [ms, more] = [performance.now() - begun, bytesOf(pid, 'VmHWM') - before]
    console.log(`${PAYMENTS} payments in ${Math.round(ms)} ms and ${Math.round(more / 1024 / 1024)} MB more`)
    expect(done).toMatchObject({ status: 'completed', failure: null })
    const { path: folder } = makeTemporaryFolder()
    const answer = await fetch(here(done.download_url))
    if (!answer.body) throw new Error('a file without bytes')
    await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(join(folder, 'pack.zip')))
    await run('unzip', ['-q', join(folder, 'pack.zip'), '-d', join(folder, 'pack')])
    const { stdout } = await run(process.execPath, [BOUNDED, join(folder, 'pack', 'verify.mjs'), join(folder, 'pack')])
    expect(stdout).toContain(`payments: ${PAYMENTS} in the list, 25 drawn`)
    expect(stdout).toContain('The pack holds.')
    expect(worker.bugs()).toEqual([])
    await worker.stop()
    expect(ms).toBeLessThan(TIME_MS)
    expect(more).toBeLessThan(MEMORY_BYTES)
  },
  PATIENCE_MS,
)

test(
  'a pack whose worker is killed midway is written by the next one',
  async () => {
    const first = await startWorker()
    const id = await ask({ type: 'audit_pack', sample })
    await when('its middle', id, (one) => one.rows_processed > PAYMENTS)
    await first.kill()
    const second = await startWorker()
    expect(await when('the file', id, (one) => one.status !== 'pending')).toMatchObject({
      status: 'completed',
      failure: null,
    })
    expect(second.bugs()).toEqual([])
    await second.stop()
  },
  PATIENCE_MS,
)
