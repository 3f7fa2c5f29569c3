/** Coordinates at rest: encrypted, bound to their row, and matched as duplicates across key rotation. */
import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type { Account } from '../../../services/contacts/destination-encryption.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { maskCoordinates } from '../../../domain/destinations/destination.ts'

const { before } = await vi.hoisted(async () => {
  vi.stubEnv('ENCRYPTION_KEYS', '')
  // sealed before the rotation, with the development key
  const seals = await import('../../../services/contacts/destination-encryption.ts')
  vi.resetModules()
  return { before: seals }
})
const development = 'dev1:3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs='
vi.stubEnv('ENCRYPTION_KEYS', `k2:${randomBytes(32).toString('base64')},${development}`)
const { reencryptDestinations } = await import('../../../services/maintenance/key-rotation.ts')
const { api } = await import('../../support/api.ts')
const { setRules } = await import('../../support/approvals/approvals.ts')
const { owner } = await import('../../support/database.ts')
const { BANK, WALLET, add, contactWith, destinationsPath } = await import('../../support/contacts/destinations.ts')

const IBAN = 'DE02500105170137075030'

/** Tables with this text in any column, also as bytes. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await owner<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
  const found: string[] = []
  const hex = Buffer.from(text).toString('hex')
  for (const { name } of tables) {
    const [row] = await owner`
      select count(*)::int as n from ${owner(name)} t
      where position(${text} in t::text) > 0 or position(${hex} in t::text) > 0`
    if (row?.['n'] > 0) found.push(name)
  }
  return found
}

test('no table has an account number in the clear, whatever was asked about it: row, log, approval, claim', async () => {
  const { boss, contact, payer, list } = await contactWith([])
  await add(boss, contact, { ...BANK, iban: IBAN }, 'a key')
  await add(boss, contact, { ...BANK, iban: IBAN })
  await setRules(payer.id, boss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['owner'] }] }])
  const body = { name: 'Waits', type: 'business', destinations: [{ ...BANK, iban: IBAN }, WALLET] }
  const { body: made } = await api('POST', list, { token: boss.token, body, key: 'another' })
  expect(made.status).toBe('pending_approval')
  expect((await add(boss, contact, WALLET)).body.status).toBe('pending_approval')
  expect(await tablesWith('Waits')).toContain('payment_contacts') // the search itself works
  expect(await tablesWith(IBAN)).toEqual([])
  expect(await tablesWith(WALLET.address)).toEqual([])
})

test('a mask shows the last four characters at most, and never more than half', () => {
  const shown = (iban: string) => maskCoordinates({ iban, swift_code: iban })['iban']
  expect(['', 'A', 'AB', '12345', '12345678', BANK.iban].map(shown)).toEqual(['…', '…', '…B', '…45', '…5678', '…2051'])
  expect(maskCoordinates({ iban: null, swift_code: 'BYLADEM1001' })).toEqual({ iban: null, swift_code: 'BYLADEM1001' })
})

test('coordinates of one row do not open in another', async () => {
  const { boss, contact } = await contactWith([BANK, { ...BANK, iban: IBAN }])
  const [one, other] = (await api('GET', destinationsPath(contact), { token: boss.token })).body.data
  await owner`update payment_destinations set sealed = (select o.sealed from payment_destinations o
    where o.id = ${other.id}) where id = ${one.id}`
  expect((await api('GET', `/payment-destinations/${one.id}`, { token: boss.token })).status).toBe(500)
  expect((await api('GET', `/payment-destinations/${other.id}`, { token: boss.token })).status).toBe(200)
})

test('what was sealed with a key that is not configured is asked for again when it is', async () => {
  const { boss, contact } = await contactWith([BANK])
  const [{ id }] = (await api('GET', destinationsPath(contact), { token: boss.token })).body.data
  const keep = async (sealed: Buffer) => owner`update payment_destinations set sealed = ${sealed} where id = ${id}`
  const [row] = await owner<{ sealed: Buffer }[]>`select sealed from payment_destinations where id = ${id}`
  const sealed = row?.sealed ?? Buffer.of()
  await keep(Buffer.concat([sealed.subarray(0, 1), Buffer.from('k9'), sealed.subarray(3)]))
  const read = () => api('GET', `/payment-destinations/${id}`, { token: boss.token })
  expect(await read()).toMatchObject({
    status: 503,
    body: { error: { type: 'service_unavailable', details: { reason: 'sealed_unreadable' } } },
  })
  await keep(sealed)
  expect(await read()).toMatchObject({ status: 200, body: { iban: BANK.iban } })
})

test('what an earlier key sealed is read, found as a duplicate, and sealed with the first key, once', async () => {
  const { boss, contact, payer, payee } = await contactWith([])
  const ids = { bank: '00000000-0000-7000-8000-000000000001', handle: '00000000-0000-7000-8000-000000000002' }
  const coordinates = { country_code: 'DE', currency: 'EUR', account_holder_name: 'Payee', iban: BANK.iban }
  const nulls = Object.fromEntries(
    'swift_code account_number aba_code sort_code bsb_code ifsc_code cnaps bank_code branch_code bank_name'
      .split(' ')
      .map((name) => [name, null]),
  )
  const fingerprint = (account: Omit<Account, 'payee_organization_id'>, payeeId: string | null = null) =>
    before.fingerprintsOf(payer.id as OrganizationId, {
      ...account,
      payee_organization_id: payeeId as OrganizationId | null,
    })[0]
  const common = { organization_id: payer.id, payment_contact_id: contact, created_by: boss.userId }
  const insert = (row: object) => owner`insert into payment_destinations ${owner({ ...common, ...row })}`
  await insert({
    id: ids.bank,
    type: 'bank',
    currency: 'EUR',
    sealed: before.encryptCoordinates(ids.bank, { ...coordinates, ...nulls }),
    fingerprint: Buffer.from(fingerprint({ type: 'bank', coordinates }), 'hex'),
  })
  await insert({
    id: ids.handle,
    type: 'svc_id',
    currency: 'USD',
    svc_id: payee.svcId,
    payee_organization_id: payee.id,
    fingerprint: Buffer.from(fingerprint({ type: 'svc_id', coordinates: null }, payee.id), 'hex'),
  })

  const read = async () => (await api('GET', `/payment-destinations/${ids.bank}`, { token: boss.token })).body.iban
  const duplicateOf = async (one: object) => (await add(boss, contact, one)).body.error.details.duplicate_of
  const duplicates = async () => [await duplicateOf(BANK), await duplicateOf({ type: 'svc_id', svc_id: payee.svcId })]
  expect(await read()).toBe(BANK.iban)
  expect(await duplicates()).toEqual([[ids.bank], [ids.handle]])

  expect(await reencryptDestinations(1)).toBe(2)
  expect(await reencryptDestinations(1)).toBe(0)
  const keys = await owner`
    select distinct convert_from(substring(fingerprint from 2 for get_byte(fingerprint, 0)), 'UTF8') as key,
      convert_from(substring(sealed from 2 for get_byte(sealed, 0)), 'UTF8') as sealed
    from payment_destinations where id = any (${Object.values(ids)}) order by sealed`
  expect(keys).toEqual([
    { key: 'k2', sealed: 'k2' },
    { key: 'k2', sealed: null },
  ])
  expect(await read()).toBe(BANK.iban)
  expect(await duplicates()).toEqual([[ids.bank], [ids.handle]])
})

test('one that does not open keeps no other from being sealed anew, nor one that was told apart in another way', async () => {
  const { boss, contact, list } = await contactWith([BANK, { ...BANK, iban: IBAN }, WALLET])
  await reencryptDestinations()
  const [wallet, fine, broken] = (await api('GET', destinationsPath(contact), { token: boss.token })).body.data
  await owner`update payment_destinations set fingerprint = '', sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40))
    where id = ${broken.id}`
  await owner`update payment_destinations set fingerprint = '' where id = ${wallet.id}`
  // by another version of the rule
  await owner`update payment_destinations set fingerprint = '\x026b32'::bytea || sha256('x') where id = ${fine.id}`
  expect(await reencryptDestinations(1)).toBe(2)
  expect(await reencryptDestinations(1)).toBe(0)
  const body = { name: 'Other', type: 'business', destinations: [{ ...BANK, iban: IBAN }, WALLET] }
  const other = await api('POST', list, { token: boss.token, body })
  const found = other.body.destinations.map((one: { duplicate_of: string[] }) => one.duplicate_of)
  expect(found).toEqual([[fine.id], [wallet.id]])
})
