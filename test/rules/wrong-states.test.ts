/** A refusal for a wrong state names the state and what is allowed in it. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sources } from './rooms.ts'

const IN_A_STATE =
  'invalid_state|payment_not_cancellable|approval_already_processed|batch_not_draft|bill_payment_in_progress'
const REFUSED = new RegExp(String.raw`refuse\('(?:${IN_A_STATE})'(?:, (\{.*?\}))?\)$`, 'gms')
/** Commands of operators alone, which explain the obstacle in a terminal. */
const OF_OPERATORS =
  /^services\/(adjustments\/|dealings\/|audit\/behind\.ts|deposits\/steps\.ts|deposits\/unmatched\.ts|organizations\/status\.ts)/

test('every refusal for a state names it and what is allowed', () => {
  const files = ['db', 'services', 'api'].flatMap(sources).filter((file) => !OF_OPERATORS.test(file))
  const refusals = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(REFUSED)].map(([, details = '']) => ({ file, details })),
  )
  expect(refusals.length).toBeGreaterThan(25)
  expect(refusals.filter(({ details }) => !/\bcurrent\b/.test(details) || !/\ballowed\b/.test(details))).toEqual([])
})
