/** Sign-in of the command at the real service: a page, tokens that are renewed, several commands at once; and agents. */
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { api, baseUrl, organization, payerAndPayee, person } from '../../support/api.ts'
import { bfs, home, memoryKeyring } from '../../support/cli/terminal.ts'
import { owner } from '../../support/database.ts'
import { delegateOf } from '../../support/identity/delegates.ts'
import { walk } from '../../support/identity/oauth.ts'

/** Signs a person in by the page, as a browser does. */
async function signedIn(name: string) {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss, name)
  const [own, keyring] = [await home(), memoryKeyring()]
  const openPage = (page: string) => {
    const { pathname, search } = new URL(page)
    void walk(boss, pathname + search, { organization_id: id, access: 'prepare' }).then((back) => fetch(back))
  }
  const run = (...args: string[]) => bfs(args, { env: own, keyring })
  const kept = () => JSON.parse(keyring.entries.get(baseUrl) ?? '{}') as { secret: string; token: string }
  /** Keeps the credential of another moment, as a process that read it then. */
  const keep = (credential: object) => keyring.write(baseUrl, JSON.stringify(credential))
  const endSession = () => api('POST', '/auth/sign-out', { token: kept().token })
  const login = await bfs(['login'], { env: own, keyring, openPage })
  return { boss, id, own, keyring, run, kept, keep, endSession, login }
}

test('a person signs in on the page, with the organization that they chose; a token that ended is renewed', async () => {
  const { id, run, kept, endSession, login } = await signedIn('Kept Ltd')
  expect(login, login.stderr).toMatchObject({ code: 0, stdout: '' })
  expect(login.stderr).toContain(`Commands are for Kept Ltd (${id}).`)
  const first = kept()
  expect((await run('payments', 'list')).code).toBe(0)
  expect(kept()).toEqual(first)
  for (const _ of ['once', 'and again']) {
    const before = kept()
    await endSession()
    const ran = await run('payments', 'list')
    expect(ran.code, ran.stderr).toBe(0)
    expect(kept()).not.toMatchObject({ secret: before.secret })
    expect(kept()).not.toMatchObject({ token: before.token })
  }
})

test('the status says which organization, what access and until when, without a choice made here', async () => {
  const { boss, id, own, keyring } = await signedIn('Status Ltd')
  const { BFS_BASE_URL = '', XDG_CONFIG_HOME = '' } = own
  await writeFile(`${XDG_CONFIG_HOME}/bfs/config.json`, JSON.stringify({ base_url: BFS_BASE_URL }))
  const { stdout } = await bfs(['status'], { env: own, keyring })
  const [made] = (await api('GET', '/me/delegates', { token: boss.token })).body.data
  expect(JSON.parse(stdout)).toMatchObject({
    organization_id: id,
    organization: 'Status Ltd',
    delegate: 'Command line (bfs)',
    access: 'prepare',
    ends_at: made.expires_at,
  })
  const person = await bfs(['status'], { env: { ...own, BFS_TOKEN: boss.token, BFS_ORGANIZATION: id } })
  expect(JSON.parse(person.stdout)).toMatchObject({ organization_id: id, access: null, ends_at: null, role: 'owner' })
})

test('commands that renew at once share one new token, and leave the sign-in and no lock', async () => {
  const { id, own, run, endSession } = await signedIn('Crowd Ltd')
  for (const _ of ['once', 'and again']) {
    await endSession()
    const ran = await Promise.all([1, 2, 3, 4].map(() => run('payments', 'list')))
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  }
  const opened = await owner`
    select from sessions s join delegates d on d.id = s.delegate_id where d.organization_id = ${id}`
  expect(opened).toHaveLength(3) // of the sign-in, and of two renewals
  expect(await readdir(`${own['XDG_CONFIG_HOME']}/bfs`)).toEqual(['config.json'])
})

test('a command that ended between the answer and the keyring costs nothing if it begins again at once', async () => {
  const { run, kept, keep, endSession } = await signedIn('Crash Ltd')
  const before = kept()
  await endSession()
  expect((await run('payments', 'list')).code).toBe(0)
  keep(before)
  expect((await run('payments', 'list')).code).toBe(0)
  await endSession()
  expect((await run('payments', 'list')).code).toBe(0)
})

test('a command whose refresh token is refused takes the one that another command kept meanwhile', async () => {
  const { own, keyring, run, kept, endSession } = await signedIn('Race Ltd')
  await endSession()
  const former = JSON.stringify({ ...kept(), secret: 'dlg_of_a_former_sign_in' })
  let stale = 3 // at its begin, when its token is refused, and under the lock
  const racing = { ...keyring, read: (account: string) => (stale-- > 0 ? former : keyring.read(account)) }
  const ran = await bfs(['payments', 'list'], { env: own, keyring: racing })
  expect([ran.code, stale], ran.stderr).toEqual([0, -1])
  expect((await run('payments', 'list')).code).toBe(0)
})

test('a command whose answer is lost on its way asks again at once, and stays signed in', async () => {
  const { run, kept, endSession } = await signedIn('Lost Ltd')
  await endSession()
  const { secret } = kept()
  const real = globalThis.fetch
  let lost = 0
  const losing = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const answer = await real(input, init)
    if (input !== `${baseUrl}/oauth/token` || lost > 0) return answer
    lost += 1
    throw new TypeError('fetch failed')
  })
  try {
    expect((await run('payments', 'list')).code).toBe(0)
  } finally {
    losing.mockRestore()
  }
  expect([lost, kept().secret === secret]).toEqual([1, false])
  await endSession()
  expect((await run('payments', 'list')).code).toBe(0)
})

test('a lock that a killed command left is broken', async () => {
  const { own, run, endSession } = await signedIn('Killed Ltd')
  const lock = `${own['XDG_CONFIG_HOME']}/bfs/sign-in.lock`
  await writeFile(lock, '')
  const before = Date.now() / 1000 - 41
  await utimes(lock, before, before)
  await endSession()
  expect((await run('payments', 'list')).code).toBe(0)
})

test('a delegate that was ended is signed out, in words', async () => {
  const { id, run } = await signedIn('Ended Ltd')
  await owner`update delegates set ended_at = business_now(), end_reason = 'left' where organization_id = ${id}`
  const ran = await run('payments', 'list')
  expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining('Sign in again: bfs login')])
})

test('an agent that starts the command as its server lists the tools of the service, and calls one', async () => {
  const { boss, payer } = await payerAndPayee('100.00')
  const { secret } = await delegateOf(boss, payer.id, { kind: 'agent' })
  const lines = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'agent', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'balances', arguments: {} } },
  ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
  const ran = await bfs(['mcp'], { env: { BFS_SECRET: secret }, input: lines.join('\n') })
  expect([ran.code, ran.stderr]).toEqual([0, ''])
  const answers = ran.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const resultOf = (id: number) => answers.find((one) => one.id === id)?.result
  expect(answers).toHaveLength(3)
  expect(resultOf(1)).toMatchObject({ protocolVersion: '2025-06-18' })
  expect(resultOf(2).tools.map(({ name }: { name: string }) => name)).toContain('balances')
  const { body } = await api('GET', `/organizations/${payer.id}/balances`, { token: boss.token })
  expect(resultOf(3).structuredContent.data).toEqual(body.data)
})
