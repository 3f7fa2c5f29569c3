import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OWN_WORDS } from '../../platform/common-passwords.ts'

const read = (page: string): string => readFileSync(`docs/${page}`, 'utf8')
const text = read('security.md')

const CHAPTERS = ['encoding', 'web', 'identity', 'tokens', 'cryptography', 'data', 'code'].map(
  (page) => `asvs/${page}.md`,
)

/** The tests that the documents cite, with their files: `file` *name* · *name* · `file` *name*; a name may be wrapped. */
const cited = ['security.md', 'guarantees.md', 'payments.md', 'threat-model.md', ...CHAPTERS]
  .map(read)
  .join('\n')
  .split(/\n(?=\n|- |\|)/)
  .flatMap((part) => {
    let file = ''
    return [
      ...part
        .replaceAll('**', '')
        .replaceAll(/\s*\n\s*/g, ' ')
        .matchAll(/`(test\/[\w/-]+\.test\.ts)`|\*([^*\n]+)\*/g),
    ].flatMap(([, path, name]): [string, string][] => {
      file = path ?? file
      return name && file ? [[file, name]] : []
    })
  })

test('the documents name tests of every chapter', () => expect(cited.length).toBeGreaterThan(400))

test.each(cited)('%s has: %s', (file, name) => {
  expect(existsSync(file), file).toBe(true)
  const source = readFileSync(file, 'utf8').replaceAll(String.raw`\'`, "'")
  const written = ["'", '"', '`'].flatMap((quote) => [`(${quote}${name}${quote},`, `  ${quote}${name}${quote},\n`])
  expect(
    written.some((one) => source.includes(one)),
    `no test of ${file} is named: ${name}`,
  ).toBe(true)
})

/** Counts of requirements by section of ASVS 5.0.0: of 1.1, 1.2 and so on. Chapter 17 is WebRTC. */
const SECTIONS = {
  1: [2, 10, 12, 3, 3],
  2: [3, 3, 5, 2],
  3: [1, 3, 5, 8, 8, 1, 5],
  4: [5, 5, 2, 4],
  5: [1, 6, 3, 3],
  6: [3, 12, 8, 6, 8, 4, 2, 4],
  7: [3, 4, 2, 5, 3, 2],
  8: [4, 4, 3, 2],
  9: [3, 4],
  10: [2, 3, 5, 16, 5, 2, 3],
  11: [4, 5, 5, 4, 2, 2, 2],
  12: [5, 2, 5],
  13: [4, 6, 4, 7],
  14: [2, 8, 3],
  15: [5, 5, 7, 4],
  16: [1, 5, 4, 3, 4],
}

type Row = {
  readonly number: string
  readonly level: string
  readonly state: string
  readonly how: string
  readonly by: string
}

const rows = CHAPTERS.flatMap((page) =>
  read(page)
    .split('\n')
    .filter((line) => /^\| \d+\.\d+\.\d+ \|/.test(line))
    .map((line): Row => {
      const [, number = '', level = '', , state = '', how = '', by = ''] = line.split('|').map((cell) => cell.trim())
      return { number, level, state, how, by }
    }),
)

test('every requirement of ASVS is there once: met, not met with what is missing, or with why it does not apply', () => {
  const numbers = Object.entries(SECTIONS).flatMap(([chapter, counts]) =>
    counts.flatMap((count, at) => Array.from({ length: count }, (_, index) => `${chapter}.${at + 1}.${index + 1}`)),
  )
  expect(numbers).toHaveLength(333)
  expect(rows.map(({ number }) => number)).toEqual(numbers)
  const odd = rows.filter(
    ({ level, state, how }) => !/^[123]$/.test(level) || !/^(met|not met|does not apply)$/.test(state) || how === '',
  )
  expect(odd).toEqual([])
})

test('what is met is shown: by a test, by a file that exists, or by a row that has one', () => {
  const found = new Map(rows.map((row) => [row.number, row]))
  const isShown = ({ by }: Row): boolean => {
    const [, other] = /^as (\d+\.\d+\.\d+)$/.exec(by) ?? []
    if (other) return found.get(other)?.by.startsWith('`') ?? false
    const files = [...by.matchAll(/`([\w/.-]+)`/g)].map(([, file = '']) => file)
    return files.length > 0 && files.every((file) => existsSync(file))
  }
  expect(rows.filter((row) => (row.state === 'met' || row.by !== '') && !isShown(row))).toEqual([])
})

test('the first page of ASVS counts what is in the others, and lists what is not met', () => {
  const page = read('asvs/README.md')
  for (const [chapter] of [...Object.entries(SECTIONS), ['all']]) {
    const of = rows.filter(({ number }) => chapter === 'all' || number.startsWith(`${chapter}.`))
    const counts = ['met', 'not met', 'does not apply'].map((state) => of.filter((row) => row.state === state).length)
    const name = chapter === 'all' ? 'all' : `\\[V${chapter} [^\\]]+\\]\\([\\w.#-]+\\)`
    expect(page).toMatch(new RegExp(`^\\| ${name} \\| ${[of.length, ...counts].join(' \\| ')} \\|$`, 'm'))
  }
  const [, list = ''] = /## Not met\n\n([^]*?)\n\n/.exec(page) ?? []
  const listed = Array.from(list.matchAll(/- level (\d):([^-]+)/g), ([, level = '', numbers = '']) =>
    (numbers.match(/\d+\.\d+\.\d+/g) ?? []).map((number) => `${level} ${number}`),
  ).flat()
  const missing = rows.filter(({ state }) => state === 'not met').map(({ level, number }) => `${level} ${number}`)
  expect(listed.toSorted()).toEqual(missing.toSorted())
})

test('the threat model fits on two pages', () =>
  expect(read('threat-model.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120))

test('the words that are no passwords are the ones that it names', () => {
  expect(text.replaceAll(/\s+/g, ' ')).toContain(OWN_WORDS.slice(0, -1).join(', '))
  expect(text).toContain(OWN_WORDS.at(-1) ?? '')
})
