/** Errors of Postgres that are an outage, answered with 503, and others. */
import { expect, test } from 'vitest'
import { isOutage, isReadOnly } from '../../db/postgres/outages.ts'

const failure = (code: unknown) => Object.assign(new Error('refused'), { code })

test.each([
  ['08000', 'connection exception'],
  ['08006', 'connection failure'],
  ['08P01', 'protocol violation'],
  ['25006', 'read-only transaction'],
  ['53000', 'insufficient resources'],
  ['53100', 'disk full'],
  ['53200', 'out of memory'],
  ['53300', 'too many connections'],
  ['57P01', 'admin shutdown'],
  ['57P02', 'crash shutdown'],
  ['57P03', 'cannot connect now'],
  ['57P05', 'idle session timeout'],
  ['58000', 'system error'],
  ['58030', 'input or output error'],
  ['58P01', 'undefined file'],
  ['CONNECTION_CLOSED', 'connection lost'],
  ['CONNECTION_ENDED', 'pool ended'],
  ['CONNECT_TIMEOUT', 'no connection in time'],
  ['ECONNREFUSED', 'nobody listens'],
  ['ENOTFOUND', 'unknown host'],
  ['EAI_AGAIN', 'no name server'],
])('%s, %s, is an outage', (code) => expect(isOutage(failure(code))).toBe(true))

test.each([
  ['57014', 'cancelled, or longer than the statement timeout'],
  ['57000', 'operator intervention of another kind'],
  ['25001', 'active transaction'],
  ['25P02', 'transaction failed before'],
  ['23505', 'unique violation'],
  ['42P01', 'undefined table'],
  ['22P02', 'wrong text'],
  ['40001', 'serialization failure, which is repeated at once'],
  ['40P01', 'deadlock, which is repeated at once'],
  ['P0001', 'raised'],
  ['BF003', 'of our own'],
  ['5310', 'no SQLSTATE'],
  ['581000', 'no SQLSTATE'],
  ['', 'without a code'],
])('%s, %s, is none', (code) => expect(isOutage(failure(code))).toBe(false))

test('only the code decides, and only of an error', () => {
  expect([undefined, 'text', { code: '53100' }, new Error('disk full')].map(isOutage)).toEqual([
    false,
    false,
    false,
    false,
  ])
  expect(['25006', '53100', '25001'].map((code) => isReadOnly(failure(code)))).toEqual([true, false, false])
})
