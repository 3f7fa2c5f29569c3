/** A server that takes connections and says nothing, for as long as its callers wait. */
import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'

export type SilentServer = {
  /** host:port. */
  readonly address: string
  /** Connections that it has taken. */
  readonly connections: () => number
  /** Drops all connections, and takes no more. */
  readonly close: () => void
}

export async function startSilentServer(): Promise<SilentServer> {
  const sockets = new Set<Socket>()
  let taken = 0
  const server = createServer((socket) => {
    taken += 1
    sockets.add(socket)
    socket.on('error', () => {}).resume()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`, // listens on TCP
    connections: () => taken,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
