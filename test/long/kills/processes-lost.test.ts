/** T2: the API dies between commits and their signals: a worker signals the runs all the same. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { freePort } from '../../../dev/machine/ports.ts'
import { payerAndPayee, paymentBody } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { call, startApi, startWorker } from '../../support/processes.ts'
import { until } from '../../support/until.ts'

const MANY = 200

test(`${MANY} payments whose announcement was lost with their API are all seen, and each once`, async () => {
  const { boss, contactId } = await payerAndPayee('0')
  const temporal = process.env['TEMPORAL_ADDRESS']
  process.env['TEMPORAL_ADDRESS'] = `127.0.0.1:${await freePort()}` // no server there
  const api = await startApi()
  process.env['TEMPORAL_ADDRESS'] = temporal
  const answers = await Promise.all(
    Array.from({ length: MANY }, () =>
      call(api, 'POST', '/payments', { token: boss.token, key: randomUUID(), body: paymentBody(contactId, '1.00') }),
    ),
  )
  expect(api.bugs()).toEqual([])
  await api.kill()
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: MANY }, () => 201))
  const worker = await startWorker()
  await until('all to be seen', async () => {
    const [row] =
      await owner`select count(*)::int as n from processes where unseen_since is null and look_at > business_now()`
    return row?.['n'] === MANY
  })
  const [row] = await owner`select max(version)::int as version, max(told) as told from processes`
  expect(row).toEqual({ version: 1, told: 0 })
  await worker.stop()
}, 90_000)
