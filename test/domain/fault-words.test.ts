/** Faults of values in German: each sentence of the API has its words. */
import { expect, test } from 'vitest'
import { SENTENCES } from '../../domain/sentences.ts'
import { refusalWords } from '../../pages/words/refusals/refusals.ts'

/** Values by which sentences vary, as schemas put them. */
const VALUES: Readonly<Record<string, readonly string[]>> = { control: ['', 'U+000A 3', 'U+202E 3'] }

test.each(Object.keys(SENTENCES))('the fault %s has German words', (code) => {
  for (const value of VALUES[code] ?? ['5']) {
    const sentence = SENTENCES[code]?.(value) ?? ''
    expect(sentence).not.toBe('')
    expect(refusalWords('de').fault(sentence), sentence).not.toContain(sentence)
  }
})
