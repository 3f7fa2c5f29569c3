import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  type Advisory,
  Exceptions,
  Snapshot,
  advisoriesIn,
  isInRange,
  judge,
  packagesHash,
} from '../../dev/dependencies/advisories.ts'
import { type Lock, readLock } from '../../sbom.ts'

const lock: Lock = {
  name: 'own',
  version: '1.0.0',
  packages: {
    '': { dependencies: { a: '1.2.2' } },
    'node_modules/a': { version: '1.2.2' },
    'node_modules/a/node_modules/b': { version: '2.0.0-rc.1' },
    'node_modules/tool': { version: '1.0.0', dev: true },
  },
}
const advisory = (name: string, more: Partial<Advisory> = {}): Advisory => ({
  id: `GHSA-${name}`,
  package: name,
  vulnerable: '<1.2.3',
  severity: 'high',
  title: 'Anything goes',
  url: `https://github.com/advisories/GHSA-${name}`,
  ...more,
})
const taken = (advisories: Advisory[]): Snapshot => ({
  taken: '2030-01-01T10:00:00.000Z',
  packages: packagesHash(lock),
  note: '',
  advisories,
})
const today = '2030-01-03'
const until = (id: string, day: string): Exceptions => [
  { id, package: 'a', reason: 'The function is never called here.', until: day },
]

describe('the audit of dependencies', () => {
  test('names the advisory and the date of the snapshot, and fails for a high one of production', () => {
    const { code, lines } = judge({ lock, snapshot: taken([advisory('a'), advisory('tool')]), exceptions: [], today })
    expect([code, lines]).toEqual([
      1,
      [
        'Snapshot of 2030-01-01T10:00:00.000Z, 2 days old. Newer advisories are not known here.',
        'high: a 1.2.2: Anything goes (GHSA-a, https://github.com/advisories/GHSA-a)',
      ],
    ])
  })

  test.each<[string, Snapshot, Exceptions, 0 | 1 | 2, RegExp]>([
    ['a moderate one is named', taken([advisory('a', { severity: 'moderate' })]), [], 0, /moderate: a 1\.2\.2/],
    ['one of another version is not', taken([advisory('a', { vulnerable: '<1.2.2' })]), [], 0, /No advisory/],
    ['an exception counts until its day', taken([advisory('a')]), until('GHSA-a', today), 0, /excepted: The function/],
    ['and not after it', taken([advisory('a')]), until('GHSA-a', '2030-01-02'), 1, /high: a/],
    ['an exception for another one is none', taken([advisory('a')]), until('GHSA-b', today), 1, /high: a/],
    [
      'of a nested package, also before its release',
      taken([advisory('b', { vulnerable: '>=2.0.0-a' })]),
      [],
      1,
      /b 2\.0\.0-rc\.1/,
    ],
    ['another lock file is said', { ...taken([]), packages: 'x' }, [], 0, /lock file has changed since/],
    ['an old snapshot is said', { ...taken([]), taken: '2029-11-01T00:00:00Z' }, [], 0, /older than 30 days/],
    ['without a snapshot it cannot tell', { ...taken([]), taken: null, note: 'why' }, [], 2, /Cannot tell.*why/s],
  ])('%s', (_, snapshot, exceptions, code, said) => {
    const verdict = judge({ lock, snapshot, exceptions, today })
    expect([verdict.code, verdict.lines.join('\n')]).toEqual([code, expect.stringMatching(said)])
  })
})

test.each([
  ['1.2.3', '<1.2.3', false],
  ['1.2.3-rc.1', '<1.2.3', true],
  ['1.10.0', '>=1.2.0 <1.9.0', false],
  ['1.10.0', '<1.0.0 || >= 1.9.0', true],
  ['2.0.0', '=2.0.0', true],
  ['2.0.0+build', '2.0.0', true],
  ['1.0.0-alpha.9', '>1.0.0-alpha.10', false],
  ['1.0.0-alpha.beta', '>1.0.0-alpha.1', true],
  ['1.0.0-alpha', '<1.0.0-alpha.1', true],
  ['3.1.4', '*', true],
  ['unreadable', '<1.0.0', true],
  ['1.0.0', '^something', true],
])('version %s is in the range %s: %s', (version, range, isIn) => expect(isInRange(version, range)).toBe(isIn))

test('the answer of npm is read: each advisory once, with what it says; an error is none', () => {
  const via = {
    name: 'a',
    title: 'T',
    url: 'https://github.com/advisories/GHSA-1',
    severity: 'critical',
    range: '<2.0.0',
  }
  const answer = { vulnerabilities: { a: { via: [via] }, b: { via: ['a', via] } } }
  expect(advisoriesIn(JSON.stringify(answer))).toEqual([
    { id: 'GHSA-1', package: 'a', vulnerable: '<2.0.0', severity: 'critical', title: 'T', url: via.url },
  ])
  expect(() => advisoriesIn('{"message":"405 Method Not Allowed"}')).toThrow(/./)
})

test('the committed snapshot and its exceptions have their form, and can be compared', () => {
  const read = (name: string): unknown => JSON.parse(readFileSync(`dev/dependencies/${name}.json`, 'utf8'))
  const snapshot = v.parse(Snapshot, read('advisories'))
  const exceptions = v.parse(Exceptions, read('exceptions'))
  expect(judge({ lock: readLock(), snapshot, exceptions, today }).lines.length).toBeGreaterThan(1)
})
