import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { COLUMNS, TEMPLATE } from '../../../domain/batches/columns.ts'
import { type TestPerson, api, join, organization, person } from '../../support/api.ts'
import { attention, summary as summaryOf } from '../../support/approvals/attention.ts'
import { owner } from '../../support/database.ts'
import {
  HEADER,
  TERMS,
  changeRow,
  errorsOf,
  importFile,
  imported,
  newBatch,
  payerAndPayee,
  readBatch,
  rowsOf,
  uploadTo,
} from '../../support/batches/imports.ts'
import { refusal } from '../../support/http/refusals.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const { boss, payer, payee } = await payerAndPayee()

async function draftOf(...amounts: readonly string[]) {
  const batchId = await newBatch(boss, payer.id)
  const rows = amounts.map((amount) => `${payee.svcId},,,,${amount},USD,${TERMS}`)
  await imported(boss, batchId, [HEADER, ...rows].join('\n'))
  return { batchId, rows: await rowsOf(boss, batchId) }
}

const warningsOf = (rows: readonly { warnings: { message: string }[] }[]) =>
  rows.map(({ warnings }) => warnings.map(({ message }) => message))
const duplicateOf = (number: number) => [`Row ${number} pays the same payee the same amount.`]
const deleteRow = (batchId: string, rowId: string) =>
  api('DELETE', `/payment-batches/${batchId}/rows/${rowId}`, { token: boss.token })

test('a row is corrected by the names of its columns, and judged by the rules of the import', async () => {
  const { batchId, rows } = await draftOf('x', '2.00')
  const mended = await changeRow(boss, batchId, rows[0].id, { amount: ' 2 ', reference: 'R-1', unknown: 'x' })
  expect(mended.status).toBe(200)
  expect(mended.body).toMatchObject({
    id: rows[0].id,
    row_number: 1,
    line: 2,
    status: 'valid',
    amount: { amount: '2.00', currency: 'USD' },
    warnings: [{ column: null, code: 'duplicate_in_file' }],
    cells: { amount: ' 2 ', reference: 'R-1', payee_svc_id: payee.svcId },
  })
  const totals = [{ amount: '4.00', currency: 'USD' }]
  expect(await readBatch(boss, batchId)).toMatchObject({ rows_valid: 2, rows_invalid: 0, totals })
  const wrong = { payee_svc_id: null, iban: 'DE00', account_holder_name: 'P', amount: '1e3' }
  const worse = await changeRow(boss, batchId, rows[0].id, wrong)
  expect(errorsOf([worse.body])).toEqual([
    ['iban invalid_bank_details', 'swift_code invalid_bank_details', 'amount malformed'],
  ])
  expect(warningsOf(await rowsOf(boss, batchId))).toEqual([[], []])
  const bank = { iban: 'DE02120300000000202051', currency: 'EUR', amount: '3.00' }
  const paid = await changeRow(boss, batchId, rows[0].id, bank)
  expect(paid.body).toMatchObject({ status: 'valid', payee: 'P', cells: { iban: '…2051' } })
  expect((await readBatch(boss, batchId)).totals).toEqual([
    { amount: '3.00', currency: 'EUR' },
    { amount: '2.00', currency: 'USD' },
  ])
  const same = (await changeRow(boss, batchId, rows[0].id, {})).body
  expect(same).toEqual({ ...paid.body, payee_check: same.payee_check }) // the bank answers meanwhile
  const [batch] = await owner`select columns from payment_batches where id = ${batchId}`
  expect(batch?.['columns']).toEqual([...HEADER.split(','), 'reference'])
})

test('a row with too few or too many cells is told of nothing else until somebody says what it is', async () => {
  const batchId = await newBatch(boss, payer.id)
  await imported(boss, batchId, `${HEADER}\n${payee.svcId}\n${payee.svcId},,,,1.00,USD,${TERMS},beyond`)
  const [few, many] = await rowsOf(boss, batchId)
  expect(errorsOf([few, many])).toEqual([['null too_few_cells'], ['null too_many_cells']])
  const told = await changeRow(boss, batchId, few.id, { amount: '1.00' })
  expect(errorsOf([told.body])).toEqual([
    ['currency required', 'payout_reason required', 'statement_description required'],
  ])
  expect((await changeRow(boss, batchId, many.id, { amount: '1.00' })).body.status).toBe('valid')
})

test('a row is taken out, the numbers of the others stay, and what it doubled is no duplicate any more', async () => {
  const { batchId, rows } = await draftOf('1.00', '1.00', '1.00', '5.00')
  expect(warningsOf(rows)).toEqual([duplicateOf(2), duplicateOf(1), duplicateOf(1), []])
  expect((await deleteRow(batchId, rows[0].id)).body).toEqual({ deleted: true, id: rows[0].id })
  const left = await rowsOf(boss, batchId)
  expect(left.map(({ row_number: number, line }) => `${number} ${line}`)).toEqual(['2 3', '3 4', '4 5'])
  expect(warningsOf(left)).toEqual([duplicateOf(3), duplicateOf(2), []])
  await deleteRow(batchId, rows[2].id)
  expect(warningsOf(await rowsOf(boss, batchId))).toEqual([[], []])
  expect(await readBatch(boss, batchId)).toMatchObject({ rows_total: 2, totals: [{ amount: '6.00', currency: 'USD' }] })
  expect(refusal(await deleteRow(batchId, rows[0].id))).toEqual([404, 'not_found'])
})

test('rows are listed in the order of the file, page by page, by status', async () => {
  const { batchId } = await draftOf('1', 'x', '2', 'y', '3')
  const numbers = async (query: string) => (await rowsOf(boss, batchId, query)).map((row) => row.row_number)
  expect(await numbers('limit=2')).toEqual([1, 2, 3, 4, 5])
  expect(await numbers('limit=1&status=invalid')).toEqual([2, 4])
  expect(await numbers('status=valid')).toEqual([1, 3, 5])
  expect(await numbers('status=processing')).toEqual([])
  const { rows: others } = await draftOf('1')
  const other = await api('GET', `/payment-batches/${batchId}/rows?cursor=${others[0].id}`, { token: boss.token })
  expect(other.body.error.details.errors[0].code).toBe('unknown_cursor')
})

test('rows are listed the largest first, page by page, by words of the payee, and those with remarks alone', async () => {
  const { batchId } = await draftOf('20', 'x', '100', '9.50', '100')
  const listed = async (query: string) => (await rowsOf(boss, batchId, query)).map((row) => row.row_number)
  expect(await listed('limit=2&order=amount')).toEqual([3, 5, 1, 4, 2])
  expect(await listed('limit=1&order=amount&status=valid')).toEqual([3, 5, 1, 4])
  expect(await listed('limit=1&order=file')).toEqual([1, 2, 3, 4, 5])
  expect(await listed('remarked=true')).toEqual([3, 5]) // each says that it is there twice
  const rows = await rowsOf(boss, batchId)
  const [name] = rows.flatMap((row) => row.payee ?? [])
  expect((await listed(`q=${encodeURIComponent(name.toUpperCase())}&order=amount`)).length).toBeGreaterThan(0)
  expect(await listed('q=Nobody')).toEqual([])
})

test('nothing of a batch changes unless it is a draft, and a row is one of its batch', async () => {
  const [{ batchId, rows }, other] = [await draftOf('1.00'), await draftOf('1.00')]
  expect(refusal(await changeRow(boss, other.batchId, rows[0].id, { amount: '2' }))).toEqual([404, 'not_found'])
  for (const status of ['importing', 'awaiting_approval', 'processing']) {
    await owner`update payment_batches set status = ${status} where id = ${batchId}`
    const answers = [
      await changeRow(boss, batchId, rows[0].id, { amount: '2' }),
      await deleteRow(batchId, rows[0].id),
      await api('DELETE', `/payment-batches/${batchId}`, { token: boss.token }),
      await importFile(boss, batchId, randomUUID()),
      await uploadTo(boss, batchId, HEADER),
    ]
    for (const { body } of answers)
      expect(body.error).toMatchObject({ type: 'batch_not_draft', details: { current: status } })
  }
  await owner`update payment_batches set status = 'draft' where id = ${batchId}`
  expect(await rowsOf(boss, batchId)).toEqual(rows)
})

test('a draft is deleted with its rows, and its file let go; then it is found no more', async () => {
  const { batchId, rows } = await draftOf('1.00')
  const { file_id: fileId } = await readBatch(boss, batchId)
  const gone = await api('DELETE', `/payment-batches/${batchId}`, { token: boss.token })
  expect([gone.status, gone.body]).toEqual([200, { deleted: true, id: batchId }])
  expect((await readBatch(boss, batchId)).error.type).toBe('not_found')
  expect((await changeRow(boss, batchId, rows[0].id, {})).status).toBe(404)
  expect((await importFile(boss, batchId, fileId)).status).toBe(404)
  expect(await owner`select from payment_batch_rows where payment_batch_id = ${batchId}`).toHaveLength(0)
  const list = await api('GET', `/organizations/${payer.id}/payment-batches`, { token: boss.token })
  expect(list.body.data.map(({ id }: { id: string }) => id)).not.toContain(batchId)
})

test('batches are listed newest first, by status', async () => {
  const at = await organization(boss, 'Lists')
  const path = `/organizations/${at.id}/payment-batches`
  const make = (name: string) => api('POST', path, { token: boss.token, body: { name } })
  const first = await make('June')
  const empty = { status: 'draft', approval_request_id: null, file_id: null, rows_total: 0, totals: [], fees: [] }
  expect(first.body).toMatchObject({ organization_id: at.id, name: 'June', created_by: boss.userId, ...empty })
  const second = await make('July')
  const ids = async (query: string) =>
    (await api('GET', `${path}${query}`, { token: boss.token })).body.data.map(({ id }: { id: string }) => id)
  expect(await ids('')).toEqual([second.body.id, first.body.id])
  expect(await ids(`?limit=1&cursor=${second.body.id}`)).toEqual([first.body.id])
  expect(await ids('?status=importing')).toEqual([])
})

test('the template has every column and no row', async () => {
  const answer = await api('GET', '/payment-batches/template.csv', { token: boss.token })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv'])
  expect(answer.body).toBe(TEMPLATE.slice(1)) // text decoding removes the byte order mark
  expect(TEMPLATE).toBe(`\uFEFF${COLUMNS.join(',')}\r\n`)
  const batchId = await newBatch(boss, payer.id)
  expect((await imported(boss, batchId, TEMPLATE)).import_error).toMatchObject({ line: null, code: 'no_rows' })
})

test('a draft in which something is wrong asks for attention until it is mended; members are asked for their own', async () => {
  const at = await organization(boss, 'Attentive')
  const member = await person()
  await join(at.id, member, 'member')
  const batchId = await newBatch(boss, at.id, 'July')
  const counted = async (by: TestPerson) => (await summaryOf(by, at.id)).by_kind.fix_batch.total
  await imported(boss, batchId, 'nonsense')
  const { body } = await attention(boss, at.id, `/fix_batch:${batchId}`)
  const href = `/organizations/${at.id}/payment-batches/${batchId}`
  const summary = '"July": The header has "nonsense", which is no column of a batch.'
  expect(body).toMatchObject({ severity: 'action', summary, href, subject: { payment_batch_id: batchId } })
  await imported(boss, batchId, `${HEADER}\n,,,,x,USD,${TERMS}\n${payee.svcId},,,,1,USD,${TERMS}`)
  expect((await attention(boss, at.id, '?kind=fix_batch')).body.data[0].summary).toBe('"July": one row is not valid.')
  expect([await counted(boss), await counted(member)]).toEqual([1, 0])
  await imported(member, await newBatch(member, at.id), 'nonsense')
  expect([await counted(boss), await counted(member)]).toEqual([2, 1])
  const [row] = await rowsOf(boss, batchId)
  await changeRow(boss, batchId, row.id, { payee_svc_id: payee.svcId, amount: '1.00' })
  expect(await counted(boss)).toBe(1)
})

test('corrections at once leave counts and sums as the rows are', async () => {
  const { batchId, rows } = await draftOf('1', '2', '3', '4', '5', '6')
  const answers = await Promise.all([
    ...rows.slice(0, 4).map((row, index) => changeRow(boss, batchId, row.id, { amount: index % 2 ? 'x' : '10' })),
    deleteRow(batchId, rows[4].id),
    deleteRow(batchId, rows[4].id),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 404])
  expect(await readBatch(boss, batchId)).toMatchObject({
    rows_total: 5,
    rows_valid: 3,
    rows_invalid: 2,
    totals: [{ amount: '26.00', currency: 'USD' }],
  })
  expect(warningsOf(await rowsOf(boss, batchId))).toEqual([duplicateOf(3), [], duplicateOf(1), [], []])
})
