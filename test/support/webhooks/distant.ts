/** A receiver that takes a second to connect to, as a far or lossy one does. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { until } from '../until.ts'

const SERVER = `const server = require('node:http').createServer((_request, response) => response.end('at last'))
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port))`
const SYN_SENT = '02'

/**
 * Starts it on 127.0.0.1, frozen, with a full queue: the kernel ignores the first packet of a connection, and the second
 * one comes after a second. `thaw` waits for the first and lets it take the second. On Linux alone.
 */
export async function distantReceiver(): Promise<{ port: number; thaw: () => Promise<void> }> {
  const child = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = await once(child.stdout, 'data')
  const port = Number(String(said))
  child.kill('SIGSTOP')
  for (const _ of [1, 2]) {
    const queued = connect(port, '127.0.0.1').on('error', () => {}) // reset at the end
    onTestFinished(() => void queued.destroy())
    await once(queued, 'connect')
  }
  return {
    port,
    async thaw() {
      await until('the first packet is sent', async () => statesTo(port).includes(SYN_SENT))
      child.kill('SIGCONT')
    },
  }
}

/** Reads the states of connections to the port. */
function statesTo(port: number): (string | undefined)[] {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  return lines.map((line) => line.trim().split(/\s+/)).flatMap(([, , to, state]) => (to?.endsWith(remote) ? state : []))
}
