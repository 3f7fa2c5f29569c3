import { once } from 'node:events'
import { type Socket, createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Outcome, post } from '../../../partners/webhooks.ts'
import { type Names, NameFault, checkWebhookUrl } from '../../../platform/network/resolution.ts'
import { CERTIFICATE, CERTIFICATE_NAME } from '../../support/webhooks/certificate.ts'
import { distantReceiver } from '../../support/webhooks/distant.ts'
import { type Receiver, drip, httpReceiver, rawReceiver } from '../../support/webhooks/receivers.ts'

const SENT = { headers: { 'webhook-id': 'evt' }, body: '{"type":"payment.succeeded"}' }
const THIS_MACHINE: Names = { live: false, resolve: async () => ['127.0.0.1'] }
const fine = (port: number, path = '/events') => `http://127.0.0.1:${port}${path}`

const send = ({ port }: Receiver, timeoutMs?: number) =>
  post(fine(port), SENT, THIS_MACHINE, timeoutMs === undefined ? {} : { timeoutMs })
const told = (outcome: Outcome) => (outcome.kind === 'answered' ? [outcome.status, outcome.text] : outcome.reason)

test('what is sent goes out as JSON with its headers, and none that ask for packed answers or carry anything of us', async () => {
  const receiver = await httpReceiver((_request, response) => {
    response.writeHead(200, { 'set-cookie': 'a=b' }).end('ok')
  })
  expect(await send(receiver)).toEqual({ kind: 'answered', status: 200, text: 'ok', ms: expect.any(Number) })
  expect(told(await send(receiver))).toEqual([200, 'ok'])
  const headers = {
    'content-type': 'application/json',
    'content-length': String(SENT.body.length),
    'user-agent': 'business-finance-service-webhooks/1',
    'webhook-id': 'evt',
    host: `127.0.0.1:${receiver.port}`,
    connection: 'close',
  }
  const one = { path: '/events', headers, body: SENT.body }
  expect(receiver.received).toEqual([one, one])
  expect(receiver.connections()).toBe(2)
})

test('what is sent goes to the address that was looked at, under its name, and past those that are away', async () => {
  const receiver = await httpReceiver((_request, response) => response.end())
  let asked = 0
  const resolve = async () => (++asked === 1 ? ['10.0.0.1', '::1', '127.0.0.2', '127.0.0.1'] : ['10.0.0.1'])
  const url = `http://hooks.example.com:${receiver.port}/events`
  expect(told(await post(url, SENT, { live: false, resolve }))).toEqual([200, ''])
  expect(asked).toBe(1)
  expect(receiver.received[0]?.headers.host).toBe(`hooks.example.com:${receiver.port}`)
})

test.runIf(process.platform === 'linux')(
  'an address that takes a second to connect to is waited for, though the next one refuses',
  async () => {
    const { port, thaw } = await distantReceiver()
    const names: Names = { live: false, resolve: async () => ['127.0.0.1', '127.0.0.2'] }
    const sent = post(`http://hooks.example.com:${port}/events`, SENT, names)
    await thaw()
    expect(told(await sent)).toEqual([200, 'at last'])
  },
)

describe('nothing is sent', () => {
  test('to a name that was public when its endpoint was made, and is private now', async () => {
    const receiver = await httpReceiver((_request, response) => response.end())
    const answers = [['8.8.8.8'], ['127.0.0.1'], ['::ffff:127.0.0.1', '64:ff9b::7f00:1', '169.254.169.254']]
    const names: Names = { live: true, resolve: async () => answers.shift() ?? [] }
    const url = await checkWebhookUrl(`https://hooks.example.com:${receiver.port}/events`, names)
    for (const _ of [1, 2, 3]) expect(told(await post(url, SENT, names))).toBe('refused_address')
    expect(receiver.connections()).toBe(0)
  })

  test('to a private address in any form, however it came to be kept', async () => {
    const receiver = await httpReceiver((_request, response) => response.end())
    for (const host of ['127.0.0.1', '2130706433', '0177.0.0.1', '[::ffff:127.0.0.1]', 'localhost', 'a.localhost.']) {
      const outcome = await post(`https://${host}:${receiver.port}/`, SENT, { ...THIS_MACHINE, live: true })
      expect(told(outcome), host).toBe('refused_address')
    }
    expect(receiver.connections()).toBe(0)
  })

  test('when a redirect asks for it: it is the answer', async () => {
    const other = await httpReceiver((_request, response) => response.end())
    for (const status of [301, 302, 303, 307, 308]) {
      const receiver = await httpReceiver((_request, response) => {
        response.writeHead(status, { location: fine(other.port) }).end('moved')
      })
      expect(told(await send(receiver))).toEqual([status, 'moved'])
    }
    expect(other.connections()).toBe(0)
  })

  test('to a name that has no address', async () => {
    const resolve = async () => {
      throw new NameFault('ENOTFOUND', true)
    }
    expect(told(await post('https://hooks.example.com/', SENT, { live: true, resolve }))).toBe('dns')
  })

  test('where nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number } // listens on TCP
    await new Promise((closed) => server.close(closed))
    expect(await post(fine(port), SENT, THIS_MACHINE)).toMatchObject({ reason: 'connection', text: 'ECONNREFUSED' })
  })
})

describe('over TLS', () => {
  const secure = ({ port }: Receiver, name: string, ca?: string) =>
    post(`https://${name}:${port}/`, SENT, THIS_MACHINE, ca === undefined ? {} : { ca })

  test('the certificate is checked by the name, though the connection is to an address', async () => {
    const receiver = await httpReceiver((_request, response) => response.end('ok'), true)
    expect(told(await secure(receiver, CERTIFICATE_NAME, CERTIFICATE))).toEqual([200, 'ok'])
    const other = { reason: 'tls', text: 'ERR_TLS_CERT_ALTNAME_INVALID' }
    expect(await secure(receiver, 'other.example.com', CERTIFICATE)).toMatchObject(other)
    expect(told(await secure(receiver, '127.0.0.1', CERTIFICATE))).toBe('tls')
    const unknown = { reason: 'tls', text: 'DEPTH_ZERO_SELF_SIGNED_CERT' }
    expect(await secure(receiver, CERTIFICATE_NAME)).toMatchObject(unknown)
    expect(receiver.received).toHaveLength(1)
  })

  test('a receiver that does not speak it, or hangs up, is a failure', async () => {
    const plain = await httpReceiver((_request, response) => response.end())
    expect(told(await secure(plain, CERTIFICATE_NAME, CERTIFICATE))).toBe('tls')
    const gone = await rawReceiver((socket) => socket.destroy())
    expect(told(await secure(gone, CERTIFICATE_NAME, CERTIFICATE))).toBe('tls')
  })
})

const HEAD = 'HTTP/1.1 200 OK\r\n'

describe('what a receiver does is an outcome', () => {
  test.each<[string, unknown, string | Parameters<typeof rawReceiver>[0]]>([
    ['no body', [204, ''], 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['410', [410, ''], 'HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n'],
    ['hints, then an answer', [200, 'ok'], `HTTP/1.1 103 Early\r\n\r\n${HEAD}\r\nok`],
    ['another protocol', 'malformed', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['a status that is none', 'malformed', 'HTTP/1.1 2x0 OK\r\n\r\n'],
    ['two lengths', 'malformed', `${HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
    ['a header without end', 'malformed', (socket) => drip(socket, `${HEAD}x: `, 'x'.repeat(4096))],
    ['headers without end', 'malformed', (socket) => drip(socket, HEAD, `x: ${'x'.repeat(99)}\r\n`)],
    ['a chunk that is none', 'malformed', `${HEAD}transfer-encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n`],
    ['a reset', 'connection', (socket) => void socket.resetAndDestroy()],
    ['no answer', 'connection', ''],
    ['half an answer', 'connection', `${HEAD}content-length: 100\r\n\r\nok`],
    ['an upgrade', 'malformed', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
  ])('%s', async (_name, expected, said) => {
    const speak = typeof said === 'string' ? (socket: Socket) => void socket.end(said) : said
    expect(told(await send(await rawReceiver(speak)))).toEqual(expected)
  })

  test('nothing at all, or something now and then, takes no longer than it may', async () => {
    const slow = await Promise.all([
      rawReceiver(() => {}),
      rawReceiver((socket) => drip(socket, HEAD, 'x: y\r\n', 20)),
      rawReceiver((socket) => drip(socket, '', 'HTTP/1.1 103 Early\r\n\r\n', 20)),
      rawReceiver((socket) => drip(socket, `${HEAD}content-length: 9999\r\n\r\n`, 'x', 20)),
    ])
    const outcomes = await Promise.all(slow.map((receiver) => send(receiver, 300)))
    expect(outcomes.map((outcome) => told(outcome))).toEqual(slow.map(() => 'timeout'))
  })

  test('an endless answer is read up to its limit', async () => {
    const receiver = await rawReceiver((socket) => drip(socket, `${HEAD}\r\n`, 'x'.repeat(60_000)))
    expect(told(await send(receiver))).toEqual([200, 'x'.repeat(1000)])
  })

  test('a packed answer stays packed, and says nothing', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024))
    const receiver = await httpReceiver((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    expect(told(await send(receiver))).toEqual([200, ''])
  })

  test('what it says is kept as text on one line that Postgres takes, of 1,000 characters', async () => {
    const parts = ['a\0b\r\n\u001b[31m\u202e👋', [0xff, 0xc3], 'é'.repeat(2000)]
    const said = Buffer.concat(parts.map((part) => Buffer.from(part as string))) // or bytes
    const receiver = await httpReceiver((_request, response) => response.writeHead(500).end(said))
    const outcome = await send(receiver)
    expect(told(outcome)).toEqual([500, `a b [31m👋\u{fffd}\u{fffd}${'é'.repeat(1000 - 11)}`])
  })
})
