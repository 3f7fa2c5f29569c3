/** The stand-in of Fireblocks: signed requests, answers under a key, and faults. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { SANDBOX_FIREBLOCKS } from '../../../platform/drivers/sandbox.ts'
import {
  ask,
  byExternalId,
  completed,
  create,
  order,
  setFault,
  token,
  useFireblocks,
} from '../../support/partners/fireblocks/client.ts'

vi.hoisted(() => {
  process.env['SANDBOX_PARTNERS'] = 'fireblocks'
})
useFireblocks()

const ASSETS = '/custodian/v1/supported_assets'

describe('a token', () => {
  const now = Math.floor(Date.now() / 1000)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const foreign = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

  test.each([
    ['of another key', -1, token(ASSETS, '', {}, foreign)],
    ['of another path', -4, token('/v1/supported_assets', '')],
    ['that is none', -5, 'a.b.c'],
    ['of another user', -6, token(ASSETS, '', { sub: randomUUID() })],
    ['over another body', -7, token(ASSETS, '{}')],
    ['of a longer life', -7, token(ASSETS, '', { exp: now + 300 })],
    ['that is over', -10, token(ASSETS, '', { iat: now - 60, exp: now - 10 })],
    ['from the future', -12, token(ASSETS, '', { iat: now + 300, exp: now + 320 })],
  ])('%s is refused with code %d', async (_, code, wrong) => {
    expect(await ask('GET', '/supported_assets', { token: wrong })).toMatchObject({ status: 401, body: { code } })
  })

  test('is used once', async () => {
    const once = token(ASSETS, '')
    expect((await ask('GET', '/supported_assets', { token: once })).status).toBe(200)
    expect(await ask('GET', '/supported_assets', { token: once })).toMatchObject({ status: 401, body: { code: -7 } })
  })

  test('names the query, and comes with the key of its user', async () => {
    const path = '/transactions?limit=1'
    expect((await ask('GET', path, { token: token('/custodian/v1/transactions', '') })).body.code).toBe(-4)
    const headers = { 'x-api-key': randomUUID() }
    expect((await ask('GET', path, { headers })).body.code).toBe(-6)
    expect((await ask('GET', path, { headers: { authorization: 'Bearer' } })).body.code).toBe(-3)
    expect((await ask('GET', path, { headers: { 'x-api-key': SANDBOX_FIREBLOCKS.apiKey } })).status).toBe(200)
  })
})

describe('an idempotency key', () => {
  test('is answered as the first time, also when several ask at once', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const vaults = await Promise.all(
      Array.from({ length: 3 }, () => ask('POST', '/vault/accounts', { body: { name: 'One' }, headers })),
    )
    expect(new Set(vaults.map(({ body }) => body.id)).size).toBe(1)
    const body = order(randomUUID())
    const first = await ask('POST', '/transactions', { body, headers: { 'idempotency-key': body.externalTxId } })
    const second = await ask('POST', '/transactions', { body, headers: { 'idempotency-key': body.externalTxId } })
    expect(second.body).toEqual(first.body)
    expect((await ask('POST', '/transactions', { body })).body.code).toBe(1438)
  })

  test('has at most 40 characters', async () => {
    const headers = { 'idempotency-key': 'k'.repeat(41) }
    expect((await ask('POST', '/vault/accounts', { body: {}, headers })).status).toBe(400)
  })
})

test.each([
  ['an unknown asset', { assetId: 'XYZ' }, 404],
  ['more decimals than the asset has', { amount: '1.0000001' }, 400],
  ['nothing', { amount: '0' }, 400],
  ['no number', { amount: '1e3' }, 400],
  ['an unknown vault account', { source: { type: 'VAULT_ACCOUNT', id: '77777' } }, 404],
  ['another operation', { operation: 'RAW' }, 400],
])('an order of %s is refused, and its external id stays free', async (_, more, status) => {
  const id = randomUUID()
  expect((await create(id, more)).status).toBe(status)
  expect((await ask('GET', `/transactions/external_tx_id/${id}`)).status).toBe(404)
  expect((await create(id)).status).toBe(200)
})

test('a fee is estimated', async () => {
  const estimated = await ask('POST', '/transactions/estimate_fee', { body: order(randomUUID()) })
  expect(estimated.body.medium).toEqual({ networkFee: '0.001365' })
})

describe('faults', () => {
  test('down, error and rate_limited do nothing', async () => {
    const id = randomUUID()
    await setFault('down')
    await expect(create(id)).rejects.toThrow('fetch failed')
    await setFault('error')
    expect((await create(id)).status).toBe(500)
    await setFault('rate_limited')
    const limited = await create(id)
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await create(id)).status).toBe(200)
  })

  test('ambiguous: the order is taken and the answer lost', async () => {
    const id = randomUUID()
    await setFault('ambiguous')
    await expect(create(id)).rejects.toThrow('fetch failed')
    expect((await create(id)).body.code).toBe(1438)
    expect(await completed(id)).toMatchObject({ externalTxId: id })
  })

  test('out_of_order: the state before the last change', async () => {
    const id = randomUUID()
    await create(id)
    await completed(id)
    await setFault('out_of_order')
    expect((await byExternalId(id)).status).toBe('CONFIRMING')
    expect((await byExternalId(id)).status).toBe('COMPLETED')
  })
})
