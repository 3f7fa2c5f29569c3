/** Access to Temporal: what is refused before anything connects. */
import { expect, test } from 'vitest'
import { temporalIn } from '../../platform/temporal-access.ts'

const CLOUD = 'acme.a1b2c.tmprl.cloud:7233'
const KEY = 'TEMPORAL_TLS_CLIENT_KEY_DATA'

test.each([
  ['another host in clear, in live', { TEMPORAL_ADDRESS: CLOUD }, 'TEMPORAL_TLS: live asks for TLS'],
  ['the same with TLS off', { TEMPORAL_ADDRESS: CLOUD, TEMPORAL_TLS: 'false' }, 'TEMPORAL_TLS: live asks for TLS'],
  ['an API key in clear', { TEMPORAL_API_KEY: 'k', TEMPORAL_TLS: '0' }, 'TEMPORAL_API_KEY: an API key is not sent'],
  ['half a pair', { TEMPORAL_TLS: 'true', [KEY]: 'k' }, 'are set both, or neither'],
  ['a file that is not there', { TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/none/ca.pem' }, 'SERVER_CA_CERT_PATH: the file'],
] as const)('refuses %s, and quotes no value', (_, env: Record<string, string>, fault) => {
  expect(() => temporalIn(env, true)).toThrow(fault)
  for (const value of Object.values(env).filter((one) => one.length > 5))
    expect(() => temporalIn(env, true)).not.toThrow(value)
})

test.each([
  [{}, { address: 'localhost:7233', tls: undefined }],
  [{ TEMPORAL_ADDRESS: 'temporal:7233' }, { address: 'temporal:7233', tls: undefined }],
  [
    { TEMPORAL_ADDRESS: CLOUD, TEMPORAL_API_KEY: 'k' },
    { address: CLOUD, apiKey: 'k', tls: true },
  ],
  [
    { TEMPORAL_ADDRESS: CLOUD, TEMPORAL_TLS: 'true' },
    { address: CLOUD, tls: {} },
  ],
])('live takes %j', (env: Record<string, string>, access) => {
  expect(temporalIn(env, true)).toMatchObject(access)
})
