/** Audiences of tokens (RFC 8707): each token of a delegate × each resource, by every way to a token. */
import { describe, expect, test } from 'vitest'
import { config } from '../../../platform/config.ts'
import { delegateOf, tokenBy } from '../../support/identity/delegates.ts'
import {
  COMMAND_LINE,
  authorizeUrl,
  newVerifier,
  reads,
  signedIn,
  tokenOfCode,
  walk,
} from '../../support/identity/oauth.ts'
import { post } from '../../support/mcp/client.ts'

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
