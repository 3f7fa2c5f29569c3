/** Networks in one spelling, and addresses compared with them. */
import { describe, expect, test } from 'vitest'
import { isWithin, parseNetwork } from '../../domain/networks.ts'

describe('a network is read into one spelling', () => {
  test.each([
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.113.9', '203.0.113.9/32'],
    [' 203.0.113.9/32 ', '203.0.113.9/32'],
    ['2001:DB8:0:0::/32', '2001:db8::/32'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['::ffff:203.0.113.9', '203.0.113.9/32'],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
    ['::ffff:cb00:7100/120', '203.0.113.0/24'],
    ['0.0.0.0/1', '0.0.0.0/1'],
    ['::/1', '::/1'],
  ])('%s', (given, network) => expect(parseNetwork(given)).toEqual({ network }))
})

describe('it is refused', () => {
  test.each([
    ['203.0.113.9/24', 'host'],
    ['2001:db8::1/32', 'host'],
    ['::ffff:203.0.113.9/120', 'host'],
    ['0.0.0.0/0', 'all'],
    ['::/0', 'all'],
    ['::ffff:0:0/96', 'all'],
    ['::ffff:0:0/95', 'none'],
    ['203.0.113.0/33', 'none'],
    ['2001:db8::/129', 'none'],
    ['203.0.113.0/024', 'none'],
    ['203.0.113.0/-1', 'none'],
    ['203.0.113.0/24/24', 'none'],
    ['010.0.0.0/8', 'none'],
    ['10.1/16', 'none'],
    ['0x0a.0.0.1', 'none'],
    ['fe80::1%eth0', 'none'],
    ['example.com', 'none'],
    ['', 'none'],
    ['1.2.3.4\u0000', 'none'],
    ['１.2.3.4', 'none'],
    ['😀', 'none'],
  ])('%j', (given, fault) => expect(parseNetwork(given)).toEqual({ fault }))
})

test.each([
  ['203.0.113.200', ['203.0.113.0/24'], true],
  ['203.0.114.1', ['203.0.113.0/24'], false],
  ['::ffff:203.0.113.200', ['203.0.113.0/24'], true],
  ['2001:db8:1::9', ['203.0.113.0/24', '2001:db8::/32'], true],
  ['2001:db9::9', ['2001:db8::/32'], false],
  ['unknown', ['203.0.113.0/24'], false],
  ['203.0.113.200', [], false],
])('%s within %j: %s', (address, networks, within) => expect(isWithin(address, networks)).toBe(within))
