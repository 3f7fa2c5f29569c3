/** Bills that name an account in part: nothing compares it, so it is marked, and a second person approves. */
import { expect, test } from 'vitest'
import { namesPartOfAccount } from '../../../domain/bills/account.ts'
import { api, approve, fund, join, organization, person } from '../../support/api.ts'
import { approvalOf } from '../../support/approvals/approvals.ts'
import { change, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { fullRefusal, refusal } from '../../support/http/refusals.ts'
import { usePartners } from '../../support/partners/partners.ts'

usePartners()

const ACCOUNT = { account_number: '31926819', sort_code: '601613' }
const BRITISH = { type: 'bank', country_code: 'GB', currency: 'GBP', account_holder_name: 'Power Ltd', ...ACCOUNT }

/** A payer with a paid bill, and another of its supplier without the country of the bank. */
async function payerOfPart(more: object = {}, admins = 1) {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss, 'Payer')
  await fund(id, '500.00', 'GBP')
  const others = await Promise.all(Array.from({ length: admins }, () => person({ authenticator: true })))
  for (const other of others) await join(id, other, 'admin')
  const body = { name: 'Power Ltd', type: 'business', destinations: [BRITISH] }
  const { body: contact } = await api('POST', `/organizations/${id}/payment-contacts`, { token: boss.token, body })
  const supplier = { currency: 'GBP', supplier_name: 'Power Ltd', supplier_tax_id: null, iban: null }
  const bill = await typedBill(boss, id, { ...supplier, amount: '20.00', ...ACCOUNT, ...more })
  return { id, boss, admin: others[0]!, contactId: contact.id as string, bill }
}

test('an account without the country of its bank is marked, asks for attention and for a second person, and is shown', async () => {
  const { id, boss, admin, contactId, bill } = await payerOfPart({ account_number: '66661234' })
  expect(bill).toMatchObject({ account_is_partial: true, bank_details_differ: true, account_is_paid: null })
  const attention = (await api('GET', `/organizations/${id}/attention?kind=check_bank_details`, { token: boss.token }))
    .body
  expect(attention.data).toMatchObject([{ action: { kind: 'check_bank_details', bill_id: bill.id } }])
  const asked = (await requestPayment(boss, bill.id, { payment_contact_id: contactId })).body
  const approval = await approvalOf(asked, boss)
  expect(approval.summary).toContain('the bill names an account in part, which nothing compares with this one')
  expect(refusal(await approve(boss, asked))).toEqual([403, 'requester_cannot_approve'])
  expect((await approve(admin, asked)).status).toBe(200)
})

test('alone nobody pays it before a day is over', async () => {
  const { boss, contactId, bill } = await payerOfPart({}, 0)
  expect(fullRefusal(await requestPayment(boss, bill.id, { payment_contact_id: contactId }))).toEqual([
    422,
    'no_eligible_approver',
    { reason: 'bank_details_changed' },
  ])
})

test('with the country it is compared as a whole: the same account under its IBAN is the same, another with the same end is not', async () => {
  const { boss, contactId, bill } = await payerOfPart()
  const whole = (await change(boss, bill.id, { bank_country_alpha2: 'GB' })).body
  expect(whole).toMatchObject({ account_is_partial: false, bank_details_differ: false })
  const asked = (await requestPayment(boss, bill.id, { payment_contact_id: contactId })).body
  expect(asked).toMatchObject({ account_is_paid: true })
  expect((await approve(boss, asked)).status).toBe(200)
  const other = await payerOfPart({ account_number: '55556819', bank_country_alpha2: 'GB' })
  const requested = (await requestPayment(other.boss, other.bill.id, { payment_contact_id: other.contactId })).body
  expect(requested).toMatchObject({ account_is_paid: false, bank_details_differ: true })
})

test.each([
  ['a wrong IBAN', { iban: 'DE00', currency: 'EUR' }, true],
  ['a sort code alone', { sort_code: '601613', currency: 'GBP', bank_country_alpha2: 'GB' }, true],
  ['a whole account', { ...ACCOUNT, currency: 'GBP', bank_country_alpha2: 'GB', supplier_name: 'Power Ltd' }, false],
  ['an IBAN in francs without a BIC', { iban: 'CH5566725618455244040', currency: 'CHF' }, false],
  [
    'an account in a country without codes, without its BIC',
    { account_number: '1', bank_country_alpha2: 'KE', currency: 'KES' },
    true,
  ],
  ['a holder alone', { account_holder_name: 'Power Ltd', currency: 'GBP' }, false],
  ['an account without a currency, which the bill lacks anyway', { ...ACCOUNT }, false],
])('%s: named in part or not', (_, fields, isPart) => expect(namesPartOfAccount(fields)).toBe(isPart))
