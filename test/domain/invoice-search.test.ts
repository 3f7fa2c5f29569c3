import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { searchWords, toPrefixQueries } from '../../domain/invoices/search.ts'
import { anyText } from '../support/model-runs.ts'
import { always } from '../support/property.ts'

describe('the words of an invoice', () => {
  const WORD = /^[\p{L}\p{N}]+$/u

  test('a search is letters and digits, whatever is typed, and Postgres takes it as it is', () => {
    const typed = fc.oneof(
      anyText(255),
      fc.string({ unit: 'grapheme', maxLength: 255 }),
      fc.string({ unit: fc.constantFrom(...Array.from(`&|!()<->:*'"\\%_ aÄ1`)), maxLength: 255 }),
    )
    always(3000, typed, (search) => {
      const asked = toPrefixQueries(search)
      for (const part of asked) expect(part.slice(-2)).toBe(':*')
      for (const part of asked) expect(part.slice(0, -2)).toMatch(WORD)
      expect(asked.length).toBeLessThanOrEqual(20)
    })
    for (const nothing of ['', ' ', '%', `'"\\`, '& | !', ':*', '\u0301']) expect(toPrefixQueries(nothing)).toEqual([])
  })

  test('each word of a text begins one that is searched by, with or without accents, in whatever case', () => {
    const text = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), { maxLength: 10 })
    always(1000, text, (parts) => {
      const words = searchWords(parts)
      for (const part of parts) {
        for (const asked of toPrefixQueries(part).map((one) => one.slice(0, -2)))
          expect(words.some((word) => word.startsWith(asked))).toBe(true)
      }
    })
    expect(searchWords(['Crème Brûlée', 'INV-000017', null])).toEqual(['000017', 'brulee', 'creme', 'inv', 'inv000017'])
    expect(toPrefixQueries('inv 000017 crème')).toEqual(['inv:*', '000017:*', 'creme:*'])
  })

  test('very long words are cut between characters, and very much text to what Postgres takes', () => {
    const long = '𐐨'.repeat(300)
    expect(searchWords([long])).toEqual(['𐐨'.repeat(255)])
    expect(toPrefixQueries(long)).toEqual([`${'𐐨'.repeat(255)}:*`])
    const many = Array.from({ length: 40_000 }, (_, index) => `𐐨𐐨𐐨𐐨${index}`)
    expect(Buffer.byteLength(searchWords(many).join(''))).toBeLessThanOrEqual(500_000)
  })
})
