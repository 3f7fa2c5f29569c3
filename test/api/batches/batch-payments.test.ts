import { expect, test } from 'vitest'
import { fund, organization, person } from '../../support/api.ts'
import { approved, ended, outcomes, payees, violations } from '../../support/batches.ts'
import { owner } from '../../support/database.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const boss = await person({ authenticator: true })
const payer = await organization(boss, 'Payer')
await fund(payer.id, '100000.00')
const people = await payees(3)

test('an approved batch pays each row by service ID once, without a run of its own, and is completed', async () => {
  const batch = await approved(
    boss,
    payer.id,
    people.map((svc, index) => ({ svc, amount: `${index + 1}.50` })),
  )
  expect((await ended(batch.id))['status']).toBe('completed')
  expect(await outcomes(batch.id)).toEqual(['succeeded', 'succeeded', 'succeeded'])
  expect(await violations(payer.id)).toEqual([])
  const runs = await owner`
    select id from processes where id in (select id from payments where payment_batch_id = ${batch.id})`
  expect(runs).toEqual([])
})
