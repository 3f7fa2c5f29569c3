/** Advisories on the packages of the lock file: the committed snapshot, and what of it applies. */
import { createHash } from 'node:crypto'
import semver from 'semver'
import * as v from 'valibot'
import { type Lock, productionPackages } from '../../sbom.ts'

const Advisory = v.object({
  id: v.string(),
  package: v.string(),
  /** Range of versions that are vulnerable, as npm writes it: `>=1.0.0 <1.2.3 || =2.0.0`. */
  vulnerable: v.string(),
  severity: v.picklist(['low', 'moderate', 'high', 'critical']),
  title: v.string(),
  url: v.string(),
})
export type Advisory = v.InferOutput<typeof Advisory>

export const Snapshot = v.object({
  /** Time at which the advisories were asked for; null if they never could be. */
  taken: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  /** Hash of the packages that were asked about. */
  packages: v.nullable(v.string()),
  note: v.string(),
  advisories: v.array(Advisory),
})
export type Snapshot = v.InferOutput<typeof Snapshot>

/** Documented exceptions: an advisory that does not touch this service, until a date. */
export const Exceptions = v.array(
  v.object({
    id: v.string(),
    package: v.string(),
    reason: v.pipe(v.string(), v.minLength(20)),
    until: v.pipe(v.string(), v.isoDate()),
  }),
)
export type Exceptions = v.InferOutput<typeof Exceptions>

/** Hashes names and versions of all packages; a snapshot has the hash of those it is about. */
export function packagesHash({ packages }: Lock): string {
  const all = Object.entries(packages).map(([path, { version }]) => `${path} ${version ?? ''}`)
  return createHash('sha256').update(all.toSorted().join('\n')).digest('hex')
}

/** Tells if a version is in a range. One that cannot be read is in it: a person has to look. */
export const isInRange = (version: string, range: string): boolean =>
  !semver.valid(version) || !semver.validRange(range) || semver.satisfies(version, range, { includePrerelease: true })

export type Verdict = { readonly lines: readonly string[]; readonly code: 0 | 1 | 2 }

type Question = {
  readonly lock: Lock
  readonly snapshot: Snapshot
  readonly exceptions: Exceptions
  readonly today: string
}

const GRAVE: readonly Advisory['severity'][] = ['high', 'critical']
const OLD_DAYS = 30
const DAY_MS = 86_400_000

/**
 * Compares the packages of production with the snapshot. Code 0: nothing grave is known; 1: a high or critical advisory
 * without an exception; 2: there is no snapshot, so nothing can be said.
 */
export function judge({ lock, snapshot, exceptions, today }: Question): Verdict {
  const { taken, note } = snapshot
  if (taken === null)
    return { code: 2, lines: ['Cannot tell: no snapshot of advisories was ever taken.', note, REFRESH] }
  const found = productionPackages(lock).flatMap(({ name, version }) =>
    snapshot.advisories.flatMap((advisory) =>
      advisory.package === name && isInRange(version, advisory.vulnerable) ? [{ advisory, version }] : [],
    ),
  )
  const lines = found.map(({ advisory, version }) => {
    const { id, severity, title, url } = advisory
    const excepted = exceptionOf(advisory, exceptions, today)
    return `${severity}: ${advisory.package} ${version}: ${title} (${id}, ${url})${excepted ? `; excepted: ${excepted}` : ''}`
  })
  const isGrave = found.some(
    ({ advisory }) => GRAVE.includes(advisory.severity) && !exceptionOf(advisory, exceptions, today),
  )
  const days = Math.floor((Date.parse(today) - Date.parse(taken.slice(0, 10))) / DAY_MS)
  return {
    code: isGrave ? 1 : 0,
    lines: [
      `Snapshot of ${taken}, ${days} ${days === 1 ? 'day' : 'days'} old. Newer advisories are not known here.`,
      ...(days > OLD_DAYS ? [`It is older than ${OLD_DAYS} days. ${REFRESH}`] : []),
      ...(snapshot.packages === packagesHash(lock) ? [] : [`The lock file has changed since. ${REFRESH}`]),
      ...(lines.length > 0 ? lines : ['No advisory of the snapshot applies to a package of production.']),
    ],
  }
}

const REFRESH = 'Take another one where the registry answers: npm run audit:refresh'

/** Finds the reason of an exception that is still valid. */
function exceptionOf({ id, package: name }: Advisory, exceptions: Exceptions, today: string): string | undefined {
  return exceptions.find((one) => one.id === id && one.package === name && one.until >= today)?.reason
}

const Via = v.object({
  name: v.string(),
  title: v.string(),
  url: v.string(),
  severity: Advisory.entries.severity,
  range: v.string(),
})
/** Answer of `npm audit --json`; a `via` that is a text names another package of the list. */
const Report = v.object({
  vulnerabilities: v.record(v.string(), v.object({ via: v.array(v.union([v.string(), Via])) })),
})

/** Reads advisories from the answer of `npm audit --json`. Throws for another answer, such as an error. */
export function advisoriesIn(answer: string): Advisory[] {
  const { vulnerabilities } = v.parse(Report, JSON.parse(answer))
  const all = Object.values(vulnerabilities).flatMap(({ via }) =>
    via.flatMap((one) =>
      typeof one === 'string'
        ? []
        : [
            {
              id: one.url.slice(one.url.lastIndexOf('/') + 1),
              package: one.name,
              vulnerable: one.range,
              severity: one.severity,
              title: one.title,
              url: one.url,
            },
          ],
    ),
  )
  const known = new Map(all.map((one) => [`${one.package} ${one.id}`, one]))
  return [...known].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, advisory]) => advisory)
}
