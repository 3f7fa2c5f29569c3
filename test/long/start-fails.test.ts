/** A start that cannot succeed ends in a sentence that says what to do; nothing is left running. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import { rootFolder } from '../../dev/settings.ts'
import { environmentOf, processesOf, startNpm } from '../support/starts.ts'
import { until } from '../support/until.ts'

const MINUTE_MS = 60_000
const folder = makeTemporaryFolder()
afterAll(() => folder.remove())
const placeOf = (name: string) => join(folder.path, name)

/** Starts, expects that it fails, and returns its words after the steps that it has reported. */
async function failing(name: string, more: Record<string, string> = {}): Promise<string> {
  const env = { ...environmentOf(placeOf(name)), ...more }
  const start = startNpm(['start', '--silent'], env, placeOf(`${name}.log`))
  expect(await start.ended, start.said()).toBe(1)
  expect(processesOf(env['DATA_DIR'] ?? '')).toEqual([])
  expect(start.said()).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m)
  return start.said()
}

/** Makes a program that does what the lines say. */
function program(name: string, ...lines: string[]): string {
  writeFileSync(placeOf(name), `#!/bin/sh\n${lines.join('\n')}\n`)
  chmodSync(placeOf(name), 0o755)
  return placeOf(name)
}

/** Makes the folder of a start that succeeded and was stopped. */
async function usedFolder(name: string): Promise<string> {
  const start = startNpm(['start'], environmentOf(placeOf(name)), placeOf(`${name}.log`))
  const isReady = async () => start.said().includes('Ctrl-C stops everything') || start.npm.exitCode !== null
  await until('it is ready', isReady, 3 * MINUTE_MS)
  process.kill(-(start.npm.pid ?? 0), 'SIGINT')
  await until('no process', async () => processesOf(placeOf(name)).length === 0, MINUTE_MS)
  return join(placeOf(name), 'postgres')
}

test('a port that is taken is named with its variable', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // of a port, not of a pipe
  expect(await failing('port', { PORT: String(port) })).toBe(
    `\nPort ${port} is already taken: set PORT to a free one, as in PORT=${port + 10} npm start.\n`,
  )
  server.close()
})

test('a folder that cannot be made is named', async () => {
  writeFileSync(placeOf('file'), '')
  const dataDir = placeOf('file/data')
  expect(await failing('no folder', { DATA_DIR: dataDir })).toBe(
    `\nDATA_DIR: ${dataDir} cannot be made (ENOTDIR: not a directory, mkdir '${dataDir}'). Name a folder that this user may write.\n`,
  )
})

/** Runs the work on a disk of its own; not as an ordinary user, nor where nothing can be mounted. */
async function onDisk(options: string, work: (disk: string) => Promise<void>): Promise<void> {
  const disk = placeOf(`disk ${options}`)
  mkdirSync(disk)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk]).status !== 0) return
  try {
    await work(disk)
  } finally {
    spawnSync('umount', [disk])
  }
}

test(
  'a disk that is full, and one that cannot be written, say so',
  async () => {
    await onDisk('size=6m', async (disk) => {
      const words = await failing('full', { DATA_DIR: join(disk, 'data') })
      expect(words).toMatch(
        /\nThe disk of .*disk size=6m.* is full: free a gigabyte of it, or name a folder on another/,
      )
    })
    await onDisk('ro', async (disk) => {
      expect(await failing('read only', { DATA_DIR: disk })).toMatch(
        /^\n.*disk ro\S* cannot be .* Name a folder that this user may write\.\n$/,
      )
    })
  },
  4 * MINUTE_MS,
)

test(
  'data of another Postgres, and a Postgres that does not come up, say so',
  async () => {
    const data = await usedFolder('used')
    const version = readFileSync(join(data, 'PG_VERSION'), 'utf8')
    writeFileSync(join(data, 'PG_VERSION'), '15\n')
    expect(await failing('used')).toMatch(
      /\nThe data in \S+ is of Postgres 15, and this is Postgres \d+: name another folder/,
    )
    writeFileSync(join(data, 'PG_VERSION'), version)
    writeFileSync(join(data, 'postgresql.conf'), 'shared_buffers = nonsense\n')
    expect(await failing('used')).toMatch(
      /\nPostgres: pg_ctl failed\. The end of \S+postgres\.log:\n[^]*shared_buffers/,
    )
  },
  4 * MINUTE_MS,
)

const unreachable = { HTTPS_PROXY: 'http://127.0.0.1:1', TEMPORAL_CLI_PATH: '' }
const withoutGo = (process.env['PATH'] ?? '').replaceAll(/[^:]*\/go\/bin/g, '/nowhere')

test(
  'without Temporal, a download and Go, it says what each would take',
  async () => {
    const more = { ...unreachable, XDG_CACHE_HOME: placeOf('cache'), PATH: withoutGo }
    expect(await failing('no temporal', more)).toMatch(
      /\nThe Temporal dev server is neither installed nor cached[^]*Do one of these: /,
    )
    const bin = placeOf('bin')
    mkdirSync(bin)
    program('bin/go', '[ "$1" = version ] && exit 0', 'echo "no space left" >&2', 'exit 1')
    expect(await failing('bad go', { ...more, PATH: `${bin}:${withoutGo}` })).toMatch(
      /\nTemporal: the build failed\. The end of what Go said:\n {2}no space left\n/,
    )
  },
  4 * MINUTE_MS,
)

test('a Temporal that ends at once says so', async () => {
  const given = { TEMPORAL_CLI_PATH: program('temporal', 'echo "bad flag"', 'exit 3') }
  expect(await failing('bad temporal', given)).toMatch(
    /\nTemporal did not start: it ended with 3\. The end of \S.*:\n {2}bad flag\n/,
  )
  expect(await failing('missing temporal', { TEMPORAL_CLI_PATH: '/nowhere/temporal' })).toMatch(
    /\nTEMPORAL_CLI_PATH: there is no program at \/nowhere\/temporal\.\n$/,
  )
})

test('servers of its own that do not answer are named by their variables', async () => {
  const url = 'postgres://a:b@127.0.0.1:1/books'
  const servers = { DATABASE_URL: url, MIGRATION_DATABASE_URL: url }
  expect(await failing('own database', servers)).toMatch(
    /\nPostgres does not answer at .*1.* correct MIGRATION_DATABASE_URL\.\n$/,
  )
})

test('an older Node, and a checkout without packages, say what to do', () => {
  const said = (file: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' })
    return { status, said: stdout + stderr }
  }
  const older = ['exec', '--yes', '--package=node@18', '--', 'node', join(rootFolder, 'dev/run.cjs'), 'dev.ts']
  expect(said('npm', ...older)).toEqual({
    status: 1,
    said: expect.stringMatching(
      /^This is Node 18\.\S+, and Node 20\.19 or later is needed: install it from nodejs\.org, then run npm ci again\.\n$/,
    ),
  })
  const checkout = placeOf('checkout')
  for (const file of ['package.json', 'dev/run.cjs']) cpSync(join(rootFolder, file), join(checkout, file))
  expect(said(process.execPath, join(checkout, 'dev/run.cjs'), 'dev.ts')).toEqual({
    status: 1,
    said: 'The packages are not installed: run npm ci first.\n',
  })
})
