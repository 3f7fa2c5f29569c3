/** Travel rule at Fireblocks: an order names payer and payee above the floor of its coin, and nobody below. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PayoutOrder } from '../../partners/driver.ts'
import { fireblocksDriver } from '../../partners/fireblocks/driver.ts'
import { SANDBOX_FIREBLOCKS } from '../../platform/drivers/sandbox.ts'

const endpoint = {
  party: 'custodian',
  url: 'http://127.0.0.1:1',
  key: 'k',
  timeoutMs: 1,
  queues: ['custodian'],
} as const
const planned = (amount: string, floors: Record<string, string>, travelRule = true) => {
  const driver = fireblocksDriver(endpoint, {
    driver: 'fireblocks',
    privateKey: SANDBOX_FIREBLOCKS.ourKey,
    callbackKey: SANDBOX_FIREBLOCKS.theirPublicKey,
    vault: '7',
    feeLevel: 'MEDIUM',
    travelRule,
    travelRuleFloors: floors,
    sweepFloors: {},
    assets: { 'USDC/ethereum': 'USDC' },
  })
  const order: PayoutOrder = {
    id: randomUUID(),
    amount: { amount, currency: 'USDC' },
    speed: 'standard',
    reference: 'INV 1',
    beneficiary: { network: 'ethereum', coin: 'USDC', address: '0x52908400098527886E0F7030069857D2E4169EE7' },
    payeeAddress: null,
    payer: {
      name: 'Pay GmbH',
      address: { line1: 'Hauptstr. 1', postal_code: '10115', town: 'Berlin', country_code: 'DE' },
    },
    payee: { name: 'Ada Ltd' },
  }
  return driver.plan(order).content
}
const namesPeople = (...asked: Parameters<typeof planned>) => Object.hasOwn(planned(...asked), 'travelRuleMessage')

test.each([
  ['1000.000000', {}, true],
  ['1000.000001', { 'USDC/ethereum': '1000.00' }, true],
  ['1000.000000', { 'USDC/ethereum': '1000.00' }, false],
  ['0.000001', { 'USDC/ethereum': '0' }, true],
])('%s with the floors %j names people: %s', (amount, floors, named) => {
  expect(namesPeople(amount, floors)).toBe(named)
})

test('without the travel rule an order names nobody, whatever its amount', () => {
  expect(namesPeople('5000.000000', {}, false)).toBe(false)
})

test('the originator is the payer of the order, by name and address', () => {
  expect(planned('1000.000000', {})).toMatchObject({
    travelRuleMessage: {
      originator: {
        originatorPersons: [
          {
            legalPerson: {
              name: { legalPersonName: 'Pay GmbH' },
              geographicAddress: [
                { addressLine: ['Hauptstr. 1'], postCode: '10115', townName: 'Berlin', country: 'DE' },
              ],
            },
          },
        ],
      },
    },
  })
})
