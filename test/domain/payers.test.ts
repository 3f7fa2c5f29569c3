/** Payers in the letters of banks, and what is missing of one. */
import { expect, test } from 'vitest'
import { findMissing, toSent } from '../../domain/organizations/payer.ts'

const ADDRESS = { line1: 'Ulica Długa 7', line2: null, postal_code: '80-831', city: 'Gdańsk', country_code: 'PL' }

test('a payer is sent in the letters of banks, without empty members', () => {
  expect(toSent({ name: 'Müller & Söhne', address: ADDRESS })).toEqual({
    name: 'Mueller + Soehne',
    address: { line1: 'Ulica Dluga 7', postal_code: '80-831', town: 'Gdansk', country_code: 'PL' },
  })
  const address = { ...ADDRESS, line2: 'Hof 2' }
  expect(toSent({ name: 'A', address }).address.line2).toBe('Hof 2')
  expect(toSent({ name: 'A', address: { ...address, line2: '株' } }).address).not.toHaveProperty('line2')
})

test.each([
  ['nothing', 'Acme', ADDRESS, []],
  ['an address', 'Acme', null, ['postal_address']],
  ['a name that banks can write', '株式会社', ADDRESS, ['name']],
  ['a name with a letter or digit', '---', ADDRESS, ['name']],
  ['a town that banks can write', 'Acme', { ...ADDRESS, city: '東京' }, ['postal_address']],
  ['all of it', '…', null, ['name', 'postal_address']],
])('%s is missing', (_, name, postal_address, fields) => {
  expect(findMissing({ name, postal_address })).toEqual(fields)
})
