/** A batch whose worker is killed repeatedly during its import and its pages. */
import { expect } from 'vitest'
import { approve, fund, organization, person } from '../api.ts'
import { ended, payees, submit, violations } from './batches.ts'
import { owner } from '../database.ts'
import { type Moment, closeGate, installGates } from '../faults/gates.ts'
import { atRest, fileOf, importFile, newBatch, toHandle, uploaded } from './imports.ts'
import { type Child, startWorker } from '../processes.ts'

const PATIENCE_MS = 600_000

type Kills = { rows: number; importing?: number; paying: number }

/**
 * Imports and pays a file of rows by service ID. Workers die with half of the rows written, or a page paid, and nothing
 * committed. Every row exists and is paid once, and the books are in order.
 */
export async function payUnderKills({ rows, importing = 0, paying }: Kills) {
  await installGates({
    create: { on: 'insert on payment_batch_rows', when: `new.row_number = ${Math.floor(rows / 2)}` },
    settle: { on: 'update on payment_batches', when: 'new.rows_begun > old.rows_begun' },
  })
  const boss = await person({ authenticator: true })
  const payer = await organization(boss, 'Payer')
  await fund(payer.id, `${rows}.00`)
  let worker: Child = await startWorker()
  /** Kills the worker `times` times at this moment. */
  const killed = async (times: number, moment: Moment, begin: () => Promise<unknown>) => {
    let gate = times > 0 ? await closeGate(moment, payer.id) : undefined
    await begin()
    for (let kill = 1; gate; kill += 1) {
      await gate.waiting()
      await worker.kill()
      await gate.open()
      gate = kill < times ? await closeGate(moment, payer.id) : undefined
      worker = await startWorker()
    }
  }
  const id = await newBatch(boss, payer.id)
  const people = await payees(5)
  const file = fileOf(...Array.from({ length: rows }, (_, index) => toHandle(people[index % 5]?.svcId ?? '')))
  await killed(importing, 'create', async () => importFile(boss, id, await uploaded(boss, id, file)))
  expect(await atRest(boss, id, PATIENCE_MS)).toMatchObject({ status: 'draft', rows_total: rows, rows_valid: rows })
  const { body: batch } = await submit(boss, id)
  await killed(paying, 'settle', async () => expect((await approve(boss, batch)).status).toBe(200))
  expect(await ended(id, PATIENCE_MS)).toMatchObject({ status: 'completed', rows_succeeded: rows, rows_failed: 0 })
  const [paid] = await owner`
    select count(*)::int as payments, count(distinct r.id)::int as rows, count(distinct r.row_number)::int as numbers,
      sum(p.landing_amount)::float8 as amount
    from payments p join payment_batch_rows r on r.payment_id = p.id
    where p.payment_batch_id = ${id} and p.status = 'succeeded'`
  expect(paid).toEqual({ payments: rows, rows, numbers: rows, amount: rows })
  await owner`analyze`
  expect(await violations(payer.id)).toEqual([])
  await worker.stop()
}
