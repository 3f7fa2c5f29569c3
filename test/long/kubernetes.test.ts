/** Schemas of Kubernetes over `ops/kubernetes`, by a validator that brings them with it; needs Python and its registry. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cacheFolder } from '../../dev/machine/cache.ts'

const FOLDER = 'ops/kubernetes'
const VALIDATOR = 'kubernetes-validate==1.37.0'
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml') && name !== 'temporal-values.yaml')
const home = join(cacheFolder(), 'python')
const program = join(home, 'bin', 'kubernetes-validate')

/** Installs the validator once, in a place of its own; false where that is not possible. */
function install(): boolean {
  if (existsSync(program)) return true
  const made = spawnSync('python3', ['-m', 'venv', home])
  return made.status === 0 && spawnSync(join(home, 'bin', 'pip'), ['install', '--quiet', VALIDATOR]).status === 0
}

describe.skipIf(!install())('a manifest has only fields that Kubernetes knows', () => {
  test.each(files)('%s', (file) => {
    const { stdout, stderr } = spawnSync(program, ['--strict', '--quiet', '--no-warn', join(FOLDER, file)], {
      encoding: 'utf8',
    })
    expect(stdout + stderr).toBe('') // KEDA's own kind is passed over
  })
})
