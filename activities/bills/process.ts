/** Child process that opens a bill's file, and is killed if the file asks for too much. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { log } from '../../platform/log.ts'
import { forkBeside } from '../../platform/fork.ts'
import { type BillFile, UnreadableBill } from '../../domain/bills/reader.ts'
import type { Answer } from './reading-process.ts'

const IDLE_MS = 60_000
const HEAP_MIB_MAX = 160

export type Boxes = readonly (readonly number[])[]
/** Task: a file is read, or one page of it is drawn with marked boxes. */
export type Task = { readonly file: BillFile; readonly page?: { readonly number: number; readonly boxes: Boxes } }

/** Files that a worker reads at once. */
const SPARES_MAX = 2
const spares = new Map<ChildProcess, NodeJS.Timeout>()

/** Runs a task within `msMax`, until `signal` is aborted. Throws UnreadableBill for good, other errors may pass. */
export async function runInChild(task: Task, msMax: number, signal?: AbortSignal): Promise<unknown> {
  signal?.throwIfAborted()
  const child = takeProcess()
  const over = new AbortController()
  const next = (event: 'message' | 'exit') => once(child, event, { signal: over.signal })
  const end = () => child.kill('SIGKILL')
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    end()
  }, msMax)
  signal?.addEventListener('abort', end)
  try {
    const exited = next('exit').then(([code]): Answer => {
      signal?.throwIfAborted()
      if (isLate) throw new Error('opening the file of a bill took too long: the processor has too much to do')
      if (code !== null) throw new Error(`the process that reads bills ended with ${String(code)}`)
      return { code: 'hostile', message: 'Reading the file takes too much memory or time' }
    })
    if (child.connected) child.send(task)
    // it says nothing else
    const said = await Promise.race([next('message').then(([answer]) => answer as Answer), exited])
    if ('result' in said) {
      keepProcess(child, said.isGrown)
      return said.result
    }
    if ('code' in said) {
      keepProcess(child, false)
      throw new UnreadableBill(said.code, said.message)
    }
    end()
    log.warn({ bytes: task.file.bytes.length, error: said.crash }, 'a reader crashed on the file of a bill')
    // memory and watchdog race: both ends are one refusal
    throw new UnreadableBill('hostile', 'The file breaks what reads it')
  } finally {
    over.abort()
    clearTimeout(late)
    signal?.removeEventListener('abort', end)
  }
}

function takeProcess(): ChildProcess {
  for (const [child, idle] of spares) {
    clearTimeout(idle)
    spares.delete(child)
    if (child.connected) return child
  }
  return startProcess()
}

function keepProcess(child: ChildProcess, isGrown: boolean): void {
  const end = () => {
    spares.delete(child)
    child.kill('SIGKILL')
  }
  if (!child.connected || isGrown || spares.size >= SPARES_MAX) end()
  else spares.set(child, setTimeout(end, IDLE_MS).unref())
}

function startProcess(): ChildProcess {
  const child = forkBeside(import.meta.url, 'reading-process', {
    priority: 'PRIORITY_LOW', // everything else comes first
    execArgv: [`--max-old-space-size=${HEAP_MIB_MAX}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  return child.on('error', (error) => log.error({ err: error }, 'no process that reads bills could be started'))
}
