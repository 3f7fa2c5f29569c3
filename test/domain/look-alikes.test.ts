import { expect, test } from 'vitest'
import { mayImitate } from '../../domain/look-alikes.ts'

test.each([
  ['Acme Ltd', false],
  ['Société Générale', false],
  ['Ελληνική Τράπεζα GmbH', false], // two alphabets, each in words of its own
  ['Московский банк', false],
  ['三菱 UFJ', false],
  ['½ Liter №5 ™', false],
  ['Аcme Ltd', true], // the first letter is Cyrillic
  ['Acmе', true],
  ['Αcme', true], // Greek
  ['𝐀cme', true],
  ['ＡＣＭＥ', true],
])('%s', (name, expected) => {
  expect(mayImitate(name)).toBe(expected)
})
