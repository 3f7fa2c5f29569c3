import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { IN_FLIGHT_MAX, runPaced } from '../../bench/measure.ts'

test('an offered load runs each work once, and no more at once than a process has sockets for', async () => {
  const works = 4 * IN_FLIGHT_MAX
  const seen = new Set<number>()
  let [inFlight, most] = [0, 0]
  const times = await runPaced(works * 1e6, 1e-6, async (index) => {
    seen.add(index)
    inFlight += 1
    most = Math.max(most, inFlight)
    await setImmediate()
    inFlight -= 1
  })
  expect(most).toBe(IN_FLIGHT_MAX)
  expect([seen.size, times.length]).toEqual([works, works])
})
