/** A TCP proxy before a server, which a test can cut or silence. */
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

export type Proxy = {
  address: string
  /** Refuses connections and drops all existing ones. */
  cut: () => Promise<void>
  /** Silences all connections, new and existing. */
  hush: () => void
  /** Restores the proxy; silenced connections are dropped. */
  mend: () => Promise<void>
}

/** Listens on its own port and forwards to `target` (host:port). */
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
