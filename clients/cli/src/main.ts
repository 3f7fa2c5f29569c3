/** Process of the command: its streams, its interrupt, its exit code. */
import { ioOfProcess } from './io.ts'
import { run } from './run.ts'

const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort())
process.once('SIGTERM', () => interrupt.abort())
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0) // the reader of the pipe has enough
})
process.exitCode = await run(process.argv.slice(2), ioOfProcess(interrupt.signal))
