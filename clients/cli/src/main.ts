/** Process of the command: its streams, its proxy, its interrupt, its exit code. */
import { EXIT, outcomeOf } from './failures.ts'
import { ioOfProcess } from './io.ts'
import { useProxies } from './proxies.ts'
import { run } from './run.ts'

const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort())
process.once('SIGTERM', () => interrupt.abort())
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0) // the reader of the pipe has enough
    if (stream === process.stdout) process.stderr.write(`The answer could not be written: ${error.message}\n`)
    process.exit(EXIT.unwritable)
  })
process.exitCode = await start().catch((error: unknown) => {
  const { code, message } = outcomeOf(error, 'The service')
  process.stderr.write(`${message}\n`)
  return code
})

async function start(): Promise<number> {
  useProxies(process.env)
  return run(process.argv.slice(2), ioOfProcess(interrupt.signal))
}
