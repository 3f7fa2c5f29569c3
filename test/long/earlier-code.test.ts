/**
 * Old code on the new schema, as during a deployment: tests of an earlier commit run with its code, against a database of
 * today's migrations and functions. EARLIER_COMMIT names it; default: the one before the last change of the schema.
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

/** Finds the commit before the last change of the schema; undefined in a copy without its history. */
function earlierCommit(): string | undefined {
  if (process.env['EARLIER_COMMIT']) return process.env['EARLIER_COMMIT']
  try {
    return git('rev-parse', `${git('log', '-1', '--format=%H', '--', ...SCHEMA)}^`)
  } catch {
    return undefined
  }
}

const commit = earlierCommit()

test.skipIf(commit === undefined)('code of an earlier commit passes its journeys on the schema of today', async () => {
  const place = makeTemporaryFolder()
  onTestFinished(() => place.remove())
  const folder = extractCommit(place.path, commit ?? '')
  for (const part of SCHEMA) {
    rmSync(join(folder, part), { recursive: true })
    cpSync(part, join(folder, part), { recursive: true })
  }
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|NODE_ENV)/.test(name)))
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...JOURNEYS]
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...env, CI: 'true' } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)))
  const [code] = await once(child, 'close')
  expect(code, said.slice(-4000)).toBe(0)
})
