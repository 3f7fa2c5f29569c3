import { expect, test } from 'vitest'
import { formatValue } from '../../clients/cli/src/table.ts'
import { markAlike, sayAlike } from '../../domain/look-alikes.ts'
import { quoteInMail, quoteName } from '../../domain/text.ts'

const SEVERAL = 'letters of several alphabets'
const SHAPED = 'letters in another shape'
const LATIN = 'letters that only look Latin'

test.each([
  ['Acme Ltd', null],
  ['Société Générale', null],
  ['Ελληνική Τράπεζα GmbH', null], // two alphabets, each in words of its own
  ['Московский банк', null],
  ['三菱 UFJ', null],
  ['½ Liter №5 ™ µm', null],
  ['Işık Ltd', null],
  ['ООО Siemens', null], // a legal form of three letters
  ['ΟΤΕ', null],
  ['ООО Марс Россия', null], // the last word shows the alphabet
  ['Αννα Νικολάου', null],
  ['Аcme Ltd', SEVERAL], // the first letter is Cyrillic
  ['Acmе', SEVERAL],
  ['Pаypal', SEVERAL],
  ['Αcme', SEVERAL], // Greek
  ['ꓮcme', SEVERAL], // Lisu
  ['𝐀cme', SHAPED],
  ['ＡＣＭＥ', SHAPED],
  ['Pɑypal', SHAPED],
  ['ᴀᴄᴍᴇ', SHAPED],
  ['аррӏе', LATIN], // Cyrillic alone
  ['Аррӏе Inc.', LATIN],
  ['АСМЕ', LATIN],
  ['ΑΚΜΕ Ltd', LATIN],
  ['ᎪᏟᎷᎬ', LATIN], // Cherokee
])('%s', (name, expected) => {
  expect(sayAlike(name)).toBe(expected)
})

test('a sentence or a mail that quotes a name says what may deceive about it, behind the quotes', () => {
  expect(quoteName('Pаypal')).toBe('"Pаypal" (⚠ letters of several alphabets)')
  expect(quoteInMail('Pаypal.com')).toBe('"Pаypal. com" (⚠ letters of several alphabets)')
  expect(quoteName('Paypal')).toBe('"Paypal"')
  expect(markAlike('аррӏе')).toBe('аррӏе (⚠ letters that only look Latin)')
  expect(markAlike('apple')).toBe('apple')
})

test('a terminal shows a mark before a name of several alphabets, once', () => {
  expect(formatValue('Pаypal')).toBe('⚠ Pаypal')
  expect(formatValue(quoteName('Pаypal'))).toBe(quoteName('Pаypal'))
  expect(formatValue(['Paypal', 'Московский банк'])).toBe('Paypal, Московский банк')
})
