import { expect, test } from 'vitest'
import { FAILURES_UNTIL_CAUTIOUS, pauseAfter, restAfter } from '../../../domain/webhooks/delivery.ts'

const [MINUTE, HOUR] = [60, 3600]

test('tries come after 5 s, 1, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h, and none after those', () => {
  const pauses = Array.from({ length: 12 }, (_, index) => pauseAfter(index + 1, 0))
  const hours = [2, 5, 10, 14, 20, 24].map((count) => count * HOUR)
  expect(pauses).toEqual([5, MINUTE, 5 * MINUTE, 30 * MINUTE, ...hours, null, null])
})

test('chance makes a pause longer by a tenth at most, and never shorter', () => {
  for (let tries = 1; tries <= 10; tries += 1) {
    const least = pauseAfter(tries, 0) ?? 0
    expect(pauseAfter(tries, 1)).toBeCloseTo(least * 1.1)
    for (let times = 0; times < 100; times += 1) {
      expect(pauseAfter(tries)).toBeGreaterThanOrEqual(least)
      expect(pauseAfter(tries)).toBeLessThan(least * 1.1)
    }
  }
})

test('what fails again and again rests for 5 s first, never for less than before, and never for more than half an hour', () => {
  const rests = Array.from({ length: 2000 }, (_, index) => restAfter(FAILURES_UNTIL_CAUTIOUS + index))
  expect(rests[0]).toBe(5)
  expect(rests).toEqual(rests.toSorted((a, b) => a - b))
  expect(rests.at(-1)).toBe(30 * MINUTE)
  expect(rests.every((seconds) => Number.isFinite(seconds))).toBe(true)
})

test('a rest doubles with every second failure', () =>
  expect([0, 2, 4, 6].map((more) => restAfter(FAILURES_UNTIL_CAUTIOUS + more))).toEqual([5, 10, 20, 40]))
