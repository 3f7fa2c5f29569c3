/** Receivers of events on their own ports, with any behaviour. */
import { once } from 'node:events'
import { type IncomingHttpHeaders, type RequestListener, createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, type Server, type Socket, createServer as createTcpServer } from 'node:net'
import { onTestFinished } from 'vitest'
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts'

type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }
export type Receiver = {
  readonly port: number
  readonly received: readonly Received[]
  readonly connections: () => number
}

/** Listens until the test is over; records requests, then answers. */
export async function httpReceiver(answer: RequestListener, secure = false): Promise<Receiver> {
  const received: Received[] = []
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return // the sender hung up or died
    }
    received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() })
    answer(request, response)
  }
  const server = secure
    ? createHttpsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, listener)
    : createHttpServer(listener)
  return { ...(await listening(server)), received }
}

/** Writes a test's raw answer once something was sent to it. */
export const rawReceiver = async (speak: (socket: Socket) => void): Promise<Receiver> => ({
  ...(await listening(createTcpServer((socket) => socket.once('data', () => speak(socket)).resume()))),
  received: [],
})

async function listening(server: Server): Promise<Pick<Receiver, 'port' | 'connections'>> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}) // the client hung up
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => server.close(closed))
  })
  const { port } = server.address() as AddressInfo // listens on TCP
  return { port, connections: () => sockets.size }
}

/** Writes the head, then the text repeatedly, every `everyMs`, or as fast as it is read. */
export function drip(socket: Socket, head: string, text: string, everyMs = 0): void {
  if (socket.destroyed) return
  socket.write(head + text, () => setTimeout(() => drip(socket, '', text, everyMs), everyMs))
}
