/** Processes of our own that do what may end them: they open files that somebody sent. */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const rootFolder = fileURLToPath(new URL('../../', import.meta.url))

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
  const [entry, typescript] = entryOf(importer, name)
  const child = fork(entry, {
    execArgv: [...typescript, ...execArgv],
    env: {},
    serialization: 'advanced',
    ...(stdio && { stdio }),
  })
  child.unref()
  child.channel?.unref()
  return child
}

/** From TypeScript it takes a second to start, unless COMPILED_SERVICE names a folder with what is compiled of it. */
function entryOf(importer: string, name: string): [entry: string, execArgv: string[]] {
  if (!importer.endsWith('.ts')) return [fileURLToPath(new URL(`${name}.js`, importer)), []]
  const source = fileURLToPath(new URL(`${name}.ts`, importer))
  const compiled = process.env['COMPILED_SERVICE']
  if (compiled) return [join(compiled, relative(rootFolder, source).replace(/\.ts$/, '.js')), []]
  return [source, ['--import', createRequire(importer).resolve('tsx')]]
}
