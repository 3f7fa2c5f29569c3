/**
 * `npm run audit:dependencies`: compares the lock file with the committed snapshot of advisories, offline.
 * `npm run audit:refresh`: takes another snapshot, where the registry that npm is configured for answers.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import * as v from 'valibot'
import { readLock } from '../../sbom.ts'
import { Exceptions, Snapshot, advisoriesIn, judge, packagesHash } from './advisories.ts'

const here = (name: string) => new URL(name, import.meta.url)
const read = (name: string): unknown => JSON.parse(readFileSync(here(name), 'utf8'))

function audit(): number {
  const [snapshot, exceptions] = [
    v.parse(Snapshot, read('advisories.json')),
    v.parse(Exceptions, read('exceptions.json')),
  ]
  const { lines, code } = judge({
    lock: readLock(),
    snapshot,
    exceptions,
    today: new Date().toISOString().slice(0, 10),
  })
  for (const line of lines) console.log(line)
  return code
}

/** Asks by npm itself, whose configuration knows the registry; on a failure the snapshot stays as it is. */
function refresh(): number {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', maxBuffer: 2 ** 26 })
  try {
    const advisories = advisoriesIn(stdout)
    const taken = new Date().toISOString()
    const snapshot: Snapshot = { taken, packages: packagesHash(readLock()), note: 'Taken by npm audit.', advisories }
    writeFileSync(here('advisories.json'), `${JSON.stringify(snapshot, null, 2)}\n`)
    console.log(`${advisories.length} advisories on the packages of the lock file`)
    return 0
  } catch {
    console.error('The registry did not answer with advisories; the snapshot stays as it is.')
    return 1
  }
}

process.exitCode = process.argv.includes('--refresh') ? refresh() : audit()
