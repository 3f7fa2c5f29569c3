/** Processes of our own that do what may end them: they open files that somebody sent. */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Starts the module `name` that stands beside `importer`, an `import.meta.url`, as a process, from TypeScript or
 * compiled as its importer is. It gets nothing of our environment, and never keeps this process from ending. It emits
 * `error` if it cannot be started.
 */
export function forkBeside(
  importer: string,
  name: string,
  { execArgv = [], stdio }: Pick<ForkOptions, 'execArgv' | 'stdio'> = {},
): ChildProcess {
  const extension = importer.endsWith('.ts') ? '.ts' : '.js'
  const typescript = extension === '.ts' ? ['--import', createRequire(importer).resolve('tsx')] : []
  const child = fork(fileURLToPath(new URL(`${name}${extension}`, importer)), {
    execArgv: [...typescript, ...execArgv],
    env: {},
    serialization: 'advanced',
    ...(stdio && { stdio }),
  })
  child.unref()
  child.channel?.unref()
  return child
}
