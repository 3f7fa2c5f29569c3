/** Child processes that read files of strangers, and are killed if a file asks for too much. */
import type { ChildProcess } from 'node:child_process'
import { setImmediate } from 'node:timers/promises'
import { log } from '../../platform/log.ts'
import { type Priority, endChild, forkBeside, processorTicksOf } from '../../platform/fork.ts'
import type { Answer, Kind, Part, Result, Task } from '../reading-process.ts'

/** Signal by which the limit of time ends a process, as in limits.ts: no thread that serves loads that. */
const OUT_OF_TIME = 'SIGVTALRM'
const IDLE_MS = 60_000
const HEAP_MIB_MAX = 160
/** Processes that wait for the next file. */
const SPARES_MAX = 2
const spares = new Map<ChildProcess, Spare>()
type Spare = { readonly priority: Priority; readonly idle: NodeJS.Timeout }
/** A request or an import waits for its file; bills and mails come after everything else. */
const priorityOf = (kind: Kind): Priority =>
  kind === 'bill' || kind === 'mail' ? 'PRIORITY_LOW' : 'PRIORITY_BELOW_NORMAL'

/** File that its reader refuses, with the details; null for one that asks for too much, or breaks its reader. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused'

  constructor(readonly details: unknown) {
    super('the file is refused')
  }
}

/** Bounds of a reading, and a signal that ends it. */
export type Bounds = {
  /** Real time, after which it may be tried again; `byProgress` that in which its process did no work. */
  readonly msMax: number
  readonly byProgress?: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads a file in a process of its own; answers what its reader had sent by then, if it took too much after that.
 * Throws FileRefused for good; any other error may pass.
 */
export async function read<K extends Kind>(kind: K, task: Task<K>, bounds: Bounds): Promise<Result<K>> {
  return (await resultOrLastPart(converse({ kind, task }, bounds))) as Result<K> // what the reader of this kind answers
}

/** Takes the result of a reading, or the last part that came before it took too much. */
export async function resultOrLastPart(reading: AsyncGenerator): Promise<unknown> {
  let sofar: unknown
  try {
    for (;;) {
      const { done, value } = await reading.next()
      if (done) return value
      sofar = value
    }
  } catch (error) {
    if (error instanceof FileRefused && error.details === null && sofar !== undefined) return sofar
    throw error
  }
}

/** Reads a file part by part, the next ones while one is worked on. Throws as read() does. */
export const readParts = <K extends Kind>(kind: K, task: Task<K>, bounds: Bounds): AsyncGenerator<Part<K>> =>
  converse({ kind, task }, bounds) as AsyncGenerator<Part<K>> // what the reader of this kind sends

async function* converse(
  message: { readonly kind: Kind; readonly task: Task<Kind> },
  { msMax, byProgress, signal }: Bounds,
): AsyncGenerator<unknown, unknown> {
  signal?.throwIfAborted()
  const priority = priorityOf(message.kind)
  const child = takeProcess(priority)
  const said: Answer[] = []
  let ended: { readonly code: number | null; readonly signal: string | null } | undefined
  let [isLate, isFree, wake] = [false, false, () => {}]
  const hear = (answer: Answer) => {
    said.push(answer)
    wake()
  }
  const noteEnd = (code: number | null, by: string | null) => {
    ended = { code, signal: by }
    wake()
  }
  const end = () => endChild(child)
  let worked = 0
  // beside busy processes the lowest priority gets little: the same work may take many times its real time
  const late = setInterval(() => {
    const now = byProgress && child.pid !== undefined ? processorTicksOf(child.pid) : 0
    isLate = now <= worked
    worked = now
    if (isLate) end()
  }, msMax)
  child.on('message', hear).on('exit', noteEnd)
  signal?.addEventListener('abort', end)
  try {
    if (child.pid === undefined) throw new Error('no process that reads files could be started')
    if (child.connected) child.send(message)
    for (;;) {
      while (said.length === 0 && !ended) await new Promise<void>((resolve) => (wake = resolve))
      const answer = said.shift()
      if (!answer) {
        signal?.throwIfAborted()
        if (isLate) throw new Error('reading a file took too long: the processor has too much to do')
        const code = ended?.code ?? null
        if (code !== null) throw new Error(`the process that reads files ended with ${code}`)
        const limit = ended?.signal === OUT_OF_TIME ? 'time' : 'memory'
        log.warn(
          { kind: message.kind, limit },
          'a file took too much memory or time: the process that read it was ended',
        )
        throw new FileRefused(null)
      }
      if ('part' in answer) {
        yield answer.part
        await setImmediate() // parts that wait here do not keep everything else waiting
        if (child.connected) child.send('more')
        continue
      }
      if ('crash' in answer) {
        log.warn({ kind: message.kind, error: answer.crash }, 'a reader crashed on a file')
        throw new FileRefused(null) // memory and watchdog race: both ends are one refusal
      }
      isFree = 'refused' in answer || !answer.isGrown
      if ('refused' in answer) throw new FileRefused(answer.refused)
      return answer.result
    }
  } finally {
    clearInterval(late)
    signal?.removeEventListener('abort', end)
    child.off('message', hear).off('exit', noteEnd)
    if (isFree) keepProcess(child, priority)
    else end()
  }
}

function takeProcess(priority: Priority): ChildProcess {
  for (const [child, spare] of spares) {
    if (spare.priority !== priority) continue
    clearTimeout(spare.idle)
    spares.delete(child)
    if (child.connected) return child
  }
  return startProcess(priority)
}

function keepProcess(child: ChildProcess, priority: Priority): void {
  const end = () => {
    spares.delete(child)
    endChild(child)
  }
  if (!child.connected || spares.size >= SPARES_MAX) end()
  else spares.set(child, { priority, idle: setTimeout(end, IDLE_MS).unref() })
}

function startProcess(priority: Priority): ChildProcess {
  const child = forkBeside(import.meta.url, '../reading-process', {
    priority,
    execArgv: [`--max-old-space-size=${HEAP_MIB_MAX}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  return child.on('error', (error) => log.error({ err: error }, 'no process that reads files could be started'))
}
