/** Conditions of a release, on trees of every kind, and its checksums by `sha256sum`. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import { writeChecksums } from '../../dev/release/artefacts.ts'
import type { Document } from '../../dev/release/breaking-changes.ts'
import { listObstacles, readVersion, sectionOf } from '../../dev/release/checks.ts'

const present: Document = JSON.parse(readFileSync('openapi.json', 'utf8'))
const CHANGELOG =
  '# Changes\n\n## [2.0.0] - 2026-12-01\n\n### Removed\n\n- post /api/v1/payments: is gone\n\n## [1.0.0] - 2026-11-30\n\nAll.\n'
const tree = {
  version: '2.0.0',
  changed: [],
  changelog: CHANGELOG,
  present,
  released: present,
  before: present,
  isTagged: false,
}

/** The document without the operation that asks for payments. */
function withoutPayments(): Document {
  const changed: any = structuredClone(present)
  delete changed.paths['/api/v1/payments'].post
  return changed
}

test('a tree whose version, page of changes and document agree can be released', () =>
  expect(listObstacles(tree)).toEqual([]))

test.each([
  ['a file that is not committed', { changed: [' M server.ts'] }, 'not committed:  M server.ts'],
  ['a version without its changes', { version: '3.0.0' }, 'CHANGELOG.md has no section [3.0.0] with a day'],
  ['a version that is out', { isTagged: true }, 'v2.0.0 is a tag of another commit'],
  [
    'a released document of before',
    { released: present, present: withoutPayments(), before: undefined },
    'openapi.released.json is not of this release: npm run openapi -- --release',
  ],
  [
    'a break that the page does not say',
    { version: '1.0.0', present: withoutPayments(), released: withoutPayments() },
    'breaks clients, and CHANGELOG.md does not say so: post /api/v1/payments: is gone',
  ],
])('%s is in the way', (_, differing, said) => expect(listObstacles({ ...tree, ...differing })).toEqual([said]))

test('a break that the page says is released', () =>
  expect(listObstacles({ ...tree, present: withoutPayments(), released: withoutPayments() })).toEqual([]))

test('a section ends where the next version begins, and one without a day is none', () => {
  expect(sectionOf(CHANGELOG, '2.0.0')).toBe(
    '## [2.0.0] - 2026-12-01\n\n### Removed\n\n- post /api/v1/payments: is gone\n',
  )
  expect(sectionOf('## [Unreleased]\n', 'Unreleased')).toBeUndefined()
})

test('all files carry one version', () => expect(readVersion()).toMatch(/^\d+\.\d+\.\d+$/))

test('sha256sum finds every file whole, and one that was changed', () => {
  const temporary = makeTemporaryFolder()
  onTestFinished(() => temporary.remove())
  const folder = { path: join(temporary.path, 'files') }
  mkdirSync(folder.path)
  for (const name of ['b.tgz', 'a.json']) writeFileSync(join(folder.path, name), name)
  writeChecksums(folder.path)
  const check = () =>
    execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder.path, encoding: 'utf8', stdio: 'pipe' })
  expect(check()).toBe('a.json: OK\nb.tgz: OK\n')
  writeFileSync(join(folder.path, 'a.json'), 'changed')
  expect(check).toThrow(/1 computed checksum did NOT match/)
})
