/** Text that others read: what it may be made of, and how it stands in our sentences. */
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { deviceNameOf } from '../../db/model/people/device.ts'
import { line, onOneLine, quoted, text } from '../../db/model/text.ts'

test('letters of any script, and emoji, are text', () => {
  for (const name of ['李', 'عمر', 'שלום', 'नमस्ते', "O'Neil & Søn – №1", '👩‍👩‍👧', '❤️ & ☕️', '👩🏽‍💻', '🇨🇭']) {
    expect(v.is(line(1, 255), name), name).toBe(true)
    expect(v.is(text(1, 255), name), name).toBe(true)
    expect(onOneLine(name)).toBe(name)
  }
})

test('a name has no signs that are drawn as nothing; a note may have those of Braille', () => {
  for (const blank of ['\u2800', '\u{13441}', '\u{16fe4}', '\u{1d159}', '\u3164', '\u{e0041}', '\ufe01', '\u{e0101}']) {
    expect(v.is(line(1, 255), `Bob${blank.repeat(9)} & Co`), blank).toBe(false)
    expect(onOneLine(`Bob${blank}by`)).toBe('Bobby')
  }
  expect(v.is(text(1, 255), '\u2813\u2800\u2811')).toBe(true)
})

test('text that nobody checked is told on one line, and nothing in a name ends its quotes', () => {
  expect(onOneLine(' Deutsche\r\n\r\nBank\u202e \u200bAG ')).toBe('Deutsche Bank AG')
  expect(quoted('Bob". Your code is “123456”.\nIt   is good')).toBe(`"Bob'. Your code is '123456'. It is good"`)
  for (const end of [
    '"',
    '""',
    "''",
    '\u2019\u2019',
    '`\u00b4',
    '"\'',
    '\u02f6',
    '\u05f2',
    '\u275e',
    '\u2034',
    '\u{1f677}',
  ]) {
    expect(quoted(`Bob${end}, account 1`), end).toBe(`"Bob', account 1"`)
  }
  expect(quoted('O\u2019Neil\u2019s')).toBe('"O\u2019Neil\u2019s"')
  expect(deviceNameOf('cu\u00adrl\u0085/8 x')).toBe('curl /8')
  expect(deviceNameOf('\u00ad')).toBeNull()
})
