/** Statements about files, commands and names in README, CONTRIBUTING and docs/ are true. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configurationPage } from '../../dev/docs/configuration.ts'
import { dashboard } from '../../dev/docs/dashboard.ts'
import { dataPage } from '../../dev/docs/data.ts'
import { eventTypesPage } from '../../dev/docs/event-types.ts'
import { flowFunctions } from '../../dev/docs/flow-functions.ts'
import { statesPage } from '../../dev/docs/states.ts'
import { GENERAL_RATE_LIMITS, RATE_LIMITS } from '../../domain/rate-limit.ts'
import { FILES, FOLDERS, WORDS } from './files.ts'

const WIDTH = 125

const PAGES = ['README.md', 'CONTRIBUTING.md', ...FILES.filter((file) => /^docs\/.*\.md$/.test(file))]

const textOf = (page: string): string => readFileSync(page, 'utf8')
const NAMES = new Set(FILES.map((file) => file.slice(file.lastIndexOf('/') + 1)))
const code = (page: string): string[] => [...textOf(page).matchAll(/`([^`\n]+)`/g)].map(([, inside = '']) => inside)

test.each(PAGES)(`%s names what exists, and has no line of more than ${WIDTH} characters, but in tables`, (page) => {
  const text = textOf(page)
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) => target)
  const paths = new RegExp(String.raw`(?<![\w./@-])(?:${FOLDERS.join('|')})/[\w./-]*[\w/]`, 'g')
  const files = code(page).filter((name) => /^[\w.-]+\.(ts|cjs|sql|md|json|yml)$/.test(name))
  // JSON.parse answers `any`; package.json has scripts
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, command = '']) => command)
  const called = code(page).flatMap((inside) => /^(\w+)\(/.exec(inside)?.[1] ?? [])
  const missing = {
    links: links.filter((target) => !existsSync(join(dirname(page), target))),
    paths: (text.match(paths) ?? []).filter((path) => !existsSync(path)),
    files: files.filter((name) => !NAMES.has(name)),
    commands: commands.filter((command) => !(command in scripts)),
    functions: called.filter((name) => !WORDS.has(name)),
  }
  expect(missing).toEqual({ links: [], paths: [], files: [], commands: [], functions: [] })
  const lines = text.split('\n').filter((line) => line.length > WIDTH && !line.startsWith('|'))
  expect(lines, 'long lines').toEqual([])
})

test('docs/database.md says of every advisory lock in which place it is taken', () => {
  const declared = textOf('db/postgres/locks.ts').matchAll(/export (?:async function|const) (lock\w+)/g)
  const locks = [...declared].map(([, name = '']) => name)
  expect(locks.length).toBeGreaterThan(2)
  const order = textOf('docs/database.md').match(/^\| \d.*$/gm) ?? []
  expect(locks.filter((name) => name !== 'lockMigrations' && !order.join().includes(`\`${name}()\``))).toEqual([])
  expect(textOf('db/postgres/locks.ts').match(/^ \* +\d+b?\. /gm)).toHaveLength(order.length)
})

test('docs/limits.md names every limit and every bulkhead', () => {
  const page = textOf('docs/limits.md')
  const limits = Object.keys({ ...GENERAL_RATE_LIMITS, ...RATE_LIMITS })
  expect(limits.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  const bulkheads = FILES.filter((file) => /^(api|pages|db|services|documents|activities)\/.*\.ts$/.test(file)).filter(
    (file) => /^\/\*\* .*\bbulkheads?:|^\/\*\* Bulkheads?:/im.test(textOf(file)),
  )
  expect(bulkheads.length).toBeGreaterThan(5)
  expect(bulkheads.filter((file) => !page.includes(`(../${file})`))).toEqual([])
})

test('every page is listed in CONTRIBUTING.md, every guide in README.md', () => {
  const lists = textOf('CONTRIBUTING.md') + textOf('README.md')
  expect(PAGES.filter((page) => page.startsWith('docs/') && !lists.includes(`](${page})`))).toEqual([])
})

test('every decision has a status and a date', () => {
  const decisions = PAGES.filter((page) => page.startsWith('docs/decisions/')).flatMap((page) =>
    [...textOf(page).matchAll(/^## (.+)\n\n(.*)$/gm)].map(([, title, status]) => ({ page, title, status })),
  )
  expect(decisions.length).toBeGreaterThan(200)
  expect(decisions.filter(({ status }) => !/^(Accepted|Superseded), \d{4}-\d\d-\d\d\.$/.test(status ?? ''))).toEqual([])
})

test('README.md is read in five minutes: at most 160 lines', () =>
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(160))

test.each([
  ['docs/states.md', statesPage],
  ['db/functions/_flows.sql', flowFunctions],
  ['docs/data.md', dataPage],
  ['docs/event-types.md', eventTypesPage],
  ['docs/configuration.md', configurationPage],
  ['ops/dashboard.json', dashboard],
])('%s is what `npm run docs:states` writes', (page, written) => expect(textOf(page)).toBe(written()))

describe('docs/runbook.md', () => {
  const runbook = textOf('docs/runbook.md').replaceAll(/\s+/g, ' ')
  const sources = FILES.filter((file) => /^(?!test|bench|dev\/).*\.ts$/.test(file))

  test('explains every line that is logged at warn, error or fatal', () => {
    const lines = sources.flatMap((file) =>
      [...textOf(file).matchAll(/\blog\.(?:warn|error|fatal)\(\s*(?:\{.*?\},\s*)?(['`])(.*?)\1,?\s*\)/gs)].map(
        ([, , line = '']) => line.replaceAll(/\$\{.*?\}/g, '…'),
      ),
    )
    const calls = sources.flatMap((file) => textOf(file).match(/\blog\.(?:warn|error|fatal)\(/g) ?? [])
    expect(lines.length).toBeGreaterThan(40)
    expect(lines).toHaveLength(calls.length)
    expect(lines.filter((line) => !runbook.includes(`\`${line}\``))).toEqual([])
  })

  test('explains every metric', () => {
    const names = [...textOf('api/metrics.ts').matchAll(/\bname: '(\w+)'/g)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(4)
    expect(names.filter((name) => !runbook.includes(`\`${name}\``))).toEqual([])
  })
})
