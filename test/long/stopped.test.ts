/** A stop of the API while it answers: what is answered is stored, and what is stored is answered. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { call, startApi } from '../support/processes.ts'
import { payerAndPayee, paymentBody } from '../support/api.ts'
import { owner } from '../support/database.ts'
import { until } from '../support/until.ts'

test('a request that is under way when its API is told to stop is answered', async () => {
  const api = await startApi()
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const asking = Array.from({ length: 20 }, () =>
    call(api, 'POST', '/payments', { token: boss.token, key: randomUUID(), body: paymentBody(contactId, '1.00') }).then(
      ({ status }) => status,
      () => 'not taken',
    ),
  )
  const written = () => owner`select from payments where organization_id = ${payer.id}`
  await until('one of them is written', async () => (await written()).length > 0)
  expect(await api.stop()).toBe(0)
  const answers = await Promise.all(asking)
  expect(answers.filter((status) => status === 201)).toHaveLength((await written()).length)
  expect(api.bugs()).toEqual([])
})
