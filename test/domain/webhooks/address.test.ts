import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../domain/errors.ts'
import { GivenWebhookUrl, isPublicAddress, mayConnect, webhookUrl } from '../../../domain/webhooks/address.ts'
import { NameFault, checkWebhookUrl, resolveAllowed, resolveName } from '../../../platform/network/resolution.ts'
import { listed } from '../../support/listed.ts'
import { always } from '../../support/property.ts'
import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { FAILURES_UNTIL_CAUTIOUS, pauseAfter, restAfter } from '../../../domain/webhooks/delivery.ts'
import { newWebhookSecret, signDelivery } from '../../../services/webhooks/secrets.ts'
import { type TypeStarts, startsAfter } from '../../../domain/webhooks/types.ts'

function read(given: string, live = true): string {
  try {
    return webhookUrl(given, live).href
  } catch (error) {
    return reasonOf(error)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Refusal)) throw error
  expect(error.type).toBe('invalid_webhook_url')
  return String(error.details?.['reason'])
}

const PRIVATE_HOSTS = `
  127.0.0.1 2130706433 017700000001 0177.0.0.1 0x7f.0.0.1 0x7f000001 127.1 127.0.1 0 0.0.0.0 127.0.0.1.
  %31%32%37.0.0.1 １２７.０.０.１ ①②⑦.0.0.1 127。0。0。1
  10.0.0.1 10.1 167772161 172.16.0.1 172.31.255.255 192.168.1.1 0xc0a80101 192.168.257
  169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 100.64.0.1 100.100.100.200 168.63.129.16
  192.0.0.192 192.0.2.1 198.18.0.1 198.51.100.7 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255 192.88.99.1
  [::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:8.8.8.8] [::127.0.0.1] [::8.8.8.8]
  [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::8.8.8.8] [64:ff9b:1::1] [2002:7f00:1::] [2002:808:808::1]
  [2001:0:4136:e378:8000:63bf:3fff:fdd2] [fc00::1] [fd00:ec2::254] [fe80::1] [fec0::1] [ff02::1] [100::1]
  [2001:db8::1] [3fff::1] [2001:2::1] [5f00::1] [4000::1] [f000::1]
  localhost LOCALHOST localhost. a.localhost loc\u00adalhost ｌｏｃａｌｈｏｓｔ printer.local metadata.google.internal
  metadata.google.internal. db.internal router.lan x.home.arpa host.localdomain intranet metadata a..b
`
  .trim()
  .split(/\s+/)

test.each(PRIVATE_HOSTS)('events are not sent to %s', (host) =>
  expect(read(`https://${host}/events`)).toBe('address_not_public'),
)

test.each([
  ['https://hooks.example.com/events?a=b', 'https://hooks.example.com/events?a=b'],
  ['https://HOOKS.example.com.:8443/%7Ea', 'https://hooks.example.com:8443/%7Ea'],
  ['https://münchen.de', 'https://xn--mnchen-3ya.de/'],
  ['https://134744072/', 'https://8.8.8.8/'],
  ['https://[2606:4700:4700:0:0:0:0:1111]/', 'https://[2606:4700:4700::1111]/'],
  ['https://localhost.example.com:443', 'https://localhost.example.com/'],
  ['https://hooks.example.com:1024/', 'https://hooks.example.com:1024/'],
])('%s is read as %s', (given, href) => expect(read(given)).toBe(href))

test.each(listed`
  no_url hooks.example.com | no_url https:// | no_url https://[fe80::1%25eth0]/ | no_url https://1.2.3.4.5/
  no_url https://exam ple.com/ | not_https http://example.com/ | not_https ftp://example.com/
  not_https file:///etc/passwd | not_https javascript:alert(1) | has_credentials https://ada@example.com/
  has_credentials https://ada:word@example.com/ | has_fragment https://example.com/#
  has_fragment https://example.com/#a | port_not_allowed https://example.com:22/ | port_not_allowed https://example.com:0/
`)('is refused: %s', (row) => {
  const [reason, ...given] = row.split(' ')
  expect(read(given.join(' '))).toBe(reason)
})

test('an address that is too long in its one form is refused', () => {
  expect(read(`https://example.com/${'ü'.repeat(400)}`)).toBe('no_url')
  expect(v.is(GivenWebhookUrl, `https://example.com/${'a'.repeat(2048)}`)).toBe(false)
})

test('in test this machine takes events, over http too, and no other private address does', () => {
  for (const host of ['127.0.0.1:4000', 'localhost:4000', '[::1]:4000', 'a.localhost', '127.8.8.8']) {
    expect(read(`http://${host}/events`, false)).toBe(`http://${host}/events`)
    expect(read(`https://${host}/events`, false)).toBe(`https://${host}/events`)
  }
  for (const host of PRIVATE_HOSTS) {
    const href = read(`http://${host}/events`, false)
    if (href !== 'address_not_public') expect(href).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]|(a\.)?localhost)\/events$/)
  }
  expect(read('ftp://localhost/', false)).toBe('not_https')
})

describe('an address', () => {
  test('is public only if its range is: of IPv4 nothing private, of IPv6 nothing outside 2000::/3', () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1', '2a00:1450:4001::200e'])
      expect(isPublicAddress(address), address).toBe(true)
    const others = ['', 'localhost', '127.1', '0177.0.0.1', '2130706433', '8.8.8.8/8', 'fe80::1%lo', '2606::1%lo']
    for (const address of others) expect(isPublicAddress(address), address).toBe(false)
  })

  test('of IPv4 is not public in any form of IPv6', () => {
    const octets = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 })
    always(1000, octets, fc.constantFrom('::ffff:', '::', '::ffff:0:', '64:ff9b::', '64:ff9b:1::'), (four, prefix) => {
      expect(mayConnect(`${prefix}${four.join('.')}`, true)).toBe(false)
      const [a = 0, b = 0, c = 0, d = 0] = four
      const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(':')
      expect(mayConnect(`2002:${groups}::1`, true)).toBe(false)
    })
  })

  test('in any number of a private network is refused in any spelling', () => {
    const networks = ['10.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10']
    always(1000, fc.constantFrom(...networks), fc.nat(0xffff), (network, low) => {
      const [first] = ipaddr.IPv4.parseCIDR(network)
      const number = first.toByteArray().reduce((sum, octet) => sum * 256 + octet, 0) + low
      for (const host of [`${number}`, `0x${number.toString(16)}`, `0${number.toString(8)}`])
        expect(read(`https://${host}/`)).toBe('address_not_public')
    })
  })
})

describe('a name', () => {
  const names = (addresses: readonly string[], live = true) => ({ live, resolve: async () => addresses })
  const faulty = (code: string, unknown: boolean, live = true) => ({
    live,
    resolve: async (): Promise<string[]> => {
      throw new NameFault(code, unknown)
    },
  })
  const checked = (given: string, asked: Parameters<typeof checkWebhookUrl>[1]) =>
    checkWebhookUrl(given, asked).catch(reasonOf)
  const URL_OF_NAME = 'https://hooks.example.com/events'

  test.each([
    [['10.0.0.1', 'fd00::1'], true, 'address_not_public'],
    [['127.0.0.1'], true, 'address_not_public'],
    [[], true, 'address_not_public'],
    [['10.0.0.1'], false, 'address_not_public'],
    [['127.0.0.1'], false, URL_OF_NAME],
  ])('for %j alone is refused, but in test for this machine: live %s, %s', async (addresses, live, found) =>
    expect(await checked(URL_OF_NAME, names(addresses, live))).toBe(found),
  )

  test('is connected to at its public addresses alone', async () => {
    const asked = names(['10.0.0.1', '8.8.8.8', '::1', '64:ff9b::a00:1', '2606:4700::1'])
    expect(await checked(URL_OF_NAME, asked)).toBe(URL_OF_NAME)
    expect(await resolveAllowed(new URL(URL_OF_NAME), asked)).toEqual(['8.8.8.8', '2606:4700::1'])
  })

  test('that is unknown is refused in live; one that nobody answers for is looked at again with each call', async () => {
    expect(await checked(URL_OF_NAME, faulty('ENOTFOUND', true))).toBe('name_unknown')
    expect(await checked(URL_OF_NAME, faulty('ENOTFOUND', true, false))).toBe(URL_OF_NAME)
    expect(await checked(URL_OF_NAME, faulty('ESERVFAIL', false))).toBe(URL_OF_NAME)
    await expect(resolveName('a..b')).rejects.toMatchObject({ name: 'NameFault', unknown: true })
  })

  test('is kept in one form, but for the slash that a bare one has not', async () => {
    expect(await checked('https://hooks.example.com', names(['8.8.8.8']))).toBe('https://hooks.example.com')
    expect(await checked('https://HOOKS.example.com.', names(['8.8.8.8']))).toBe('https://hooks.example.com/')
  })
})

const id = randomUUID()
const body = JSON.stringify({ type: 'payment.succeeded', data: { note: 'Grüße – 👋' } })
const [old, current] = [newWebhookSecret(), newWebhookSecret()]

test('a secret is whsec_ and 32 random bytes in base64', () => {
  expect(old).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(old).not.toBe(current)
})

test('a delivery is verified with the old secret and with the new one, and with no other', () => {
  const headers = signDelivery({ id, body }, [current, old])
  expect(headers['webhook-id']).toBe(id)
  for (const secret of [current, old]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow('No matching signature')
  expect(() => new Webhook(old).verify(body, signDelivery({ id, body }, [current]))).toThrow('No matching signature')
})

test('a delivery is refused if its body, id or time was changed, or if it is old', () => {
  const at = new Date()
  const headers = signDelivery({ id, body }, [current], at)
  const changed = [
    [`${body} `, headers],
    [body, { ...headers, 'webhook-id': randomUUID() }],
    [body, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }],
  ] as const
  for (const [text, sent] of changed)
    expect(() => new Webhook(current).verify(text, sent)).toThrow('No matching signature')
  const old = signDelivery({ id, body }, [current], new Date(at.getTime() - 6 * 60_000))
  expect(() => new Webhook(current).verify(body, old)).toThrow('too old')
})

test('tries come after 5 s, 1, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h, and none after those', () => {
  const pauses = Array.from({ length: 12 }, (_, index) => pauseAfter(index + 1, 0))
  const hours = [2, 5, 10, 14, 20, 24].map((count) => count * 3600)
  expect(pauses).toEqual([5, 60, 5 * 60, 30 * 60, ...hours, null, null])
})

test('chance makes a pause longer by a tenth at most, and never shorter', () => {
  for (let tries = 1; tries <= 10; tries += 1) {
    const least = pauseAfter(tries, 0) ?? 0
    expect(pauseAfter(tries, 1)).toBeCloseTo(least * 1.1)
    for (let times = 0; times < 100; times += 1) {
      expect(pauseAfter(tries)).toBeGreaterThanOrEqual(least)
      expect(pauseAfter(tries)).toBeLessThan(least * 1.1)
    }
  }
})

test('what fails again and again rests for 5 s first, twice as long with every second failure, and at most half an hour', () => {
  const rests = Array.from({ length: 2000 }, (_, index) => restAfter(FAILURES_UNTIL_CAUTIOUS + index))
  expect([rests[0], rests[2], rests[4], rests[6]]).toEqual([5, 10, 20, 40])
  expect(rests).toEqual(rests.toSorted((a, b) => a - b))
  expect([rests.at(-1), rests.every(Number.isFinite)]).toEqual([30 * 60, true])
})

const TYPES = ['a', 'b', 'c', 'd']
const change = fc.record({ after: fc.nat(3), types: fc.subarray(TYPES) })

const isTaken = (types: readonly string[], type: string): boolean => types.length === 0 || types.includes(type)

test('an event is sent if each filter since it was written takes its type, and no other is', () => {
  always(2000, fc.subarray(TYPES), fc.array(change, { maxLength: 6 }), (first, changes) => {
    let [types, starts, end]: [readonly string[], TypeStarts, number] = [first, {}, 3]
    const filters = [{ from: 0, types }]
    for (const { after, types: next } of changes) {
      end += after
      starts = startsAfter({ types, starts }, next, String(end))
      types = next
      filters.push({ from: end, types })
    }
    for (let seq = 1; seq <= end + 2; seq += 1)
      for (const type of TYPES) {
        const since = filters.filter((_, index) => (filters[index + 1]?.from ?? Number.POSITIVE_INFINITY) >= seq)
        const wanted = since.every((filter) => isTaken(filter.types, type))
        const sent = isTaken(types, type) && seq > Number(starts[type] ?? starts['*'] ?? 0)
        expect(sent, JSON.stringify({ seq, type, filters, starts })).toBe(wanted)
      }
  })
})
