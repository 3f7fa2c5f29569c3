import { expect, test, vi } from 'vitest'

vi.hoisted(() => Object.assign(process.env, { TRUSTED_PROXY_HOPS: '2', SANDBOX_TOKEN: 'a token of the sandbox' }))
const { callerAddress, networkOf } = await import('../../../api/http/address.ts')
const { api, person } = await import('../../support/api.ts')
const { owner } = await import('../../support/database.ts')

/** Row of a header that is not believed. */
function none(forwarded: string | undefined): [string, string | undefined, number, string] {
  return ['10.0.0.1', forwarded, 1, '10.0.0.1']
}

/** Rows: the direct address, what the caller says of itself, the proxies of ours, and the address that counts. */
test.each<[string | undefined, string | undefined, number, string]>([
  ['192.0.2.1', '198.51.100.7', 0, '192.0.2.1'],
  ['192.0.2.1', undefined, 0, '192.0.2.1'],
  [undefined, '198.51.100.7', 0, 'unknown'],
  ['10.0.0.1', '198.51.100.7', 1, '198.51.100.7'],
  ['10.0.0.1', '203.0.113.9, 198.51.100.7', 1, '198.51.100.7'],
  ['10.0.0.1', '203.0.113.9,198.51.100.7,10.0.0.2', 2, '198.51.100.7'],
  ['10.0.0.1', '::1, 127.0.0.1, 203.0.113.9 , 198.51.100.7 ,\t10.0.0.2', 2, '198.51.100.7'],
  // fewer entries than proxies, and what is no address
  ['10.0.0.1', '198.51.100.7', 2, '10.0.0.1'],
  ...[undefined, '', '198.51.100.7, ', '203.0.113.9, unknown', '198.51.100.256', '0198.51.100.7', '198.51.100'].map(
    none,
  ),
  ...['198.51.100.7:port', '[2001:db8::1', 'for=198.51.100.7', '198.51.100.0/24'].map(none),
  // spellings
  ['10.0.0.1', '198.51.100.7:4711', 1, '198.51.100.7'],
  ['10.0.0.1', '[2001:db8::1]', 1, '2001:db8::1'],
  ['10.0.0.1', '[2001:db8::1]:443', 1, '2001:db8::1'],
  ['10.0.0.1', '2001:DB8:0:0:0:0:0:1', 1, '2001:db8::1'],
  ['10.0.0.1', 'fe80::1%eth0', 1, 'fe80::1'],
  ['10.0.0.1', '::ffff:198.51.100.7', 1, '198.51.100.7'],
  ['10.0.0.1', '::FFFF:C633:6407', 1, '198.51.100.7'],
  ['10.0.0.1', '[::ffff:198.51.100.7]:80', 1, '198.51.100.7'],
  ['::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
  ['::ffff:192.0.2.1', 'nonsense', 1, '192.0.2.1'],
])('from %s, forwarded for "%s" over %s proxies of ours: %s counts', (direct, forwarded, hops, address) =>
  expect(callerAddress(direct, forwarded, hops)).toBe(address),
)

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['2001:db8::2:3:4:5:6', '2001:db8:0:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::198.51.100.7', '64:ff9b:0:0::/64'],
  ['unknown', 'unknown'],
])('the network of %s is %s', (address, network) => expect(networkOf(address)).toBe(network))

test('over HTTP two proxies are believed, and nothing that the caller says before them', async () => {
  const { email, userId } = await person()
  const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7:1234, 10.0.0.2' }
  await api('POST', '/auth/sign-in', { body: { email, password: 'not the pass phrase' }, headers })
  const events = await owner`select ip_address from security_events where user_id = ${userId}`
  expect(events).toEqual([{ ip_address: '198.51.100.7' }])
})

test('the sandbox asks for its token, if it has one', async () => {
  const ask = (token?: string) => api('GET', '/sandbox/market', { headers: token ? { 'x-sandbox-token': token } : {} })
  for (const token of [undefined, 'a', 'a token of the sandbo', 'A token of the sandbox']) {
    const answer = await ask(token)
    expect([answer.status, answer.body.error.type]).toEqual([401, 'not_authenticated'])
  }
  expect((await ask('a token of the sandbox')).status).toBe(200)
})
