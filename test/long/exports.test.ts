/** A million rows in one file: complete despite killed workers, and the same each time. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { startServers, startWorker } from '../support/processes.ts'

await startServers() // before anything reads the environment
const { person } = await import('../support/api.ts')
const { owner } = await import('../support/database.ts')
const { readExport, requestExport } = await import('../support/exports/exports.ts')
const { here } = await import('../support/files/files.ts')
const { longFeed } = await import('../support/ledger/long-feed.ts')
const { until } = await import('../support/until.ts')

const ROWS = 1_000_000
const PATIENCE_MS = 300_000

test('an export of a million rows whose worker is killed midway is the file of one that nobody disturbed', async () => {
  const boss = await person()
  const id = await longFeed(boss, ROWS)
  const ask = async () => (await requestExport(boss, id, { type: 'transactions', format: 'csv' })).body.id as string
  const when = (what: string, one: string, is: (body: any) => boolean) =>
    until(
      what,
      async () => {
        const { body } = await readExport(boss, one)
        return is(body) && body
      },
      PATIENCE_MS,
    )
  const tries = async (one: string) =>
    (await owner<{ tries: number }[]>`select tries from exports where id = ${one}`)[0]?.tries
  const completed = (one: string) => when('a file', one, ({ status }) => status === 'completed')

  let worker = await startWorker()
  const undisturbed = await completed(await ask())
  const disturbed = await ask()
  for (const kill of [1, 2]) {
    const { rows_total: total } = await when('its middle', disturbed, (body) => body.rows_processed > (ROWS * kill) / 5)
    expect(total).toBe(ROWS)
    await worker.kill()
    worker = await startWorker()
    await until('another try', async () => (await tries(disturbed)) === kill + 1, PATIENCE_MS)
  }
  const whole = await completed(disturbed)
  expect(whole).toMatchObject({ rows_processed: ROWS, rows_total: ROWS })
  const [one, other] = [await digest(undisturbed.download_url), await digest(whole.download_url)]
  expect(one.lines).toBe(ROWS + 1)
  expect(other).toEqual(one)
  expect(await tries(disturbed)).toBe(3)
  expect(worker.bugs()).toEqual([])
  await worker.stop()
})

async function digest(url: string): Promise<{ sha256: string; bytes: number; lines: number }> {
  const { body } = await fetch(here(url))
  const hash = createHash('sha256')
  let [bytes, lines] = [0, 0]
  for await (const piece of body ?? []) {
    hash.update(piece)
    bytes += piece.length
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1
  }
  return { sha256: hash.digest('hex'), bytes, lines }
}
