/** Verification of the payees of a batch: its rows by bank, its submission, its approval and its payments. */
import { expect, test } from 'vitest'
import { api, approve, fund } from '../../support/api.ts'
import { approvalOf } from '../../support/approvals/approvals.ts'
import { violations } from '../../support/batches/batches.ts'
import {
  TERMS,
  atRest,
  fileOf,
  importFile,
  newBatch,
  payerAndPayee,
  readBatch,
  toHandle,
  uploaded,
} from '../../support/batches/imports.ts'
import { owner } from '../../support/database.ts'
import { fault, payoutAt, usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const IBANS = ['DE89370400440532013000', 'DE02120300000000202051', 'DE75512108001245126199']
const toHolder = (holder: string, index = 0, amount = '1.00') => `,,${holder},${IBANS[index]},${amount},EUR,${TERMS}`

/** A draft of these rows after the bank was asked about them. */
async function drafted(rows: readonly string[], mode: 'warn' | 'block' = 'warn') {
  const at = await payerAndPayee()
  const { boss, payer } = at
  await fund(payer.id, '100.00', 'EUR')
  if (mode === 'block') await owner`update organizations set payee_check = 'block' where id = ${payer.id}`
  const id = await newBatch(boss, payer.id)
  await importFile(boss, id, await uploaded(boss, id, fileOf(...rows)))
  await atRest(boss, id)
  await asked(id)
  return { ...at, id }
}

const asked = (id: string) =>
  until(
    'the bank to be asked about all rows',
    async () => {
      const [row] = await owner`select payees_unasked from payment_batches where id = ${id}`
      return row?.['payees_unasked'] === false
    },
    80_000,
  )

type At = Awaited<ReturnType<typeof drafted>>

const rowsOf = async ({ boss, id }: At) =>
  (await api('GET', `/payment-batches/${id}/rows`, { token: boss.token })).body.data
const resultOf = (row: { payee_check: { result: string } }) => row.payee_check.result
const codesOf = (row: { errors: { code: string }[]; warnings: { code: string }[] }) => ({
  errors: row.errors.map(({ code }) => code),
  warnings: row.warnings.map(({ code }) => code).filter((code) => code !== 'address_missing'),
})
const submit = ({ boss, id }: At, body: object = {}) =>
  api('POST', `/payment-batches/${id}/submit`, { token: boss.token, body })
const ended = ({ boss, id }: At) =>
  until('the batch to end', async () => {
    const batch = await readBatch(boss, id)
    return ['completed', 'partially_completed', 'failed'].includes(batch.status) && batch
  })
const [PLAIN, NONE, CLOSE] = ['Supplier GmbH', 'No Match GmbH', 'Close Match Ltd']

test('after an import each row by bank has the answer of the bank, and a warning if names differ', async () => {
  const at = await drafted([toHolder(PLAIN), toHolder(NONE, 1), toHolder(CLOSE, 2)])
  const rows = await rowsOf(at)
  expect(rows.map(codesOf)).toEqual([
    { errors: [], warnings: [] },
    { errors: [], warnings: ['payee_no_match'] },
    { errors: [], warnings: ['payee_close_match'] },
  ])
  expect(rows.map(resultOf)).toEqual(['match', 'no_match', 'close_match'])
  expect(rows[2].payee_check.name).toBe('Close Match Limited')
})

test('rows of many pages are asked about page by page, each once', async () => {
  const holders = Array.from({ length: 500 }, (_, index) => toHolder(`Supplier ${index}`, 0, `${index + 1}.00`))
  const at = await drafted(holders)
  const [rows] = await owner`
    select count(*)::int as rows, count(distinct k.id)::int as answers from payment_batch_rows r
    join payee_checks k on k.id = r.payee_check_id where r.payment_batch_id = ${at.id} and k.result = 'match'`
  expect(rows).toEqual({ rows: 500, answers: 500 })
})

test('a row by service ID has no check', async () => {
  const at = await payerAndPayee()
  const id = await newBatch(at.boss, at.payer.id)
  await importFile(at.boss, id, await uploaded(at.boss, id, fileOf(toHandle(at.payee.svcId))))
  await atRest(at.boss, id)
  expect((await rowsOf({ ...at, id }))[0].payee_check).toBe(null)
})

test('names that differ need one acknowledgement at submit; totals by answer are in the subject, and approvers are warned', async () => {
  const at = await drafted([
    toHolder(PLAIN, 0, '5.00'),
    toHolder(NONE, 1, '2.00'),
    toHolder(CLOSE, 2, '3.00'),
    toHolder(PLAIN, 3, 'x'),
  ])
  const refused = await submit(at, { exclude_invalid: true })
  expect([refused.status, refused.body.error.type, refused.body.error.details]).toEqual([
    422,
    'payee_mismatch',
    { result: 'no_match', rows_no_match: 1, rows_close_match: 1 },
  ])
  expect((await rowsOf(at)).map(({ status }: { status: string }) => status)).toEqual([
    'valid',
    'valid',
    'valid',
    'invalid',
  ])
  const batch = (await submit(at, { acknowledge_payee_check: true, exclude_invalid: true })).body
  const approval = await approvalOf(batch, at.boss)
  const EUR = (amount: string) => [{ amount, currency: 'EUR' }]
  expect(approval.subject.payment_batch.payee_checks).toEqual([
    { result: 'close_match', rows: 1, totals: EUR('3.00') },
    { result: 'match', rows: 1, totals: EUR('5.00') },
    { result: 'no_match', rows: 1, totals: EUR('2.00') },
  ])
  expect(approval.warnings).toEqual(expect.arrayContaining(['payee_no_match', 'payee_close_match']))
  expect((await approve(at.boss, batch)).status).toBe(200)
  expect(await ended(at)).toMatchObject({ status: 'completed' })
  const acknowledged = await owner`
    select count(*) filter (where payee_acknowledged)::int as some from payments where payment_batch_id = ${at.id}`
  expect(acknowledged[0]).toEqual({ some: 2 })
  expect(await violations(at.payer.id)).toEqual([])
})

test('an organization that blocks has an error in rows of another name, which no acknowledgement lifts', async () => {
  const at = await drafted([toHolder(PLAIN), toHolder(NONE, 1)], 'block')
  expect((await rowsOf(at)).map(codesOf)[1]).toEqual({ errors: ['payee_no_match'], warnings: [] })
  const { status, body } = await submit(at, { acknowledge_payee_check: true })
  expect([status, body.error.type]).toEqual([422, 'batch_has_invalid_rows'])
  expect((await submit(at, { exclude_invalid: true })).body).toMatchObject({ rows_valid: 1, rows_skipped: 1 })
})

test('a batch that was acknowledged is not approved any more once its organization blocks', async () => {
  const at = await drafted([toHolder(PLAIN), toHolder(NONE, 1)])
  const batch = (await submit(at, { acknowledge_payee_check: true })).body
  await owner`update organizations set payee_check = 'block' where id = ${at.payer.id}`
  const { status, body } = await approve(at.boss, batch)
  expect([status, body.error.type, body.error.details]).toMatchObject([
    422,
    'payee_mismatch',
    { reason: 'payee_check_blocks', rows_no_match: 1 },
  ])
})

test('a corrected name is asked about again, and the answer about the former one is void', async () => {
  const at = await drafted([toHolder(NONE)])
  const [row] = await rowsOf(at)
  const changed = await api('PATCH', `/payment-batches/${at.id}/rows/${row.id}`, {
    token: at.boss.token,
    body: { account_holder_name: PLAIN },
  })
  expect([changed.body.payee_check, codesOf(changed.body).warnings]).toEqual([null, []])
  await asked(at.id)
  const [again] = await rowsOf(at)
  expect([again.payee_check.result, codesOf(again).warnings]).toEqual(['match', []])
})

test('a bank that is away blocks nothing, and is asked before the payments are ordered', async () => {
  await fault('payee_checks', 'down', 8)
  const at = await drafted([toHolder(NONE), toHolder(PLAIN, 1)])
  await owner`delete from sandbox_faults`
  expect((await rowsOf(at)).map(resultOf)).toEqual(['not_possible', 'not_possible'])
  const batch = (await submit(at)).body
  await owner`update payee_checks k set checked_at = checked_at - interval '2 days' from payment_batch_rows r
    where r.payment_batch_id = ${at.id} and k.id = r.payee_check_id`
  expect((await approve(at.boss, batch)).status).toBe(200)
  expect(await ended(at)).toMatchObject({ status: 'partially_completed', rows_succeeded: 1, rows_failed: 1 })
  const [failed] = await owner<{ id: string; status_detail: string }[]>`
    select id, status_detail from payments where payment_batch_id = ${at.id} and status = 'failed'`
  expect(failed?.status_detail).toBe('payee check changed')
  expect(await payoutAt('bank', failed?.id ?? '')).toBe(undefined)
  expect(await violations(at.payer.id)).toEqual([])
})
