import { expect, test } from 'vitest'
import { type TestPerson, api } from '../../support/api.ts'
import { BANK, setting } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'

const ADDRESS = { street: 'Größenweg', building_number: '5 b', postal_code: '10115', town: 'Köln', country_code: 'DE' }
const STORED = {
  ...ADDRESS,
  region: null,
  transliterated: {
    street: 'Groessenweg',
    building_number: '5 b',
    postal_code: '10115',
    town: 'Koeln',
    region: null,
  },
}

const create = (by: TestPerson, list: string, body: object) =>
  api('POST', list, { token: by.token, body: { name: 'Payee', type: 'business', ...body } })

test('a contact and its account keep their own addresses, sealed, with their transliteration', async () => {
  const { boss, list } = await setting()
  const own = { town: 'Łódź', country_code: 'PL' }
  const made = await create(boss, list, {
    payee_address: ADDRESS,
    destinations: [{ ...BANK, payee_address: own }],
  })
  expect(made.body).toMatchObject({
    payee_address: STORED,
    destinations: [
      { payee_address: { town: 'Łódź', country_code: 'PL', street: null, transliterated: { town: 'Lodz' } } },
    ],
  })
  const read = await api('GET', `/payment-contacts/${made.body.id}`, { token: boss.token })
  expect(read.body.payee_address).toEqual(STORED)
  const stored = await owner`select sealed from payee_addresses where organization_id = ${made.body.organization_id}`
  expect(stored).toHaveLength(2)
  expect(stored.map(({ sealed }) => Buffer.from(sealed).includes('Köln'))).toEqual([false, false])
})
