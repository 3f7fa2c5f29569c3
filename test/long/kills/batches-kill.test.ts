/** SIGKILL to the worker during an import: the old rows stay until the whole file is there. */
import { beforeAll, expect, test } from 'vitest'
import { organization, person } from '../../support/api.ts'
import { installGates } from '../../support/faults/gates.ts'
import { MortalWorker } from '../../support/faults/mortal.ts'
import {
  HEADER,
  TERMS,
  atRest,
  imported,
  importFile,
  newBatch,
  readBatch,
  rowsOf,
  uploaded,
} from '../../support/batches/imports.ts'

const worker = new MortalWorker()

beforeAll(async () => {
  await installGates({ settle: { on: 'insert on payment_batch_rows', when: 'new.row_number = 150' } })
  await worker.start()
})

test('a worker that is killed midway leaves the rows that were there; another one begins anew, and each row is there once', async () => {
  const boss = await person()
  const { id } = await organization(boss, 'Payer')
  const payee = await organization(await person(), 'Payee')
  const batchId = await newBatch(boss, id)
  const file = (count: number, amount: string) =>
    [
      HEADER,
      ...Array.from({ length: count }, (_, index) => `${payee.svcId},,,,${index + 1}.${amount},USD,${TERMS}`),
    ].join('\n')
  await imported(boss, batchId, file(3, '10'))
  const before = await rowsOf(boss, batchId)
  const fileId = await uploaded(boss, batchId, file(300, '20'))
  const begin = async () => expect((await importFile(boss, batchId, fileId)).status).toBe(202)
  await worker.dieAt('settle', id, begin, async () => {
    expect(await rowsOf(boss, batchId)).toEqual(before)
    expect(await readBatch(boss, batchId)).toMatchObject({ status: 'importing', rows_total: 3 })
  })
  expect(await atRest(boss, batchId)).toMatchObject({
    status: 'draft',
    import_error: null,
    rows_total: 300,
    rows_valid: 300,
    totals: [{ amount: '45210.00', currency: 'USD' }],
  })
  const rows = await rowsOf(boss, batchId)
  expect(rows.map((row) => [row.row_number, row.line, row.amount.amount])).toEqual(
    Array.from({ length: 300 }, (_, index) => [index + 1, index + 2, `${index + 1}.20`]),
  )
  await worker.stop()
})
