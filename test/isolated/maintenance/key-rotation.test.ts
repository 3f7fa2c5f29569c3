import { randomBytes } from 'node:crypto'
import { generateSecret } from 'otplib'
import { expect, test, vi } from 'vitest'
import type { OrganizationId } from '../../../domain/ids.ts'

const { development, rowBefore, cellsBefore, fingerprintBefore } = await vi.hoisted(async () => {
  vi.stubEnv('ENCRYPTION_KEYS', '')
  // written before the rotation, with the development key
  const { encrypt, encryptForRow } = await import('../../../platform/encryption.ts')
  const { sealCells } = await import('../../../services/batches/cells.ts')
  const { fingerprintsOf } = await import('../../../services/contacts/destination-encryption.ts')
  vi.resetModules()
  return { development: encrypt, rowBefore: encryptForRow, cellsBefore: sealCells, fingerprintBefore: fingerprintsOf }
})
const rotated = `k2:${randomBytes(32).toString('base64')},dev1:3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=`
vi.stubEnv('ENCRYPTION_KEYS', rotated)
const {
  reencryptAccounting,
  reencryptAddresses,
  reencryptAuthenticators,
  reencryptBatchRows,
  reencryptBills,
  reencryptInvoices,
} = await import('../../../services/maintenance/key-rotation.ts')
const { bankDetailsOf, openCells } = await import('../../../services/batches/cells.ts')
const { takeLease } = await import('../../../services/accounting/lease.ts')
const { asSystem } = await import('../../../db/postgres/sql.ts')
const { booksOf } = await import('../../support/accounting/accounting.ts')
const { api, organization, person } = await import('../../support/api.ts')
const { draftOf } = await import('../../support/batches/batches.ts')
const { IBAN, detail, typedBill } = await import('../../support/bills/bills.ts')
const { owner } = await import('../../support/database.ts')
const { seller, sentInvoice } = await import('../../support/invoices/allocations.ts')
const { readInvoice } = await import('../../support/invoices/invoices.ts')
const { challenged, codesOf, mfa } = await import('../../support/identity/identity.ts')

test('authenticators that an earlier key sealed are sealed with the first one, once, and their codes stay right', async () => {
  const secret = generateSecret()
  const people = await Promise.all(Array.from({ length: 5 }, () => person()))
  for (const { userId } of people)
    await owner`insert into authenticators (user_id, secret) values (${userId}, ${development(Buffer.from(secret))})`
  const keysUsed = () => owner<{ key: string }[]>`
    select distinct convert_from(substring(secret from 2 for get_byte(secret, 0)), 'UTF8') as key from authenticators`
  expect(await keysUsed()).toEqual([{ key: 'dev1' }])
  expect([await reencryptAuthenticators(2), await reencryptAuthenticators(2)]).toEqual([5, 0])
  expect(await keysUsed()).toEqual([{ key: 'k2' }])
  for (const one of people)
    expect((await mfa(await challenged(one), await codesOf(secret)())).body.status).toBe('authenticated')
})

test('cells of rows that an earlier key sealed are sealed with the first one, also those of a batch that was submitted', async () => {
  const boss = await person()
  const { id: organizationId, svcId } = await organization(boss)
  const svc = { id: organizationId, svcId }
  const drafted = ['1.00', '2.00'].map((amount) => ({ svc, amount }))
  const batch = await draftOf(boss, organizationId, drafted)
  const rows = await owner<{ id: string }[]>`select id from payment_batch_rows where payment_batch_id = ${batch}`
  const cells = { cells: { amount: '1.00' }, more: [], short: false }
  for (const { id } of rows)
    await owner`update payment_batch_rows set sealed = ${cellsBefore(id, cells)} where id = ${id}`
  await owner`update payment_batches set status = 'awaiting_approval' where id = ${batch}`
  expect([await reencryptBatchRows(1), await reencryptBatchRows(1)]).toEqual([2, 0])
  const after = await owner<{ id: string; sealed: string; key: string }[]>`
    select id, encode(sealed, 'hex') as sealed, convert_from(substr(sealed, 2, get_byte(sealed, 0)), 'UTF8') as key
    from payment_batch_rows where payment_batch_id = ${batch}`
  expect(after.map((row) => [row.key, openCells(row)])).toMatchObject(Array(2).fill(['k2', cells]))
})

test('accounts that rows of a draft name are found under the first key afterwards; a batch that was submitted keeps its fingerprints until it is a draft again', async () => {
  const boss = await person()
  const { id: organizationId } = await organization(boss)
  const iban = 'DE02120300000000202051'
  const account = { iban, amount: '1.00' }
  const draft = await draftOf(boss, organizationId, [account])
  const submitted = await draftOf(boss, organizationId, [account])
  const rows = await owner<{ id: string; payment_batch_id: string; sealed: string }[]>`
    select id, payment_batch_id, encode(sealed, 'hex') as sealed from payment_batch_rows
    where payment_batch_id in (${draft}, ${submitted})`
  const fingerprints = () => owner<{ id: string; hex: string }[]>`
    select payment_batch_id as id, encode(fingerprint, 'hex') as hex from payment_batch_rows
    where payment_batch_id in (${draft}, ${submitted}) order by payment_batch_id = ${submitted}`
  const fresh = (await fingerprints())[0]?.hex
  const coordinates = bankDetailsOf(rows[0] ?? { id: '', sealed: '' })
  const destination = { type: 'bank', coordinates, payee_organization_id: null } as const
  const [before] = fingerprintBefore(organizationId as OrganizationId, destination)
  for (const row of rows)
    await owner`update payment_batch_rows set sealed = ${cellsBefore(row.id, openCells(row))},
      fingerprint = decode(${before}, 'hex') where id = ${row.id}`
  await owner`update payment_batches set status = 'awaiting_approval' where id = ${submitted}`
  expect(await reencryptBatchRows(1)).toBe(2)
  const renewed = { id: draft, hex: fresh }
  expect(fresh).not.toBe(before)
  expect(await fingerprints()).toEqual([renewed, { id: submitted, hex: before }])
  await owner`update payment_batches set status = 'draft' where id = ${submitted}` // its approval was rejected
  expect([await reencryptBatchRows(1), await reencryptBatchRows(1)]).toEqual([1, 0])
  expect(await fingerprints()).toEqual([renewed, { ...renewed, id: submitted }])
})

test('bills that an earlier key sealed are sealed with the first one, with what was read; their accounts are known before and after', async () => {
  const boss = await person()
  const { id: organizationId } = await organization(boss)
  const { id } = await typedBill(boss, organizationId)
  const sealedAs = () => owner<{ key: string; fingerprint: string | null }[]>`
    select convert_from(substr(sealed, 2, get_byte(sealed, 0)), 'UTF8') as key, encode(fingerprint, 'hex') as fingerprint
    from (select sealed, fingerprint from bills where id = ${id}
      union all select sealed, null from bill_readings where bill_id = ${id}
      union all select sealed, null from bill_findings where bill_id = ${id}) s`
  const [fresh] = await sealedAs()
  const coordinates = { country_code: 'DE', currency: 'EUR', iban: IBAN }
  const account = { type: 'bank', coordinates, payee_organization_id: null } as const
  const [fingerprint] = fingerprintBefore(organizationId as OrganizationId, account)
  await owner`
    update bills set sealed = ${rowBefore(id, { details: { iban: IBAN } })}, fingerprint = decode(${fingerprint}, 'hex')
    where id = ${id}`
  const reading = '00000000-0000-7000-8000-00000000000b'
  await owner`
    insert into bill_readings (id, organization_id, bill_id, method, sealed)
    values (${reading}, ${organizationId}, ${id}, 'ubl', ${rowBefore(reading, { fields: [] })})`
  const found = '00000000-0000-7000-8000-00000000000c'
  await owner`
    insert into bill_findings (id, organization_id, bill_id, asks_model, sealed)
    values (${found}, ${organizationId}, ${id}, false, ${rowBefore(found, { readings: [], pages: [] })})`
  expect((await typedBill(boss, organizationId)).bank_details_differ).toBe(false)
  const sealed = (key: string, bill: object) => [bill, ...Array(2).fill({ key, fingerprint: null })]
  expect(await sealedAs()).toEqual(sealed('dev1', { key: 'dev1', fingerprint }))
  expect([await reencryptBills(1), await reencryptBills(1)]).toEqual([3, 0])
  expect(await sealedAs()).toEqual(sealed('k2', fresh ?? {}))
  expect((await detail(boss, id)).bill.iban).toBe(IBAN)
  expect((await typedBill(boss, organizationId)).bank_details_differ).toBe(false)
})

test('tokens of accounting programs that an earlier key sealed are sealed with the first one, once, and open as before', async () => {
  const boss = await person()
  const { id: organizationId } = await organization(boss)
  await booksOf(boss, organizationId)
  const [row] = await owner<{ id: string }[]>`
    select id from accounting_connections where organization_id = ${organizationId}`
  const id = row?.id ?? ''
  await owner`
    update accounting_connections set sealed = ${rowBefore(id, { access: 'before', refresh: 'the next' })} where id = ${id}`
  expect([await reencryptAccounting(1), await reencryptAccounting(1)]).toEqual([1, 0])
  const held = await asSystem(organizationId as OrganizationId, (tx) => takeLease(tx, id as never, id))
  expect(held).toMatchObject({ access: 'before', refresh: 'the next' })
})

test('pages of invoices whose token an earlier key sealed open before and after it is sealed anew; revoked ones stay shut', async () => {
  const at = await seller()
  const invoices = [await sentInvoice(at, '10'), await sentInvoice(at, '20'), await sentInvoice(at, '30')]
  const paths = invoices.map(({ public_url: url }) => `//i/${url.split('/i/')[1]}`)
  for (const [index, { id }] of invoices.entries()) {
    const sealed = rowBefore(id, { token: paths[index]?.slice('//i/'.length) })
    await owner`update invoices set page_token_sealed = ${sealed} where id = ${id}`
  }
  const gone = invoices[2].id
  await api('DELETE', `/invoices/${gone}/public-link`, { token: at.boss.token })
  const isAsBefore = async () => {
    const opened = await Promise.all(paths.map((path) => api('GET', path)))
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 404])
    const urls = await Promise.all(invoices.map(async ({ id }) => (await readInvoice(at.boss, id)).public_url))
    expect(urls).toEqual([invoices[0].public_url, invoices[1].public_url, null])
  }
  await isAsBefore()
  expect([await reencryptInvoices(1), await reencryptInvoices(1)]).toEqual([2, 0])
  await isAsBefore()
  const keys = await owner`
    select distinct convert_from(substr(page_token_sealed, 2, get_byte(page_token_sealed, 0)), 'UTF8') as key from invoices
    where organization_id = ${at.id} and page_token_sealed is not null`
  expect(keys).toEqual([{ key: 'k2' }])
})

test('addresses of payees that an earlier key sealed are sealed with the first one; their fingerprints stay', async () => {
  const boss = await person()
  const { id: organizationId } = await organization(boss)
  const payee_address = { town: 'Köln', country_code: 'DE' }
  const body = { name: 'Payee', type: 'business', payee_address }
  const path = `/organizations/${organizationId}/payment-contacts`
  const made = (await api('POST', path, { token: boss.token, body })).body
  const [row] = await owner<{ id: string }[]>`
    select id from payee_addresses where organization_id = ${organizationId}`
  const id = row?.id ?? ''
  const sealedAs = async () =>
    (
      await owner`select convert_from(substr(sealed, 2, get_byte(sealed, 0)), 'UTF8') as key, fingerprint
      from payee_addresses where id = ${id}`
    )[0]
  const before = await sealedAs()
  await owner`update payee_addresses set sealed = ${rowBefore(id, { address: made.payee_address })} where id = ${id}`
  expect((await sealedAs())?.['key']).toBe('dev1')
  expect([await reencryptAddresses(1), await reencryptAddresses(1)]).toEqual([1, 0])
  expect(await sealedAs()).toEqual({ key: 'k2', fingerprint: before?.['fingerprint'] })
  const read = await api('GET', `/payment-contacts/${made.id}`, { token: boss.token })
  expect(read.body.payee_address).toEqual(made.payee_address)
})
