/** Free text: its allowed characters, and how our sentences quote it. */
import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { deviceNameOf } from '../../domain/people/device.ts'
import { email, line, onOneLine, plain, quoteInMail, quoteName, text } from '../../domain/text.ts'
import { always } from '../support/property.ts'
import { formatValue } from '../../clients/cli/src/table.ts'
import { markAlike, sayAlike } from '../../domain/look-alikes.ts'
import { keysOf } from '../../domain/bills/likeness.ts'
import { skeletonOf } from '../../domain/skeleton.ts'

const SCHEMAS = [line(1, 255), text(1, 255)]

test('a name has no signs that are drawn as nothing; a note may have those of Braille', () => {
  for (const blank of ['\u2800', '\u{13441}', '\u{16fe4}', '\u{1d159}', '\u3164', '\u{e0041}']) {
    expect(v.is(line(1, 255), `Bob${blank.repeat(9)} & Co`), blank).toBe(false)
    expect(onOneLine(`Bob${blank}by`)).toBe('Bobby')
  }
  expect(v.is(text(1, 255), '\u2813\u2800\u2811')).toBe(true)
})

test('letters of any script, and emoji, are text; words whose letters are joined or kept apart stay as they are', () => {
  const words = [
    'می\u200cخواهم', // Persian
    'نەو\u200cت', // Kurdish
    'ශ්\u200dරී', // Sinhala
    'ന്\u200dറെ', // Malayalam, in the spelling before Unicode had letters for this
    'র\u200d্যাম', // Bengali
    'क्\u200dष दुसऱ्\u200dया', // Marathi
    'क्\u200cष', // Devanagari
    '1\ufe0f\u20e3 first', // a keycap
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', // the flag of Scotland
    '葛\u{e0100}城市', // a variant of a character, as in municipal registers
  ]
  const others = ['李', 'عمر', 'שלום', 'नमस्ते', "O'Neil & Søn – №1", '👩‍👩‍👧', '❤️ & ☕️', '👩🏽‍💻', '🇨🇭']
  for (const word of [...words, ...others]) {
    for (const schema of SCHEMAS) expect(v.safeParse(schema, word).output, word).toBe(word)
    expect(onOneLine(word)).toBe(word)
  }
})

test('what programs leave in text and only hides is taken out of it', () => {
  for (const sign of '\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2063\ufe01\ufe0f\ufeff\u{e0101}') {
    for (const schema of SCHEMAS) {
      expect(v.safeParse(schema, `${sign}Pay${sign}${sign}pal${sign}`).output, sign).toBe('Paypal')
      expect(v.is(schema, sign.repeat(9)), sign).toBe(false)
    }
  }
})

test('signs that control or order others are refused, with the first of them and its place', () => {
  const refused = '\u0001\u001b\u0085\u2028\u202a\u202e\u2066\u2069\u206a\ufff9\u{e0001}\u{e0041}\u{e007f}'
  for (const sign of refused) {
    const code = sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
    for (const schema of SCHEMAS) {
      const { issues } = v.safeParse(schema, `\u{1f600}a${sign}b\u202e`)
      expect(issues?.[0]?.message, code).toBe(`control:U+${code} 3`)
    }
  }
  expect(v.safeParse(line(1, 255), 'a\nb').issues?.[0]?.message).toBe('control:U+000A 2')
  expect(v.is(text(1, 255), 'a\tb\r\nc')).toBe(true)
  expect(v.is(line(1, 255), '\u{1f3f4}\u{e0067}\u{e0062}')).toBe(false) // a flag tag without its end
})

test('cleaned text is clean: to take it again changes nothing', () => {
  const signs = fc.constantFrom(
    ...Array.from('aक्رمی1#😀\u200c\u200d\u00ad\ufe0f\u20e3\u034f\u{1f3f4}\u{e0067}\u{e007f}\u180b\u1820葛\u{e0100} '),
  )
  always(20000, fc.array(signs, { minLength: 1, maxLength: 12 }), (parts) => {
    const once = v.safeParse(line(1, 255), parts.join(''))
    if (!once.success) return
    expect(v.safeParse(line(1, 255), once.output).output).toBe(once.output)
  })
})

test('searched and compared, a word with joiners is the word without them', () => {
  expect(plain('می\u200cخواهم')).toBe(plain('میخواهم'))
  expect(plain('Pay\u2060pal')).toBe('paypal')
})

test('text that nobody checked is told on one line, and nothing in a name ends its quotes', () => {
  expect(onOneLine(' Deutsche\r\n\r\nBank\u202e \u200bAG ')).toBe('Deutsche Bank AG')
  expect(quoteName('Bob". Your code is “123456”.\nIt   is good')).toBe(`"Bob'. Your code is '123456'. It is good"`)
  const ends = ['"', '""', "''", '\u2019\u2019', '`\u00b4', '"\'', ...Array.from('\u02f6\u05f2\u275e\u2034\u{1f677}')]
  for (const end of ends) expect(quoteName(`Bob${end}, account 1`), end).toBe(`"Bob', account 1"`)
  expect(quoteName('O\u2019Neil\u2019s')).toBe('"O\u2019Neil\u2019s"')
  expect(deviceNameOf('cu\u00adrl\u0085/8 x')).toBe('curl /8')
  expect(deviceNameOf('\u00ad')).toBeNull()
})

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

test.each([
  ['a Cyrillic letter', 'Acmе Suppliеs', 'Acme Supplies'],
  ['Cyrillic capitals', 'АСМЕ', 'ACME'],
  ['Greek capitals among Latin ones', 'ΝΥSE Ltd', 'NYSE Ltd'],
  ['Greek small letters', 'νοdafοne', 'vodafone'],
  ['full width', 'Ａｃｍｅ', 'Acme'],
  ['mathematical letters', '𝐀𝐜𝐦𝐞', 'Acme'],
  ['Cherokee', 'ᎪCME', 'ACME'],
  ['a dotless i', 'Nıke', 'Nike'],
  ['an l for an I', 'lberdrola', 'Iberdrola'],
  ['a zero for an O', 'M0tor', 'Motor'],
  ['rn for m', 'Arnazon', 'Amazon'],
  ['invisible characters', 'Ac\u200b\u2060m\u00ade\ufeff', 'Acme'],
  ['joiners', 'Ac\u200dm\u200ce', 'Acme'],
  ['case, blanks, signs and accents', 'MÜLLER  & Söhne', 'Müller&söhne'],
])('%s is seen through', (_, one, other) => expect(skeletonOf(one)).toBe(skeletonOf(other)))

test('names that people can tell apart stay apart, and case is none of them in any script', () => {
  const names = ['Acme', 'Acne', 'Müller', 'Miller', 'Стройка', 'Нева', 'Αθήνα', '株式会社', 'Firma 2', 'Firma 3']
  expect(new Set(names.map(skeletonOf)).size).toBe(names.length)
  for (const name of [...names, 'ΝΑΥΤΙΛΙΑ', 'ЎЗБЕК'])
    expect(skeletonOf(name.toLowerCase())).toBe(skeletonOf(name.toUpperCase()))
})

test('a bill is compared by the looks of name, tax id and number', () => {
  const bill = { supplier_name: 'Acme', supplier_tax_id: 'DE136695976', bill_number: 'RE-2026/0012' }
  const alike = { supplier_name: 'Асmе', supplier_tax_id: 'DЕ 136695976', bill_number: 'RЕ-2026/0012' }
  expect(keysOf(alike)).toEqual(keysOf(bill))
  const none = { tax_key: null, name_key: null, number_key: null }
  expect(keysOf({ supplier_name: ' \u200b—', bill_number: '' })).toEqual(none)
})

test('the domain of an address is written as mail servers know it', () => {
  const read = (address: string) => v.parse(email, address)
  expect(read('info@müller.de')).toBe('info@xn--mller-kva.de')
  expect(read('Info@Müller.DE')).toBe('info@xn--mller-kva.de')
  expect(read('a@東京.jp')).toBe('a@xn--1lqs71d.jp')
  for (const wrong of ['info@mü ller.de', 'müller@example.com', 'info@müller', '@müller.de'])
    expect(v.is(email, wrong), wrong).toBe(false)
})
