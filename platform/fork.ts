/** Child processes that open users' files, and may die of them. */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Priorities. `PRIORITY_LOW` comes after everything else on the machine. */
export type Priority = 'PRIORITY_LOW' | 'PRIORITY_BELOW_NORMAL'

const rootFolder = fileURLToPath(new URL('../', import.meta.url))

/**
 * Forks the module `name` beside `importer`, TypeScript or compiled as that is. The child has no environment, has
 * `priority` with all threads, and never keeps this process alive. Emits `error` if it cannot start.
 */
export function forkBeside(
  importer: string,
  name: string,
  { execArgv = [], stdio, priority }: Pick<ForkOptions, 'execArgv' | 'stdio'> & { readonly priority: Priority },
): ChildProcess {
  const [entry, typescript] = entryOf(importer, name)
  const child = fork(entry, {
    execArgv: [...typescript, ...execArgv],
    env: {},
    serialization: 'advanced',
    ...(stdio && { stdio }),
  })
  if (child.pid !== undefined) prioritize(child.pid, priority)
  child.unref()
  child.channel?.unref()
  return child
}

/**
 * Ends a child at once. One that could not start for want of file descriptors has no pid, and Node would send the signal
 * to pid 0: to all processes of this group, this one among them.
 */
export function endChild(child: ChildProcess): void {
  if (child.pid !== undefined) child.kill('SIGKILL')
}

/** Sets the priority of all threads: of the main one, which later ones inherit, and of others. */
export function prioritize(pid: number, priority: Priority): void {
  const value = constants.priority[priority]
  setPriority(pid, value)
  for (const id of threadsOf(pid)) {
    try {
      setPriority(id, value)
    } catch {
      // this thread has ended
    }
  }
}

/** Lists the threads of a process on Linux, where a priority is that of one thread. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return []
  }
}

/** Reads the processor time of a process's main thread, in ticks of Linux; 0 where that is not known. */
export function processorTicksOf(pid: number): number {
  try {
    // fields 14 and 15 of proc(5), behind the name in brackets
    const line = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1')
    const fields = line.slice(line.lastIndexOf(') ')).split(' ')
    return Number(fields[12]) + Number(fields[13])
  } catch {
    return 0
  }
}

/** Finds the module. TypeScript starts in a second, unless COMPILED_SERVICE names the compiled folder. */
function entryOf(importer: string, name: string): [entry: string, execArgv: string[]] {
  if (!importer.endsWith('.ts')) return [fileURLToPath(new URL(`${name}.js`, importer)), []]
  const source = fileURLToPath(new URL(`${name}.ts`, importer))
  const compiled = process.env['COMPILED_SERVICE']
  if (compiled) return [join(compiled, relative(rootFolder, source).replace(/\.ts$/, '.js')), []]
  return [source, ['--import', createRequire(importer).resolve('tsx')]]
}
