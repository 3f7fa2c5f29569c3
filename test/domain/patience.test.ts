/** Waits follow progress: they go on as long as something changes, and end when it stands still. */
import { expect, test } from 'vitest'
import { patience } from '../../dev/machine/patience.ts'

test('a wait goes on as long as its log grows, however long, and ends when that is silent', () => {
  let [size, now] = [0, 0]
  const goOn = patience(
    () => size,
    60,
    () => now,
  )
  for (now = 50; now <= 5_000; now += 50) {
    size += 1
    expect(goOn()).toBe(true)
  }
  const last = 5_000
  now = last + 60
  expect(goOn()).toBe(true)
  now = last + 61
  expect(goOn()).toBe(false)
})
