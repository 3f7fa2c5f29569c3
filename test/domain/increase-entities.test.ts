/** Verdicts of the driver `increase` on answers that its stand-in does not give. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { mayHaveExecuted } from '../../partners/http.ts'
import { increaseDriver } from '../../partners/increase/driver.ts'
import { findState } from '../../partners/increase/states.ts'
import { answering, partnerServer } from '../support/partners/server.ts'

const settings = { driver: 'increase', account: 'account_7', achLimit: '1.00', instant: 'rtp', verifies: true } as const
const address = { line1: 'Ring 7', line2: null, postal_code: '50668', city: 'Köln', country_code: 'DE' }
const question = {
  id: randomUUID(),
  round: 1,
  people: [],
  entity: {
    legal_name: 'Ada GmbH',
    trading_name: null,
    form: 'company',
    registration: null,
    tax_id: '1',
    incorporated_on: null,
    address,
    website: null,
    activity: null,
    expected: null,
  },
} as const

/** Reads the verdict on an entity with these members; it has the key that was asked for, or another. */
async function verdictOn(members: object, key?: string) {
  const server = await partnerServer((response, { url }) => {
    const asked = new URL(url ?? '', 'http://increase').searchParams.get('idempotency_key')
    const entity = { id: 'entity_1', type: 'entity', idempotency_key: key ?? asked, corporation: null, ...members }
    answering(200, { data: [entity], next_cursor: null })(response)
  })
  const driver = increaseDriver({ endpoint: { ...server.door, party: 'usd' }, callbackSecret: null, settings })
  return driver.findEntity?.(question)
}
const issue = (category: string) => ({ status: 'invalid', issues: [{ category }] })

test.each([
  ['active', null, 'in_review'],
  ['active', { status: 'pending', issues: [] }, 'in_review'],
  ['active', { status: 'a new word', issues: [] }, 'in_review'],
  ['a new word', { status: 'valid', issues: [] }, 'in_review'],
  ['active', { status: 'valid', issues: [] }, 'verified'],
  ['disabled', { status: 'valid', issues: [] }, 'rejected'],
  ['archived', null, 'rejected'],
])('an entity that is %s, with the validation %j, is %s', async (status, validation, wanted) => {
  expect(await verdictOn({ status, validation })).toEqual({ status: wanted, asks: [] })
})

test('issues that are new, of nobody we know, or missing ask for a paper, once', async () => {
  const [unknown, nobody] = [issue('entity_identity'), issue('beneficial_owner_address')]
  for (const validation of [unknown, nobody, { status: 'invalid', issues: [...unknown.issues, ...nobody.issues] }]) {
    const view = await verdictOn({ status: 'active', validation })
    expect(view?.asks.map(({ field }) => field)).toEqual(['documents.other'])
  }
  const none = await verdictOn({ status: 'active', validation: { status: 'invalid', issues: [] } })
  expect(none?.asks.map(({ field }) => field)).toEqual(['documents.other'])
})

test('an entity of another key is not believed', async () => {
  const failure = await verdictOn({ status: 'active', validation: null }, 'other').catch((error: unknown) => error)
  expect(mayHaveExecuted(failure)).toBe(true)
})

test.each([
  ['10045', 'NY'],
  ['05501', 'MA'],
  ['05601', 'VT'],
  ['20101', 'VA'],
  ['73301', 'TX'],
  ['94105-1234', 'CA'],
  ['00000', undefined],
  ['1004', undefined],
  ['50668-1', undefined],
])('the postal code %s is of %s', (code, state) => {
  expect(findState(code)).toBe(state)
})
