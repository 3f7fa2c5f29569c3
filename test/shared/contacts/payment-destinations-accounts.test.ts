/** Identity of an account: what approvers see of it, and what distinguishes it. */
import { expect, test } from 'vitest'
import { fingerprintsOf } from '../../../services/contacts/destination-encryption.ts'
import { type BankCoordinates, canonicalCoordinates } from '../../../domain/destinations/coordinates.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { type NewDestination, accountOf, coordinatesIn } from '../../../domain/destinations/destination.ts'
import { api } from '../../support/api.ts'
import { expectRefusal } from '../../support/http/refusals.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { BANK, add, contactWith } from '../../support/contacts/destinations.ts'

const [A, B] = ['DE89370400440532013000', 'DE02120300000000202051']
const US = { country_code: 'US', currency: 'USD', aba_code: '021000021', account_number: '66661234' }
const KE = { country_code: 'KE', currency: 'KES', account_number: '1234567', bank_name: 'KCB', swift_code: 'KCBLKENX' }
const GB = { country_code: 'GB', currency: 'EUR', swift_code: 'NWBKGB2L', iban: 'GB29NWBK60161331926819' }

const coordinates = (given: Partial<BankCoordinates>) => {
  const account = { type: 'bank', account_holder_name: 'Payee', default: false, ...given } as NewDestination &
    BankCoordinates
  return coordinatesIn(canonicalCoordinates(account)) ?? {}
}
const fingerprint = (given: Partial<BankCoordinates>) =>
  fingerprintsOf('00000000-0000-4000-8000-000000000001' as OrganizationId, {
    type: 'bank',
    coordinates: coordinates(given),
    payee_organization_id: null,
  })[0]

test('approvers are shown what is paid, also of accounts that were taken with an IBAN beside their number', () => {
  expect(accountOf(coordinates({ ...US, iban: A }))).toBe('…1234')
  expect(accountOf(coordinates({ ...US, iban: 'made up 9999' }))).toBe('…1234')
  expect(accountOf(coordinates({ ...GB, account_number: '31926819' }))).toBe('…6819')
  expect(accountOf(coordinates({ country_code: 'DE', currency: 'EUR', iban: A, account_number: '9999' }))).toBe('…3000')
  expect(accountOf({ network: 'ethereum', coin: 'ETH', address: '0x1234567890', memo: null })).toBe('…7890')
})

test('an account is another where what it is paid by is, whatever else stands beside it', () => {
  const german = { country_code: 'DE', currency: 'EUR' }
  const same: Partial<BankCoordinates>[][] = [
    [
      { ...german, iban: A },
      { ...german, iban: A, account_number: '1' },
      { ...german, iban: A, swift_code: 'DEUTDEFF' },
    ],
    [
      { ...german, iban: B },
      { ...german, iban: B, account_number: '1' },
    ],
    [GB, { ...GB, account_number: '31926819' }, { ...GB, sort_code: '601613' }],
    [{ ...GB, iban: 'GB82WEST12345698765432', account_number: '31926819' }],
    [US, { ...US, iban: A }, { ...US, swift_code: 'CHASUS33' }, { ...US, bsb_code: '1' }],
    [{ ...US, aba_code: '011401533' }],
    [KE, { ...KE, branch_code: '001' }, { ...KE, bank_code: '01' }],
    [
      { ...KE, swift_code: 'BARCKENX' },
      { ...KE, swift_code: 'BARCKENX', branch_code: '001' },
    ],
    [{ country_code: 'ZA', currency: 'ZAR', swift_code: 'SBZAZAJJ', account_number: '12345', branch_code: '051001' }],
    [{ country_code: 'ZA', currency: 'ZAR', swift_code: 'ABSAZAJJ', account_number: '12345', branch_code: '051001' }],
  ]
  const made = same.map((accounts) => new Set(accounts.map(fingerprint)))
  expect(made.map(({ size }) => size)).toEqual(same.map(() => 1))
  expect(new Set(made.flatMap((one) => [...one])).size).toBe(same.length)
})

test('what does not belong to an account is refused with its name, and an approver sees the number that is paid', async () => {
  const { boss, payer, contact, list } = await contactWith([])
  expectRefusal(await add(boss, contact, { ...BANK, ...US, iban: 'made up 9999' }), 'invalid_bank_details', {
    path: 'iban',
    field: 'iban',
    code: 'not_applicable',
  })
  expect((await add(boss, contact, { ...BANK, account_number: '1' })).body.error.details.code).toBe('not_applicable')
  expect((await add(boss, contact, { ...BANK, account_number: null })).status).toBe(201)

  await setRules(payer.id, boss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['owner'] }] }])
  const body = { name: 'Payee', type: 'business', destinations: [{ ...BANK, ...US, iban: null }] }
  const made = await api('POST', list, { token: boss.token, body })
  const path = `/organizations/${payer.id}/approvals/${made.body.approval_request_id}`
  const { subject } = (await api('GET', path, { token: boss.token })).body
  expect(subject.payment_contact.destinations).toMatchObject([{ account: '…1234' }])
})
