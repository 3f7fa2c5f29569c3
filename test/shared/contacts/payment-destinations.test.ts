import { describe, expect, test } from 'vitest'
import { api, join, person } from '../../support/api.ts'
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
  setting,
} from '../../support/contacts/destinations.ts'

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
