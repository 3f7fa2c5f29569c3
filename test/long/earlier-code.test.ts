/**
 * Old code on the new schema, as during a deployment: tests of an earlier commit run with its code, against a database of
 * today's migrations and functions. EARLIER_COMMIT names it; default: the one before the last change of the schema, and
 * the last release. Then today's code, as a client of the last release reads it.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import { extractCommit } from '../../dev/rehearse/builds.ts'

const SCHEMA = ['db/migrations', 'db/functions']
/** Ways through the nouns that move money, and who may decide. */
const JOURNEYS = [
  'payments/payments',
  'payments/payment-quotes-use',
  'approvals/decisions',
  'contacts',
  'deposits',
].map((name) => `test/shared/${name}`)

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim()

/** Asks git for a commit; undefined in a copy without that history. */
function findCommit(...args: string[]): string | undefined {
  try {
    return git(...args)
  } catch {
    return undefined
  }
}

const schemaChange = findCommit('log', '-1', '--format=%H', '--', ...SCHEMA)
const release = findCommit('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^')
const before = schemaChange === undefined ? undefined : findCommit('rev-parse', `${schemaChange}^`)
const commits = process.env['EARLIER_COMMIT'] ? [process.env['EARLIER_COMMIT']] : [before, release]

/** Runs the journeys in a folder of sources; returns the status of the run, and what it said last. */
async function runJourneys(folder: string, settings: Readonly<Record<string, string>> = {}) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|NODE_ENV)/.test(name)))
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...JOURNEYS]
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...env, ...settings, CI: 'true' } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)))
  const [code] = await once(child, 'close')
  return { code, said: said.slice(-4000) }
}

test.each(commits.filter((commit) => commit !== undefined))(
  'code of an earlier commit passes its journeys on the schema of today: %s',
  async (commit) => {
    const place = makeTemporaryFolder()
    onTestFinished(() => place.remove())
    const folder = extractCommit(place.path, commit)
    for (const part of SCHEMA) {
      rmSync(join(folder, part), { recursive: true })
      cpSync(part, join(folder, part), { recursive: true })
    }
    const { code, said } = await runJourneys(folder)
    expect(code, said).toBe(0)
  },
)

test('a client of the last release can read what the code of today answers on its journeys', async () => {
  const { code, said } = await runJourneys('.', { RELEASED_CONTRACT: '1' })
  expect(code, said).toBe(0)
})
