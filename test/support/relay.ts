/** Relays between a test and Postgres, which end with the test. */
import { type Server, type Socket, connect, createServer } from 'node:net'
import { afterEach } from 'vitest'

/** Address of the database without a relay. */
export const direct = new URL(process.env['DATABASE_URL'] ?? '')
const servers: Server[] = []
/** Ends of all relays, the client's before that of Postgres. */
export const open: Socket[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
  for (const socket of open.splice(0)) socket.destroy()
})

/** Starts a relay to Postgres, and returns the database's URL through it. */
export async function relay(pass: (client: Socket, upstream: Socket) => void): Promise<URL> {
  const server = createServer((client) => {
    const upstream = connect(Number(direct.port), direct.hostname)
    for (const end of [client, upstream])
      end.on('error', () => {}).on('close', () => [client, upstream].map((s) => s.destroy()))
    open.push(client, upstream)
    pass(client, upstream)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(new URL(direct), { port: (server.address() as { port: number }).port, hostname: '127.0.0.1' })
}
