/** Actions in the text of a PDF, and how much work it takes to find none. */
import { expect, test } from 'vitest'
import fc from 'fast-check'
import { hasActionOfProgram } from '../../documents/pdf/actions.ts'

/** Rule of ISO 32000-1, 12.6.4 and 7.2, at the cost of a square. */
const AS_SPECIFIED = /\/S(?:[\s\0]|%[^\r\n]*[\r\n])*(?:\/(?:JavaScript|Launch|Rendition)\b|\d+[\s\0]+\d+[\s\0]+R\b)/

test('an action is found wherever blanks and comments are', () => {
  const pieces = fc.constantFrom(
    '/S',
    '%',
    '\n',
    '\r\n',
    ' ',
    '\0',
    '/JavaScript',
    '/Launch',
    's',
    '7',
    '0 R',
    '/URI',
    'x',
  )
  const text = fc.array(pieces, { maxLength: 24 }).map((all) => all.join(''))
  fc.assert(
    fc.property(text, (one) => hasActionOfProgram(one) === AS_SPECIFIED.test(one)),
    { numRuns: 20_000 },
  )
})

test.each([
  ['comments in one line', '/S%'],
  ['comments in lines of their own', '/S%\n%'],
  ['comments before others', '%/S\n'],
  ['blanks', '/S \0\n'],
  ['numbers', '/S1 2 3'],
])('four megabytes of %s are read', (_, repeated) => {
  const text = repeated.repeat(Math.ceil(4_000_000 / repeated.length))
  expect(hasActionOfProgram(text)).toBe(false)
  expect(hasActionOfProgram(`${text}\n/S /Launch`)).toBe(true)
})
