/** docs/weights.md has a line for each dependency. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Manifest = Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>

test('every package has its version, a weight, a purpose and what it stands in for', () => {
  const asked = new Map(['package.json', 'clients/cli/package.json'].flatMap(packagesIn))
  const row = /^\| `(.+?)` \| (\S+) \| (?:< 1|\d+) \| [^|]+ \| [^|]+ \|$/gm
  const rows = readFileSync('docs/weights.md', 'utf8').matchAll(row)
  const listed = [...rows].map(([, name = '', version = '']) => [name, version])
  expect(listed.toSorted()).toEqual([...asked].toSorted())
})

/** Packages that a manifest asks for, but our own. */
function packagesIn(file: string): [string, string][] {
  // JSON.parse answers `any`; package.json has these lists
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  const all = Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies })
  return all.filter(([name]) => !name.startsWith('business-finance-'))
}

test('every version is exact', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Manifest> }
  const own = ['', 'clients/cli', 'clients/typescript'].map((folder) => packages[folder] ?? ({} as Manifest))
  const versions = own.flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
    Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies }),
  )
  expect(versions.length).toBeGreaterThan(60)
  expect(versions.filter((version) => !/^file:clients\/|^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})
