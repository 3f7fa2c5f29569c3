/** Commands that join the service with others: consent in a browser, forwarded events, agents. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { webhooks } from '../../../clients/typescript/src/index.ts'
import { baseUrl, organization, person } from '../../support/api.ts'
import { bfs, home, memoryKeyring } from '../../support/cli/terminal.ts'
import { chained, writeEvents } from '../../support/events.ts'
import { startProxy } from '../../support/faults/proxy.ts'
import { until } from '../../support/until.ts'
import { httpReceiver } from '../../support/webhooks/receivers.ts'

/** Serves until the test is over; answers the address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('events are forwarded signed and in order; none is lost or doubled by a lost connection or a receiver that refuses', async () => {
  const boss = await person()
  const { id } = await organization(boss)
  await writeEvents(id, [{}])
  await chained(id)
  const taken: string[] = []
  let refusals = 2
  const receiver = await httpReceiver((request, response) => {
    const isRefused = taken.length === 1 && refusals-- > 0
    if (!isRefused) taken.push(String(request.headers['webhook-id']))
    response.writeHead(isRefused ? 503 : 204).end()
  })
  const proxy = await startProxy(new URL(baseUrl).host)
  onTestFinished(proxy.cut)
  const end = new AbortController()
  let said = ''
  const running = bfs(['listen', '--forward-to', `http://127.0.0.1:${receiver.port}/hooks`], {
    env: { BFS_TOKEN: boss.token, BFS_ORGANIZATION: id, BFS_BASE_URL: `http://${proxy.address}` },
    signal: end.signal,
    written: (piece) => (said += piece),
  })
  await until('it listens', async () => said.includes('Forwarding to'))
  const written = await writeEvents(id, [{ type: 'payment.settled' }, { type: 'payment.failed' }])
  await chained(id)
  await until('two were taken', async () => taken.length === 2)
  await proxy.cut()
  await proxy.mend()
  written.push(...(await writeEvents(id, [{}, { type: 'bill.created', stream: 'bills' }])))
  await chained(id)
  await until('four were taken and printed', async () => taken.length === 4 && said.includes(`${taken[3]}`))
  end.abort()
  const { code, stdout } = await running
  expect([code, taken]).toEqual([0, written])
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(written)
  const [secret = ''] = /whsec_\S+/.exec(said) ?? []
  for (const { headers, body } of receiver.received)
    expect(webhooks.unwrap(body, headers, secret).data.id).toBe(headers['webhook-id'])
})

test('events are signed by a secret of a file, and begin behind the event that is asked', async () => {
  const boss = await person()
  const { id } = await organization(boss)
  const [first = '', ...rest] = await writeEvents(id, [{}, {}, {}])
  await chained(id)
  const receiver = await httpReceiver((_, response) => response.end())
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const file = join((await home())['XDG_CONFIG_HOME'] ?? '', 'secret')
  await writeFile(file, `${secret}\n`)
  const end = new AbortController()
  const to = ['--forward-to', `http://127.0.0.1:${receiver.port}/`, '--secret-file', file, '--since', first]
  const running = bfs(['listen', ...to], { env: { BFS_TOKEN: boss.token, BFS_ORGANIZATION: id }, signal: end.signal })
  await until('both came', async () => receiver.received.length === 2)
  end.abort()
  const { code, stderr } = await running
  expect([code, stderr.includes('whsec_')]).toEqual([0, false])
  const ids = receiver.received.map(({ body, headers }) => webhooks.unwrap(body, headers, secret).data.id)
  expect(ids).toEqual(rest)
})

/** Consent of a person, and tokens: as the service answers them. */
async function authorizationServer() {
  const asked: URLSearchParams[] = []
  let challenge = ''
  const url = await serve(async (request, response) => {
    const form = new URLSearchParams(await text(request))
    asked.push(form)
    const isProven =
      challenge ===
      createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
    response.setHeader('content-type', 'application/json')
    if (form.get('grant_type') !== 'authorization_code' || form.get('code') !== 'code-1' || !isProven)
      return response.writeHead(400).end('{"error": "invalid_grant"}')
    response.end('{"access_token": "ses_1", "token_type": "Bearer", "expires_in": 1800, "refresh_token": "dlg_1"}')
  })
  /** Answers the page as a browser does. */
  const consent = async (page: string, answer: Readonly<Record<string, string>>, state?: string) => {
    const { searchParams } = new URL(page)
    challenge = searchParams.get('code_challenge') ?? ''
    const back = new URL(searchParams.get('redirect_uri') ?? '')
    back.search = new URLSearchParams({ ...answer, state: state ?? searchParams.get('state') ?? '' }).toString()
    return fetch(back)
  }
  return { url, asked, consent }
}

test('a person gives a delegate on a page; an answer with another state is not taken', async () => {
  const { url, asked, consent } = await authorizationServer()
  const [own, keyring] = [await home(), memoryKeyring()]
  const pages: URL[] = []
  const answers: number[] = []
  const openPage = (page: string) => {
    pages.push(new URL(page))
    void consent(page, { code: 'code-2' }, 'forged').then(async ({ status }) => {
      answers.push(status, (await consent(page, { code: 'code-1' })).status)
    })
  }
  const ran = await bfs(['login'], { env: { ...own, BFS_BASE_URL: url }, keyring, tty: true, openPage })
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: '' })
  expect(pages[0]?.pathname).toBe('/authorize')
  expect(Object.fromEntries(pages[0]?.searchParams ?? [])).toEqual({
    response_type: 'code',
    client_id: 'bfs',
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^[\w-]{22}$/),
    scope: 'prepare',
  })
  expect(asked.map((form) => form.get('redirect_uri'))).toEqual([pages[0]?.searchParams.get('redirect_uri')])
  expect(JSON.parse(keyring.entries.get(url) ?? '{}')).toMatchObject({ secret: 'dlg_1', token: 'ses_1' })
  expect(ran.stderr).not.toMatch(/dlg_1|ses_1/)
  await expect.poll(() => answers).toEqual([404, 200])
})

test.each<[string, Readonly<Record<string, string>>, number]>([
  ['says no', { error: 'access_denied' }, 1],
  ['brings a code that the service does not take', { code: 'code-9' }, 3],
])('nobody is signed in if the person %s', async (_, answer, code) => {
  const { url, consent } = await authorizationServer()
  const [own, keyring] = [await home(), memoryKeyring()]
  const openPage = (page: string) => void consent(page, answer)
  const ran = await bfs(['login'], { env: { ...own, BFS_BASE_URL: url }, keyring, openPage })
  expect([ran.code, keyring.entries.size], ran.stderr).toEqual([code, 0])
})

test('an agent speaks over lines with the server of the service: JSON, streams, notifications, failures, new tokens', async () => {
  const seen: object[] = []
  let tokens = 0
  const url = await serve(async (request, response) => {
    const body = await text(request)
    response.setHeader('content-type', 'application/json')
    if (request.url === '/oauth/token')
      return response.end(JSON.stringify({ access_token: `ses_${(tokens += 1)}`, token_type: 'Bearer', expires_in: 9 }))
    const message = JSON.parse(body)
    const { authorization, accept } = request.headers
    const named = Object.entries(request.headers).filter(([name]) => name.startsWith('mcp-'))
    seen.push({ authorization, accept, ...Object.fromEntries(named) })
    if (message.method === 'initialize')
      return response
        .setHeader('mcp-session-id', 's1')
        .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { protocolVersion: '2025-11-25' } }, null, 2))
    if (authorization === 'Bearer ses_1' && message.method === 'tools/call') return response.writeHead(401).end('{}')
    if (message.method === 'tools/call')
      return response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(
          'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n' +
            `data: {"jsonrpc":"2.0","id":${message.id},\ndata: "result":{}}\n\n`,
        )
    if (message.id === undefined) return response.writeHead(202).end()
    return response.writeHead(500, { 'content-type': 'text/plain' }).end('away')
  })
  const lines = [
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '',
    'no json',
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_bills"}}',
  ]
  const env = { BFS_BASE_URL: url, BFS_SECRET: 'dlg_1' }
  const ran = await bfs(['mcp'], { env, input: lines.join('\n') })
  expect(
    ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-11-25' } },
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'this line is no JSON' } },
    { jsonrpc: '2.0', method: 'notifications/progress' },
    { jsonrpc: '2.0', id: 2, result: {} },
  ])
  const accept = 'application/json, text/event-stream'
  const later = { accept, 'mcp-session-id': 's1', 'mcp-protocol-version': '2025-11-25' }
  const call = { ...later, 'mcp-method': 'tools/call', 'mcp-name': 'list_bills' }
  expect(seen).toEqual([
    { authorization: 'Bearer ses_1', accept, 'mcp-method': 'initialize' },
    { authorization: 'Bearer ses_1', ...later, 'mcp-method': 'notifications/initialized' },
    { authorization: 'Bearer ses_1', ...call },
    { authorization: 'Bearer ses_2', ...call },
  ])
  const away = await bfs(['mcp'], { env, input: '{"jsonrpc":"2.0","id":"x","method":"tools/list"}' })
  expect(JSON.parse(away.stdout)).toEqual({ jsonrpc: '2.0', id: 'x', error: { code: -32603, message: 'HTTP 500' } })
  expect((await bfs(['mcp'], { env: { BFS_BASE_URL: url } })).code).toBe(3)
})
