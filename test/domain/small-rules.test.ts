/** Small rules of the domain that no other unit test shows. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { stepEndsMs } from '../../documents/reading/limits.ts'
import { mayAskFor } from '../../domain/approval-action.ts'
import { NewPaymentContact } from '../../domain/contacts/contact.ts'
import { missingIn, travelRuleSource } from '../../domain/deposits/travel-rule.ts'
import { exchangeOf } from '../../domain/payments/quote.ts'
import { requireMappable } from '../../domain/accounting/mapping.ts'
import { delegateNameOf } from '../../domain/people/authorization.ts'
import { wantsTrust } from '../../domain/sign-in/sign-in.ts'

const typeOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return (error as { type?: string }).type
  }
}

test('a former member asks for nothing, a member for what the role allows', () => {
  const paying = { permissions: ['payments.send_fiat'] } as const
  expect(([null, 'member', 'owner'] as const).map((role) => mayAskFor(paying, role && { role }))).toEqual([
    false,
    true,
    true,
  ])
  expect(mayAskFor({ permissions: ['organization.update'] }, { role: 'member' })).toBe(false)
})

test('at most one destination of a new contact is the default', () => {
  const bodyOf = (defaults: readonly boolean[]) => {
    const one = (isDefault: boolean, at: number) => ({ type: 'svc_id', svc_id: `payee-${at}`, default: isDefault })
    return { name: 'Payee', type: 'business', destinations: defaults.map(one) }
  }
  const takes = (...defaults: boolean[]) => v.is(NewPaymentContact, bodyOf(defaults))
  const taken = [takes(false, false), takes(true, false), takes(true, true)]
  expect(taken).toEqual([true, true, false])
})

describe('a payment exchanges', () => {
  const amount = { amount: '1.00', currency: 'USD' }
  const pricing = { rail: 'fiat', currency: 'EUR', side: 'deducting', amount } as const
  test.each([
    [{}, { source: 'USD', target: 'EUR' }],
    [{ currency: 'USD' }, null],
    [{ side: 'landing' }, 'unsupported_currency'],
    [{ rail: 'crypto', currency: 'USDC' }, 'unsupported_currency'],
    [{ rail: 'crypto', currency: 'USDC', amount: { amount: '1.00', currency: 'USDC' } }, null],
    [{ rail: 'svc_id', amount: { amount: '1.00', currency: 'EUR' } }, 'unsupported_currency'],
  ] as const)('%o: %o', (more, expected) => expect(typeOf(() => exchangeOf({ ...pricing, ...more }))).toEqual(expected))
})

test('statements about the sender name another person, without blanks around; those of an own account keep none', () => {
  const person = { person_type: 'legal', address: 'Street 1', country: 'DE' }
  const other = { own_account: false, attestation: true, relationship: 'vendor', name: ' Ada ', account_reference: ' ' }
  const written = { account_reference: null, name: 'Ada', relationship: 'vendor', is_own_account: false }
  expect(travelRuleSource({ ...other, ...person } as never)).toEqual({ ...person, ...written })
  expect(missingIn({ ...other, ...person } as never)).toEqual([])
  const missing = ['person_type', 'name', 'address', 'country']
  expect(missingIn({ own_account: false, attestation: true } as never)).toEqual(missing)
  const own = { ...other, ...person, own_account: true } as never
  expect(travelRuleSource(own)).toMatchObject({ name: null, relationship: 'self', is_own_account: true })
  expect(missingIn(own)).toEqual([])
})

test('a mapping takes a source value if it is of a card category, and only then; a fault names its place', () => {
  const wanted = (mapping_type: string, source_value: string | null) =>
    requireMappable([{ mapping_type, source_value, account_code: '400' }] as never)
  const fault = (field: string) =>
    expect.objectContaining({ type: 'invalid_mapping', details: expect.objectContaining({ field, index: 0 }) })
  expect(() => wanted('bank_fees', null)).not.toThrow()
  expect(() => wanted('bank_fees', 'travel')).toThrow(fault('source_value'))
  expect(() => wanted('card_category', null)).toThrow(fault('source_value'))
  expect(() => wanted('unheard_of', null)).toThrow(fault('mapping_type'))
})

test('each of the three flags asks for a trust token', () => {
  const flags = ['remember_me', 'trust_transport', 'trust_tokens'] as const
  const none = { remember_me: false, trust_transport: null, trust_tokens: undefined }
  expect(flags.map((flag) => wantsTrust({ ...none, [flag]: true }))).toEqual([true, true, true])
  expect(wantsTrust(none)).toBe(false)
})

test('a page that is no picture has three seconds, a picture ten, and a file sixty for all of its steps', () => {
  const [began, file] = [500, 60_500]
  const steps = (['file', 'page', 'picture'] as const).map((step) => stepEndsMs(step, began, file) - began)
  expect(steps).toEqual([10_000, 3000, 10_000])
  expect(stepEndsMs('page', file - 1000, file)).toBe(file)
})

test('the name of a delegate shows the host of its client whole, for which the name of the client is shortened', () => {
  expect(delegateNameOf({ name: 'Books', host: 'agent.example.com' })).toBe('Books (agent.example.com)')
  expect(delegateNameOf({ name: 'Command line (bfs)', host: null })).toBe('Command line (bfs)')
  const long = `${'a'.repeat(70)}.example.com`
  const name = delegateNameOf({ name: '🏦'.repeat(60), host: long })
  expect(name).toBe(`${'🏦'.repeat(14)}… (${long})`)
  expect(Array.from(name)).toHaveLength(100)
  const cut = delegateNameOf({ name: 'Bank of Example', host: `trusted.example.${'a'.repeat(100)}.evil.example` })
  expect(cut).toMatch(/^… \(…a+\.evil\.example\)$/)
  expect(Array.from(cut)).toHaveLength(100)
})
