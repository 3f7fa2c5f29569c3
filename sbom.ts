/** Bill of materials of the built service in CycloneDX: `npm run build` writes it from the lock file alone. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Package as npm locks it, under its path in node_modules. */
type LockedPackage = {
  readonly version?: string
  readonly integrity?: string
  readonly license?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}
export type Lock = {
  readonly name: string
  readonly version: string
  readonly packages: Readonly<Record<string, LockedPackage>>
}

/** Package of the service in production. */
export type Component = { readonly path: string; readonly name: string; readonly version: string }

const FOLDER = 'node_modules/'

/** Lists what `npm ci --omit=dev` may install, on any platform; one entry for each place. */
export function productionPackages({ packages }: Lock): Component[] {
  return Object.entries(packages).flatMap(([path, { dev, link, version }]) =>
    !path.includes(FOLDER) || dev || link || !version ? [] : [{ path, name: nameOf(path), version }],
  )
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)

/** Writes a package URL; the scope's sign is encoded as the specification of purl asks. */
const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

/**
 * Makes the document (CycloneDX 1.6). It depends on the lock file alone: no time, and a serial number made of the
 * content, so that two builds of one commit write the same bytes.
 */
export function sbomOf(lock: Lock): object {
  const found = productionPackages(lock)
  const places = new Map<string, string[]>()
  for (const { path, name, version } of found) {
    const purl = purlOf(name, version)
    places.set(purl, [...(places.get(purl) ?? []), path])
  }
  const installed = new Map(found.map(({ path, name, version }) => [path, purlOf(name, version)]))
  const own = purlOf(lock.name, lock.version)
  const purls = [...places.keys()].toSorted()
  const content = {
    metadata: {
      component: { type: 'application', 'bom-ref': own, name: lock.name, version: lock.version, purl: own },
    },
    components: purls.map((purl) => componentOf(lock, purl, places.get(purl) ?? [])),
    dependencies: [[own, ['']] as const, ...purls.map((purl) => [purl, places.get(purl) ?? []] as const)].map(
      ([ref, paths]) => ({
        ref,
        dependsOn: [...new Set(paths.flatMap((path) => dependenciesAt(lock, path, installed)))].toSorted(),
      }),
    ),
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  }
}

function componentOf({ packages }: Lock, purl: string, paths: readonly string[]): object {
  const all = paths.map((path) => packages[path] ?? {})
  const [path = ''] = paths
  const [{ version, integrity, license } = {}] = all
  return {
    type: 'library',
    'bom-ref': purl,
    name: nameOf(path),
    version,
    purl,
    // one that some place requires is required
    scope: all.every(({ optional, devOptional }) => optional || devOptional) ? 'optional' : 'required',
    ...(integrity && { hashes: integrity.split(' ').flatMap(hashesOf) }),
    ...(license && { licenses: [licenseOf(license)] }),
  }
}

const ALGORITHMS: Readonly<Record<string, string>> = { sha1: 'SHA-1', sha384: 'SHA-384', sha512: 'SHA-512' }

/** Converts a hash of Subresource Integrity, base64, to one of CycloneDX, hexadecimal. */
function hashesOf(integrity: string): object[] {
  const [, name = '', encoded = ''] = /^(\w+)-([\w+/=]+)$/.exec(integrity) ?? []
  const alg = ALGORITHMS[name]
  return alg ? [{ alg, content: Buffer.from(encoded, 'base64').toString('hex') }] : []
}

/** Names a licence: by its expression of SPDX, or in the words of its package. */
const licenseOf = (license: string): object =>
  /^\(?[\w.+-]+(?: (?:OR|AND|WITH) [\w.+-]+)*\)?$/.test(license)
    ? { expression: license }
    : { license: { name: license } }

/** Finds what the package at a path is given by Node: its own folder first, then those above it. */
function dependenciesAt({ packages }: Lock, path: string, installed: ReadonlyMap<string, string>): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {}
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).flatMap((name) => {
    for (let folder: string | null = path; folder !== null; folder = above(folder)) {
      const ref = installed.get(`${folder}${folder && '/'}${FOLDER}${name}`)
      if (ref) return [ref]
    }
    return []
  })
}

/** Gives the package around a path: '' is the root, null is above it. */
function above(path: string): string | null {
  if (path === '') return null
  const end = path.lastIndexOf(`/${FOLDER}`)
  return end < 0 ? '' : path.slice(0, end)
}

/** Makes a UUID of version 8 (RFC 9562) from a hash of the text. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x80, 6)
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Reads the lock file of the service. */
export const readLock = (): Lock =>
  JSON.parse(readFileSync(new URL('package-lock.json', import.meta.url), 'utf8')) as Lock // npm's own format

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [path] = process.argv.slice(2)
  if (!path) throw new Error('into which file is it written?')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(sbomOf(readLock()), null, 2)}\n`)
}
