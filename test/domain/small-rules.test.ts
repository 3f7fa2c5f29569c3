/** Small rules of the domain that no other unit test shows. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { mayAskFor } from '../../domain/approvals/action.ts'
import { NewPaymentContact } from '../../domain/contacts/contact.ts'
import { missingIn, travelRuleSource } from '../../domain/deposits/travel-rule.ts'
import { exchangeOf } from '../../domain/payments/quote.ts'
import { requireMappable } from '../../domain/accounting/mapping.ts'
import { wantsTrust } from '../../domain/sign-in/sign-in.ts'
import { listed } from '../support/listed.ts'

const typeOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return (error as { type?: string }).type
  }
}

test('a former member asks for nothing, a member for what the role allows', () => {
  const paying = { permissions: ['payments.send_fiat'] } as const
  expect(([null, 'member', 'owner'] as const).map((role) => mayAskFor(paying, role))).toEqual([false, true, true])
  expect(mayAskFor({ permissions: ['organization.update'] }, 'member')).toBe(false)
})

test('at most one destination of a new contact is the default', () => {
  const bodyOf = (defaults: readonly boolean[]) => ({
    name: 'Payee',
    type: 'business',
    destinations: defaults.map((isDefault, index) => ({
      type: 'svc_id',
      svc_id: `payee-${index}`,
      default: isDefault,
    })),
  })
  const taken = [
    [false, false],
    [true, false],
    [true, true],
  ].map((defaults) => v.is(NewPaymentContact, bodyOf(defaults)))
  expect(taken).toEqual([true, true, false])
})

describe('a payment exchanges', () => {
  const pricing = {
    rail: 'fiat',
    currency: 'EUR',
    side: 'deducting',
    amount: { amount: '1.00', currency: 'USD' },
  } as const
  test.each([
    [{}, { source: 'USD', target: 'EUR' }],
    [{ currency: 'USD' }, null],
    [{ side: 'landing' }, 'unsupported_currency'],
    [{ rail: 'crypto', currency: 'USDC' }, 'unsupported_currency'],
    [{ rail: 'crypto', currency: 'USDC', amount: { amount: '1.00', currency: 'USDC' } }, null],
    [{ rail: 'svc_id', amount: { amount: '1.00', currency: 'EUR' } }, 'unsupported_currency'],
  ] as const)('%o: %o', (more, expected) => expect(typeOf(() => exchangeOf({ ...pricing, ...more }))).toEqual(expected))
})

describe('statements about the sender', () => {
  const other = {
    own_account: false,
    attestation: true,
    relationship: 'vendor',
    person_type: 'legal',
    name: ' Ada ',
    address: 'Street 1',
    country: 'DE',
    account_reference: ' ',
  } as never
  test('name another person, without blanks around, and lack nothing', () => {
    expect(travelRuleSource(other)).toEqual({
      account_reference: null,
      address: 'Street 1',
      country: 'DE',
      name: 'Ada',
      person_type: 'legal',
      relationship: 'vendor',
      is_own_account: false,
    })
    expect(missingIn(other)).toEqual([])
    expect(missingIn({ own_account: false, attestation: true } as never)).toEqual(
      listed`person_type | name | address | country`,
    )
  })
  test('of an own account keep no other person', () => {
    const own = { ...(other as object), own_account: true } as never
    expect(travelRuleSource(own)).toMatchObject({ name: null, relationship: 'self', is_own_account: true })
    expect(missingIn(own)).toEqual([])
  })
})

test('a mapping takes a source value if it is of a card category, and only then', () => {
  const of = (mapping_type: string, source_value: string | null) =>
    typeOf(() => requireMappable([{ mapping_type, source_value, account_code: '400' }] as never))
  expect(of('bank_fees', null)).toBeUndefined()
  expect(of('bank_fees', 'travel')).toBe('invalid_mapping')
  expect(of('card_category', null)).toBe('invalid_mapping')
  expect(of('unheard_of', null)).toBe('invalid_mapping')
})

test('each of the three flags asks for a trust token', () => {
  const flags = ['remember_me', 'trust_transport', 'trust_tokens'] as const
  const none = { remember_me: false, trust_transport: null, trust_tokens: undefined }
  expect(flags.map((flag) => wantsTrust({ ...none, [flag]: true }))).toEqual([true, true, true])
  expect(wantsTrust(none)).toBe(false)
})
