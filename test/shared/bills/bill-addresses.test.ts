/** Addresses of suppliers: read, typed, sealed, and paid with. */
import { expect, test } from 'vitest'
import { api, join, organization, person } from '../../support/api.ts'
import { OTHER_IBAN, change, eventsOf, readBill, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { BANK } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { electronic } from '../../../dev/sample-bills/electronic.ts'
import { billOf } from '../../../dev/sample-bills/random.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const boss = await person({ authenticator: true })
async function newPayer() {
  const payer = await organization(boss, 'Payer')
  await join(payer.id, await person(), 'admin') // a new account from 1,000 on takes another approver
  return payer
}

const BONN = { address_town: 'Bonn', address_country: 'DE' }
const token = { token: boss.token }
const paymentOf = async (bill: { fiat_outgoing_id: string }) =>
  (await api('GET', `/payments/${bill.fiat_outgoing_id}`, token)).body
const contactOf = async (bill: { payment_contact_id: string }) =>
  (await api('GET', `/payment-contacts/${bill.payment_contact_id}`, token)).body

test('a bill in XML is paid with the address that it names', async () => {
  const payer = await newPayer()
  const bill = billOf(11, 'de', { currency: 'EUR', typeCode: '380', meansCode: '58', payeeName: null })
  const accounts = bill.accounts.map((account) => ({ ...account, holder: null }))
  const xml = electronic({ ...bill, accounts }, 'cii-en16931')
  const { id } = await readBill(boss, payer.id, Buffer.from(xml), 'application/xml')
  const asked = await requestPayment(boss, id)
  const { street, city, country } = bill.seller
  const address = { street, town: city, country_code: country }
  expect(await paymentOf(asked.body)).toMatchObject({ payee_address: address })
  expect(await contactOf(asked.body)).toMatchObject({ payee_address: address })
})

test('a contact’s own address wins over that of the bill, which is used if it has none, and changes no contact', async () => {
  const payer = await newPayer()
  const destinations = [{ ...BANK, iban: OTHER_IBAN }]
  const body = { name: 'Müller & Söhne GmbH', type: 'business', destinations }
  const { id } = (await api('POST', `/organizations/${payer.id}/payment-contacts`, { ...token, body })).body
  const paid = async (bill_number: string) => {
    const bill = await typedBill(boss, payer.id, { ...BONN, iban: OTHER_IBAN, bill_number })
    return requestPayment(boss, bill.id, { payment_contact_id: id, acknowledge_duplicate: true })
  }
  const first = await paid('A-1')
  expect((await paymentOf(first.body)).payee_address).toMatchObject({ town: 'Bonn', country_code: 'DE' })
  expect((await contactOf(first.body)).payee_address).toBeNull()
  const payee_address = { town: 'Köln', country_code: 'DE' }
  await api('PATCH', `/payment-contacts/${id}`, { ...token, body: { payee_address } })
  expect((await paymentOf((await paid('A-2')).body)).payee_address).toMatchObject(payee_address)
})

test('the address of a supplier is not used for an account that another holds', async () => {
  const payer = await newPayer()
  const bill = await typedBill(boss, payer.id, {
    ...BONN,
    bill_number: 'A-3',
    iban: 'DE75512108001245126199',
    account_holder_name: 'Inkasso West AG',
  })
  const asked = await requestPayment(boss, bill.id, { acknowledge_duplicate: true })
  expect((await paymentOf(asked.body)).payee_address).toBeNull()
})

test('an address is typed and emptied, sealed, and in the log by its members alone; it is no change of bank details', async () => {
  const payer = await newPayer()
  const bill = await typedBill(boss, payer.id, { ...BONN, iban: null, address_street: 'Geheimweg 1' })
  expect(bill).toMatchObject({ ...BONN, address_street: 'Geheimweg 1', iban: null })
  const moved = await change(boss, bill.id, { address_town: 'Köln', address_street: null })
  expect(moved.body).toMatchObject({ address_town: 'Köln', address_street: null, address_country: 'DE' })
  expect(await eventsOf(boss, bill.id)).toEqual(['bill.created', 'bill.updated'])
  const rows = await owner`select * from bills where id = ${bill.id}`
  const logged = await owner`select payload from events where subject_id = ${bill.id}`
  expect(JSON.stringify([rows, logged])).not.toMatch(/Geheimweg|Köln/)
  expect(JSON.stringify(logged)).toContain('address_town')
})
