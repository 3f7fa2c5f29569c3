/** Commands that call one operation: golden outputs of terminal and pipe, dry runs, exit codes. */
import { readFile, stat } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeOutput } from '../../../clients/cli/src/output.ts'
import { OPERATION_COMMANDS } from '../../../clients/cli/src/operation-commands.ts'
import { api, baseUrl, organization, person, type TestPerson } from '../../support/api.ts'
import { bfs, home, memoryKeyring, steady, transcript } from '../../support/cli/terminal.ts'
import { delegateOf } from '../../support/identity/delegates.ts'
import { everyNth } from '../../support/model-runs.ts'

let boss: TestPerson
let env: Readonly<Record<string, string>>
let contactId: string
beforeAll(async () => {
  boss = await person({ authenticator: true })
  const { id } = await organization(boss, 'Example Ltd')
  env = { BFS_TOKEN: boss.token, BFS_ORGANIZATION: id }
  for (const name of ['Zeta', 'Supplier']) {
    const made = await bfs(['payment-contacts', 'create', '--name', name, '--type', 'business', '--tag', 'vendor'], {
      env,
    })
    expect(made.code, made.stderr).toBe(0)
    contactId = JSON.parse(made.stdout).id
  }
})

const golden = (name: string) => `golden/${name}.txt`

test.each([
  ['list-terminal', true, ['payment-contacts', 'list']],
  ['list-pipe', false, ['payment-contacts', 'list']],
  ['list-all-terminal', true, ['payment-contacts', 'list', '--limit', '1', '--all']],
  ['list-more-terminal', true, ['payment-contacts', 'list', '--limit', '1']],
  ['list-empty-terminal', true, ['bills', 'list']],
  ['json-terminal', true, ['--json', 'payment-contacts', 'list', '--limit', '1']],
  ['refused-terminal', true, ['payments', 'get', '00000000-0000-7000-8000-000000000000']],
  ['invalid-terminal', true, ['payments', 'list', '--from', 'yesterday']],
  ['usage-terminal', true, ['payment-contacts', 'create', '--name', 'Nobody']],
  ['help-terminal', true, ['payment-contacts', 'create', '--help']],
])('%s', async (name, tty, args) => {
  await expect(transcript(args, await bfs(args, { env, tty }))).toMatchFileSnapshot(golden(name))
})

test('one thing is shown line by line on a terminal, and as the JSON of the API in a pipe', async () => {
  const args = ['payment-contacts', 'get', contactId]
  await expect(transcript(args, await bfs(args, { env, tty: true }))).toMatchFileSnapshot(golden('get-terminal'))
  const { stdout } = await bfs(args, { env })
  const answer = await api('GET', `/payment-contacts/${contactId}`, boss)
  expect(stdout).toBe(`${JSON.stringify(answer.body)}\n`)
})

test('what others wrote moves no cursor, hides no line and turns no direction on a terminal', () => {
  const hostile = { id: '1', name: 'Supplier\u001b[2J\u202eevil\u0007\r\nnext', 'key\u009b': 'a\u2028b\u200bc' }
  for (const asJson of [false, true]) {
    let written = ''
    const sink = { isTTY: true, columns: 100, write: (chunk: string | Uint8Array) => (written += String(chunk)) }
    const output = makeOutput(sink, sink, asJson)
    output.answer(JSON.stringify(hostile), hostile)
    output.answer(JSON.stringify({ data: [hostile], next_cursor: null }), { data: [hostile], next_cursor: null })
    output.line(hostile.name)
    output.say(hostile.name)
    // oxlint-disable-next-line no-control-regex
    expect(written).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u2028\u202e]/)
    if (asJson) expect(JSON.parse(written.split('\n')[0] ?? '')).toEqual(hostile)
  }
})

test('all pages go into a pipe as they came, a line each', async () => {
  const { stdout } = await bfs(['payment-contacts', 'list', '--limit', '1', '--all'], { env })
  const pages = stdout.trimEnd().split('\n')
  expect(pages.map((page) => JSON.parse(page).data.length)).toEqual([1, 1])
})

describe('a dry run', () => {
  test.each([
    ['dry-run-query', ['payments', 'list', '--status', 'failed', '--limit', '5']],
    [
      'dry-run-body',
      // the command line wins over the body, and a key is sent as it is given
      [
        'payment-contacts',
        'create',
        '--data',
        '{"name":"A","type":"individual"}',
        '--name',
        'B',
        '--idempotency-key',
        'k',
      ],
    ],
    [
      'dry-run-money',
      ['payments', 'preflight', '--payment-contact-id', 'c', '--amount', '10.00 EUR', '--side', 'landing'],
    ],
    ['dry-run-pay', ['pay', 'c', '10.00', 'eur', '--reason', 'services', '--description', 'Invoice 1', '--yes']],
  ])('%s prints the request without its secret, and sends nothing', async (name, args) => {
    const ran = await bfs(['--dry-run', '--base-url', 'http://127.0.0.1:9', ...args], {
      env: { BFS_ORGANIZATION: 'org' },
    })
    await expect(transcript(['--dry-run', ...args], ran)).toMatchFileSnapshot(golden(name))
  })

  test('of each operation names its method and path', async () => {
    const wrong: string[] = []
    const document = JSON.parse(await readFile('openapi.json', 'utf8'))
    const requests = new Map<string, string>()
    for (const [path, methods] of Object.entries<Record<string, { operationId: string }>>(document.paths))
      for (const [method, { operationId }] of Object.entries(methods))
        requests.set(operationId, `${method.toUpperCase()} ${baseUrl}${path.replaceAll(/\{\w+\}/g, 'x')}`)
    for (const { noun, verb, operation, path, fields, key, takesBody, takesFile } of everyNth(OPERATION_COMMANDS, 4)) {
      const required = fields
        .filter((one) => one.required)
        .map(({ name, kind }) => [name, kind === 'money' ? {} : 'x'] as const)
      const args = [
        '--dry-run',
        '--org',
        'x',
        noun,
        verb,
        ...path.map(() => 'x'),
        ...(required.length > 0 && takesBody ? ['--data', JSON.stringify(Object.fromEntries(required))] : []),
        ...(!takesBody ? required.flatMap(([name]) => [`--${name.replaceAll('_', '-')}`, 'x']) : []),
        ...(key === 'required' ? ['--idempotency-key', 'x'] : []),
        ...(takesFile ? ['--file', 'package.json'] : []),
      ]
      const { stdout, stderr } = await bfs(args, { env })
      const [first = ''] = stdout.split(/[?\n]/)
      if (first !== requests.get(operation)) wrong.push(`${operation}: ${first} ${stderr}`)
    }
    expect(wrong).toEqual([])
  })
})

test.each<[string, number, readonly string[], Readonly<Record<string, string>>]>([
  ['done', 0, ['reference', 'list-currencies'], {}],
  ['refused', 1, ['payments', 'get', '00000000-0000-7000-8000-000000000000'], {}],
  ['refused: a person has to prove that they are there', 1, ['me', 'create-recovery-codes'], {}],
  ['usage: an unknown command', 2, ['pyaments'], {}],
  ['usage: a word that is none of the choices', 2, ['payments', 'list', '--status', 'lost'], {}],
  ['usage: a key that money needs', 2, ['payments', 'create'], {}],
  ['usage: a dry run of what is no request', 2, ['--dry-run', 'logout'], {}],
  ['usage: secrets without encryption', 2, ['--base-url', 'http://example.com', 'status'], {}],
  ['not signed in', 3, ['payments', 'list'], { BFS_TOKEN: '' }],
  ['not signed in: the session has ended', 3, ['payments', 'list'], { BFS_TOKEN: 'ses_unknown' }],
  ['unavailable', 5, ['payments', 'list'], { BFS_BASE_URL: 'http://127.0.0.1:9' }],
])('exit code: %s', async (_, code, args, more) => {
  const ran = await bfs(args, { env: { ...env, ...more } })
  expect(ran, ran.stderr).toMatchObject({ code })
  if (code !== 0) expect(ran.stdout).toBe('')
})

test('a delegate signs in by its secret, which no argument, file or output has; its tokens are reused', async () => {
  const made = await delegateOf(boss, env['BFS_ORGANIZATION'] ?? '')
  const [keyring, own] = [memoryKeyring(), await home()]
  const signedIn = await bfs(['login', '--secret'], { env: own, input: `${made.secret}\n`, keyring })
  expect(signedIn, signedIn.stderr).toMatchObject({ code: 0, stdout: '' })
  expect(signedIn.stderr).not.toContain(made.secret)
  const before = keyring.entries.get(baseUrl)
  expect(JSON.parse(before ?? '{}').secret).toBe(made.secret)
  const status = await bfs(['status'], { env: own, keyring, tty: true })
  await expect(transcript(['status'], status)).toMatchFileSnapshot(golden('status-terminal'))
  expect((await bfs(['payments', 'list'], { env: own, keyring })).code).toBe(0)
  expect(keyring.entries.get(baseUrl)).toBe(before)
  await api('POST', '/auth/sign-out', { token: JSON.parse(before ?? '{}').token })
  expect((await bfs(['payments', 'list'], { env: own, keyring })).code).toBe(0) // with a new token
  expect((await bfs(['logout'], { env: own, keyring })).code).toBe(0)
  expect(keyring.entries.size).toBe(0)
  expect((await bfs(['status'], { env: own, keyring })).code).toBe(3)
})

test('without a keyring a secret is kept only by a loud choice, and in a file of its user alone', async () => {
  const made = await delegateOf(boss, env['BFS_ORGANIZATION'] ?? '')
  const own = await home()
  const input = made.secret
  const login = ['login', '--secret', '--insecure-storage']
  const refused = await bfs(['login', '--secret'], { env: own, input, tty: true })
  await expect(transcript(['login', '--secret'], withoutFolder(refused, own))).toMatchFileSnapshot(golden('no-keyring'))
  expect((await bfs(login, { env: own, input })).code).toBe(0)
  for (const name of ['config.json', 'secrets.json'])
    expect((await stat(`${own['XDG_CONFIG_HOME']}/bfs/${name}`)).mode & 0o777).toBe(0o600)
  expect((await bfs(['payments', 'list'], { env: own })).code).toBe(0)
  expect((await bfs(['payments', 'list'], { env: { ...env, BFS_TOKEN: '', BFS_SECRET: made.secret } })).code).toBe(0)
  const wrong = await bfs(login, { env: own, input: 'dlg_wrong' })
  expect(wrong.code, wrong.stderr).toBe(3)
})

const withoutFolder = <Ran extends { readonly stderr: string }>(
  ran: Ran,
  own: Readonly<Record<string, string>>,
): Ran => ({
  ...ran,
  stderr: ran.stderr.replaceAll(own['XDG_CONFIG_HOME'] ?? '', '~/.config'),
})

test('an organization is chosen by its name, for the commands that follow', async () => {
  const own = { ...(await home()), BFS_TOKEN: boss.token }
  await organization(boss, 'Second Ltd')
  expect((await bfs(['use', 'Third Ltd'], { env: own })).code).toBe(1)
  expect((await bfs(['payments', 'list'], { env: own })).code).toBe(2)
  const chosen = await bfs(['use', 'Second Ltd'], { env: own, tty: true })
  expect(steady(chosen.stderr)).toBe('Commands are for Second Ltd (00000000-0000-0000-0000-000000000001).\n')
  expect((await bfs(['payments', 'list'], { env: own })).code).toBe(0)
})

test('a shell completes nouns, verbs and options', async () => {
  const complete = async (...words: string[]) => (await bfs(['complete', '--', ...words])).stdout.split('\n')
  expect(await complete()).toEqual(expect.arrayContaining(['pay', 'listen', 'payments', 'bills']))
  expect(await complete('bills')).toEqual(expect.arrayContaining(['list', 'get']))
  expect(await complete('bills', 'list')).toEqual(expect.arrayContaining(['--status', '--all', '--json']))
  for (const shell of ['bash', 'zsh', 'fish'])
    expect((await bfs(['completion', shell])).stdout).toContain('bfs complete')
})
