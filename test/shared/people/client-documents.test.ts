/** Descriptions of OAuth clients as they are published: which can be connected, and why others cannot. */
import { expect, test } from 'vitest'
import { api } from '../../support/api.ts'
import { describedClient, signedIn } from '../../support/identity/oauth.ts'

const { boss } = await signedIn()

const read = ({ client_id, redirect_uri }: Awaited<ReturnType<typeof describedClient>>) =>
  api('GET', `/me/authorizations/client?${new URLSearchParams({ client_id, redirect_uri }).toString()}`, {
    token: boss.token,
  })

const BY_KEY = { token_endpoint_auth_method: 'private_key_jwt' }

/** Members beside the id and the addresses, as ChatGPT publishes them. */
const OF_CHATGPT = {
  ...BY_KEY,
  client_uri: 'https://chatgpt.com/',
  token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  client_name: 'ChatGPT',
  token_endpoint_auth_signing_alg: 'RS256',
  jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
}

test('a client that prefers a key, and can do without, is connected', async () => {
  expect(await read(await describedClient(OF_CHATGPT))).toMatchObject({ status: 200, body: { name: 'ChatGPT' } })
})

test.each([
  ['names no method', {}],
  ['names none', { token_endpoint_auth_method: 'none' }],
  ['names none, and lists nothing', { token_endpoint_auth_method: 'none', token_endpoint_auth_methods_supported: [] }],
  ['has a method of null', { token_endpoint_auth_method: null, token_endpoint_auth_methods_supported: null }],
  ['lists none last', { ...BY_KEY, token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'] }],
])('a client that %s can be connected', async (_, more) => {
  expect(await read(await describedClient(more))).toMatchObject({ status: 200, body: { name: 'Books agent' } })
})

test('a client whose name is null has that of its host', async () => {
  const client = await describedClient({ client_name: null })
  expect(await read(client)).toMatchObject({ status: 200, body: { name: new URL(client.client_id).host } })
})

test.each([
  ['needs_none', 'prefers a secret', { token_endpoint_auth_method: 'client_secret_post' }],
  ['needs_none', 'prefers a key', BY_KEY],
  ['needs_none', 'lists no way without', { ...BY_KEY, token_endpoint_auth_methods_supported: ['private_key_jwt'] }],
  ['needs_none', 'lists nothing', { ...BY_KEY, token_endpoint_auth_methods_supported: [] }],
  ['needs_none', 'lists null', { ...BY_KEY, token_endpoint_auth_methods_supported: null }],
  ['client_description', 'has a method that is no text', { token_endpoint_auth_method: 7 }],
  ['client_description', 'lists a text', { token_endpoint_auth_methods_supported: 'none' }],
  ['client_description', 'has no addresses', { redirect_uris: null }],
])('%s: a client that %s', async (reason, _, more) => {
  const { status, body } = await read(await describedClient(more))
  expect([status, body.error.type, body.error.details.reason]).toEqual([422, 'client_not_usable', reason])
})
