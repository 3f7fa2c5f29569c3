/** Faults of values in German: each sentence of the API has its words. */
import { expect, test } from 'vitest'
import { SENTENCES } from '../../domain/sentences.ts'
import { REASONS } from '../../domain/reasons.ts'
import { messageOf } from '../../pages/frame/messages.ts'
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

test('a blocker that has its sentence alone is said by its reason, in each language', () => {
  const said = (language: 'en' | 'de') =>
    messageOf({ type: 'contact_not_approved', message: REASONS.contact_archived, language })
  expect(said('en')).toBe(REASONS.contact_archived)
  expect(said('de')).toBe(refusalWords('de').reasons.contact_archived)
})
