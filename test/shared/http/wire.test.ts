/** Unauthenticated input: bodies, and requests that are hardly HTTP. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { api, baseUrl, person } from '../../support/api.ts'
import { FORM, formOfNothing } from '../../support/http/forms.ts'
import { refusal } from '../../support/http/refusals.ts'
import { until } from '../../support/until.ts'

const { host, hostname, port } = new URL(baseUrl)
const somebody = await person()
const STRANGERS = [undefined, 'nonsense', `ses_${'x'.repeat(43)}`]

/** Sends raw lines over a connection of their own; returns everything until the server closes. */
async function send(...lines: string[]) {
  const socket = connect(Number(port), hostname)
  socket.write(lines.join('\r\n'), 'latin1')
  const said = await text(socket)
  const [head = '', body = ''] = said.split('\r\n\r\n')
  const read = body.startsWith('{') ? JSON.parse(body) : body
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: read }
}

const begin = (method: string, path: string, ...more: string[]) =>
  [`${method} ${path} HTTP/1.1`, `host: ${host}`].concat(more)

describe('of a body nothing is read before its sender is known', () => {
  test.each(STRANGERS)('%s is refused while the body is still on its way', async (token) => {
    const headers = ['transfer-encoding: chunked', 'content-type: application/json']
    if (token) headers.push(`authorization: Bearer ${token}`)
    for (const path of ['/api/v1/me/avatar', '/api/v1/organizations', '/api/v1/payments']) {
      const answer = await send(...begin('POST', path, ...headers), '', '5', '{"a":', '')
      expect(refusal(answer)).toEqual([401, 'not_authenticated'])
    }
  })

  test('a form of 47,000 parts is 401 to strangers and 422 to a person, and nobody else waits', async () => {
    const form = formOfNothing(47_000)
    const beside = Array.from({ length: 20 }, () => api('GET', '//healthz'))
    for (const token of STRANGERS) {
      const answer = await api('POST', '/me/avatar', { token, ...form })
      expect([...refusal(answer), answer.headers.get('connection')]).toEqual([401, 'not_authenticated', 'keep-alive'])
    }
    const error = { type: 'invalid_file', details: { reason: 'too_many_parts' } }
    const answer = await api('POST', '/me/avatar', { token: somebody.token, ...form })
    expect(answer).toMatchObject({ status: 422, body: { error } })
    for (const { status } of await Promise.all(beside)) expect(status).toBe(200)
  })

  test('75,000 keys are too long for strangers, and too many for a person', async () => {
    const keys = Object.fromEntries(Array.from({ length: 75_000 }, (_, index) => [`k${index}`, 1]))
    const tooLarge = { type: 'payload_too_large', details: { max_bytes: 65_536 } }
    expect(await api('POST', '/auth/sign-in', { body: keys })).toMatchObject({ status: 413, body: { error: tooLarge } })
    const tooMany = { type: 'malformed_request', details: { reason: 'too_many_values' } }
    const known = await api('POST', '/organizations', { token: somebody.token, body: keys })
    expect(known).toMatchObject({ status: 400, body: { error: tooMany } })
  })
})

test('a body that comes byte by byte is read whole, up to its limit', async () => {
  const chunked = (path: string, type: string, body: string[]) =>
    send(
      ...begin('POST', `/api/v1${path}`, `authorization: Bearer ${somebody.token}`, 'transfer-encoding: chunked'),
      `content-type: ${type}\r\nconnection: close\r\n`,
      ...body.flatMap((piece) => [piece.length.toString(16), piece]),
      '0\r\n\r\n',
    )
  const organization = JSON.stringify({ name: 'Drop by drop', country_code: 'DE' })
  const made = await chunked('/organizations', 'application/json', organization.split(''))
  expect(made).toMatchObject({ status: 201, body: { name: 'Drop by drop' } })
  const form = await chunked('/me/avatar', FORM.headers['content-type'], FORM.body.split(''))
  expect(refusal(form)).toEqual([415, 'unsupported_media_type'])
  const long = await chunked('/auth/sign-in', 'application/json', ['x'.repeat(70_000)])
  expect(refusal(long)).toEqual([413, 'payload_too_large'])
})

test('a packed body is refused as such, in each kind: JSON, forms, files, callbacks, agents', async () => {
  const packed = gzipSync(JSON.stringify({ name: 'Packed', country_code: 'DE' }))
  const paths = [
    ['/api/v1/organizations', 'application/json'],
    ['/api/v1/auth/sign-in', 'application/json'],
    ['/api/v1/me/avatar', FORM.headers['content-type']],
    ['/partners/bank/callbacks', 'application/json'],
    ['/oauth/token', 'application/x-www-form-urlencoded'],
  ] as const
  for (const [path, type] of paths)
    for (const coding of ['gzip', 'GZIP', 'br', 'identity, gzip']) {
      const headers = { authorization: `Bearer ${somebody.token}`, 'content-type': type, 'content-encoding': coding }
      const answer = await fetch(baseUrl + path, { method: 'POST', body: packed, headers })
      const { error } = (await answer.json()) as { error: { type: string } | string }
      expect([path, answer.status, typeof error === 'string' ? error : error.type]).toEqual([
        path,
        415,
        path === '/oauth/token' ? 'invalid_request' : 'unsupported_media_type',
      ])
    }
  const plain = { 'content-type': 'application/json', 'content-encoding': 'identity' }
  const unpacked = await api('POST', '/organizations', {
    token: somebody.token,
    body: { name: 'Unpacked', country_code: 'DE' },
    headers: plain,
  })
  expect(unpacked.status).toBe(201)
})

/** An endless large body, and its answer. */
function endless(token: string) {
  const piece = Buffer.alloc(5_000_000)
  const headers = ['transfer-encoding: chunked', 'content-type: multipart/form-data; boundary=x']
  const begun = begin('POST', '/api/v1/me/avatar', ...headers, `authorization: Bearer ${token}`)
  const socket = connect(Number(port), hostname)
  socket.write([...begun, '', piece.length.toString(16), ''].join('\r\n'))
  socket.write(piece)
  return { socket, answer: text(socket).catch(() => '') }
}

/** The first answer that arrives: a connection closed within a body may lose its own. */
const firstAnswer = (sent: readonly { answer: Promise<string> }[]): Promise<string> =>
  Promise.any(sent.map(async ({ answer }) => (await answer) || Promise.reject(new Error('broken off'))))

test('large bodies that do not end fill the room of their caller, those of many the room of all, and no more', async () => {
  const upload = (token: string) => api('POST', '/me/avatar', { token, ...formOfNothing(20_000) })
  const people = await Promise.all(Array.from({ length: 7 }, () => person()))
  const own = Array.from({ length: 8 }, () => endless(somebody.token))
  expect(await firstAnswer(own)).toMatch(/^HTTP\/1.1 429 [^]*rate_limited/)
  expect((await upload(people[0]!.token)).status).toBe(422)
  const others = people.flatMap(({ token }) => [endless(token), endless(token)])
  expect(await firstAnswer(others)).toMatch(/^HTTP\/1.1 503 [^]*service_unavailable/)
  for (const { socket } of [...own, ...others]) socket.destroy()
  await Promise.all([...own, ...others].map(({ answer }) => answer))
  await until('the room is there again', async () => (await upload(somebody.token)).status === 422)
})

test('a caller who hangs up in a body is 499 in the metrics, never 503', async () => {
  const before = await statusesOf('POST /organizations')
  const socket = connect(Number(port), hostname)
  const headers = [`authorization: Bearer ${somebody.token}`, 'content-type: application/json', 'content-length: 10000']
  socket.write([...begin('POST', '/api/v1/organizations', ...headers), '', '{"name":'].join('\r\n'))
  socket.end()
  const hungUp = async () => (await statusesOf('POST /organizations'))['499']
  await until('it is counted', async () => (await hungUp()) === (before['499'] ?? 0) + 1)
  expect((await statusesOf('POST /organizations'))['503']).toBe(before['503'])
})

async function statusesOf(route: string): Promise<Record<string, number>> {
  const { body } = await api('GET', '//metrics')
  const counts = new RegExp(`^http_request_duration_seconds_count\\{route="${route}",status="(\\d+)"\\} (\\d+)$`, 'gm')
  return Object.fromEntries(Array.from(String(body).matchAll(counts), ([, status, count]) => [status, Number(count)]))
}

describe('what is hardly HTTP gets the envelope, and the connection is closed', () => {
  const [get, post] = ['GET /healthz HTTP/1.1', 'POST /api/v1/auth/sign-in HTTP/1.1']
  test.each<[string, string[], string]>([
    ['two hosts', [get, `Host: ${host}`, `hOST: ${host}`], 'host'],
    ['no host', [get], 'host'],
    ['an empty host', [get, 'host: '], 'target'],
    ['a host that is a path', [get, String.raw`host: evil.example/..\@x`], 'target'],
    ['half an address as host', [get, 'host: [::1'], 'target'],
    ['a path that turns back', [String.raw`GET /api\v1 HTTP/1.1`, `host: ${host}`], 'target'],
    ['a path that leads out of the API', ['GET /api/v1/../../healthz HTTP/1.1', `host: ${host}`], 'target'],
    ['the same, encoded', ['GET /api/v1/%2e%2E/.%2e/healthz?x HTTP/1.1', `host: ${host}`], 'target'],
    ['headers of 20 KB', [get, `host: ${host}`, `cookie: ${'x'.repeat(20_000)}`], 'headers_too_large'],
    ['a header without a name', [get, `host: ${host}`, ': x'], 'not_http'],
    ['another protocol', ['SSH-2.0-OpenSSH_9.2'], 'not_http'],
    ['a length and chunks', [post, `host: ${host}`, 'content-length: 4', 'transfer-encoding: chunked'], 'not_http'],
    ['two lengths', [post, `host: ${host}`, 'content-length: 1', 'content-length: 2'], 'not_http'],
    ['a chunk that is none', [post, `host: ${host}`, 'transfer-encoding: chunked', '', 'no length', ''], 'not_http'],
  ])('%s', async (_, lines, reason) => {
    const { status, head, body } = await send(...lines, '', '')
    expect([status, body.error]).toMatchObject([400, { type: 'malformed_request', details: { reason } }])
    expect(head).toContain(`x-request-id: ${body.error.request_id}`)
    for (const line of ['content-type: application/json', 'x-content-type-options: nosniff', 'connection: close'])
      expect(head).toContain(line)
    expect(head).toContain("frame-ancestors 'none'")
  })

  test('TRACE is answered with nothing of the request', async () => {
    const { status, head, body } = await send(
      ...begin('TRACE', '/api/v1/me', 'cookie: a=secret', 'connection: close'),
      '',
      '',
    )
    expect([status, body.error.type]).toEqual([405, 'method_not_allowed'])
    expect(head + JSON.stringify(body)).not.toContain('secret')
  })

  test('an expectation that nobody knows is none', async () => {
    const { status } = await send(...begin('GET', '/healthz', 'expect: a miracle', 'connection: close'), '', '')
    expect(status).toBe(200)
  })
})
