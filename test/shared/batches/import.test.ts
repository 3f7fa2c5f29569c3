import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { config } from '../../../platform/config.ts'
import { objectsOf, send } from '../../support/files/files.ts'
import { api, contact, fund } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import {
  HEADER,
  atRest,
  importFile,
  imported,
  newBatch,
  payerAndPayee,
  rowsOf,
  uploaded,
  fileOf,
  toHandle,
} from '../../support/batches/imports.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const { boss, payer, payee } = await payerAndPayee()
await fund(payer.id, '100.00')

test('results have the separator of the import, and can be sent back as they are', async () => {
  const batchId = await newBatch(boss, payer.id)
  const file = `${HEADER.replaceAll(',', ';')}\n${payee.svcId};;;;1;USD;services;RE 1,=1+41,x\n;;;;x;USD;a;'-b`
  await imported(boss, batchId, file)
  const before = await rowsOf(boss, batchId)
  const results = await api('GET', `/payment-batches/${batchId}/results.csv`, { token: boss.token })
  const [header, first] = results.body.split('\r\n')
  expect(header).toBe(`${HEADER.replaceAll(',', ';')};status;error;payment_id;fee;settled_at`)
  expect(first).toBe(`${payee.svcId};;;;1;USD;services;"RE 1,'=1+41,x";valid;;;;`)
  const again = await newBatch(boss, payer.id)
  await imported(boss, again, results.body)
  const told = (rows: { id: string }[]) => rows.map(({ id: _id, ...row }) => row)
  expect(told(await rowsOf(boss, again))).toEqual(told(before))
})

test('a workbook is imported by the rules of a CSV file, and its results are CSV', async () => {
  const batchId = await newBatch(boss, payer.id)
  const columns = HEADER.split(',')
  const rows = [
    [payee.svcId, null, null, null, 1234.5, 'USD', 'services', 'RE 1'],
    [null, null, null, null, null, null, null, ' '],
    [null, null, 'Payee', 'DE02120300000000202051', '1.234,50', 'EUR', 'services', '=1+1'],
  ]
  const bytes = Buffer.from(await writeXlsx({ sheets: [{ name: 'June', rows: [[...columns, null], ...rows] }] }))
  const slot = await api('POST', `/payment-batches/${batchId}/documents/upload`, {
    token: boss.token,
    body: { format: 'xlsx', byte_size: bytes.length, filename: 'pay.xlsx' },
  })
  expect([slot.status, (await send(slot.body, bytes)).status]).toEqual([201, 200])
  await importFile(boss, batchId, slot.body.id)
  const totals = [
    { amount: '1234.50', currency: 'EUR' },
    { amount: '1234.50', currency: 'USD' },
  ]
  const counts = { rows_total: 2, rows_valid: 2, rows_empty: 1, columns_empty: 0 }
  expect(await atRest(boss, batchId)).toMatchObject({ status: 'draft', import_error: null, ...counts, totals })
  expect((await rowsOf(boss, batchId)).map(({ line }) => line)).toEqual([2, 4])
  const results = await api('GET', `/payment-batches/${batchId}/results.csv`, { token: boss.token })
  const [, , second] = results.body.split('\r\n')
  expect(second).toBe(`,,Payee,DE02120300000000202051,"1.234,50",EUR,services,'=1+1,valid,,,,`)
  // and as CSV it is refused
  expect((await imported(boss, batchId, bytes)).import_error).toMatchObject({ line: null, code: 'not_csv' })
})

test('a file becomes rows, each with its number, line, payee, amount and cells, and the batch is a draft again', async () => {
  const batchId = await newBatch(boss, payer.id)
  const contactId = await contact(boss, payer.id, payee.svcId)
  const file = `\uFEFF${HEADER.replaceAll(',', ';')}\r\n${payee.svcId};;;;1;USD;services;"two; ""quoted"""\r\n\r\n;;"Some\nbody";DE02120300000000202051;x;EUR;services;y\r\n;${contactId};;;2.50;USD;a;b`
  const fileId = await uploaded(boss, batchId, file)
  const asked = await importFile(boss, batchId, fileId)
  expect([asked.status, asked.body.status, asked.body.file_id]).toEqual([202, 'importing', fileId])
  expect(await atRest(boss, batchId)).toMatchObject({
    status: 'draft',
    file_id: fileId,
    import_error: null,
    rows_total: 3,
    rows_valid: 2,
    rows_invalid: 1,
    rows_skipped: 0,
    totals: [{ amount: '3.50', currency: 'USD' }],
    fees: [],
  })
  const rows = await rowsOf(boss, batchId)
  const unasked = { payee_check: null, known_holder: null }
  const valid = { status: 'valid', errors: [], warnings: [], payment_id: null, payee: 'Payee', ...unasked }
  const errors = [
    { column: 'account_holder_name', code: 'malformed', message: expect.stringContaining('one line') },
    { column: 'amount', code: 'malformed', message: expect.stringContaining('decimal number such as 1234.50') },
  ]
  expect(rows.map(({ id: _id, cells: _cells, ...row }) => row)).toEqual([
    { ...valid, row_number: 1, line: 2, amount: { amount: '1.00', currency: 'USD' } },
    { ...valid, row_number: 2, line: 4, status: 'invalid', errors, amount: null, payee: null },
    { ...valid, row_number: 3, line: 6, amount: { amount: '2.50', currency: 'USD' } },
  ])
  const cells = { payee_svc_id: payee.svcId, amount: '1', statement_description: 'two; "quoted"' }
  expect(rows[0].cells).toMatchObject(cells)
  expect(rows[1].cells).toMatchObject({ account_holder_name: 'Some\nbody', iban: '…2051', amount: 'x' })
  const events = await owner`select type from events where subject_id = ${batchId} order by occurred_at, id`
  expect(events.map(({ type }) => type)).toEqual([
    'payment_batch.created',
    'payment_batch.import_requested',
    'payment_batch.imported',
  ])
})

test('a file that cannot be read leaves a draft that says why, with the rows that it had', async () => {
  const batchId = await newBatch(boss, payer.id)
  const broken = await imported(boss, batchId, `${HEADER}\n"unclosed`)
  expect(broken).toMatchObject({
    status: 'draft',
    file_id: null,
    rows_total: 0,
    import_error: { line: 2, code: 'unbalanced_quotes', message: expect.any(String) },
  })
  const good = await imported(boss, batchId, fileOf(toHandle(payee.svcId), toHandle('nobody-has-this')))
  expect(good).toMatchObject({ import_error: null, rows_total: 2, rows_invalid: 1 })
  const latin = Buffer.concat([Buffer.from(`${HEADER}\n${toHandle(payee.svcId)}`), Buffer.from([0xe9])])
  const import_error = { line: 2, code: 'not_utf8' }
  expect(await imported(boss, batchId, latin)).toMatchObject({ file_id: good.file_id, rows_total: 2, import_error })
})

test('a second import replaces all rows at once, and lets the first file be swept', async () => {
  const batchId = await newBatch(boss, payer.id)
  const first = await imported(boss, batchId, fileOf(toHandle(payee.svcId, '1'), toHandle(payee.svcId, '2')))
  const before = await rowsOf(boss, batchId)
  const second = await imported(boss, batchId, fileOf(toHandle(payee.svcId, '3')))
  const after = await rowsOf(boss, batchId)
  expect(after.map(({ amount }) => amount.amount)).toEqual(['3.00'])
  expect(before.map(({ id }) => id)).not.toContain(after[0].id)
  expect(second.totals).toEqual([{ amount: '3.00', currency: 'USD' }])
  const used =
    await owner`select id from files where id in (${first.file_id}, ${second.file_id}) and used_at is not null`
  expect(used).toEqual([{ id: second.file_id }])
})

test('an import needs a file of its own batch, and one that is there', async () => {
  const [batchId, otherId] = [await newBatch(boss, payer.id), await newBatch(boss, payer.id)]
  const theirs = await uploaded(boss, otherId, fileOf())
  for (const id of [theirs, randomUUID()])
    expect(refusal(await importFile(boss, batchId, id))).toEqual([404, 'not_found'])
  const body = { byte_size: 10, content_type: 'text/csv', filename: 'pay.csv' }
  const slot = await api('POST', `/payment-batches/${batchId}/upload`, { token: boss.token, body })
  expect(refusal(await importFile(boss, batchId, slot.body.id))).toEqual([409, 'file_not_uploaded'])
})

test('a file that storage has lost, or has otherwise than it was sent, ends the import, and another one can be sent', async () => {
  const batchId = await newBatch(boss, payer.id)
  const file = fileOf(toHandle(payee.svcId))
  const [lost, changed] = [await uploaded(boss, batchId, file), await uploaded(boss, batchId, file)]
  const pathsOf = (fileId: string) => objectsOf(fileId).map((name) => join(config.storage.folder, fileId, name))
  for (const path of pathsOf(lost)) rmSync(path)
  for (const path of pathsOf(changed)) writeFileSync(path, file.replace('1.00', '9.00'))
  for (const fileId of [lost, changed]) {
    expect((await importFile(boss, batchId, fileId)).status).toBe(202)
    const message = expect.stringContaining('upload it again')
    const import_error = { line: null, code: 'file_unreadable', message }
    expect(await atRest(boss, batchId)).toMatchObject({ status: 'draft', file_id: null, rows_total: 0, import_error })
  }
  expect(await imported(boss, batchId, file)).toMatchObject({ import_error: null, rows_valid: 1 })
})
