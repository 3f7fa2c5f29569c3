import { describe, expect, test } from 'vitest'
import { withResults } from '../../../services/batches/rows.ts'
import type { BatchId, OrganizationId } from '../../../domain/ids.ts'
import { daysAfter } from '../../../domain/instants.ts'
import {
  type Answer,
  type TestOrganization,
  api,
  approvalPath,
  approve,
  baseUrl,
  fund,
  organization,
  person,
} from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import {
  IBAN,
  type TestRow,
  approved,
  cancel,
  draftOf,
  drive,
  expire,
  outcomes,
  payees,
  rowIdOf,
  submit,
  submitted,
} from '../../support/batches/batches.ts'
import { owner, untilBlocked } from '../../support/database.ts'
import { bundleOf, verify } from '../../support/approvals/evidence.ts'
import { changeRow, readBatch } from '../../support/batches/imports.ts'
import { decideSet, told } from '../../support/approvals/sets.ts'
import { refusal } from '../../support/http/refusals.ts'
import { businessNow } from '../../support/payments/schedules.ts'
import { until } from '../../support/until.ts'

const boss = await person({ authenticator: true })
const payer = await organization(boss, 'Payer')
await fund(payer.id, '1000.00')
const [one] = (await payees(1)) as [TestOrganization]
const rows = [
  { svc: one, amount: '10.00' },
  { svc: one, amount: '20.00' },
]
const withInvalid = [...rows, { svc: one, amount: '5.00', invalid: true }]

test('a day on which a batch cannot be paid is refused, and it stays a draft', async () => {
  const id = await draftOf(boss, payer.id, rows)
  const today = (await businessNow()).slice(0, 10)
  for (const [body, reason] of [
    [{ roll: 'preceding' }, 'roll_without_day'],
    [{ execute_on: daysAfter(today, -1) }, 'in_the_past'],
    [{ execute_on: daysAfter(today, 367) }, 'too_far'],
  ] as const) {
    const answer = await submit(boss, id, body)
    expect([...refusal(answer), answer.body.error.details.reason]).toEqual([422, 'invalid_schedule', reason])
  }
  expect((await readBatch(boss, id)).status).toBe('draft')
})

test('a draft without valid rows is empty, and with invalid ones refused, unless they are left out', async () => {
  const onlyInvalid = await draftOf(boss, payer.id, withInvalid.slice(2))
  for (const id of [await draftOf(boss, payer.id, []), onlyInvalid])
    expect(refusal(await submit(boss, id, { exclude_invalid: true }))).toEqual([422, 'batch_empty'])
  const id = await draftOf(boss, payer.id, withInvalid)
  expect(refusal(await submit(boss, id))).toEqual([422, 'batch_has_invalid_rows'])
  expect(await outcomes(id)).toEqual(['valid', 'valid', 'invalid'])
  const { status, body } = await submit(boss, id, { exclude_invalid: true })
  expect([status, body.status]).toEqual([200, 'awaiting_approval'])
  expect(body).toMatchObject({ rows_total: 3, rows_valid: 2, rows_invalid: 0, rows_skipped: 1, rows_processed: 0 })
  expect(body.totals).toEqual([{ amount: '30.00', currency: 'USD' }])
  expect(await outcomes(id)).toEqual(['valid', 'valid', 'skipped'])
  expect(refusal(await submit(boss, id))).toEqual([409, 'batch_not_draft'])
})

describe('its approval', () => {
  test('shows totals, fees and the ten largest rows, and a hash over all of them, before anybody proves who they are', async () => {
    const many = Array.from({ length: 12 }, (_, index) => ({ svc: one, amount: `${index + 1}.00` }))
    const batch = await submitted(boss, payer.id, many)
    const { body } = await api('GET', approvalPath(batch), { token: boss.token })
    expect(body).toMatchObject({ action_type: 'payment_batch', target_type: 'payment_batch', target_id: batch.id })
    const { payment_batch: subject } = body.subject
    expect(subject).toMatchObject({
      id: batch.id,
      name: 'Pay of June',
      rows: 12,
      totals: [{ amount: '78.00', currency: 'USD' }],
      fees: [],
      file_id: null,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const numbers = subject.largest.map((row: { row_number: number }) => row.row_number)
    expect(numbers).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
    expect(subject.largest[0]).toEqual({
      row_number: 12,
      payee: `"Payee", service ID ${one.svcId}`,
      amount: { amount: '12.00', currency: 'USD' },
    })
  })

  test('follows the highest rule that the total of any currency reaches', async () => {
    const other = await organization(boss, 'Careful')
    const ruled = (currency: string, amount_from: string, required: number) => ({
      action_type: 'payment_batch',
      currency,
      amount_from,
      steps: [{ required, roles: ['owner', 'admin'] }],
    })
    await setRules(other.id, boss, [ruled('USD', '1', 1), ruled('USD', '30', 2), ruled('EUR', '20', 3)])
    const requiredBy = async (...of: { amount: string; iban?: string }[]) => {
      const given = of.map((row) => ({ ...row, ...(!row.iban && { svc: one }) }))
      const batch = await submitted(boss, other.id, given)
      return (await api('GET', approvalPath(batch), { token: boss.token })).body.steps[0].required
    }
    expect(await requiredBy({ amount: '10.00' }, { amount: '10.00' })).toBe(1)
    expect(await requiredBy({ amount: '10.00' }, { amount: '20.00' })).toBe(2)
    expect(await requiredBy({ amount: '10.00' }, { amount: '25.00', iban: IBAN })).toBe(3)
  })

  test('only moves it on: rows are paid afterwards, and their payments have no approval and no run of their own', async () => {
    const batch = await approved(boss, payer.id, rows)
    expect((await readBatch(boss, batch.id)).status).toBe('processing')
    expect(await outcomes(batch.id)).toEqual(['valid', 'valid'])
    await drive(batch)
    const list = `/organizations/${payer.id}/payments?payment_batch_id=${batch.id}`
    const { data } = (await api('GET', list, { token: boss.token })).body
    expect(data).toHaveLength(2)
    const runs = await owner`
      select from processes where id in (select id from payments where payment_batch_id = ${batch.id})`
    expect(runs).toEqual([])
    for (const payment of data) {
      expect(payment).toMatchObject({ approval_request_id: null, payment_batch_id: batch.id, quote_id: null })
      const feed = (await api('GET', `/transactions/${payment.transaction_id}`, { token: boss.token })).body
      expect(feed).toMatchObject({ payment_id: payment.id, status: 'posted', direction: 'out' })
    }
  })

  test.each(['reject', 'cancel', 'expire'])(
    'that ends by %s leaves a draft, with the rows that were left out',
    async (verb) => {
      const id = await draftOf(boss, payer.id, withInvalid)
      const { body: batch } = await submit(boss, id, { exclude_invalid: true })
      if (verb === 'expire') await expire(batch)
      else await api('POST', `${approvalPath(batch)}/${verb}`, { token: boss.token, body: {} })
      expect(await outcomes(id)).toEqual(['valid', 'valid', 'invalid'])
      const draft = { status: 'draft', approval_request_id: null, submitted_at: null, rows_invalid: 1 }
      expect(await readBatch(boss, id)).toMatchObject(draft)
      expect((await submit(boss, id, { exclude_invalid: true })).status).toBe(200)
    },
  )

  test('is cancelled with the batch, as often as that is asked; a draft has none', async () => {
    expect(refusal(await cancel(boss, await draftOf(boss, payer.id, rows)))).toEqual([409, 'invalid_state'])
    const batch = await submitted(boss, payer.id, rows)
    for (const _ of [1, 2])
      expect((await cancel(boss, batch.id)).body).toMatchObject({ status: 'cancelled', rows_skipped: 2 })
    const { body } = await api('GET', approvalPath(batch), { token: boss.token })
    expect(body.status).toBe('cancelled')
    expect((await approve(boss, batch)).body.error.type).toBe('approval_already_processed')
  })

  test('is cancelled with a batch that is submitted in this moment', async () => {
    const id = await draftOf(boss, payer.id, rows)
    const answers: Promise<Answer>[] = []
    await owner.begin(async (tx) => {
      await tx`select from people where id = ${boss.userId} for update` // whom the approval names
      answers.push(submit(boss, id))
      await untilBlocked(tx)
      answers.push(cancel(boss, id))
      await untilBlocked(tx, 2)
    })
    const [submission, cancellation] = await Promise.all(answers)
    const { approval_request_id } = submission!.body
    expect(cancellation!.body).toMatchObject({ status: 'cancelled', rows_skipped: 2 })
    const { body } = await api('GET', approvalPath({ organization_id: payer.id, approval_request_id }), boss)
    expect(body.status).toBe('cancelled')
  })

  test('is decided with others, and its evidence can be verified', async () => {
    const batches = [await submitted(boss, payer.id, rows), await submitted(boss, payer.id, rows)]
    const ids = batches.map((batch) => batch.approval_request_id)
    expect(told(await decideSet(boss, payer.id, ids))).toEqual(['approved', 'approved'])
    for (const batch of batches) expect((await drive(batch)).status).toBe('completed')
    const bundle = await bundleOf(boss, batches[0])
    expect(bundle.approval.subject.type).toBe('payment_batch')
    await expect(verify(bundle)).resolves.toBeDefined()
  })
})

test('the results have the cells as they were written if they open, and what became of each row', async () => {
  const batch = await approved(boss, payer.id, [...rows, { svc: one, amount: '100000.00' }])
  await drive(batch)
  const results = () => api('GET', `/payment-batches/${batch.id}/results.csv`, { token: boss.token })
  const { headers, body } = await results()
  expect(headers.get('content-type')).toContain('text/csv')
  const [header, first, , third, end] = body.split('\r\n')
  const columns = 'payee_svc_id,amount,currency,payout_reason,statement_description'
  expect(header).toBe(`${columns},status,error,payment_id,fee,settled_at,bill_id`)
  const cells = `${one.svcId},10.00,USD,services,Pay of June`
  expect(first).toMatch(new RegExp(`^${cells},succeeded,,[0-9a-f-]{36},0.00,2[0-9T:.-]+Z,$`))
  expect(third).toMatch(/,failed,insufficient_funds,[0-9a-f-]{36},0.00,,$/)
  expect(end).toBe('')
  await owner`
    update payment_batch_rows set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40))
    where payment_batch_id = ${batch.id} and row_number > 1`
  const after = (await results()).body.split('\r\n')
  expect(after[1]).toBe(first)
  const unreadable = 'unreadable: the cells of this row cannot be opened'
  expect(after[2]).toMatch(new RegExp(`^,,,,,succeeded,${unreadable},[0-9a-f-]{36},0.00,2`))
  expect(after[3]).toMatch(new RegExp(`^,,,,,failed,"${unreadable}; insufficient_funds",[0-9a-f-]{36}`))
})

test('a row whose cells do not open is not written over, and who approves the batch sees as much of it as is known', async () => {
  const id = await draftOf(boss, payer.id, [{ iban: IBAN, amount: '3.00' }])
  const [before] = await owner`
    update payment_batch_rows set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40))
    where payment_batch_id = ${id} returning sealed`
  const error = { type: 'service_unavailable', details: { reason: 'bank_details_unreadable' } }
  const refused = await changeRow(boss, id, await rowIdOf(id), { reference: 'R-1' })
  expect(refused).toMatchObject({ status: 503, body: { error } })
  expect((await owner`select sealed from payment_batch_rows where payment_batch_id = ${id}`)[0]).toEqual(before)
  const batch = (await submit(boss, id)).body
  const { body } = await api('GET', approvalPath(batch), { token: boss.token })
  expect(body.subject.payment_batch.largest).toMatchObject([{ payee: '"Jane Doe", account …' }])
})

test('all rows of the results are of one instant, whatever becomes of them while they are read', async () => {
  const id = (await draftOf(boss, payer.id, Array<TestRow>(600).fill({ svc: one, amount: '1.00' }))) as BatchId
  const pieces: string[] = []
  await withResults(payer.id as OrganizationId, id, async (piece) => {
    if (pieces.push(piece.toString()) === 1) await owner`delete from payment_batch_rows where payment_batch_id = ${id}`
  })
  expect(pieces.join('').split(',valid,')).toHaveLength(601)
})

test('results go to a person one file at a time, also after one who went away', async () => {
  const url = `/payment-batches/${await draftOf(boss, payer.id, rows)}/results.csv`
  const read = () => api('GET', url, { token: boss.token })
  /** Runs `work` while rows are locked, so that a reader waits for them. */
  const whileReading = <Reader, Result>(reader: () => Reader, work: () => Promise<Result>) =>
    owner.begin(async (tx) => {
      await tx`lock table payment_batch_rows in access exclusive mode`
      const reading = reader()
      await until('a reader', async () => {
        const waits = await owner`select from pg_locks where relation = 'payment_batch_rows'::regclass and not granted`
        return waits.length > 0
      })
      return { reading, done: await work() }
    })
  const { reading, done } = await whileReading(read, read)
  expect(refusal(done)).toEqual([429, 'rate_limited'])
  expect((await reading).status).toBe(200)

  const leaving = new AbortController()
  const options = { headers: { authorization: `Bearer ${boss.token}` }, signal: leaving.signal }
  await until('the one before to be over', async () => (await read()).status === 200)
  const { reading: left } = await whileReading(
    () => fetch(`${baseUrl}/api/v1${url}`, options).catch(() => 'left'),
    async () => leaving.abort(),
  )
  expect(await left).toBe('left')
  await until('the next one', async () => (await read()).status === 200)
})
