import { expect, test, vi } from 'vitest'

vi.hoisted(() => Object.assign(process.env, { TRUSTED_PROXY_HOPS: '2', SANDBOX_TOKEN: 'a token of the sandbox' }))
const { callerAddress, networkOf } = await import('../../../api/http/address.ts')
const { api, person } = await import('../../support/api.ts')
const { owner } = await import('../../support/database.ts')

test('without a proxy of ours the direct address counts, whatever the caller says of itself', () => {
  expect(callerAddress('192.0.2.1', '198.51.100.7', 0)).toBe('192.0.2.1')
  expect(callerAddress('192.0.2.1', undefined, 0)).toBe('192.0.2.1')
  expect(callerAddress(undefined, '198.51.100.7', 0)).toBe('unknown')
})

test('behind n proxies the nth entry from the end counts, and what the caller put before it does not', () => {
  expect(callerAddress('10.0.0.1', '198.51.100.7', 1)).toBe('198.51.100.7')
  expect(callerAddress('10.0.0.1', '203.0.113.9, 198.51.100.7', 1)).toBe('198.51.100.7')
  expect(callerAddress('10.0.0.1', '203.0.113.9,198.51.100.7,10.0.0.2', 2)).toBe('198.51.100.7')
  expect(callerAddress('10.0.0.1', '::1, 127.0.0.1, 203.0.113.9 , 198.51.100.7 ,\t10.0.0.2', 2)).toBe('198.51.100.7')
})

test.each([
  ['fewer entries than proxies', '198.51.100.7', 2],
  ['no header', undefined, 1],
  ['an empty header', '', 1],
  ['an empty entry', '198.51.100.7, ', 1],
  ['a name', '203.0.113.9, unknown', 1],
  ['a number out of range', '198.51.100.256', 1],
  ['an octal number', '0198.51.100.7', 1],
  ['a part of an address', '198.51.100', 1],
  ['a port that is none', '198.51.100.7:port', 1],
  ['a bracket left open', '[2001:db8::1', 1],
  ['something in front', 'for=198.51.100.7', 1],
  ['a network', '198.51.100.0/24', 1],
])('with %s the direct address counts', (_, forwarded, hops) => {
  expect(callerAddress('10.0.0.1', forwarded, hops)).toBe('10.0.0.1')
})

test.each([
  ['198.51.100.7:4711', '198.51.100.7'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['::FFFF:C633:6407', '198.51.100.7'],
  ['[::ffff:198.51.100.7]:80', '198.51.100.7'],
])('%s is spelled %s', (forwarded, address) => {
  expect(callerAddress('10.0.0.1', forwarded, 1)).toBe(address)
})

test('the direct address is spelled the same way', () => {
  expect(callerAddress('::ffff:192.0.2.1', undefined, 0)).toBe('192.0.2.1')
  expect(callerAddress('::ffff:192.0.2.1', 'nonsense', 1)).toBe('192.0.2.1')
})

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
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('over HTTP two proxies are believed, and nothing that the caller says before them', async () => {
  const somebody = await person()
  await api('POST', '/auth/sign-in', {
    body: { email: somebody.email, password: 'not the pass phrase' },
    headers: { 'x-forwarded-for': '203.0.113.9, 198.51.100.7:1234, 10.0.0.2' },
  })
  const [event] = await owner`select ip_address from security_events where user_id = ${somebody.userId}`
  expect(event).toEqual({ ip_address: '198.51.100.7' })
})

test('the sandbox asks for its token, if it has one', async () => {
  const ask = (token?: string) => api('GET', '/sandbox/market', { headers: token ? { 'x-sandbox-token': token } : {} })
  for (const token of [undefined, 'a', 'a token of the sandbo', 'A token of the sandbox']) {
    const answer = await ask(token)
    expect([answer.status, answer.body.error.type]).toEqual([401, 'not_authenticated'])
  }
  expect((await ask('a token of the sandbox')).status).toBe(200)
})
