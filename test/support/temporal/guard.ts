/** Guard before a Temporal server: takes TLS alone, and can ask for a client certificate and an API key. */
import { once } from 'node:events'
import { type ServerHttp2Stream, connect, constants, createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from './certificates.ts'

const { HTTP2_HEADER_AUTHORIZATION: AUTHORIZATION, HTTP2_HEADER_STATUS: STATUS } = constants
const UNAUTHENTICATED = { [STATUS]: 200, 'content-type': 'application/grpc', 'grpc-status': '16' } as const

export type Guard = { readonly address: string; readonly passed: () => number }

/** Listens on its own port, and hands calls to `target` (host:port). */
export async function startGuard(target: string, asks: { certificate?: boolean; apiKey?: string }): Promise<Guard> {
  const server = createSecureServer({
    cert: SERVER_CERTIFICATE,
    key: SERVER_KEY,
    ca: AUTHORITY,
    requestCert: asks.certificate ?? false,
    rejectUnauthorized: asks.certificate ?? false,
  })
  const far = connect(`http://${target}`)
  let passed = 0
  server.on('stream', (near: ServerHttp2Stream, headers) => {
    near.on('error', () => {})
    if (asks.apiKey !== undefined && headers[AUTHORIZATION] !== `Bearer ${asks.apiKey}`)
      return near.respond(UNAUTHENTICATED, { endStream: true })
    passed += 1
    const call = far.request(headers)
    call.on('error', () => near.close())
    call.on('response', (answered, flags) => {
      if (flags & constants.NGHTTP2_FLAG_END_STREAM) return near.respond(answered, { endStream: true })
      near.respond(answered, { waitForTrailers: true })
      let trailers = {}
      call.on('trailers', (sent) => (trailers = sent))
      near.on('wantTrailers', () => near.sendTrailers(trailers))
      call.pipe(near)
    })
    near.on('close', () => call.close())
    near.pipe(call)
  })
  server.on('sessionError', () => {})
  server.on('tlsClientError', () => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  server.unref()
  far.unref()
  const { port } = server.address() as AddressInfo // listens on TCP
  return { address: `127.0.0.1:${port}`, passed: () => passed }
}
