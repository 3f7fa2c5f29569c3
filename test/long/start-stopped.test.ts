/** `npm start` is stopped at any moment, in any way: no process of it is left, and the next start works. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import { childrenOf } from '../../dev/machine/processes.ts'
import { rootFolder } from '../../dev/settings.ts'
import { type Start, environmentOf, processesOf, startNpm } from '../support/starts.ts'
import { until } from '../support/until.ts'

const MINUTE_MS = 60_000
const folder = makeTemporaryFolder()
afterAll(() => folder.remove())
let starts = 0

/** Makes a stand-in for Go, which begins a compiler and never ends. */
function slowGo(): string {
  const bin = join(folder.path, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'go'), '#!/bin/sh\n[ "$1" = version ] && exit 0\nsleep 3600 &\nsleep 3600\n')
  chmodSync(join(bin, 'go'), 0o755)
  return bin
}

type Moment = { readonly more?: Record<string, string>; readonly isNow: (start: Start, dataDir: string) => boolean }

const runs = (dataDir: string, words: RegExp) => processesOf(dataDir).some(({ command }) => words.test(command))
/** The folder has the file, or what it is renamed to: a look may come later than both. */
const makes = (file: string) => ({
  isNow: (_: Start, dataDir: string) =>
    [file, file.replace('.new', '')].some((name) => existsSync(join(dataDir, name))),
})
const says = (words: string) => ({ isNow: ({ said }: Start) => said().includes(words) })
const hasNoTemporal = () => ({
  PATH: `${slowGo()}:${(process.env['PATH'] ?? '').replaceAll(/[^:]*\/go\/bin/g, '/nowhere')}`,
  XDG_CACHE_HOME: join(folder.path, 'empty-cache'),
  TEMPORAL_CLI_PATH: '',
  HTTPS_PROXY: 'http://127.0.0.1:1', // nothing can be downloaded
})

const MOMENTS: Readonly<Record<string, Moment>> = {
  'its first line': says('Starting. Data'),
  'Postgres makes its folder': makes('postgres.new'),
  'Postgres comes up': makes('postgres/PG_VERSION'),
  'Temporal is downloaded': {
    more: hasNoTemporal(),
    isNow: ({ said }) => said().includes('downloading its dev server'),
  },
  'Temporal is built': { more: hasNoTemporal(), isNow: (_, dataDir) => runs(dataDir, /^sleep 3600/) },
  'migrations run': says('  Postgres '),
  'the workflow bundle is made': makes('logs/bundle.log'),
  'the worker starts': { isNow: (_, dataDir) => runs(dataDir, /worker\.ts/) },
  'the demo is made': { isNow: ({ said }) => / {2}api {2}/.test(said()) && / {2}worker {2}/.test(said()) },
  'it is ready': says('Ctrl-C stops everything'),
}

const group = (start: Start, signal: NodeJS.Signals) => process.kill(-(start.npm.pid ?? 0), signal)
const WAYS: Readonly<Record<string, (start: Start) => void>> = {
  'Ctrl-C': (start) => group(start, 'SIGINT'),
  'the terminal is closed': (start) => group(start, 'SIGHUP'),
  'kill npm': ({ npm }) => npm.kill('SIGTERM'),
  'kill -9 npm': ({ npm }) => npm.kill('SIGKILL'),
}

describe.each(Object.entries(MOMENTS))('while %s', (_, { more, isNow }) => {
  test.each(Object.entries(WAYS))(
    '%s leaves no process',
    async (_, end) => {
      const dataDir = join(folder.path, `data-${String((starts += 1)).padStart(3, '0')}`)
      const start = startNpm(['start'], { ...environmentOf(dataDir), ...more }, join(folder.path, `${starts}.log`))
      await until('the moment', async () => isNow(start, dataDir) || ended(start), MINUTE_MS).finally(() => {
        expect(start.npm.exitCode, start.said()).toBeNull()
        end(start)
      })
      await until('no process', async () => processesOf(dataDir).length === 0, MINUTE_MS).catch(() => {
        expect(processesOf(dataDir), start.said()).toEqual([])
      })
      expect(start.said()).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m)
    },
    4 * MINUTE_MS,
  )
})

const ended = ({ npm }: Start) => npm.exitCode !== null || npm.signalCode !== null

/** The program that npm runs through a shell. */
function programOf({ npm }: Start): number {
  const [shell] = childrenOf(npm.pid ?? 0)
  return childrenOf(shell?.pid ?? 0)[0]?.pid ?? shell?.pid ?? 0
}

test(
  'a second Ctrl-C within a second is the same one: it stops in order; a later one stops at once, and the next start works',
  async () => {
    const dataDir = join(folder.path, 'twice')
    const begin = (name: string) => startNpm(['start'], environmentOf(dataDir), join(folder.path, `${name}.log`))
    const isReady = ({ said, npm }: Start) => said().includes('Ctrl-C stops everything') || npm.exitCode !== null
    const first = begin('first')
    await until('it is ready', async () => isReady(first), 3 * MINUTE_MS)
    const program = programOf(first)
    for (const _ of [1, 2, 3]) process.kill(program, 'SIGINT')
    expect(await first.ended).toBe(0)
    expect(first.said()).toMatch(/Stopped\.\s*$/)
    expect(processesOf(dataDir)).toEqual([])

    const second = begin('second')
    await until('it is ready again', async () => isReady(second), 3 * MINUTE_MS)
    const api = processesOf(dataDir).find(({ command }) => command.endsWith(join(rootFolder, 'server.ts')))
    process.kill(api?.pid ?? 0, 'SIGSTOP') // it will not stop in order
    process.kill(programOf(second), 'SIGINT')
    const since = performance.now()
    await until('more than a second is over', async () => performance.now() - since > 1_100)
    process.kill(programOf(second), 'SIGINT')
    expect(await second.ended).toBe(1)
    expect(processesOf(dataDir)).toEqual([])

    const third = begin('third')
    await until('it is ready a third time', async () => isReady(third), 3 * MINUTE_MS)
    group(third, 'SIGINT')
    await third.ended
    await until('no process', async () => processesOf(dataDir).length === 0, MINUTE_MS)
    expect(third.said()).toMatch(/Stopped\.\s*$/)
  },
  10 * MINUTE_MS,
)
