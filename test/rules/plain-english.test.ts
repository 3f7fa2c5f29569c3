/** The language of code, comments and pages: CONTRIBUTING.md, How to write. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FILES } from './files.ts'
import { habitsOf, habitsOfSummaries, wordsOfNames } from './plain-english.ts'

/** Places that are right as they are, by file and a part of their text. */
const RIGHT: readonly { readonly file: string; readonly has: string; readonly because: string }[] = [
  ...[
    'a reason says nothing that stands in the file',
    'nothing of it runs, loads or looks like markup',
    'is approved by somebody else than who typed it',
    'because somebody said so',
    'needs a step-up of its own, is told',
    'is wrong twice and fails',
    'that is registered already, to anybody',
    'what stands in the request of a sign-in',
    'that cools off releases nothing, and is told until when',
    'every operation of an organization × an outsider',
  ].map((has) => ({ file: 'docs/security.md', has, because: 'it quotes the name of a test' })),
  { file: 'test/isolated/contract/admin-environment.test.ts', has: 'somebody@elsewhere', because: 'it is an address' },
  { file: 'activities/bills/limits.ts', has: 'spent', because: 'a value: processor time that was spent' },
  { file: 'db/exports/rows.ts', has: 'postedPart', because: 'a value: the part of posted rows' },
  { file: 'domain/bills/tax-ids.ts', has: 'weightedDigits', because: 'a value: a weighted sum' },
  {
    file: 'sandbox/partners/accounting/server.ts',
    has: 'expiredToken',
    because: 'a value: the answer to an expired token',
  },
  { file: 'workflows/proxies.ts', has: 'scheduledProxy', because: 'a value: the proxy of scheduled work' },
]

const isRight = ({ file, text }: { file: string; text: string }): boolean =>
  RIGHT.some((place) => place.file === file && text.includes(place.has))

test('comments, pages and names are plain English', () => {
  const habits = FILES.filter((file) => /\.(ts|sql|md)$/.test(file)).flatMap((file) => habitsOf(file))
  expect(habits.filter((habit) => !isRight(habit))).toEqual([])
})

test('summaries of operations fit into a list', () => {
  expect(habitsOfSummaries(JSON.parse(readFileSync('openapi.json', 'utf8')))).toEqual([])
})

test('words that the glossary retires are in no name of the code', () => {
  const retired = new Set(
    [...readFileSync('docs/glossary.md', 'utf8').matchAll(/\*(\w+)\*(?=[^|]*\|$)/gm)].map(([, word = '']) => word),
  )
  expect(retired.size).toBeGreaterThan(5)
  const product = FILES.filter((file) =>
    /^(domain|platform|db|partners|activities|workflows|temporal|api)\/.*\.ts$/.test(file),
  )
  const used = product.flatMap((file) =>
    wordsOfNames(file)
      .filter((word) => retired.has(word))
      .map((word) => `${file}: ${word}`),
  )
  expect([...new Set(used)]).toEqual([])
})
