/** Binary of the Temporal dev server: given, installed, cached, downloaded, or built once. */
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { cacheFolder, keepInCache } from '../machine/cache.ts'
import { beginHelper, refuseWhileEnding } from '../machine/helpers.ts'
import { findProcess, killTree } from '../machine/processes.ts'
import { makeTemporaryFolder, sweepTemporaryFolders } from '../machine/temporary.ts'
import { typescript } from '../settings.ts'
import { CannotStart } from '../terminal.ts'

type Say = (line: string) => void

const ownFile = fileURLToPath(import.meta.url)
const source = 'github.com/temporalio/cli/cmd/temporal@v1.5.1'
const goProgram = process.platform === 'win32' ? 'go.exe' : 'go'
const program = process.platform === 'win32' ? 'temporal.exe' : 'temporal'
/** Timeout of the download host, by whether the binary can be built instead. */
const answerMs = { withGo: 2_000, withoutGo: 30_000 }
const stallMs = 60_000

/** Finds the binary by `TEMPORAL_CLI_PATH`, `PATH` or cache, else downloads or builds it. */
export async function findTemporal(say: Say): Promise<string> {
  const given = process.env['TEMPORAL_CLI_PATH']
  if (given) {
    if (runnable(given)) return given
    throw new CannotStart(`TEMPORAL_CLI_PATH: there is no program at ${given}.`)
  }
  const installed = (process.env['PATH'] ?? '').split(delimiter)
  const found = [...installed, cacheFolder()].map((folder) => join(folder, program)).find(runnable)
  return found ?? obtain(say)
}

function runnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Downloads or builds in a folder of its own, and keeps the binary in the cache. */
async function obtain(say: Say): Promise<string> {
  sweepTemporaryFolders()
  const folder = makeTemporaryFolder()
  const go = hasGo()
  try {
    say('Temporal: downloading its dev server, once (some 100 MB).')
    const [into, built] = [join(folder.path, 'download'), join(folder.path, 'built')]
    mkdirSync(into)
    const answerWithinMs = go ? answerMs.withGo : answerMs.withoutGo
    const fetched = (await download(into, answerWithinMs)) ?? (await build(built, go, say))
    return keepInCache(fetched, program)
  } finally {
    folder.remove()
  }
}

/** Downloads by Temporal's SDK, in a process of its own that can be killed. */
async function download(folder: string, answerWithinMs: number): Promise<string | undefined> {
  const child = beginHelper(() => fork(ownFile, [folder], { execArgv: typescript, stdio: 'ignore', detached: true }))
  const mark = findProcess(child.pid ?? 0)
  let [size, deadline] = [0, Infinity]
  child.once('message', () => (deadline = Date.now() + answerWithinMs))
  while (child.exitCode === null && child.signalCode === null) {
    await delay(100)
    const now = statSync(fileIn(folder), { throwIfNoEntry: false })?.size ?? 0
    if (now > size) [size, deadline] = [now, Date.now() + stallMs]
    if (Date.now() > deadline && mark) killTree(mark)
  }
  refuseWhileEnding()
  const file = fileIn(folder)
  return !file.endsWith('.downloading') && runnable(file) ? file : undefined
}

const fileIn = (folder: string): string => join(folder, readdirSync(folder)[0] ?? 'none')

async function build(folder: string, go: boolean, say: Say): Promise<string> {
  if (!go) {
    throw new CannotStart(
      'The Temporal dev server is neither installed nor cached, its download cannot be reached, and there is no Go to ' +
        'build it with. Do one of these: install the Temporal CLI (docs.temporal.io/cli), set TEMPORAL_CLI_PATH to its ' +
        'binary, install Go, or set TEMPORAL_ADDRESS to a running server.',
    )
  }
  say('Temporal: the download cannot be reached; building it with Go instead, once. This takes about 4 minutes.')
  return buildByGo(source, folder, program)
}

export const hasGo = (): boolean => spawnSync(goProgram, ['version']).status === 0

/** Builds a program of a Go module in a folder; answers its path. Throws CannotStart with the end of what Go said. */
export async function buildByGo(
  module: string,
  folder: string,
  built: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { ...process.env, CGO_ENABLED: '0', GOBIN: folder, ...more }
  const options = { env, stdio: ['ignore' as const, 'ignore' as const, 'pipe' as const], detached: true }
  const child = beginHelper(() => spawn(goProgram, ['install', '-ldflags', '-s -w', module], options))
  let words = ''
  child.stderr?.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-2_000)))
  const [code] = await once(child, 'close')
  if (code === 0 && runnable(join(folder, built))) return join(folder, built)
  throw new CannotStart(
    `Temporal: the build failed. The end of what Go said:\n  ${words.trim().split('\n').slice(-5).join('\n  ')}`,
  )
}

async function downloadInto(downloadDir: string): Promise<void> {
  const { TestWorkflowEnvironment } = await import('@temporalio/testing')
  process.send?.('asking')
  const executable = { type: 'cached-download', downloadDir, ttl: '365d' } as const
  const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } })
  await environment.teardown()
  process.exit(0)
}

if (process.argv[1] === ownFile) await downloadInto(process.argv[2] ?? '.')
