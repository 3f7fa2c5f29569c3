/** Faults of stand-ins that speak the protocols of providers: by the names of their connections. */
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import { config } from '../../../platform/config.ts'
import { api } from '../../support/api.ts'
import { connected, usePartners } from '../../support/partners/partners.ts'

vi.hoisted(() => Object.assign(process.env, { SANDBOX_PARTNERS: 'increase,file-bank,fireblocks,ecb' }))

usePartners()
beforeEach(() => api('DELETE', '/sandbox/faults'))

const set = (partner: string, fault: string, times = 1) =>
  api('POST', '/sandbox/faults', { body: { partner, fault, times } })

test('each connection has the faults that its protocol can have', async () => {
  const faultsOf = async (partner: string) => (await set(partner, 'declined_consent')).body.error.details.faults
  const ofRequests = ['down', 'error', 'rate_limited', 'slow', 'malformed', 'ambiguous']
  const ofCallbacks = ['lost_callback', 'late_callback', 'out_of_order', 'duplicate_callback']
  const ofMoney = [...ofRequests, ...ofCallbacks, 'manual']
  expect(await faultsOf('usd')).toEqual([...ofMoney, 'instant_rejected', 'instant_timeout'])
  expect(await faultsOf('bank')).toEqual([...ofMoney, 'instant_rejected', 'instant_timeout'])
  expect(await faultsOf('custodian')).toEqual(ofMoney)
  expect(await faultsOf('rates')).toEqual(ofRequests.slice(0, -1))
})

test('the next request of that connection is hit, and no other', async () => {
  const { url, key } = connected('usd')
  const ask = async () => (await fetch(`${url}/transactions`, { headers: { authorization: `Bearer ${key}` } })).status
  const askRates = async () => (await fetch(connected('rates').url)).status
  expect((await set('usd', 'error')).body).toEqual({ partner: 'usd', fault: 'error', times: 1 })
  expect((await api('GET', '/sandbox/faults')).body.data).toEqual([{ partner: 'usd', fault: 'error', times: 1 }])
  expect(await askRates()).toBe(200)
  expect([await ask(), await ask()]).toEqual([500, 200])
  await set('rates', 'error')
  expect([await askRates(), await askRates()]).toEqual([500, 200])
})

test('a name that no connection has is refused with those that there are', async () => {
  const { status, body } = await set(`no-${randomUUID().slice(0, 8)}`, 'error')
  expect([status, body.error.details.reason]).toEqual([422, 'no_stand_in'])
  expect(body.error.details.partners).toEqual(expect.arrayContaining(config.connections.map(({ name }) => name)))
})
