/** Bodies of contacts: payees, and customers who are sent invoices. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { NewBillingContact } from '../../domain/billing-contacts/billing-contact.ts'
import { NewPaymentContact } from '../../domain/contacts/contact.ts'
import { MailRepeat } from '../../domain/invoices/invoice.ts'
import { pathsOf } from '../support/bodies.ts'

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `a${index}@example.com`)
const BANK = { type: 'bank', country_code: 'DE', currency: 'EUR', account_holder_name: 'Payee', iban: 'DE02' }

describe('of a billing contact', () => {
  const postal_address = { line1: 'Domkloster 4', postal_code: '50667', city: 'Köln', country_code: 'DE' }
  const customer = (more: object) => ({ company_name: 'Müller & Söhne GmbH', ...more })

  test.each<[object, string]>([
    [{ company_name: ' ' }, 'company_name'],
    [{ company_name: null }, 'company_name'],
    [{ address: 'x'.repeat(1001) }, 'address'],
    [{ phone_number: 'x'.repeat(65) }, 'phone_number'],
    [{ emails: 'a@example.com' }, 'emails'],
    [{ emails: ['nobody'] }, 'emails.0'],
    [{ emails: ['a@example.com', 'A@example.com'] }, 'emails.1'],
    [{ emails: addresses(21) }, 'emails'],
    [{ vat_id: 'DE1' }, 'vat_id'],
    [{ vat_id: 'US123456789' }, 'vat_id'],
    [{ language: 'nl' }, 'language'],
    [{ language: null }, 'language'],
    [{ postal_address: { ...postal_address, country_code: 'de' } }, 'postal_address.country_code'],
    [{ postal_address: { ...postal_address, line1: '' } }, 'postal_address.line1'],
  ])('%j is refused at %s', (more, path) => expect(pathsOf(NewBillingContact, customer(more))).toEqual([path]))

  test('twenty addresses are taken, and VAT ids of any neighbour', () => {
    const taken = (more: object) => v.parse(NewBillingContact, customer(more))
    expect(taken({ emails: addresses(20) }).emails).toHaveLength(20)
    for (const vat_id of ['CHE-116.281.710 MWST', 'GB 980 7806 84', 'XI980780684', 'EL094014201', 'ATU13585627'])
      expect(taken({ vat_id }).vat_id).toBe(vat_id.replaceAll(/[ .-]/g, ''))
  })
})

test.each<[readonly string[], string]>([
  [[], 'emails'],
  [['nobody'], 'emails.0'],
  [['a@example.com', 'A@example.com'], 'emails.1'],
  [addresses(21), 'emails'],
])('an invoice is sent again to one to twenty addresses, each once: not to %j', (emails, path) =>
  expect(pathsOf(MailRepeat, { emails })).toEqual([path]),
)

describe('of a payment contact', () => {
  const bodyOf = (more: object) => ({ name: 'Payee', type: 'business', ...more })
  const inside = (payee_address: unknown) => bodyOf({ destinations: [{ ...BANK, payee_address }] })

  test.each<[object, string]>([
    [{ name: '' }, 'name'],
    [{ name: '\u200b' }, 'name'],
    [{ type: 'robot' }, 'type'],
    [{ email: 'nobody' }, 'email'],
    [{ tag: 'friend' }, 'tag'],
    [{ destinations: [{ type: 'cash' }] }, 'destinations.0.type'],
    [{ destinations: [{ type: 'svc_id' }] }, 'destinations.0.svc_id'],
    [{ destinations: [{ ...BANK, country_code: 'Germany' }] }, 'destinations.0.country_code'],
    [{ destinations: [{ ...BANK, account_holder_name: '\u200b' }] }, 'destinations.0.account_holder_name'],
    [{ destinations: [{ ...BANK, label: '\u200b' }] }, 'destinations.0.label'],
    [{ destinations: [{ type: 'crypto', network: 'abacus', coin: 'USDC', address: 'x' }] }, 'destinations.0.network'],
    [{ destinations: Array(21).fill(BANK) }, 'destinations'],
  ])('%j is refused at %s', (more, path) => expect(pathsOf(NewPaymentContact, bodyOf(more))).toEqual([path]))

  const TOWN = 'payee_address.town'
  test.each<[unknown, string]>([
    [{ country_code: 'DE' }, TOWN],
    [{ town: 'Köln' }, 'payee_address.country_code'],
    [{ town: null, country_code: 'DE' }, TOWN],
    [{ town: '', country_code: 'DE' }, TOWN],
    [{ town: '   ', country_code: 'DE' }, TOWN],
    [{ town: '\u00a0\u200b', country_code: 'DE' }, TOWN],
    [{ town: 'a'.repeat(141), country_code: 'DE' }, TOWN],
    [{ town: 'ß'.repeat(71), country_code: 'DE' }, TOWN],
    [{ town: '東京', country_code: 'JP' }, TOWN],
    [{ town: '\u00b4', country_code: 'FR' }, TOWN],
    [{ town: '\ue000', country_code: 'DE' }, TOWN],
    [{ town: '<->', country_code: 'DE' }, TOWN],
    [{ town: 'Köln', country_code: 'XX' }, 'payee_address.country_code'],
    [{ town: 'Köln', country_code: 'de' }, 'payee_address.country_code'],
    [{ town: 'Köln', country_code: 'DE', street: 'x'.repeat(141) }, 'payee_address.street'],
    ['Köln', 'payee_address'],
  ])('the address %j is refused at %s, of a contact and of an account', (payee_address, path) => {
    expect(new Set(pathsOf(NewPaymentContact, bodyOf({ payee_address })))).toEqual(new Set([path]))
    expect(new Set(pathsOf(NewPaymentContact, inside(payee_address)))).toEqual(new Set([`destinations.0.${path}`]))
  })

  test('140 characters, Kosovo, Greek and Cyrillic are taken; the country is not that of the account', () => {
    for (const [town, country_code] of [
      ['a'.repeat(140), 'AT'],
      ['Prishtinë', 'XK'],
      ['Θεσσαλονίκη', 'GR'],
      ['Київ', 'UA'],
    ])
      expect(pathsOf(NewPaymentContact, inside({ town, country_code }))).toEqual([])
  })
})
