/** The Temporal dev server is one binary: given, installed, cached, downloaded, or built once if none can be had. */
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { type Mark, findProcess, stillRuns } from '../machine/processes.ts'
import { CannotStart } from '../terminal.ts'
import { typescript } from '../settings.ts'
import { writeFirst } from '../machine/whole-files.ts'

type Say = (line: string) => void

const ownFile = fileURLToPath(import.meta.url)
const source = 'github.com/temporalio/cli/cmd/temporal@v1.5.1'
const goProgram = process.platform === 'win32' ? 'go.exe' : 'go'
const program = process.platform === 'win32' ? 'temporal.exe' : 'temporal'
/** How long the download host may take to answer before the build begins, and where nothing can be built. */
const answerMs = { withGo: 2_000, withoutGo: 30_000 }
/** A download that brings nothing for so long has ended. */
const stallMs = 60_000

/**
 * The path of the binary: `TEMPORAL_CLI_PATH`, `PATH`, the cache, else it is obtained into the cache, once at a time.
 */
export async function findTemporal(say: Say): Promise<string> {
  const given = process.env['TEMPORAL_CLI_PATH']
  if (given) {
    if (runnable(given)) return given
    throw new CannotStart(`TEMPORAL_CLI_PATH: there is no program at ${given}.`)
  }
  const installed = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, program))
  const cached = join(cacheFolder(), program)
  return [...installed, cached].find(runnable) ?? obtainOnce(cached, say)
}

function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'business-finance-service')
}

function runnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Whoever holds the lock obtains the binary; the others wait for it, and take over when the holder is gone. */
async function obtainOnce(cached: string, say: Say): Promise<string> {
  mkdirSync(cacheFolder(), { recursive: true })
  const lock = `${cached}.lock`
  let told = false
  while (!runnable(cached)) {
    if (takeLock(lock)) {
      try {
        if (!runnable(cached)) await obtain(cached, say)
      } finally {
        rmSync(lock, { force: true })
      }
    } else {
      if (!told) say('Temporal: another run is fetching the dev server; waiting for it.')
      told = true
      await delay(250)
    }
  }
  return cached
}

/** A lock whose holder is gone is taken away, for the next try. */
function takeLock(lock: string): boolean {
  if (writeFirst(lock, findProcess(process.pid))) return true
  if (!stillRuns(lockHolder(lock))) rmSync(lock, { force: true })
  return false
}

function lockHolder(lock: string): Mark {
  try {
    // Written by takeLock above.
    return JSON.parse(readFileSync(lock, 'utf8')) as Mark
  } catch {
    return { pid: 0, started: '' }
  }
}

/** Fetches or builds in a folder of its own and moves the finished binary into place; called under the lock only. */
async function obtain(cached: string, say: Say): Promise<void> {
  for (const name of readdirSync(cacheFolder()).filter((each) => each.startsWith('fetch-'))) {
    rmSync(join(cacheFolder(), name), { recursive: true, force: true })
  }
  const folder = mkdtempSync(join(cacheFolder(), 'fetch-'))
  const go = spawnSync(goProgram, ['version']).status === 0
  try {
    say('Temporal: downloading its dev server, once (some 100 MB).')
    const fetched =
      (await download(folder, go ? answerMs.withGo : answerMs.withoutGo)) ?? (await build(folder, go, say))
    renameSync(fetched, cached)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The download of Temporal's own SDK, in a process of its own, as it cannot be called off otherwise. */
async function download(folder: string, answerWithinMs: number): Promise<string | undefined> {
  const child = fork(ownFile, [folder], { execArgv: typescript, stdio: 'ignore' })
  endWithUs(child)
  const asked = once(child, 'message').then(() => Date.now())
  const ended = once(child, 'exit').then(() => 'ended' as const)
  let deadline = Infinity
  void asked.then((at) => (deadline = at + answerWithinMs)).catch(() => {})
  let size = -1
  while ((await Promise.race([ended, delay(100, 'running' as const)])) === 'running') {
    const now = fetchedFile(folder)
    if (now && now.size !== size) {
      size = now.size
      deadline = Date.now() + stallMs
    }
    if (Date.now() > deadline) child.kill('SIGKILL')
  }
  const file = fetchedFile(folder)
  return file && !file.path.endsWith('.downloading') && runnable(file.path) ? file.path : undefined
}

function fetchedFile(folder: string): { path: string; size: number } | undefined {
  const name = readdirSync(folder)[0]
  const stat = name && statSync(join(folder, name), { throwIfNoEntry: false })
  return stat ? { path: join(folder, name), size: stat.size } : undefined
}

async function build(folder: string, go: boolean, say: Say): Promise<string> {
  if (!go) {
    throw new CannotStart(
      'The Temporal dev server is neither installed nor cached, its download cannot be reached, and there is no Go to ' +
        'build it with. Do one of these: install the Temporal CLI (docs.temporal.io/cli), set TEMPORAL_CLI_PATH to its ' +
        'binary, install Go, or set TEMPORAL_ADDRESS to a running server.',
    )
  }
  say('Temporal: the download cannot be reached; building it with Go instead, once. This takes about 4 minutes.')
  for (const leftover of readdirSync(folder)) rmSync(join(folder, leftover), { force: true })
  const env = { ...process.env, CGO_ENABLED: '0', GOBIN: folder }
  const child = spawn(goProgram, ['install', '-ldflags', '-s -w', source], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  endWithUs(child)
  let words = ''
  child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-2_000)))
  const [code] = await once(child, 'close')
  const built = join(folder, program)
  if (code === 0 && existsSync(built)) return built
  throw new CannotStart(
    `Temporal: the build failed. The end of what Go said:\n  ${words.trim().split('\n').slice(-5).join('\n  ')}`,
  )
}

function endWithUs(child: ChildProcess): void {
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
}

/** What `download` runs as a process of its own. */
async function downloadInto(downloadDir: string): Promise<void> {
  const { TestWorkflowEnvironment } = await import('@temporalio/testing')
  process.send?.('asking')
  const executable = { type: 'cached-download', downloadDir, ttl: '365d' } as const
  const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } })
  await environment.teardown()
  process.exit(0)
}

if (process.argv[1] === ownFile) await downloadInto(process.argv[2] ?? '.')
