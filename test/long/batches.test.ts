/** A great batch whose worker is killed repeatedly, during its import and its pages. */
import { expect, test } from 'vitest'
import { approve, fund, organization, person } from '../support/api.ts'
import { ended, payees, submit, violations } from '../support/batches/batches.ts'
import { HEADER, TERMS, atRest, importFile, newBatch, uploaded } from '../support/batches/imports.ts'
import { owner } from '../support/database.ts'
import { type Moment, closeGate, installGates } from '../support/faults/gates.ts'
import { startWorker } from '../support/processes.ts'

const ROWS = 50_000
const PATIENCE_MS = 600_000

test('a file of 50,000 rows whose worker is killed five times is imported and paid whole, every row once', async () => {
  await installGates({
    create: { on: 'insert on payment_batch_rows', when: `new.row_number = ${ROWS / 2}` },
    settle: { on: 'update on payment_batches', when: 'new.rows_begun > old.rows_begun' },
  })
  const boss = await person({ authenticator: true })
  const payer = await organization(boss, 'Payer')
  await fund(payer.id, `${ROWS}.00`)
  let worker = await startWorker()
  /** Kills workers that have half of the rows written, or a page paid, and nothing committed. */
  const killed = async (times: number, moment: Moment, begin: () => Promise<unknown>) => {
    let gate = await closeGate(moment, payer.id)
    await begin()
    for (let kill = 1; kill <= times; kill += 1) {
      await gate.waiting()
      await worker.kill()
      await gate.open()
      if (kill < times) gate = await closeGate(moment, payer.id)
      worker = await startWorker()
    }
  }
  const id = await newBatch(boss, payer.id)
  const people = await payees(5)
  const rows = Array.from({ length: ROWS }, (_, at) => `${people[at % people.length]?.svcId},,,,1.00,USD,${TERMS}`)
  const file = await uploaded(boss, id, [HEADER, ...rows].join('\n'))
  await killed(1, 'create', () => importFile(boss, id, file))
  expect(await atRest(boss, id, PATIENCE_MS)).toMatchObject({ status: 'draft', rows_total: ROWS, rows_valid: ROWS })
  const { body: batch } = await submit(boss, id)
  await killed(4, 'settle', async () => expect((await approve(boss, batch)).status).toBe(200))
  expect(await ended(id, PATIENCE_MS)).toMatchObject({ status: 'completed', rows_succeeded: ROWS, rows_failed: 0 })
  const [paid] = await owner`
    select count(*)::int as payments, count(distinct r.id)::int as rows, count(distinct r.row_number)::int as numbers,
      sum(p.landing_amount)::float8 as amount
    from payments p join payment_batch_rows r on r.payment_id = p.id
    where p.payment_batch_id = ${id} and p.status = 'succeeded'`
  expect(paid).toEqual({ payments: ROWS, rows: ROWS, numbers: ROWS, amount: ROWS })
  await owner`analyze`
  expect(await violations(payer.id)).toEqual([])
  await worker.stop()
}, 900_000)
