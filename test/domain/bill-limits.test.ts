import { expect, test } from 'vitest'
import { stepEndsMs } from '../../activities/bills/limits.ts'

test('a page that is no picture has three seconds, a picture ten, and a file sixty for all of its steps', () => {
  const began = 500
  const file = began + 60_000
  expect(stepEndsMs('file', began, file) - began).toBe(10_000)
  expect(stepEndsMs('page', began, file) - began).toBe(3000)
  expect(stepEndsMs('picture', began, file) - began).toBe(10_000)
  expect(stepEndsMs('page', file - 1000, file)).toBe(file)
})
