/** docs/weights.md has a line for each dependency. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Manifest = Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>

test('every package has its version, a weight, a purpose and what it stands in for', () => {
  // JSON.parse answers `any`; package.json has these lists
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
  const asked = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies }
  const row = /^\| `(.+?)` \| (\S+) \| (?:< 1|\d+) \| [^|]+ \| [^|]+ \|$/gm
  const rows = readFileSync('docs/weights.md', 'utf8').matchAll(row)
  const listed = [...rows].map(([, name = '', version = '']) => [name, version])
  expect(listed.toSorted()).toEqual(Object.entries(asked).toSorted())
})

test('every version is exact', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Manifest> }
  const { dependencies, devDependencies, optionalDependencies } = packages[''] ?? ({} as Manifest)
  const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(versions.length).toBeGreaterThan(60)
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})
