/** One account stays one payee, while keys rotate and while two releases run side by side. */
import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type { Account } from '../../../services/contacts/destination-encryption.ts'
import type { OrganizationId } from '../../../domain/ids.ts'

const { before, keysBefore, rowBefore, cellsBefore } = await vi.hoisted(async () => {
  vi.stubEnv('ENCRYPTION_KEYS', '')
  // what there was before the rotation, with the development key alone
  const made = await import('../../../services/contacts/destination-encryption.ts')
  const { allKeysOf } = await import('../../../services/contacts/payee-accounts.ts')
  const { encryptForRow } = await import('../../../platform/encryption.ts')
  const { sealCells } = await import('../../../services/batches/cells.ts')
  vi.resetModules()
  return { before: made, keysBefore: allKeysOf, rowBefore: encryptForRow, cellsBefore: sealCells }
})
const rotated = `k2:${randomBytes(32).toString('base64')},dev1:3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=`
vi.stubEnv('ENCRYPTION_KEYS', rotated)
const { reencryptAll, reencryptDestinations } = await import('../../../services/maintenance/key-rotation.ts')
const { openCells } = await import('../../../services/batches/cells.ts')
const { ANNA, bankAt, payerOfTwo, asked } = await import('../../support/account-changes.ts')
const { approve, fund } = await import('../../support/api.ts')
const { setRules } = await import('../../support/approvals/approvals.ts')
const { evaluate } = await import('../../support/approvals/policies.ts')
const { draftOf, ended, outcomes, submit, submitted } = await import('../../support/batches/batches.ts')
const { requestPayment, typedBill } = await import('../../support/bills/bills.ts')
const { BANK } = await import('../../support/contacts/destinations.ts')
const { owner } = await import('../../support/database.ts')
const { usePartners } = await import('../../support/partners/partners.ts')
const { useWorker } = await import('../../support/worker.ts')
const { MADE_ANEW } = await import('../../rules/encryption-keys.ts')

usePartners()
useWorker()

const SWISS = { ...BANK, currency: 'CHF', swift_code: 'BYLADEM1' }
const HEAD = '\\x0464657631' // of all that the development key has made
const of = (account: object): Account => {
  const { country_code, currency, iban, account_holder_name } = account as typeof BANK
  return {
    type: 'bank',
    coordinates: { country_code, currency, iban, account_holder_name },
    payee_organization_id: null,
  }
}

/** Makes a payer with a limit per payee, and one account that each way to pay has named. */
async function payerOfAccount() {
  const at = await payerOfTwo()
  const { id, boss, contactOf } = at
  await fund(id, '5000.00', 'CHF')
  await owner`insert into daily_rates (currency, day, usd) values ('EUR', '2026-01-05', '1'), ('CHF', '2026-01-05', '1')
    on conflict (currency, day) do update set usd = excluded.usd`
  await setRules(id, boss, [
    { currency: 'EUR', amount_from: '5000', period: 'day', per: 'payee', hard: true, steps: [] } as never,
  ])
  const payment = await asked(boss, (await contactOf({ name: 'One' }, BANK)).id, '100.00')
  const batch = await submitted(boss, id, [{ iban: BANK.iban, amount: '30.00' }])
  const bill = await typedBill(boss, id, { amount: '7.00', iban: BANK.iban })
  expect((await requestPayment(boss, bill.id)).status).toBe(200)
  const waits = await typedBill(boss, id, { amount: '8.00', iban: BANK.iban, bill_number: 'Waits' })
  /** Counts what the account gets, as a contact of another currency finds it that is made now. */
  const count = async (name: string) => {
    const { id: contactId } = await contactOf({ name }, SWISS)
    const { body } = await evaluate(boss, id, { action_type: 'withdrawal', payment_contact_id: contactId })
    return Math.floor(Number(body.limits[0].used.amount))
  }
  return { ...at, payment, batch: batch.id, bill: bill.id, waits: waits.id, count }
}

test('a limit of a payee sees payments, a batch that waits and bills before, during and after a rotation of keys', async () => {
  const { id, batch, bill, waits, count } = await payerOfAccount()
  const all = await count('Before')
  expect(all).toBeGreaterThanOrEqual(137)
  const organizationId = id as OrganizationId
  const [fingerprint] = before.fingerprintsOf(organizationId, of(BANK))
  const [swiss] = before.fingerprintsOf(organizationId, of(SWISS))
  const asBytes = (hex: string) => Buffer.from(hex, 'hex')
  // as they were written when there was the development key alone
  const accounts = await owner<{ account_id: string }[]>`
    select distinct account_id from payee_accounts where organization_id = ${id}`
  const account = accounts[0]?.account_id ?? ''
  await owner`delete from payee_accounts where organization_id = ${id}`
  for (const key of new Set([...keysBefore(organizationId, of(BANK)), ...keysBefore(organizationId, of(SWISS))])) {
    await owner`insert into payee_accounts (organization_id, key, account_id) values (${id}, ${asBytes(key)}, ${account})`
  }
  const destinations = await owner<{ id: string; currency: string }[]>`
    select id, currency from payment_destinations where organization_id = ${id}`
  for (const one of destinations) {
    const { coordinates } = of(one.currency === 'CHF' ? SWISS : BANK)
    await owner`update payment_destinations set sealed = ${before.encryptCoordinates(one.id, coordinates ?? {})},
      fingerprint = ${asBytes(one.currency === 'CHF' ? swiss : fingerprint)} where id = ${one.id}`
  }
  for (const one of [bill, waits]) {
    await owner`update bills set sealed = ${rowBefore(one, { details: { iban: BANK.iban } })},
      fingerprint = ${asBytes(fingerprint)} where id = ${one}`
  }
  const [row] = await owner<{ id: string; sealed: string }[]>`
    select id, encode(sealed, 'hex') as sealed from payment_batch_rows where payment_batch_id = ${batch}`
  if (!row) throw new Error('the batch has its row')
  await owner`alter table payment_batch_rows disable trigger payment_batch_rows_are_not_changed`
  await owner`update payment_batch_rows set sealed = ${cellsBefore(row.id, openCells(row))},
    fingerprint = ${asBytes(fingerprint)} where id = ${row.id}`
  await owner`alter table payment_batch_rows enable trigger payment_batch_rows_are_not_changed`
  expect(accounts).toHaveLength(1)

  expect(await count('During')).toBe(all)
  await reencryptAll()
  const left = []
  for (const [table = '', column = ''] of MADE_ANEW.map((name) => name.split('.'))) {
    const rows = await owner`select 1 from ${owner(table)} where substring(${owner(column)} for 5) = ${HEAD}::bytea
      ${
        table === 'payee_accounts'
          ? owner`and not exists (select from payee_accounts o
        where o.account_id = payee_accounts.account_id and substring(o.key for 3) = '\\x026b32'::bytea)`
          : owner``
      }`
    if (rows.length > 0) left.push(`${table}.${column}`)
  }
  expect(left).toEqual([])
  await owner`select forget_payee_keys(array['\\x026b32'::bytea])` // the development key is configured no more
  expect(await owner`select from payee_accounts where substring(key for 5) = ${HEAD}::bytea`).toHaveLength(0)
  expect(await count('After')).toBe(all)
  const ids = await owner`
    select account_id from payment_destinations where organization_id = ${id}
    union select account_id from bills where organization_id = ${id}
    union select account_id from payment_batch_rows where payment_batch_id = ${batch}`
  expect(ids).toHaveLength(1)
})

test('what the release before writes is found at once in its currency, and in all as soon as it is looked through', async () => {
  const { id, boss, batch, count } = await payerOfAccount()
  const all = await count('Before')
  // it writes fingerprints alone
  await owner`delete from payee_accounts where organization_id = ${id}`
  await owner`update payment_destinations set account_id = null where organization_id = ${id}`
  for (const table of ['payment_destinations', 'bills']) {
    await owner`update ${owner(table)} set account_id = account_of(organization_id, array[encode(fingerprint, 'hex')])
      where organization_id = ${id}`
  }
  await owner`update payment_batch_rows set account_id = account_of(organization_id, array[encode(fingerprint, 'hex')])
    where payment_batch_id = ${batch}`
  const insert = async (currency: string) => {
    const [made] = await owner<{ id: string }[]>`
      insert into payment_contacts (id, organization_id, name, type, created_by)
      values (uuidv7(), ${id}, ${`Old ${currency}`}, 'business', ${boss.userId}) returning id`
    const [{ destination } = { destination: '' }] = await owner`select uuidv7()::text as destination`
    const account = of({ ...BANK, currency })
    await owner`insert into payment_destinations (id, organization_id, payment_contact_id, type, currency, sealed,
        fingerprint, created_by)
      values (${destination}, ${id}, ${made?.id ?? ''}, 'bank', ${currency},
        ${before.encryptCoordinates(destination, account.coordinates ?? {})},
        ${Buffer.from(before.fingerprintsOf(id as OrganizationId, account)[0], 'hex')}, ${boss.userId})`
    const { body } = await evaluate(boss, id, { action_type: 'withdrawal', payment_contact_id: made?.id })
    return Math.floor(Number(body.limits[0].used.amount))
  }
  await insert('EUR')
  await reencryptDestinations()
  expect([await count('Now'), await insert('CHF')]).toEqual([all, all])
})

test('a row under another name than the approved one is paid, also if keys rotate while it waits', async () => {
  const { id, boss, contactOf } = await payerOfTwo()
  await contactOf({}, bankAt(ANNA))
  await setRules(id, boss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['owner'] }] }])
  const draft = await draftOf(boss, id, [{ iban: ANNA, amount: '30.00' }])
  const account = of({ country_code: 'DE', currency: 'EUR', iban: ANNA, account_holder_name: 'Jane Doe' })
  const [fingerprint] = before.fingerprintsOf(id as OrganizationId, account)
  for (const table of ['payment_destinations', 'payment_batch_rows']) {
    await owner`update ${owner(table)} set fingerprint = ${Buffer.from(fingerprint, 'hex')} where organization_id = ${id}`
  }
  const { body: batch } = await submit(boss, draft)
  expect(batch.status).toBe('awaiting_approval')
  await reencryptDestinations()
  expect((await approve(boss, batch)).status).toBe(200)
  await ended(draft)
  expect(await outcomes(draft)).toEqual([expect.not.stringContaining('contact_not_approved')])
})

test('a row that the release before writes or points elsewhere has the account of the contact that it pays', async () => {
  const { id, boss, contactOf } = await payerOfTwo()
  const contacts = [await contactOf({ name: 'One' }, BANK), await contactOf({ name: 'Other' }, bankAt(ANNA))]
  const [one, other] = contacts.map(({ id: contact, destinations }) => ({ contact, at: destinations[0]?.id ?? '' }))
  const draft = await draftOf(boss, id, [{ contact: { id: one?.contact ?? '' }, amount: '30.00' }])
  await owner`update payment_batch_rows set currency = 'EUR', status = 'valid', errors = '[]' where payment_batch_id = ${draft}`
  // it copies and judges rows without their account
  await owner`insert into payment_batch_rows
    select (jsonb_populate_record(r, jsonb_build_object('id', uuidv7(), 'row_number', 2, 'account_id', null))).*
    from payment_batch_rows r where r.payment_batch_id = ${draft}`
  await owner`update payment_batch_rows set payment_contact_id = ${other?.contact ?? ''}, destination_id = ${other?.at ?? ''}
    where payment_batch_id = ${draft} and row_number = 1`
  const rows = await owner`
    select r.row_number, r.destination_id, r.account_id is not distinct from d.account_id as same
    from payment_batch_rows r join payment_destinations d on d.id = r.destination_id
    where r.payment_batch_id = ${draft} order by r.row_number`
  expect(rows).toMatchObject([
    { destination_id: other?.at, same: true },
    { destination_id: one?.at, same: true },
  ])
})
