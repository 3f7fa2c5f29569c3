/** Clock of the process of the stand-ins: business time, also while that is in the past. */
import { expect, test, vi } from 'vitest'
import { latestDay } from '../../../domain/reference-rates.ts'
import { now } from '../../../platform/clock.ts'
import { owner } from '../../support/database.ts'
import { connected } from '../../support/partners/partners.ts'
import { startPartners } from '../../support/processes.ts'

vi.hoisted(() => Object.assign(process.env, { SANDBOX_PARTNERS: 'ecb' }))

const WEEKS_SECONDS = 6 * 7 * 86_400

test('a new environment makes its history six weeks ago: the reference rates are of then, and none of a day to come', async () => {
  await owner`update business_clock set offset_seconds = ${-WEEKS_SECONDS}`
  const partners = await startPartners()
  const file = await (await fetch(connected('rates').url)).text()
  expect(file).toContain(`time='${latestDay(new Date(now().getTime() - WEEKS_SECONDS * 1000))}'`)
  expect(await partners.stop()).toBe(0)
})
