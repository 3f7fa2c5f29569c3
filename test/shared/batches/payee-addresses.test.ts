/** Rows with the addresses of their payees: written, judged, approved and paid. */
import { expect, test } from 'vitest'
import { api, approvalPath, approve, fund, organization, person } from '../../support/api.ts'
import { drive, ended, submit } from '../../support/batches/batches.ts'
import { changeRow, errorsOf, imported, newBatch, rowsOf } from '../../support/batches/imports.ts'
import { BANK } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { askPartner, usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const boss = await person({ authenticator: true })
const payer = await organization(boss, 'Payer')
await fund(payer.id, '900.00', 'EUR')

const KOELN = { street: 'Domstraße', building_number: '5', postal_code: '50668', town: 'Köln', country_code: 'DE' }
const IBANS = ['DE89370400440532013000', 'DE75512108001245126199'] as const

async function contactAt(iban: string, payee_address: object | null): Promise<string> {
  const body = { name: 'Supplier', type: 'business', payee_address, destinations: [{ ...BANK, iban }] }
  return (await api('POST', `/organizations/${payer.id}/payment-contacts`, { token: boss.token, body })).body.id
}

// not in the order of the template
const HEADER = [
  'address_country,amount,address_town,currency,iban,address_street,account_holder_name,address_postal_code',
  'payout_reason,address_building_number,statement_description,payment_contact_id,payee_svc_id',
].join(',')
const row = (address: Partial<typeof KOELN>, amount: string, iban: string = IBANS[0], contact = '', handle = '') =>
  [
    address.country_code,
    amount,
    address.town,
    'EUR',
    iban,
    address.street,
    iban && 'Jane Doe',
    address.postal_code,
    'services',
    address.building_number,
    'Invoice 1',
    contact,
    handle,
  ]
    .map((cell) => `"${cell ?? ''}"`)
    .join(',')
const fileOf = (...rows: string[]) => [HEADER, ...rows].join('\n')

async function draft(...rows: string[]) {
  const id = await newBatch(boss, payer.id)
  await imported(boss, id, fileOf(...rows))
  return { id, organization_id: payer.id, rows: await rowsOf(boss, id) }
}

test('rows in any order of columns carry the address of their account, or are warned of; a contact has its own', async () => {
  const [complete, lacking] = [await contactAt(IBANS[0], KOELN), await contactAt(IBANS[1], null)]
  const { rows } = await draft(
    row(KOELN, '1.00'),
    row({}, '2.00'),
    row({}, '3.00', '', complete),
    row({}, '4.00', '', lacking),
  )
  const codes = rows.map(({ warnings }) =>
    warnings.map(({ code, column }: Record<string, string>) => `${column} ${code}`),
  )
  expect(errorsOf(rows)).toEqual([[], [], [], []])
  expect(codes).toEqual([[], ['address_town address_missing'], [], ['payment_contact_id address_missing']])
  expect(rows[0].cells).toMatchObject({ address_street: 'Domstraße', address_town: 'Köln', address_country: 'DE' })
})

test('a correction adds an address, and judges it again', async () => {
  const { id, rows } = await draft(row({}, '1.00'))
  const fixed = await changeRow(boss, id, rows[0].id, { address_town: 'Köln' })
  expect(errorsOf([fixed.body])).toEqual([['address_country required']])
  const whole = await changeRow(boss, id, rows[0].id, { address_country: 'DE' })
  expect([errorsOf([whole.body]), whole.body.warnings]).toEqual([[[]], []])
})

test('an approved batch pays each row to the address of then, whatever its contact became; one-time payees keep it', async () => {
  const contact = await contactAt(IBANS[1], KOELN)
  const { id, ...at } = await draft(
    row({ ...KOELN, town: 'Łódź' }, '1.00'),
    row({}, '2.00', '', contact),
    row({}, '3.00'),
  )
  const batch = (await submit(boss, id)).body
  const { body: approval } = await api('GET', approvalPath(batch), { token: boss.token })
  expect(approval.subject.payment_batch.without_address).toBe(1)
  expect(approval.warnings).toContain('address_missing')
  const move = { token: boss.token, body: { payee_address: { town: 'Bonn', country_code: 'DE' } } }
  await api('PATCH', `/payment-contacts/${contact}`, move)
  expect((await approve(boss, batch)).status).toBe(200)
  await drive({ id, ...at })
  await ended(id)
  const rows = await rowsOf(boss, id)
  const payments = await Promise.all(
    rows.map(async ({ payment_id }) => (await api('GET', `/payments/${payment_id}`, { token: boss.token })).body),
  )
  expect(payments.map(({ payee_address: address }) => address && [address.town, address.street])).toEqual([
    ['Łódź', 'Domstraße'],
    ['Köln', 'Domstraße'],
    null,
  ])
  const payee = await api('GET', `/payment-contacts/${payments[0].payment_contact_id}`, { token: boss.token })
  expect(payee.body).toMatchObject({ one_time: true, payee_address: { town: 'Łódź' } })
  const ordered = await askPartner('bank', 'GET', `/payouts/${payments[0].id}`)
  expect(ordered.body.payee_address).toMatchObject({ town: 'Lodz', street: 'Domstrasse' })
})

test('a row whose address was changed behind the service is not what was approved', async () => {
  const contact = await contactAt(IBANS[1], KOELN)
  const other = await contactAt(IBANS[0], { town: 'Bonn', country_code: 'DE' })
  const { id } = await draft(row({}, '2.00', '', contact))
  const batch = (await submit(boss, id)).body
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update payment_batch_rows set payee_address_id = (
      select payee_address_id from payment_contacts where id = ${other}) where payment_batch_id = ${id}`
  })
  const refused = await approve(boss, batch)
  expect([...refusal(refused), refused.body.error.details.reason]).toEqual([409, 'invalid_state', 'rows_changed'])
})
