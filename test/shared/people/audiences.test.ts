/** Audiences of tokens (RFC 8707): each token of a delegate × each resource, by every way to a token. */
import { describe, expect, test } from 'vitest'
import { config } from '../../../platform/config.ts'
import { delegateOf, exchange, tokenBy } from '../../support/identity/delegates.ts'
import {
  COMMAND_LINE,
  authorizeUrl,
  coded,
  newVerifier,
  reads,
  signedIn,
  tokenOfCode,
  walk,
} from '../../support/identity/oauth.ts'
import { post } from '../../support/mcp/client.ts'
import { purgeExpired } from '../../../services/maintenance/purge.ts'
import { api, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { mailsTo } from '../../support/identity/identity.ts'

const SERVICE = config.publicUrl
/** Resources with the doors that a token for each of them opens. */
const RESOURCES: Readonly<Record<string, readonly string[]>> = {
  [SERVICE]: ['api', 'mcp'],
  [`${SERVICE}/`]: ['api', 'mcp'],
  [`${SERVICE}/api/v1`]: ['api'],
  [`${SERVICE}/mcp`]: ['mcp'],
}
const NOTHING = ''
const NAMED = [NOTHING, ...Object.keys(RESOURCES)]
const doorsOf = (resource: string): readonly string[] => RESOURCES[resource || SERVICE]!

/** Tries a token at both doors; lists those that opened. */
async function opened(token: string, organizationId: string): Promise<string[]> {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'balances', arguments: {} } }
  const authorization = `Bearer ${token}`
  const [listed, called] = [await post(list, { authorization }), await post(call, { authorization })]
  const atMcp = [listed.status, called.status, called.body?.result?.isError ?? false]
  const api = await reads(token, organizationId)
  expect([200, 401]).toContain(api)
  expect([
    [200, 200, false],
    [401, 401, false],
  ]).toContainEqual(atMcp)
  return [...(api === 200 ? ['api'] : []), ...(listed.status === 200 ? ['mcp'] : [])]
}

/** Doors of a token that is asked for under a grant; `invalid_target` beyond the grant. */
const expectedOf = (granted: readonly string[], asked: string) => {
  const wanted = asked === NOTHING ? granted : doorsOf(asked)
  return wanted.every((door) => granted.includes(door)) ? [...wanted] : 'invalid_target'
}

describe.each(NAMED)('a grant for the resource "%s"', (resource) => {
  test.each(NAMED)('gives tokens for "%s" if it covers that, by its code and by its refresh tokens', async (asked) => {
    const { boss, organizationId } = await signedIn()
    const doorsAt = async ({ status, body }: Awaited<ReturnType<typeof tokenBy>>) =>
      status === 200 ? await opened(body.access_token, organizationId) : body.error
    const verifier = newVerifier()
    const url = authorizeUrl(COMMAND_LINE, verifier, { resource })
    const lead = await walk(boss, url, { organization_id: organizationId })
    const named = asked === NOTHING ? {} : { resource: asked }
    const expected = expectedOf(doorsOf(resource), asked)
    const first = await tokenOfCode(lead, verifier, COMMAND_LINE, named)
    expect(await doorsAt(first)).toEqual(expected)
    const again = first.status === 200 ? first : await tokenOfCode(lead, verifier, COMMAND_LINE) // it is still good
    const form = { grant_type: 'refresh_token', client_id: 'bfs', refresh_token: again.body.refresh_token }
    const next = await tokenBy({ ...form, ...named })
    expect(await doorsAt(next)).toEqual(expected)
    const whole = await tokenBy({ ...form, refresh_token: next.body.refresh_token ?? form.refresh_token })
    expect(await doorsAt(whole)).toEqual([...doorsOf(resource)])
  })
})

test('the secret of a delegate gives tokens for what is asked, and is itself good for agents alone', async () => {
  const { boss, organizationId } = await signedIn()
  const { secret } = await delegateOf(boss, organizationId)
  for (const asked of NAMED) {
    const { body } = await tokenBy({
      grant_type: 'client_credentials',
      client_secret: secret,
      ...(asked && { resource: asked }),
    })
    expect(await opened(body.access_token, organizationId), asked).toEqual([...doorsOf(asked)])
  }
  expect(await opened(secret, organizationId)).toEqual(['mcp'])
})

test.each([
  'https://other.example/mcp',
  `${SERVICE}/elsewhere`,
  `${SERVICE}/mcp/`,
  `${SERVICE}.evil.example`,
  'mcp',
  '//',
])('there is no token for %s', async (resource) => {
  const { boss, organizationId } = await signedIn()
  const { secret } = await delegateOf(boss, organizationId)
  const form = { grant_type: 'client_credentials', client_secret: secret, resource }
  expect(await tokenBy(form)).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
})

const endOf = async (organizationId: string): Promise<string | null> => {
  const [row] = await owner<{ end_reason: string | null }[]>`
    select end_reason from delegates where organization_id = ${organizationId}`
  return row?.end_reason ?? null
}

async function connected() {
  const { boss, organizationId, verifier, lead } = await coded()
  const { body } = await tokenOfCode(lead, verifier, COMMAND_LINE)
  const refresh = (token: string, client_id = 'bfs') =>
    tokenBy({ grant_type: 'refresh_token', refresh_token: token, client_id })
  return { boss, organizationId, first: body.refresh_token, token: body.access_token, refresh }
}

/** Lets the ten seconds pass in which a used token gives its successor again. */
const letGracePass = (organizationId: string) => owner`
  update used_refresh_tokens set used_at = used_at - interval '10 seconds' where organization_id = ${organizationId}`

test('a refresh token is replaced at each use; for ten seconds a used one gives the same successor, whatever came since', async () => {
  const { organizationId, first, refresh } = await connected()
  const atOnce = await Promise.all(Array.from({ length: 8 }, () => refresh(first)))
  expect(atOnce.map(({ status }) => status)).toEqual(atOnce.map(() => 200))
  const successors = new Set(atOnce.map(({ body }) => body.refresh_token))
  expect([successors.size, successors.has(first)]).toEqual([1, false])
  for (const { body } of atOnce) expect(await reads(body.access_token, organizationId)).toBe(200)
  const [second = ''] = successors
  const third = (await refresh(second)).body.refresh_token
  const fourth = (await refresh(third)).body.refresh_token
  expect(new Set([first, second, third, fourth]).size).toBe(4)
  expect((await refresh(first)).body.refresh_token).toBe(second)
  expect((await refresh(second)).body.refresh_token).toBe(third)
  await letGracePass(organizationId)
  expect((await refresh(fourth)).status).toBe(200) // unused, at any age
  expect(await endOf(organizationId)).toBeNull()
})

// each turn is a holder of the same token who renews what they have; '=' is at once, else the grace passes before
test.each(['to', 'ot', 'tto', 'oot', 'ttto', 'oooot', 't=oto', 't=oot', 'o=tto', 'o=ttttto'])(
  'two holders of one refresh token, in the turns %s: the last one ends the delegate, and its person is told',
  async (turns) => {
    const { boss, organizationId, first, token, refresh } = await connected()
    const held: Record<string, string> = { t: first, o: first }
    const tokens = [token]
    for (const [place, holder] of turns.split('').entries()) {
      if (holder === '=') continue
      expect(await endOf(organizationId)).toBeNull()
      const { status, body } = await refresh(held[holder]!)
      if (place === turns.length - 1) expect([status, body.error]).toEqual([400, 'invalid_grant'])
      else tokens.push(body.access_token)
      held[holder] = body.refresh_token
      if (turns[place + 1] !== '=') await letGracePass(organizationId)
    }
    expect(await endOf(organizationId)).toBe('refresh_token_replayed')
    for (const one of tokens) expect(await reads(one, organizationId)).toBe(401)
    for (const one of Object.values(held)) if (one) expect((await refresh(one)).body.error).toBe('invalid_grant')
    const { body } = await api('GET', '/me/security-events?type=delegate.ended', { token: boss.token })
    expect(body.data.map(({ details }: { details: object }) => details)).toEqual([
      { delegate: expect.any(String), name: 'Command line (bfs)', reason: 'refresh_token_replayed' },
    ])
    const mails = (await mailsTo(boss.email)).filter(({ subject }) => subject === 'A delegate of yours was ended')
    expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('Command line (bfs)')])
  },
)

test('a refresh token is of one client, and ends with the delegate', async () => {
  const { boss, first, refresh } = await connected()
  expect((await refresh(first, 'http://127.0.0.1:1/client.json')).body.error).toBe('invalid_grant')
  const [made] = (await api('GET', '/me/delegates', { token: boss.token })).body.data
  await api('DELETE', `/me/delegates/${made.id}`, { token: boss.token })
  expect((await refresh(first)).body.error).toBe('invalid_grant')
})

test('a refresh token is no secret that a person made by hand, which stays as it is', async () => {
  const { boss, payer } = await payerAndPayee()
  const { secret } = await delegateOf(boss, payer.id)
  const refresh = { grant_type: 'refresh_token', refresh_token: secret, client_id: 'bfs' }
  expect((await tokenBy(refresh)).body.error).toBe('invalid_grant')
  expect([(await exchange(secret)).status, (await exchange(secret)).status]).toEqual([200, 200])
})

test('used refresh tokens are kept while their delegate lives, and forgotten when it is over', async () => {
  const [over, live] = [await connected(), await connected()]
  for (const { organizationId, first, refresh } of [over, live]) {
    await refresh(first)
    await letGracePass(organizationId)
  }
  await over.refresh(over.first)
  await purgeExpired(1)
  const kept = await owner`
    select organization_id from used_refresh_tokens where organization_id in (${over.organizationId}, ${live.organizationId})`
  expect(kept.map(({ organization_id: id }) => id)).toEqual([live.organizationId])
  await live.refresh(live.first)
  expect(await endOf(live.organizationId)).toBe('refresh_token_replayed')
})

test('a refresh token is no secret of a client, and no bearer of an agent, which is told what it is', async () => {
  const { organizationId, first, refresh } = await connected()
  const next = (await refresh(first)).body.refresh_token
  for (const secret of [first, next]) {
    const answer = await exchange(secret)
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client'])
    const called = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { authorization: `Bearer ${secret}` })
    expect([called.status, called.body.error]).toEqual([401, 'invalid_token'])
    expect(called.body.error_description).toMatch(/refresh token.*\/oauth\/token/)
  }
  const { status, body } = await refresh(next)
  expect([status, await reads(body.access_token, organizationId)]).toEqual([200, 200])
})
