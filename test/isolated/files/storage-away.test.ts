/** Work that needs storage while storage is away. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type TestPerson, api, approve, createPayment, join, payerAndPayee, person } from '../../support/api.ts'
import { readBill } from '../../support/bills/bills.ts'
import { xmlFiles } from '../../../dev/sample-bills/xml-files.ts'
import { atRest, fileOf, importFile, newBatch, readBatch, toHandle, uploaded } from '../../support/batches/imports.ts'
import { readCsv } from '../../support/exports/csv.ts'
import { becomes, fetched, requestExport, retryExport } from '../../support/exports/exports.ts'
import { refusal } from '../../support/http/refusals.ts'
import { longTest } from '../../support/model-runs.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const { boss, payer, payee, contactId } = await payerAndPayee('1000.00')
for (const amount of ['10.00', '20.50', '1.00']) await approve(boss, await createPayment(boss, contactId, amount))
const admin = await person({ authenticator: true })
await join(payer.id, admin, 'admin')

test('storage that is away is tried three times, and then the bill is given up', async () => {
  const { bytes } = xmlFiles().find(
    ({ half, name }) => half === 'made' && name.startsWith('plain') && name.includes('ubl'),
  )!
  const bill = await readBill(boss, payer.id, bytes, 'application/xml', () => fault('storage', 'down', 3))
  expect(bill).toMatchObject({ extraction_error: 'The file could not be read.' })
})

test('an export that storage never takes fails, asks its creator alone, and is whole once it is tried again', async () => {
  await fault('storage', 'down', 6)
  const { body } = await requestExport(boss, payer.id, { type: 'transactions', format: 'csv' })
  expect(refusal(await retryExport(boss, body.id))).toEqual([409, 'invalid_state'])
  const failure = { code: 'storage_unavailable', message: expect.stringMatching('could not be stored') }
  expect(await becomes(boss, body.id, 'failed')).toMatchObject({ failure, download_url: null })

  const attention = (by: TestPerson) =>
    api('GET', `/organizations/${payer.id}/attention?kind=failed_export`, { token: by.token })
  const [item] = (await attention(boss)).body.data
  expect(item).toMatchObject({
    id: `failed_export:${body.id}`,
    audience: 'viewer',
    actionable_by_viewer: true,
    action: { kind: 'failed_export', export_id: body.id },
    subject: { type: 'export', export_id: body.id },
    summary:
      '"transactions_2026-01-01_2035-12-31.csv" could not be written. Files could not be stored. Please try it again.',
  })
  expect((await attention(admin)).body.data).toEqual([])

  const key = randomUUID()
  const again = () => retryExport(boss, body.id, key)
  expect((await again()).body).toMatchObject({ status: 'pending', failure: null })
  const done = await becomes(boss, body.id, 'completed')
  expect(readCsv((await fetched(done.download_url)).bytes)).toHaveLength(5)
  expect((await again()).body).toMatchObject({ status: 'completed' }) // the same request twice
  expect((await attention(boss)).body.data).toEqual([])
})

longTest('storage that is away puts the import off, and no more', async () => {
  const batchId = await newBatch(boss, payer.id)
  const fileId = await uploaded(boss, batchId, fileOf(toHandle(payee.svcId)))
  await fault('storage', 'down', 1)
  expect((await importFile(boss, batchId, fileId)).status).toBe(202)
  expect(await atRest(boss, batchId)).toMatchObject({ import_error: null, rows_valid: 1 })
  expect((await readBatch(boss, batchId)).status).toBe('draft')
})
