/** SIGKILL to the worker within a multipart upload: the bucket never shows a part of the file. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { purgeFiles } from '../../../services/files/purge.ts'
import { person } from '../../support/api.ts'
import { readCsv } from '../../support/exports/csv.ts'
import { owner } from '../../support/database.ts'
import { becomes, fetched, readExport, requestExport } from '../../support/exports/exports.ts'
import { advance } from '../../support/identity/identity.ts'
import { longFeed } from '../../support/ledger/long-feed.ts'
import { startWorker } from '../../support/processes.ts'

const { bucket, arrived } = await vi.hoisted(async () => {
  const { CREDENTIALS, startBucket } = await import('../../support/files/s3.ts')
  let [parts, arrive] = [0, () => {}]
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const bucket = await startBucket('exports', async ({ method, url }) => {
    if (method !== 'PUT' || !url.includes('partNumber=2')) return
    parts += 1
    if (parts > 1) return
    arrive()
    await new Promise(() => {}) // the bucket never gets it
  })
  Object.assign(process.env, CREDENTIALS, { STORAGE_URL: bucket.url })
  return { bucket, arrived }
})

const ROWS = 1203

test('an export to a bucket whose worker is killed between two parts is whole, and nothing of the first try is to be seen', async () => {
  const boss = await person()
  const id = await longFeed(boss, ROWS)
  await owner`update transactions set internal_notes = repeat('note ', 1600) where organization_id = ${id}` // 9 MB
  const killed = await startWorker()
  const { body } = await requestExport(boss, id, { type: 'transactions', format: 'csv' })
  await arrived
  await killed.kill()
  expect((await readExport(boss, body.id)).body).toMatchObject({ status: 'pending', download_url: null })

  const worker = await startWorker()
  const done = await becomes(boss, body.id, 'completed', 120_000)
  expect(done).toMatchObject({ rows_processed: ROWS, rows_total: ROWS, failure: null })
  const [, ...rows] = readCsv((await fetched(done.download_url)).bytes)
  expect(rows.map((row) => Number(row[9]))).toEqual(Array.from({ length: ROWS }, (_, index) => index + 1))
  expect(rows.every((row) => row[11]?.length === 8000)).toBe(true)

  const files = () => owner`select id, stored_as from files where owner_id = ${body.id} order by stored_as`
  const [kept, left] = await files()
  expect([kept?.['stored_as'], left?.['stored_as']]).toEqual([expect.any(String), null])
  const folders = readdirSync(join(bucket.folder, 'exports')).filter((name) => !/^\.|^event-heads$/.test(name))
  expect(folders).toEqual([kept?.['id']]) // object lists leave out the parts of a killed worker
  await worker.stop()
  await advance(24 * 3600 + 1)
  await purgeFiles()
  expect(await files()).toEqual([kept])
})
