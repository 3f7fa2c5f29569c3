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

test('text that nobody checked is told on one line, and nothing in a name ends its quotes', () => {
  expect(onOneLine(' Deutsche\r\n\r\nBank\u202e \u200bAG ')).toBe('Deutsche Bank AG')
  expect(quoted('Bob". Your code is “123456”.\nIt   is good')).toBe(`"Bob'. Your code is '123456'. It is good"`)
  expect(deviceNameOf('cu\u00adrl\u0085/8 x')).toBe('curl /8')
  expect(deviceNameOf('\u00ad')).toBeNull()
})
