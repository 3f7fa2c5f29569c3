import { describe, expect, test } from 'vitest'
import { api, join, organization, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { expectRefusal, refusal } from '../../support/http/refusals.ts'
import { MANY } from '../../support/model-runs.ts'
import {
  BANK,
  WALLET,
  add,
  contactWith,
  defaultsOf,
  destinationsPath,
  seen,
  setting,
} from '../../support/contacts/destinations.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { useWorker } from '../../support/worker.ts'
import { fingerprintsOf } from '../../../services/contacts/destination-encryption.ts'
import { type BankCoordinates, canonicalCoordinates } from '../../../domain/destinations/coordinates.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { type NewDestination, accountOf, coordinatesIn } from '../../../domain/destinations/destination.ts'

useWorker()

describe('adding', () => {
  test('answers the destination whole, and the contact has it masked', async () => {
    const { boss, contact } = await contactWith([])
    const made = await add(boss, contact, BANK)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ ...BANK, status: 'active', default: true, duplicate_of: [], label: null })
    const { body } = await api('GET', `/payment-contacts/${contact}`, { token: boss.token })
    expect(body.destinations).toMatchObject([{ id: made.body.id, iban: '…2051', account_holder_name: 'Payee' }])
    const events = await owner`select type, payload from events where subject_id = ${made.body.id}`
    expect(events.map(({ type }) => type)).toEqual(['payment_destination.created'])
    const told = JSON.stringify(events).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id') // ids may contain the digits
    expect(told).not.toContain('2051')
  })

  test('one that is marked becomes the default, the ones before it stay', async () => {
    const { boss, contact } = await contactWith([BANK])
    const added = await add(boss, contact, { ...WALLET, default: true })
    expect(added.body).toMatchObject({ default: true, becomes_default: false })
    expect(await defaultsOf(boss, contact)).toEqual([false, true])
  })

  test('an account that is none, a service ID that nobody has, and the own one are refused', async () => {
    const { boss, contact, payer } = await contactWith([])
    const none = { path: 'iban', field: 'iban', code: 'checksum' }
    expectRefusal(await add(boss, contact, { ...BANK, iban: 'DE02120300000000202052' }), 'invalid_bank_details', none)
    const handle = (svc_id: string) => add(boss, contact, { type: 'svc_id', svc_id })
    expectRefusal(await handle('nobody-has-this'), 'unknown_handle', { path: 'svc_id' })
    expect((await handle(payer.svcId)).body.error.type).toBe('same_account')
    expect(await defaultsOf(boss, contact)).toEqual([])
  })

  test('all that is invalid of a new contact is named in one answer, each by its place', async () => {
    const { boss, list } = await setting()
    const bank = { ...BANK, iban: 'DE02120300000000202052', swift_code: 'BYLADEM' }
    const wallet = { ...WALLET, coin: 'BTC', address: '0x123' }
    const given = { name: 'x', type: 'business', destinations: [WALLET, bank, wallet] }
    const refused = await api('POST', list, { token: boss.token, body: given })
    expect(refusal(refused)).toEqual([422, 'invalid_bank_details'])
    const message = expect.any(String)
    expect(refused.body.error.details).toEqual({
      path: 'destinations.1.iban',
      field: 'iban',
      code: 'checksum',
      errors: [
        { path: 'destinations.1.iban', code: 'checksum', message },
        { path: 'destinations.1.swift_code', code: 'malformed', message },
        { path: 'destinations.2.coin', code: 'network_mismatch', message },
        { path: 'destinations.2.address', code: 'malformed', message },
      ],
    })
    const { body } = await api('GET', list, { token: boss.token })
    expect(body.data).toEqual([])
  })

  test('the same account again is refused, however it is written and whatever else differs; of many at once one is made', async () => {
    const { boss, contact, payee, list } = await contactWith([])
    const spellings = ['DE02120300000000202051', 'de02 1203 0000 0000 2020 51']
    const answers = await Promise.all(
      Array.from({ length: MANY }, (_, index) =>
        add(boss, contact, { ...BANK, iban: spellings[index % 2], account_holder_name: `Payee ${index}` }),
      ),
    )
    const made = answers.filter(({ status }) => status === 201)
    expect(made).toHaveLength(1)
    const details = { duplicate_of: [made[0]?.body.id] }
    for (const { body } of answers.filter(({ status }) => status !== 201))
      expect(body.error).toMatchObject({ type: 'invalid_state', details })
    expect((await add(boss, contact, { ...BANK, currency: 'USD', swift_code: 'BYLADEM1001' })).status).toBe(201)
    const handles = [payee.svcId, payee.svcId].map((svc_id) => add(boss, contact, { type: 'svc_id', svc_id }))
    expect((await Promise.all(handles)).map(({ status }) => status).toSorted()).toEqual([201, 409])
    const body = { name: 'Twice', type: 'business', destinations: [BANK, WALLET, { ...BANK, iban: spellings[1] }] }
    const errors = [{ path: 'destinations.2', code: 'duplicate' }]
    expectRefusal(await api('POST', list, { token: boss.token, body }), 'invalid_request', { errors })
  })

  test('the same account in another contact is told, in another organization it is not', async () => {
    const { boss, contact, list } = await contactWith([BANK])
    const [first] = (await api('GET', destinationsPath(contact), { token: boss.token })).body.data
    const body = { name: 'Another', type: 'business', destinations: [WALLET, { ...BANK, default: true }] }
    const another = await api('POST', list, { token: boss.token, body })
    expect(another.status).toBe(201)
    const [wallet, bank] = another.body.destinations
    expect([wallet.duplicate_of, bank.duplicate_of]).toEqual([[], [first.id]])
    expect([wallet.default, bank.default]).toEqual([false, true])
    const read = await api('GET', `/payment-destinations/${first.id}`, { token: boss.token })
    expect(read.body.duplicate_of).toEqual([bank.id])
    const elsewhere = await contactWith([])
    expect((await add(elsewhere.boss, elsewhere.contact, BANK)).body.duplicate_of).toEqual([])
  })

  test('a contact has 20 destinations at most', async () => {
    const us = { ...BANK, country_code: 'US', currency: 'USD', iban: null, aba_code: '021000021' }
    const accounts = Array.from({ length: 22 }, (_, index) => ({ ...us, account_number: String(10_000_000 + index) }))
    const { boss, contact } = await contactWith(accounts.slice(0, 18))
    const answers = await Promise.all(accounts.slice(18).map((account) => add(boss, contact, account)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    const refused = answers.find(({ status }) => status !== 201)
    expect([refused?.status, refused?.body.error.details.limit]).toEqual([422, 20])
  })
})

test('a destination is shown whole, also to a member; lists are masked, newest first, filtered and paged', async () => {
  const { boss, contact, payer, payee } = await contactWith([BANK])
  await add(boss, contact, WALLET)
  await add(boss, contact, { type: 'svc_id', svc_id: payee.svcId })
  const member = await person()
  await join(payer.id, member, 'member')
  const read = (query: string) => api('GET', `${destinationsPath(contact)}${query}`, { token: member.token })
  const all = await read('')
  expect(all.body.data).toMatchObject([{ type: 'svc_id' }, { address: '…9EE7' }, { iban: '…2051' }])
  expect(JSON.stringify(all.body)).not.toContain(BANK.iban)
  const bank = all.body.data[2]
  const one = await api('GET', `/payment-destinations/${bank.id}`, { token: member.token })
  expect(one.body).toMatchObject({ ...BANK, payment_contact_id: contact })
  expect((await read('?type=crypto')).body.data).toHaveLength(1)
  expect((await read('?currency=EUR')).body.data).toMatchObject([{ id: bank.id }])
  const first = await read('?limit=2')
  expect(first.body.has_more).toBe(true)
  expect((await read(`?cursor=${first.body.next_cursor}`)).body.data).toMatchObject([{ id: bank.id }])
})

test('contacts are found by how they are paid', async () => {
  const { boss, list } = await contactWith([BANK])
  await api('POST', list, { token: boss.token, body: { name: 'Person', type: 'individual', destinations: [WALLET] } })
  const names = async (query: string) =>
    (await api('GET', `${list}?${query}`, { token: boss.token })).body.data.map((item: { name: string }) => item.name)
  expect(await names('destination_type=bank')).toEqual(['Payee'])
  expect(await names('currency=USDC')).toEqual(['Person'])
  expect(await names('destination_type=bank&currency=USDC')).toEqual([])
  expect(await names('type=individual')).toEqual(['Person'])
})

test('a label is set and cleared; a coordinate in the body is refused at its path, whatever its value', async () => {
  const { boss, contact } = await contactWith([BANK])
  const [{ id }] = (await api('GET', destinationsPath(contact), { token: boss.token })).body.data
  const patch = (body: object) => api('PATCH', `/payment-destinations/${id}`, { token: boss.token, body })
  expect((await patch({ label: 'Main' })).body.label).toBe('Main')
  expect((await patch({})).body.label).toBe('Main')
  expect((await patch({ label: null, unknown: 1 })).body.label).toBeNull()
  const refused = await patch({ label: 'x', iban: BANK.iban, memo: null, type: 'bank' })
  expect(refused.status).toBe(400)
  expect(refused.body.error.details.errors).toMatchObject([
    { path: 'type', code: 'immutable' },
    { path: 'iban', code: 'immutable' },
    { path: 'memo', code: 'immutable' },
  ])
  expectRefusal(await patch({ default: false }), 'invalid_state', { reason: 'default_needed' })
})

test('exactly one is the default, whoever marks which at once', async () => {
  const dollars = { ...BANK, currency: 'USD', swift_code: 'BYLADEM1001' }
  const { boss, contact, payee } = await contactWith([BANK, WALLET, dollars])
  await add(boss, contact, { type: 'svc_id', svc_id: payee.svcId })
  const ids = (await api('GET', destinationsPath(contact), { token: boss.token })).body.data.map(
    ({ id }: { id: string }) => id,
  )
  const marks = Array.from({ length: MANY }, (_, index) =>
    api('PATCH', `/payment-destinations/${ids[index % 4]}`, { token: boss.token, body: { default: true } }),
  )
  expect((await Promise.all(marks)).map(({ status }) => status)).toEqual(Array(MANY).fill(200))
  expect((await defaultsOf(boss, contact)).filter(Boolean)).toHaveLength(1)
})

describe('payment destinations hardening', () => {
  const byOwner = [{ action_type: 'payment_contact' as const, steps: [{ required: 1, roles: ['owner' as const] }] }]

  test('who may not change which destination is paid does not move it by adding one', async () => {
    const { boss, payer, contact, list } = await contactWith([BANK])
    const member = await person()
    await join(payer.id, member, 'member')
    expectRefusal(await add(member, contact, { ...WALLET, default: true }), 'forbidden', {
      permission: 'payment_destinations.update',
    })
    expect((await add(member, contact, WALLET)).status).toBe(201)
    expect(await defaultsOf(boss, contact)).toEqual([true, false])

    const empty = await api('POST', list, { token: member.token, body: { name: 'Empty', type: 'business' } })
    expect((await add(member, empty.body.id, { ...BANK, default: true })).body.default).toBe(true)
  })

  const corrupt = (id: string) => owner`
  update payment_destinations set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40)) where id = ${id}`

  test('a destination that does not open hides nothing else: lists mask it, reading it alone fails', async () => {
    const { boss, payer, contact, list } = await contactWith([BANK, WALLET])
    const ids = (await seen(boss, contact)).destinations.map((one: { id: string }) => one.id)
    const another = { name: 'O', type: 'business', destinations: [BANK] }
    const other = await api('POST', list, { token: boss.token, body: another })
    for (const id of ids) await corrupt(id)
    const expected = [
      { id: ids[0], type: 'bank', iban: null, account_number: null, currency: 'EUR', account_holder_name: '…' },
      { id: ids[1], type: 'crypto', coin: 'USDC', network: '…', address: '…' },
    ]
    expect((await seen(boss, contact)).destinations).toMatchObject(expected)
    const listed = await api('GET', list, { token: boss.token })
    expect(listed.body.data).toMatchObject([{ id: other.body.id }, { id: contact, destinations: expected }])
    const destinations = await api('GET', destinationsPath(contact), { token: boss.token })
    expect(destinations.body.data).toMatchObject(expected.toReversed())
    expect((await api('GET', `/payment-destinations/${ids[0]}`, { token: boss.token })).status).toBe(500)

    await setRules(payer.id, boss, byOwner)
    const body = { name: 'Waits', type: 'business', destinations: [BANK] }
    const waits = await api('POST', list, { token: boss.token, body })
    await corrupt(waits.body.destinations[0].id)
    const path = `/organizations/${payer.id}/approvals`
    const approvals = await api('GET', path, { token: boss.token })
    expect(approvals.body.data).toMatchObject([{ subject: { payment_contact: { destinations: [{ account: null }] } } }])
    const id = waits.body.approval_request_id
    expect((await api('POST', `${path}/${id}/reject`, { token: boss.token, body: {} })).status).toBe(200)
  })

  test('an approval shows for ever what was approved, whatever becomes of the contact later', async () => {
    const payee = await organization(await person(), 'Payee')
    const { boss, payer, list } = await contactWith([])
    await setRules(payer.id, boss, byOwner)
    const path = (id: string) => `/organizations/${payer.id}/approvals/${id}`
    const approve = (id: string) => withStepUp('POST', `${path(id)}/approve`, { token: boss.token, body: {} })
    const shown = async (id: string) => {
      const { name, destinations } = (await api('GET', path(id), { token: boss.token })).body.subject.payment_contact
      return { name, destinations }
    }
    const body = { name: 'First', type: 'business', destinations: [{ type: 'svc_id', svc_id: payee.svcId }, BANK] }
    const { id: contact, approval_request_id: creation } = (await api('POST', list, { token: boss.token, body })).body
    const created = await shown(creation)
    expect(created).toMatchObject({
      name: 'First',
      destinations: [
        { type: 'svc_id', default: true, becomes_default: false, new: true },
        { type: 'bank', account: '…2051', default: false, becomes_default: false, new: true },
      ],
    })
    expect((await approve(creation)).status).toBe(200)
    expect(await shown(creation)).toEqual(created)

    const added = (await add(boss, contact, { ...WALLET, default: true })).body
    const addition = await shown(added.approval_request_id)
    expect(addition).toMatchObject({
      destinations: [
        { type: 'svc_id', default: true, becomes_default: false, new: false },
        { type: 'bank', default: false, becomes_default: false, new: false },
        { id: added.id, default: false, becomes_default: true, new: true },
      ],
    })
    expect((await approve(added.approval_request_id)).status).toBe(200)
    expect(await defaultsOf(boss, contact)).toEqual([false, false, true])
    const rename = { token: boss.token, body: { name: 'Renamed' } }
    const renamed = (await api('PATCH', `/payment-contacts/${contact}`, rename)).body
    expect((await approve(renamed.approval_request_id)).status).toBe(200)
    const [, bank] = created.destinations
    expect((await api('DELETE', `/payment-destinations/${bank.id}`, { token: boss.token })).status).toBe(200)

    expect(await shown(creation)).toEqual(created)
    expect(await shown(added.approval_request_id)).toEqual(addition)
  })

  test('a repeat of what was deleted since is told that it is not there any more', async () => {
    const { boss, contact } = await contactWith([BANK])
    const added = await add(boss, contact, WALLET, 'a key')
    expect((await add(boss, contact, WALLET, 'a key')).body).toEqual(added.body)
    await api('DELETE', `/payment-destinations/${added.body.id}`, { token: boss.token })
    expect((await add(boss, contact, WALLET, 'a key')).status).toBe(404)
    expect((await add(boss, contact, WALLET, 'another key')).status).toBe(201)
  })
})

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
