/** The language of code, comments and pages: CONTRIBUTING.md, How to write. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FILES } from './files.ts'
import { habitsOf, habitsOfSummaries, wordsOfNames } from './plain-english.ts'

/** Places that are right as they are, by file and a part of their text. */
const RIGHT: readonly (readonly [file: string, has: string, because: string])[] = [
  ['test/isolated/contract/admin-environment.test.ts', 'somebody@elsewhere', 'it is an address'],
  ['documents/reading/limits.ts', 'spent', 'a value: processor time that was spent'],
  ['services/exports/rows.ts', 'postedPart', 'a value: the part of posted rows'],
  ['domain/tax-ids.ts', 'weightedDigits', 'a value: a weighted sum'],
  ['sandbox/partners/accounting/server.ts', 'expiredToken', 'a value: the answer to an expired token'],
  ['workflows/proxies.ts', 'scheduledProxy', 'a value: the proxy of scheduled work'],
]

const isRight = ({ file, text }: { file: string; text: string }): boolean =>
  RIGHT.some(([place, has]) => place === file && text.includes(has))

test('comments, pages and names are plain English', () => {
  const habits = FILES.filter((file) => /\.(ts|sql|md)$/.test(file)).flatMap((file) => habitsOf(file))
  expect(habits.filter((habit) => !isRight(habit))).toEqual([])
})

test('summaries of operations fit into a list', () =>
  expect(habitsOfSummaries(JSON.parse(readFileSync('openapi.json', 'utf8')))).toEqual([]))

test('words that the glossary retires are in no name of the code', () => {
  const retired = new Set(
    [...readFileSync('docs/glossary.md', 'utf8').matchAll(/\*(\w+)\*(?=[^|]*\|$)/gm)].map(([, word = '']) => word),
  )
  expect(retired.size).toBeGreaterThan(5)
  const product = /^(domain|platform|documents|db|services|partners|activities|workflows|temporal|api)\/.*\.ts$/
  const used = FILES.filter((file) => product.test(file)).flatMap((file) =>
    wordsOfNames(file)
      .filter((word) => retired.has(word))
      .map((word) => `${file}: ${word}`),
  )
  expect([...new Set(used)]).toEqual([])
})
