/** Rehearsals of operators, done for real by their program: each promise of their reports holds. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { rootFolder } from '../../dev/settings.ts'

test.each([
  ['deploy', /requests failed +\| 0 [^]*runs left on build a +\| 0 /],
  ['restore', /of them new or changed since the restore +\| 0 /],
])(
  'under load, with compiled builds, %s ends with every payment settled once and the books proved',
  async (name, shows) => {
    const given = ['dev/run.cjs', 'dev/rehearse/index.ts', name, '--rate', '2', '--quiet', '5', '--pause', '5']
    const { PATH = '', HOME = '', TMPDIR, TEMPORAL_CLI_PATH, XDG_CACHE_HOME } = process.env
    const env = { PATH, HOME, TMPDIR, TEMPORAL_CLI_PATH, XDG_CACHE_HOME }
    const program = spawn(process.execPath, given, { cwd: rootFolder, env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [said, [code]] = await Promise.all([text(program.stdout), once(program, 'exit')])
    expect(code, said).toBe(0) // 1 if a promise does not hold
    expect(said).toMatch(shows)
  },
  900_000,
)
