/** Closest words to misspelled ones. */
import { expect, test } from 'vitest'
import { closestTo } from '../../domain/closest.ts'

const WORDS = ['status', 'statuses', 'limit', 'cursor', 'due_date_from', 'due_date_to', 'from', 'to']

test.each([
  ['stauts', 'status'],
  ['state', 'status'],
  ['Status', 'status'],
  ['statusses', 'statuses'],
  ['limt', 'limit'],
  ['dueDateFrom', 'due_date_from'],
  ['due-date-too', 'due_date_to'],
  ['form', undefined],
  ['froms', 'from'],
  ['x', undefined],
  ['', undefined],
  ['limit_limit_limit', undefined],
])('%s may stand for %s', (name, word) => {
  expect(closestTo(name, WORDS)).toBe(word)
})

test('without words there is none', () => {
  expect(closestTo('limit', [])).toBeUndefined()
})
