/** Verification of the holder of an account that is only validated. */
import { expect, test } from 'vitest'
import { api, organization, person } from '../../support/api.ts'
import { BANK, WALLET } from '../../support/contacts/destinations.ts'
import { usePartners } from '../../support/partners/partners.ts'

usePartners()

const boss = await person()
await organization(boss)
const stranger = await person()
const validate = (by: { token: string }, body: object) =>
  api('POST', '/payment-destinations/validate', { token: by.token, body })

test('the bank is asked about a valid account if people want that, and nothing is stored', async () => {
  const asked = await validate(boss, { ...BANK, account_holder_name: 'No Match GmbH', check_payee: true })
  expect(asked.body).toMatchObject({ valid: true, payee_check: { result: 'no_match' } })
  expect((await validate(boss, BANK)).body.payee_check).toBe(null)
})

test('no bank is asked about an invalid account, or about a wallet', async () => {
  const wrong = await validate(boss, { ...BANK, iban: 'DE00120300000000202051', check_payee: true })
  expect(wrong.body).toMatchObject({ valid: false, payee_check: null })
  expect((await validate(boss, { ...WALLET, check_payee: true })).body.payee_check).toBe(null)
})

test('the question needs the permission to add destinations in an organization', async () => {
  const { status, body } = await validate(stranger, { ...BANK, check_payee: true })
  expect([status, body.error.type, body.error.details]).toEqual([
    403,
    'forbidden',
    { permission: 'payment_destinations.create' },
  ])
})

test('questions are counted by person, apart from other validations', async () => {
  const { headers } = await validate(boss, { ...BANK, check_payee: true })
  expect(headers.get('ratelimit')).toContain('"payee_checks"')
  expect((await validate(boss, BANK)).headers.get('ratelimit')).not.toContain('"payee_checks"')
})
