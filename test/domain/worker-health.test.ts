/** Health of a worker: what its own thread answers, and for how long it did not turn. */
import { afterAll, expect, test } from 'vitest'
import { answerProbes, watchEventLoop } from '../../temporal/health.ts'

const [BLOCKED_MS, SAMPLED_EVERY_MS] = [150, 50]
const probes = await answerProbes('127.0.0.1', 0)
afterAll(() => probes.stop())
const answerTo = async (path: string) => (await fetch(`http://127.0.0.1:${probes.port}${path}`)).status

test('the thread that does the work answers probes itself', async () => {
  expect([await answerTo('/healthz'), await answerTo('/metrics')]).toEqual([200, 404])
})

test('a thread that was blocked says for how long, once', () => {
  const eventLoop = watchEventLoop()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS)
  expect(eventLoop.longestMs()).toBeGreaterThanOrEqual(BLOCKED_MS - SAMPLED_EVERY_MS)
  expect(eventLoop.longestMs()).toBe(0)
  eventLoop.stop()
})
