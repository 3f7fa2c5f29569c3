/** Surroundings of the command that fail: certificates, redirects, proxies, files, folders. Each has its sentence. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, openSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { type RequestListener, createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { fileOf } from '../../../clients/cli/src/config.ts'
import { bfs, home, memoryKeyring } from '../../support/cli/terminal.ts'
import { CERTIFICATE, CERTIFICATE_KEY, CERTIFICATE_NAME } from '../../support/webhooks/certificate.ts'

const BINARY = resolve('clients/cli/bin/bfs.js')
const NODE_24 = ['x64', 'arm64'].map((one) => resolve(`node_modules/node-linux-${one}/bin/node`)).find(existsSync)
const ID = '00000000-0000-4000-8000-000000000001'
const READ = ['payments', 'get', ID]

/** Serves over TLS until the test is over, under a certificate that nobody signed; answers its port. */
async function serveTls(listener: RequestListener): Promise<number> {
  const server = createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port // listens on TCP
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // listens on TCP
}

test('a certificate that is not trusted is named, and the request is not repeated', async () => {
  let asked = 0
  const port = await serveTls(() => (asked += 1))
  const env = { BFS_TOKEN: 'ses_x', BFS_BASE_URL: `https://127.0.0.1:${port}` }
  for (const args of [READ, ['status'], ['me', 'get']])
    expect(await bfs(args, { env })).toEqual({
      code: 5,
      stdout: '',
      stderr: `The certificate of https://127.0.0.1:${port} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). NODE_EXTRA_CA_CERTS names a file with an authority of your own.\n`,
    })
  expect(asked).toBe(0)
})

test('a redirect is named, and carries no token on; an address that speaks no TLS is named', async () => {
  const tokens: string[] = []
  const far = await serve((request, response) => {
    tokens.push(String(request.headers.authorization))
    response.end('{}')
  })
  let asked = 0
  const base = await serve((request, response) => {
    asked += 1
    response.writeHead(308, { location: `${far}${request.url}` }).end()
  })
  const redirected = `${base} redirects to another address, which gets no token. Name that one: --base-url\n`
  for (const env of [{ BFS_TOKEN: 'ses_x' }, { BFS_SECRET: 'x' }])
    expect(await bfs(READ, { env: { ...env, BFS_BASE_URL: base } })).toMatchObject({ code: 5, stderr: redirected })
  expect([asked, tokens]).toEqual([2, []])
  const secure = base.replace('http:', 'https:')
  const { code, stderr } = await bfs(READ, { env: { BFS_TOKEN: 'ses_x', BFS_BASE_URL: secure } })
  expect([code, stderr]).toEqual([5, expect.stringMatching(/does not speak TLS \(ERR_SSL_\w+\)/)])
})

test('the token goes to the program of the base path alone: in commands, sign-in and the bridge of agents', async () => {
  const paths: string[] = []
  const origin = await serve((request, response) => {
    paths.push(String(request.url))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ access_token: 't', expires_in: 60, data: [], next_cursor: null }))
  })
  const env = { BFS_BASE_URL: `${origin}/finance/`, XDG_CONFIG_HOME: (await home())['XDG_CONFIG_HOME'] ?? '' }
  const keyring = memoryKeyring()
  await bfs(['login', '--secret'], { env, input: 'secret', keyring })
  await bfs(READ, { env: { ...env, BFS_TOKEN: 't' } })
  await bfs(['mcp'], { env: { ...env, BFS_TOKEN: 't' }, input: '{"id":1,"method":"tools/list"}\n' })
  await bfs(['logout'], { env, keyring })
  const asked = ['oauth/token', `api/v1/payments/${ID}`, 'mcp', 'api/v1/auth/sign-out']
  expect(paths).toEqual(asked.map((path) => `/finance/${path}`))
  const pages: string[] = []
  await bfs(['approve', ID], { env: { ...env, BFS_TOKEN: 't' }, openPage: (page) => pages.push(page), tty: true })
  const end = new AbortController()
  const openPage = (page: string) => {
    pages.push(page.split('?')[0] ?? '')
    end.abort()
  }
  await bfs(['login'], { env, keyring, openPage, signal: end.signal })
  expect(pages).toEqual([`${origin}/finance/approve/${ID}`, `${origin}/finance/authorize`])
})

/** Runs the real command; answers its exit code and its words. */
async function binary(args: readonly string[], env: Readonly<Record<string, string>>, node = process.execPath) {
  const { PATH = '' } = process.env
  const ran = promisify(execFile)(node, [BINARY, ...args], { env: { PATH, ...env }, cwd: env['PWD'] })
  const { code = 0, stdout, stderr } = (await ran.catch((error) => error)) as Awaited<typeof ran> & { code?: number }
  return { code, stdout, stderr }
}

test.skipIf(!NODE_24)(
  'a proxy carries the request to a host of its own authority; this machine is asked directly',
  async () => {
    const asked: string[] = []
    const answer: RequestListener = (request, response) => {
      asked.push(`${request.headers.host} ${request.url}`)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"found"}')
    }
    const port = await serveTls(answer)
    const near = await serve(answer)
    const proxy = createServer().listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    onTestFinished(() => void proxy.close())
    const connected: string[] = []
    proxy.on('connect', (request, socket) => {
      connected.push(String(request.url))
      const far = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
      socket
        .pipe(far)
        .pipe(socket)
        .on('error', () => {})
    })
    const own = await home()
    const authority = join(own['XDG_CONFIG_HOME'] ?? '', 'authority.pem')
    writeFileSync(authority, CERTIFICATE)
    const env = {
      ...own,
      BFS_TOKEN: 'ses_x',
      HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, // listens on TCP
      HTTP_PROXY: 'http://127.0.0.1:9',
      NODE_EXTRA_CA_CERTS: authority,
    }
    const base = `https://${CERTIFICATE_NAME}/finance`
    expect(await binary(READ, { ...env, BFS_BASE_URL: base }, NODE_24)).toMatchObject({ code: 0, stderr: '' })
    expect(await binary(READ, { ...env, BFS_BASE_URL: near }, NODE_24)).toMatchObject({ code: 0, stderr: '' })
    expect(connected).toEqual([`${CERTIFICATE_NAME}:443`])
    expect(asked).toEqual([
      `${CERTIFICATE_NAME} /finance/api/v1/payments/${ID}`,
      `${new URL(near).host} /api/v1/payments/${ID}`,
    ])
    const wrong = await binary(READ, { ...env, HTTPS_PROXY: 'nowhere' }, NODE_24)
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/^HTTPS_PROXY is no address of a proxy/) })
  },
)

const BROKEN = ['', '{', '[]', 'null', '"text"', '7', '{"base_url": 7}', '{"organization_id": {}}', '\u0000']

test.each(BROKEN)('settings that are %j are named in a sentence, and left as they are', async (content) => {
  const own = await home()
  const folder = join(own['XDG_CONFIG_HOME'] ?? '', 'bfs')
  mkdirSync(folder)
  const file = join(folder, 'config.json')
  writeFileSync(file, content)
  for (const args of [READ, ['status'], ['use', ID], ['login', '--secret'], ['logout']]) {
    const { code, stdout, stderr } = await bfs(args, { env: { ...own, BFS_TOKEN: 't' }, input: 's' })
    expect([code, stdout], stderr).toEqual([2, ''])
    expect(stderr).toMatch(new RegExp(`^${file}.+(is broken|is no text).+\n$`))
  }
  expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['config.json'], content])
})

test.each(['{', '[]', '{"BASE": 7}', '{"BASE": {"secret": 7}}', '{"BASE": {"secret": "s", "grant": "x"}}'])(
  'a kept sign-in that is %j is named in a sentence without what it holds',
  async (content) => {
    const own = await home()
    const folder = join(own['XDG_CONFIG_HOME'] ?? '', 'bfs')
    mkdirSync(folder)
    writeFileSync(join(folder, 'secrets.json'), content.replace('BASE', own['BFS_BASE_URL'] ?? ''))
    const { code, stderr } = await bfs(READ, { env: own })
    expect(code, stderr).toBe(2)
    expect(stderr).toMatch(/^(What is kept in )?\S+secrets\.json is broken.+\n$/)
  },
)

test.each([
  { HOME: '' },
  { HOME: '', XDG_CONFIG_HOME: '' },
  { HOME: 'here', XDG_CONFIG_HOME: 'there' },
  { HOME: '.', XDG_CONFIG_HOME: '.' },
])('%j: secrets are kept in the folder of the user, never where the command runs', (env) => {
  expect(fileOf({ env }, 'secrets.json')).toBe(join(userInfo().homedir, '.config/bfs/secrets.json'))
})

test('an answer that cannot be written ends with a sentence and an exit code of its own', async () => {
  const env = { ...(await home()) }
  const full = openSync('/dev/full', 'w')
  for (const stdio of [
    ['ignore', full, 'pipe'],
    ['ignore', 'pipe', full],
  ] as const) {
    const child = spawn(process.execPath, [BINARY, stdio[1] === full ? '--help' : 'nonsense'], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: [...stdio],
    })
    const [said, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'exit')])
    expect(code).toBe(6)
    expect(said).toBe(
      stdio[1] === full ? 'The answer could not be written: ENOSPC: no space left on device, write\n' : '',
    )
  }
})
