/** The gate of a release: `npm run bench:gate` in two minutes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { lastRelease } from '../../bench/pair/release.ts'
import { rootFolder } from '../../dev/settings.ts'

test.skipIf(lastRelease() === undefined)(
  'no line that decides is 15 % worse than in the last release, measured in turn on this machine',
  async () => {
    const { PATH = '', HOME = '', TMPDIR, TEMPORAL_CLI_PATH, XDG_CACHE_HOME } = process.env
    const env = { PATH, HOME, TMPDIR, TEMPORAL_CLI_PATH, XDG_CACHE_HOME } // without the settings of this test
    const given = ['--import', 'tsx', 'bench/pair/gate.ts']
    const program = spawn(process.execPath, given, { cwd: rootFolder, env, stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void program.kill())
    const [said, [code]] = await Promise.all([text(program.stdout), once(program, 'exit')])
    expect(code, said).toBe(0)
  },
  600_000,
)
