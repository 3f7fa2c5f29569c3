import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OWN_WORDS } from '../../db/sign-in/common-passwords.ts'

const text = readFileSync('docs/security.md', 'utf8')

const guarantees = readFileSync('docs/guarantees.md', 'utf8')

/** The tests that the documents cite, with their files: `file` *name* · *name* · `file` *name*. */
const cited = [text, guarantees]
  .join('\n')
  .split('\n')
  .flatMap((line) => {
    let file = ''
    return [...line.matchAll(/`(test\/[\w/-]+\.test\.ts)`|\*([^*\n]+)\*/g)].flatMap(
      ([, path, name]): [string, string][] => {
        file = path ?? file
        return name && file ? [[file, name]] : []
      },
    )
  })

test('the documents name tests of every chapter', () => expect(cited.length).toBeGreaterThan(120))

test.each(cited)('%s has: %s', (file, name) => {
  expect(existsSync(file), file).toBe(true)
  const source = readFileSync(file, 'utf8').replaceAll(String.raw`\'`, "'")
  const written = ["'", '"', '`'].flatMap((quote) => [`(${quote}${name}${quote},`, `  ${quote}${name}${quote},\n`])
  expect(
    written.some((one) => source.includes(one)),
    `no test of ${file} is named: ${name}`,
  ).toBe(true)
})

/** Counts of requirements by section of ASVS 5.0: of 6.1, 6.2 and so on. */
const SECTIONS = { 6: [3, 12, 8, 6, 8, 4, 2, 4], 7: [3, 4, 2, 5, 3, 2], 8: [4, 4, 3, 2] }

test('every requirement of the three chapters is mentioned: met, not applicable or open', () => {
  const numbers = Object.entries(SECTIONS).flatMap(([chapter, counts]) =>
    counts.flatMap((count, at) => Array.from({ length: count }, (_, index) => `${chapter}.${at + 1}.${index + 1}`)),
  )
  expect(numbers).toHaveLength(79)
  const mentioned = new Set(text.match(/\b[678]\.\d\.\d+\b/g))
  expect(numbers.filter((number) => !mentioned.has(number))).toEqual([])
  expect([...mentioned].filter((number) => !numbers.includes(number))).toEqual([])
})

test('the words that are no passwords are the ones that it names', () => {
  expect(text.replaceAll(/\s+/g, ' ')).toContain(OWN_WORDS.slice(0, -1).join(', '))
  expect(text).toContain(OWN_WORDS.at(-1) ?? '')
})
