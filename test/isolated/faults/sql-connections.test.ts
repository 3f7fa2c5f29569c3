/**
 * Connections to Postgres that end while they open: no answer is wrong and the process survives. It is the test's own,
 * so an uncaught error fails the run.
 */
import { expect, test } from 'vitest'
import { api, baseUrl, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { fullScale } from '../../support/model-runs.ts'

const ROUNDS = fullScale ? 120 : 5

test('the API outlives connections that are ended again and again, most of them while they open', async () => {
  const boss = await person()
  const askedForMe = () => fetch(`${baseUrl}/api/v1/me`, { headers: { authorization: `Bearer ${boss.token}` } })
  let [over, answers] = [false, 0]
  const said = new Set<number>()
  const faults = new Set<string>()
  const hammer = async () => {
    while (!over) {
      await askedForMe().then(
        async (answer) => {
          const body = (await answer.json()) as { id?: string }
          answers += 1
          said.add(answer.status)
          if (answer.status === 200 && body.id !== boss.userId) faults.add(`somebody else: ${JSON.stringify(body)}`)
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
  await expect.poll(async () => (await api('GET', '/me', { token: boss.token })).status).toBe(200)
})
