/** Ten years of a subscription: a run that continues as new and pays every month once. */
import { afterAll, expect, test, vi } from 'vitest'
import { client } from '../../temporal/client.ts'
import { api, person } from '../support/api.ts'
import { owner } from '../support/database.ts'
import { replayAll } from '../support/histories/replayed.ts'
import {
  chargesAreProved,
  dollarsOf,
  offersOf,
  pass,
  selected,
  subscriber,
  subscriptionOf,
} from '../support/subscriptions.ts'
import { until } from '../support/until.ts'
import { useWorker } from '../support/worker.ts'

const stop = await vi.hoisted(async () => {
  const { startTemporalOfShortHistories } = await import('../support/short-histories.ts')
  return startTemporalOfShortHistories(100)
})
afterAll(stop)
useWorker()

const MONTHS = 120
const boss = await person({ authenticator: true })

test('in ten years 120 months are paid, each once, by a run that went on as another one', async () => {
  const at = await subscriber(boss, '10000.00')
  const { starter, business } = await offersOf(at)
  const { subscription } = await selected(at, starter?.id ?? '')
  const paid = async () =>
    Number(
      (
        await owner`select count(*) from subscription_changes where organization_id = ${at.id} and charge = 'month'`
      )[0]?.['count'],
    )
  for (let month = 1; month <= MONTHS; month += 1) {
    const [left] = await owner<{ days: number }[]>`
      select month_ends_on - (business_now() at time zone 'UTC')::date as days from subscriptions where id = ${subscription.id}`
    await pass(left?.days ?? 0)
    await until(`month ${month} is paid`, async () => (await paid()) === month + 1)
    // on the first day of a month, so the whole difference
    if (month === MONTHS / 2) await selected(at, business?.id ?? '')
  }
  // 61 months at 19, one difference, 60 months at 49
  expect(await dollarsOf(at)).toBe((10_000 - 61 * 19 - 30 - 60 * 49).toFixed(2))
  const latest = await subscriptionOf(at)
  const [begun, end] = [subscription.commitment_ends_at, latest.commitment_ends_at].map((text) => new Date(text))
  expect((end?.getUTCFullYear() ?? 0) - (begun?.getUTCFullYear() ?? 0)).toBe(10)
  expect(end?.getUTCMonth()).toBe(begun?.getUTCMonth())
  const runs: string[] = []
  for await (const { runId } of client.workflow.list({ query: `WorkflowId = 'subscription-${subscription.id}'` })) {
    runs.push(runId)
  }
  expect(runs.length).toBeGreaterThan(2)
  const events = await api('GET', `/organizations/${at.id}/subscription/events?limit=100`, { token: boss.token })
  expect(events.body.has_more).toBe(true)
  await chargesAreProved(at)
  expect((await replayAll()).faults).toEqual([])
})
