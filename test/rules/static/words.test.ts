/** Words that were replaced by standard terms stay out of the source. */
import { expect, test } from 'vitest'
import { WORDS } from './files.ts'
import { RETIRED_WORDS } from './retired-words.ts'

test.each(Object.entries(RETIRED_WORDS))('%s does not come back: say %s', (word) => {
  expect(WORDS.get(word)).toBe(undefined)
})
