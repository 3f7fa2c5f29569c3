import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Lock, readLock, sbomOf } from '../../sbom.ts'

type Component = {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly scope: string
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
}
type Sbom = {
  readonly serialNumber: string
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/** Makes the document, in the shape that this test reads. */
const make = (lock: Lock): Sbom => sbomOf(lock) as Sbom

const lock = readLock()
const sbom = make(lock)
const idsOf = (components: readonly Pick<Component, 'name' | 'version'>[]) =>
  components.map(({ name, version }) => `${name}@${version}`).toSorted()

test('every package of production is in the bill of materials once, with its hash, and none of development', () => {
  const isOfProduction = ([path, one]: readonly [string, Lock['packages'][string]]) =>
    /(?:^|\/)node_modules\//.test(path) && !one.link && !one.dev
  const expected = Object.entries(lock.packages)
    .filter(isOfProduction)
    .map(([path, { version = '' }]) => ({ name: path.replace(/^.*node_modules\//, ''), version }))
  expect(expected.length).toBeGreaterThan(350)
  expect(idsOf(sbom.components)).toEqual([...new Set(idsOf(expected))])
  const names = new Set(sbom.components.map(({ name }) => name))
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Readonly<
    Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>
  >
  expect(Object.keys(dependencies).filter((name) => !names.has(name))).toEqual([])
  expect(['vitest', 'oxlint', 'knip'].filter((name) => name in devDependencies && names.has(name))).toEqual([])
  for (const { name, hashes, scope } of sbom.components)
    // npm locks no hash of a package that another platform needs, and this one never had
    if (hashes || scope === 'required')
      expect([name, hashes]).toEqual([name, [{ alg: 'SHA-512', content: expect.stringMatching(/^[\da-f]{128}$/) }]])
})

test('what a package asks for is the one that Node would give it, and all of it is reached from the service', () => {
  const graph = new Map(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const refs = new Set(sbom.components.map((one) => one['bom-ref']))
  const own = `pkg:npm/${lock.name}@${lock.version}`
  const reached = new Set([own])
  for (const ref of reached) for (const next of graph.get(ref) ?? []) reached.add(next)
  expect([...refs].filter((ref) => !reached.has(ref))).toEqual([])
  expect([...reached].filter((ref) => ref !== own && !refs.has(ref))).toEqual([])
})

test('the same lock file makes the same bytes, another one another serial number; no address is in it', () => {
  expect(JSON.stringify(make(structuredClone(lock)))).toBe(JSON.stringify(sbom))
  expect(sbom.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(make({ ...lock, version: '9.9.9' }).serialNumber).not.toBe(sbom.serialNumber)
  expect(JSON.stringify(sbom)).not.toMatch(/https?:/)
})

test('two versions of a package are two; a package that only some platforms have is optional', () => {
  const nested: Lock = {
    name: 'own',
    version: '1.0.0',
    packages: {
      '': { dependencies: { a: '1', b: '1' } },
      'node_modules/a': { version: '1.0.0', dependencies: { b: '2' }, optionalDependencies: { '@s/c': '1' } },
      'node_modules/a/node_modules/b': { version: '2.0.0', license: '(MIT OR Apache-2.0)' },
      'node_modules/b': { version: '1.0.0', license: 'SEE LICENSE IN FILE' },
      'node_modules/@s/c': { version: '1.0.0', optional: true },
      'node_modules/d': { version: '1.0.0', dev: true },
    },
  }
  expect(sbomOf(nested)).toMatchObject({
    components: [
      { 'bom-ref': 'pkg:npm/%40s/c@1.0.0', scope: 'optional' },
      { 'bom-ref': 'pkg:npm/a@1.0.0', scope: 'required' },
      { 'bom-ref': 'pkg:npm/b@1.0.0', licenses: [{ license: { name: 'SEE LICENSE IN FILE' } }] },
      { 'bom-ref': 'pkg:npm/b@2.0.0', licenses: [{ expression: '(MIT OR Apache-2.0)' }] },
    ],
    dependencies: [
      { ref: 'pkg:npm/own@1.0.0', dependsOn: ['pkg:npm/a@1.0.0', 'pkg:npm/b@1.0.0'] },
      { ref: 'pkg:npm/%40s/c@1.0.0', dependsOn: [] },
      { ref: 'pkg:npm/a@1.0.0', dependsOn: ['pkg:npm/%40s/c@1.0.0', 'pkg:npm/b@2.0.0'] },
      { ref: 'pkg:npm/b@1.0.0' },
      { ref: 'pkg:npm/b@2.0.0' },
    ],
  })
})
