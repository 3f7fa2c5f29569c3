/** Words of events: each type of the catalogue has its noun and its verb, and there are no others. */
import { expect, test } from 'vitest'
import { EVENT_TYPES } from '../../domain/registries/event-types.ts'
import { DE } from '../../pages/words/de.ts'
import { EN } from '../../pages/words/en.ts'

test.each([
  ['English', EN],
  ['German', DE],
])('each type of event has words in %s', (_, { activity: { nouns, verbs } }) => {
  const parts = EVENT_TYPES.map((type) => type.split('.'))
  const each = (at: number) => [...new Set(parts.map((part) => part[at]))].toSorted()
  expect(Object.keys(nouns).toSorted()).toEqual(each(0))
  expect(Object.keys(verbs).toSorted()).toEqual(each(1))
})
