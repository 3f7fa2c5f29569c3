/** Refresh tokens: replaced at each use, good for their grant and client alone, and what a copy of one brings about. */
import { expect, test } from 'vitest'
import { api, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { delegateOf, exchange, tokenBy } from '../../support/identity/delegates.ts'
import { mailsTo } from '../../support/identity/identity.ts'
import { COMMAND_LINE, coded, reads, tokenOfCode } from '../../support/identity/oauth.ts'
import { post } from '../../support/mcp/client.ts'

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

test('a refresh token is replaced at each use; the one before is good until the next is used, for a client that lost the answer', async () => {
  const { organizationId, first, refresh } = await connected()
  const lost = await refresh(first)
  const second = (await refresh(first)).body.refresh_token
  expect((await refresh(lost.body.refresh_token)).body.error).toBe('invalid_grant')
  const third = (await refresh(second)).body.refresh_token
  expect((await refresh(second)).status).toBe(200) // the answer to it may have been lost, too
  expect((await refresh(third)).body.error).toBe('invalid_grant')
  expect(await endOf(organizationId)).toBeNull()
})

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

test('a refresh token that comes after the next was used ends the delegate, and its person is told', async () => {
  const { boss, organizationId, first, token, refresh } = await connected()
  const second = (await refresh(first)).body.refresh_token
  const third = (await refresh(second)).body
  expect(await endOf(organizationId)).toBeNull()
  for (const _ of ['copy', 'the same again']) {
    const answer = await refresh(first)
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant'])
  }
  expect(await endOf(organizationId)).toBe('refresh_token_replayed')
  for (const one of [token, third.access_token]) expect(await reads(one, organizationId)).toBe(401)
  expect((await refresh(third.refresh_token)).body.error).toBe('invalid_grant')
  const { body } = await api('GET', '/me/security-events?type=delegate.ended', { token: boss.token })
  expect(body.data.map(({ details }: { details: object }) => details)).toEqual([
    { delegate: expect.any(String), name: 'Command line (bfs)', reason: 'refresh_token_replayed' },
  ])
  const mails = (await mailsTo(boss.email)).filter(({ subject }) => subject === 'A delegate of yours was ended')
  expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('Command line (bfs)')])
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
