/** The gate of a release: `npm run bench:gate` in two minutes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { lastRelease } from '../../bench/pair/release.ts'
import { rootFolder } from '../../dev/settings.ts'

test.skipIf(lastRelease() === undefined)(
  'no line that decides is 15 % worse than in the last release, measured in turn on this machine',
  async () => {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|NODE_ENV)/.test(name)),
    )
    const program = spawn('npm', ['run', '-s', 'bench:gate'], {
      cwd: rootFolder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said, [code]] = await Promise.all([text(program.stdout), once(program, 'exit')])
    expect(code, said).toBe(0)
  },
  600_000,
)
