/** Conditions of a release: a clean tree, one version everywhere, a page of changes, no undeclared break. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type Document, listBreakingChanges } from './breaking-changes.ts'

const VERSION = /^\d+\.\d+\.\d+$/

/** Files that carry the version, each with the pattern that finds it there. */
const PLACES: readonly (readonly [file: string, pattern: RegExp])[] = [
  ['package.json', /^ {2}"version": "(.+)"/m],
  ['clients/typescript/package.json', /^ {2}"version": "(.+)"/m],
  ['clients/cli/package.json', /^ {2}"version": "(.+)"/m],
  ['clients/cli/package.json', /"business-finance-client": "(.+)"/],
  ['clients/python/pyproject.toml', /^version = "(.+)"/m],
  ['ops/helm/Chart.yaml', /^version: (\S+)/m],
  ['ops/helm/Chart.yaml', /^appVersion: (\S+)/m],
]

/** Reads the version of the service. Throws if a file has another one, or it is none. */
export function readVersion(): string {
  const found = PLACES.map(([file, pattern]) => ({ file, version: pattern.exec(readFileSync(file, 'utf8'))?.[1] }))
  const { version = '' } = found[0] ?? {}
  const other = found.find((one) => one.version !== version)
  if (other) throw new Error(`${other.file} has the version ${other.version}, package.json ${version}`)
  if (!VERSION.test(version)) throw new Error(`${version} is no version of three numbers`)
  return version
}

/** Cuts the section of a version out of a page by Keep a Changelog; undefined if it has none. */
export function sectionOf(changelog: string, version: string): string | undefined {
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((one) => one.startsWith(`[${version}] - `))
  return section === undefined ? undefined : `## ${section.trimEnd()}\n`
}

type Tree = {
  readonly version: string
  /** Lines of `git status`, none if all is committed. */
  readonly changed: readonly string[]
  readonly changelog: string
  readonly present: Document
  readonly released: Document
  /** Document of the release before; undefined if there was none. */
  readonly before: Document | undefined
  readonly isTagged: boolean
}

/** Lists why the tree cannot be released as it is; empty if it can. */
export function listObstacles(tree: Tree): string[] {
  const section = sectionOf(tree.changelog, tree.version)
  const breaks = tree.before ? listBreakingChanges(tree.before, tree.present) : []
  const undeclared = breaks.filter((change) => !section?.includes(`- ${change}`))
  const isStale = listBreakingChanges(tree.released, tree.present).length > 0
  return [
    ...tree.changed.map((line) => `not committed: ${line}`),
    ...(tree.isTagged ? [`v${tree.version} is a tag of another commit`] : []),
    ...(section === undefined ? [`CHANGELOG.md has no section [${tree.version}] with a day`] : []),
    ...undeclared.map((change) => `breaks clients, and CHANGELOG.md does not say so: ${change}`),
    ...(isStale ? ['openapi.released.json is not of this release: npm run openapi -- --release'] : []),
  ]
}

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim()

/** Reads a document of the tree, or of an earlier commit. */
const documentIn = (file: string, commit?: string): Document =>
  JSON.parse(commit === undefined ? readFileSync(file, 'utf8') : git('show', `${commit}:${file}`))

/** Finds the newest release before HEAD; undefined if there is none. */
function findEarlierTag(version: string): string | undefined {
  const tags = git('tag', '--merged', 'HEAD', '--sort=-v:refname', 'v*').split('\n')
  return tags.find((tag) => tag !== '' && tag !== `v${version}`)
}

/** Reads the tree that is checked out. Throws if the files name more than one version. */
export function readTree(): Tree {
  const version = readVersion()
  const earlier = findEarlierTag(version)
  const tagged = git('tag', '--list', `v${version}`) !== ''
  return {
    version,
    changed: git('status', '--porcelain').split('\n').filter(Boolean),
    changelog: readFileSync('CHANGELOG.md', 'utf8'),
    present: documentIn('openapi.json'),
    released: documentIn('openapi.released.json'),
    before: earlier === undefined ? undefined : documentIn('openapi.released.json', earlier),
    isTagged: tagged && git('rev-list', '-n1', `v${version}`) !== git('rev-parse', 'HEAD'),
  }
}
