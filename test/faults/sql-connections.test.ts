/** Connections to Postgres that are ended while they open: the process lives on, and no answer is wrong. */
import { expect, test } from 'vitest'
import { person } from '../support/api.ts'
import { owner } from '../support/database.ts'
import { fullScale } from '../support/model-runs.ts'
import { call, startApi } from '../support/processes.ts'

const ROUNDS = fullScale ? 120 : 5

test('the API outlives connections that are ended again and again, most of them while they open', async () => {
  const [boss, api] = [await person(), await startApi()]
  let [over, answers] = [false, 0]
  const said = new Set<number>()
  const faults = new Set<string>()
  const hammer = async () => {
    while (!over) {
      await call(api, 'GET', '/me', { token: boss.token }).then(
        ({ status, body }) => {
          answers += 1
          said.add(status)
          if (status === 200 && body.id !== boss.userId) faults.add(`somebody else: ${JSON.stringify(body)}`)
        },
        (error: Error) => {
          over = true
          faults.add(`${error.message} ${String(error.cause)}`)
        },
      )
    }
  }
  const end = async () => {
    for (let round = 0; round < ROUNDS && !over; round += 1) {
      const before = answers
      await owner`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = 'business_finance_app'`
      await expect.poll(() => over || answers > before, { interval: 5 }).toBe(true)
    }
    over = true
  }
  await Promise.all([...Array.from({ length: 12 }, hammer), end()])
  expect([...faults]).toEqual([])
  expect([...said].filter((status) => status !== 200 && status !== 503)).toEqual([])
  await expect.poll(async () => (await call(api, 'GET', '/me', { token: boss.token })).status).toBe(200)
  expect(api.bugs()).toEqual([])
  await api.kill()
})
