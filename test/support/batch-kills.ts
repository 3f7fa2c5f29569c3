/** A batch whose worker is killed in the middle of pages, again and again. */
import { expect } from 'vitest'
import { type TestOrganization, fund, organization, person } from './api.ts'
import { approved, ended, payees, violations } from './batches.ts'
import { owner } from './database.ts'
import { closeGate, installGates } from './gates.ts'
import { type Child, startWorker } from './processes.ts'

/**
 * Pays so many rows by service ID; a worker dies so often while it has paid a page and not committed it. Every row is
 * paid once, and the books are in order.
 */
export async function payUnderKills({ rows, kills }: { rows: number; kills: number }): Promise<void> {
  await installGates({ settle: { on: 'update on payment_batches', when: 'new.rows_begun > old.rows_begun' } })
  const boss = await person({ authenticator: true })
  const payer = await organization(boss, 'Payer')
  await fund(payer.id, `${rows}.00`)
  const people = (await payees(5)) as [TestOrganization, ...TestOrganization[]]
  let worker: Child = await startWorker()
  const draft = Array.from({ length: rows }, (_, index) => ({ svc: people[index % 5] ?? people[0], amount: '1.00' }))
  let gate = await closeGate('settle', payer.id)
  const batch = await approved(boss, payer.id, draft)
  for (let kill = 1; kill <= kills; kill += 1) {
    await gate.waiting()
    await worker.kill()
    await gate.open()
    if (kill < kills) gate = await closeGate('settle', payer.id)
    worker = await startWorker()
  }
  expect(await ended(batch.id, 300_000)).toMatchObject({ status: 'completed', rows_succeeded: rows, rows_failed: 0 })
  const [paid] = await owner`
    select count(*)::int as payments, count(distinct r.id)::int as rows, sum(p.landing_amount)::float8 as amount
    from payments p join payment_batch_rows r on r.payment_id = p.id
    where p.payment_batch_id = ${batch.id} and p.status = 'succeeded'`
  expect(paid).toEqual({ payments: rows, rows, amount: rows })
  await owner`analyze`
  expect(await violations(payer.id)).toEqual([])
  await worker.stop()
}
