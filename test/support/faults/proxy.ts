/** A TCP connection that can be cut: stands before a server, and is gone or says nothing whenever a test says so. */
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

export type Proxy = {
  address: string
  /** Nobody can connect, and all connections are gone. */
  cut: () => Promise<void>
  /** Whoever connects or is connected hears nothing any more. */
  hush: () => void
  /** As before; connections that heard nothing are gone. */
  mend: () => Promise<void>
}

/** Listens on a port of its own and passes everything on to `target` (host:port). */
export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(`tcp://${target}`)
  const sockets = new Set<Socket>()
  let hushed = false
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      if (!hushed) socket.pipe(other)
      socket
        .on('error', () => {})
        .once('close', () => {
          sockets.delete(socket)
          other.destroy()
        })
    }
  })
  const listen = async (on: number) => {
    server.listen(on, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  server.unref()
  const own = (server.address() as AddressInfo).port // listens on TCP
  return {
    address: `127.0.0.1:${own}`,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
    hush() {
      hushed = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    async mend() {
      if (!hushed) return listen(own)
      hushed = false
      for (const socket of sockets) socket.destroy()
    },
  }
}
