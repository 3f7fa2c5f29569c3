import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BankCoordinates,
  canonicalCoordinates,
  checkCoordinates,
  requirementsFor,
} from '../../../domain/destinations/coordinates.ts'
import type { Check } from '../../../domain/destinations/check.ts'
import { COUNTRIES } from '../../../domain/country.ts'
import { api, organization, person } from '../../support/api.ts'
import { account as accountAt } from '../../support/contacts/bank-coordinates.ts'
import { anyCharacter } from '../../support/http/any-text.ts'
import { refusal } from '../../support/http/refusals.ts'

const boss = await person()
const { svcId } = await organization(boss)
const validate = (body: object) => api('POST', '/payment-destinations/validate', { token: boss.token, body })
const requirements = (query: string) => api('GET', `/payment-destinations/requirements?${query}`, { token: boss.token })

const german = {
  type: 'bank',
  country_code: 'DE',
  currency: 'EUR',
  account_holder_name: 'Payee',
  iban: 'DE89 3704 0044 0532 0130 00',
}

describe('validate', () => {
  test('tells what it found about each coordinate, and whether any is invalid', async () => {
    const ok = (field: string) => ({ field, status: 'ok', code: 'ok' })
    const checks = [ok('account_holder_name'), ok('iban')]
    expect(await validate(german)).toMatchObject({ status: 200, body: { valid: true, checks } })
    const bad = await validate({ ...german, iban: 'DE88370400440532013000', swift_code: 'NWBKGB2L' })
    expect(bad.body).toEqual({
      payee_address: null,
      payee_check: null,
      valid: false,
      checks: [
        ok('account_holder_name'),
        { field: 'iban', status: 'invalid', code: 'checksum' },
        { field: 'swift_code', status: 'warning', code: 'country_mismatch' },
      ],
    })
  })

  test('a service ID is known or not, and nothing else of it is told', async () => {
    const check = (status: string, code: string) => [{ field: 'svc_id', status, code }]
    const known = await validate({ type: 'svc_id', svc_id: svcId })
    expect(known.body).toEqual({ valid: true, checks: check('ok', 'ok'), payee_address: null, payee_check: null })
    const unknown = await validate({ type: 'svc_id', svc_id: 'nobody-has-this-one' })
    expect(unknown.body).toEqual({
      valid: false,
      checks: check('invalid', 'unknown_handle'),
      payee_address: null,
      payee_check: null,
    })
  })
})

test('requirements are a JSON Schema, which caches may keep', async () => {
  const answer = await requirements('country_code=US&currency=USD')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toMatch(/max-age=\d+/)
  expect(answer.body).toMatchObject({ country_code: 'US', currency: 'USD' })
  expect(answer.body.schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['account_holder_name', 'account_number', 'aba_code'],
    properties: { aba_code: { type: 'string', pattern: '^[0-9]{9}$' } },
  })
})

test.each([
  ['country_code=ZZ&currency=USD', 404, 'not_found'],
  ['country_code=de&currency=EUR', 400, 'invalid_request'],
  ['country_code=DE&currency=XXX', 400, 'invalid_request'],
  ['country_code=DE&currency=BTC', 400, 'invalid_request'],
  ['country_code=DE', 400, 'invalid_request'],
  ['country_code=DE&country_code=FR&currency=EUR', 400, 'invalid_request'],
])('%s: %d %s', async (query, status, type) => {
  expect(refusal(await requirements(query))).toEqual([status, type])
})

type Schema = {
  required: string[]
  properties: Record<
    string,
    { type: 'string'; title: string; pattern?: string; minLength?: number; maxLength?: number }
  >
}

/** Validates `given` by the few words of JSON Schema that requirements use. */
function accepts({ required, properties }: Schema, given: Record<string, unknown>): boolean {
  return (
    required.every((name) => given[name] !== undefined) &&
    Object.keys(given).every((name) => Object.hasOwn(properties, name)) &&
    Object.entries(properties).every(([name, { pattern = '', minLength = 0, maxLength = Infinity }]) => {
      const value = given[name]
      if (value === undefined) return true
      if (typeof value !== 'string') return false
      const { length } = Array.from(value)
      return new RegExp(pattern, 'u').test(value) && length >= minLength && length <= maxLength
    })
  )
}

const FIELDS =
  'iban swift_code account_number aba_code sort_code bsb_code ifsc_code cnaps bank_code branch_code bank_name'.split(
    ' ',
  )
const CURRENCIES = ['EUR', 'USD', 'GBP', 'AUD', 'BRL', 'CAD', 'CNY', 'INR', 'MXN', 'JPY', 'KES']
/** Codes of rules that a schema cannot express: arithmetic, other fields, lists. */
const UNSAYABLE = new Set(['checksum', 'mismatch', 'unknown_bank', 'unknown_country'])

const other = fc.stringMatching(/^[A-Z0-9]{1,34}$/)
const texts = new Map<string, fc.Arbitrary<string>>()

/** Text in the shape of the pattern or of another one, with or without blanks. Cached, because it is slow to make. */
function textLike(pattern: string): fc.Arbitrary<string> {
  const made = texts.get(pattern)
  if (made) return made
  const fitting = fc.stringMatching(new RegExp(pattern))
  const printed = fitting.map((text) => text.toLowerCase().replaceAll(/(.{4})(?=.)/g, '$1 '))
  const mostly = fc.oneof({ weight: 8, arbitrary: fitting }, { weight: 2, arbitrary: printed }, other)
  texts.set(pattern, mostly)
  return mostly
}

/** Any account in this country: each field may be missing, and sometimes one does not belong there. */
function accountIn(country: string, currency: string): fc.Arbitrary<object> {
  const { properties } = requirementsFor(country, currency) as Schema
  const like = (field: string) => textLike(properties[field]?.pattern ?? '^[A-Z]{4}$')
  const known = FIELDS.filter((field) => properties[field]).map((field) => [field, like(field)])
  const stray = fc.constantFrom(...FIELDS).chain((field) => like(field).map((text) => ({ [field]: text })))
  return fc
    .tuple(
      fc.record(Object.fromEntries(known), { requiredKeys: [] }),
      fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: stray }),
    )
    .map(([account, beside]) => ({ ...account, ...beside }))
}

const country = fc.constantFrom(...COUNTRIES, ...'DE FR GB GB US AU IN CN MX CA HK SG JP NZ ZA BR KE'.split(' '))
const anywhere = fc
  .tuple(country, fc.constantFrom(...CURRENCIES))
  .chain((place) => accountIn(...place).map((given) => [...place, given] as const))

describe('requirements and checks', () => {
  test('agree on every account, but for what only arithmetic can tell', () => {
    let accepted = 0
    fc.assert(
      fc.property(anywhere, ([country_code, currency, given]) => {
        const account = accountAt(country_code, currency, given)
        const isFault = ({ status, code }: Check) => status === 'invalid' && !UNSAYABLE.has(code)
        const faults = checkCoordinates(account).filter(isFault)
        const { type: _type, country_code: _country, currency: _currency, ...written } = canonicalCoordinates(account)
        const takes = accepts(requirementsFor(country_code, currency) as Schema, written)
        expect([account, takes]).toEqual([account, faults.length === 0])
        accepted += takes ? 1 : 0
      }),
      { numRuns: 1500 },
    )
    expect(accepted).toBeGreaterThan(100)
  })

  test('what is written is checked as what was given, and writing it again changes nothing', () => {
    const text = fc.string({ minLength: 1, maxLength: 64, unit: anyCharacter })
    const strange = fc.record({
      country_code: country,
      currency: fc.constantFrom(...CURRENCIES),
      iban: text,
      swift_code: text,
      account_number: text,
      bank_name: text,
    })
    const usual = anywhere.map(([country_code, currency, given]) => ({ country_code, currency, ...given }))
    fc.assert(
      fc.property(fc.oneof(usual, strange), (given) => {
        const account = { type: 'bank', account_holder_name: ' The  Payee ', ...given } as BankCoordinates
        const once = canonicalCoordinates(account)
        expect(canonicalCoordinates(once)).toEqual(once)
        expect(checkCoordinates(once)).toEqual(checkCoordinates(account))
      }),
      { numRuns: 1000 },
    )
  })

  test('every country of ISO 3166-1 and Kosovo has requirements in every currency, made of words that we know', () => {
    for (const code of [...COUNTRIES, 'XK']) {
      for (const currency of CURRENCIES) {
        const { required, properties, ...rest } = requirementsFor(code, currency) as Schema
        expect(rest).toEqual({ $schema: expect.any(String), type: 'object', additionalProperties: false })
        expect(required.length).toBeGreaterThan(1)
        for (const name of required) expect(properties[name], name).toBeDefined()
        const words = new Set(Object.values(properties).flatMap((property) => Object.keys(property)))
        expect(['type', 'title', 'pattern', 'minLength', 'maxLength']).toEqual(expect.arrayContaining([...words]))
      }
    }
    expect(requirementsFor('ZZ', 'EUR')).toBeUndefined()
    expect(requirementsFor('DE', 'XXX')).toBeUndefined()
  })
})
