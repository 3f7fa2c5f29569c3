import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type TestPerson, api, join, organization, paymentBody, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'

const bank = {
  type: 'bank',
  country_code: 'DE',
  currency: 'EUR',
  account_holder_name: 'Payee',
  iban: 'DE02120300000000202051',
}
const crypto = {
  type: 'crypto',
  network: 'ethereum',
  coin: 'USDC',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
}

async function setting() {
  const [boss, payeeBoss] = [await person(), await person()]
  const [payer, payee] = [await organization(boss, 'Payer'), await organization(payeeBoss, 'Payee')]
  return { boss, payeeBoss, payer, payee, list: `/organizations/${payer.id}/payment-contacts` }
}

const create = (by: TestPerson, list: string, body: object, key?: string) =>
  api('POST', list, { token: by.token, body: { name: 'Payee', type: 'business', ...body }, ...(key && { key }) })

describe('creating', () => {
  test('answers the contact with its destinations, the first one as the default, and writes an event', async () => {
    const { boss, payer, payee, list } = await setting()
    const made = await create(boss, list, {
      email: 'Pay@Example.com',
      tag: 'vendor',
      destinations: [{ type: 'svc_id', svc_id: payee.svcId, label: 'Main' }, bank, crypto],
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      organization_id: payer.id,
      name: 'Payee',
      type: 'business',
      email: 'pay@example.com',
      tag: 'vendor',
      status: 'active',
      created_by: boss.userId,
      destinations: [
        { type: 'svc_id', svc_id: payee.svcId, label: 'Main', default: true },
        { ...bank, swift_code: null, account_number: null, label: null, default: false },
        { ...crypto, memo: null, default: false },
      ],
    })
    const read = await api('GET', `/payment-contacts/${made.body.id}`, { token: boss.token })
    expect(read.body).toMatchObject({
      id: made.body.id,
      destinations: [{ svc_id: payee.svcId }, { ...bank, iban: '…2051' }, { ...crypto, address: '…9EE7' }],
    })
    const [event] = await owner`select type, payload from events where subject_id = ${made.body.id}`
    expect(event?.['type']).toBe('payment_contact.created')
    expect(event?.['payload']).not.toContain(bank.iban)
  })

  test('the destination that is marked is the default one', async () => {
    const { boss, payee, list } = await setting()
    const made = await create(boss, list, {
      destinations: [bank, { type: 'svc_id', svc_id: payee.svcId, default: true }],
    })
    expect(made.body.destinations.map((item: { default: boolean }) => item.default)).toEqual([false, true])
  })

  test('a service ID that nobody has is refused by its path, and nothing is made', async () => {
    const { boss, list } = await setting()
    const refused = await create(boss, list, { destinations: [bank, { type: 'svc_id', svc_id: 'nobody-has-this' }] })
    expect([refused.status, refused.body.error.type]).toEqual([422, 'unknown_handle'])
    expect(refused.body.error.details).toEqual({ path: 'destinations.1.svc_id', svc_id: 'nobody-has-this' })
    expect((await api('GET', list, { token: boss.token })).body.data).toEqual([])
  })

  test("the organization's own service ID is refused", async () => {
    const { boss, payer, list } = await setting()
    const refused = await create(boss, list, { destinations: [{ type: 'svc_id', svc_id: payer.svcId }] })
    expect([refused.status, refused.body.error.type]).toEqual([422, 'same_account'])
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ type: 'robot' }, 'type'],
    [{ email: 'nobody' }, 'email'],
    [{ tag: 'friend' }, 'tag'],
    [{ destinations: [{ type: 'cash' }] }, 'destinations.0.type'],
    [{ destinations: [{ type: 'svc_id' }] }, 'destinations.0.svc_id'],
    [{ destinations: [{ ...bank, country_code: 'Germany' }] }, 'destinations.0.country_code'],
    [{ destinations: [{ ...crypto, network: 'abacus' }] }, 'destinations.0.network'],
    [
      {
        destinations: [
          { ...bank, default: true },
          { ...crypto, default: true },
        ],
      },
      'destinations',
    ],
    [{ destinations: Array(21).fill(bank) }, 'destinations'],
    [{ destinations: [bank, crypto, { ...bank, iban: 'de02 1203 0000 0000 2020 51' }] }, 'destinations.2'],
  ])('refuses %j at %s', async (body, path) => {
    const { boss, list } = await setting()
    const refused = await create(boss, list, body)
    expect([refused.status, refused.body.error.type]).toEqual([400, 'invalid_request'])
    expect(refused.body.error.details.errors).toMatchObject([{ path }])
  })

  test('a repeat with the same key makes nothing more, also at once; another body is refused', async () => {
    const { boss, list } = await setting()
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(boss, list, {}, 'k')))
    expect(answers.map((answer) => answer.status)).toEqual(Array(5).fill(201))
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    const refused = await create(boss, list, { name: 'Another' }, 'k')
    expect([refused.status, refused.body.error.type]).toEqual([422, 'idempotency_key_reused'])
    expect((await api('GET', list, { token: boss.token })).body.data).toHaveLength(1)
  })
})

describe('paying', () => {
  test.each([
    ['bank', bank],
    ['crypto', crypto],
  ])('a contact that is paid by %s is refused', async (type, destination) => {
    const { boss, list } = await setting()
    const made = await create(boss, list, { destinations: [destination] })
    const refused = await api('POST', '/payments', { token: boss.token, body: paymentBody(made.body.id) })
    expect([refused.status, refused.body.error.type]).toEqual([422, 'unsupported_rail'])
    expect(refused.body.error.details).toEqual({ rail: type })
  })

  test('a contact without a destination is refused', async () => {
    const { boss, list } = await setting()
    const made = await create(boss, list, {})
    const refused = await api('POST', '/payments', { token: boss.token, body: paymentBody(made.body.id) })
    expect([refused.status, refused.body.error.type]).toEqual([422, 'destination_missing'])
  })
})

describe('reading', () => {
  test('the list is newest first, filtered, and paged without gaps', async () => {
    const { boss, list } = await setting()
    const bodies = [
      { name: 'Alpha', tag: 'vendor' },
      { name: 'Beta', tag: 'employee', email: 'alphabet@example.com' },
      { name: 'Gamma', tag: 'vendor' },
      { name: 'Delta' },
    ]
    for (const body of bodies) await create(boss, list, body)
    const names = async (query: string) =>
      (await api('GET', `${list}?${query}`, { token: boss.token })).body.data.map((item: { name: string }) => item.name)
    expect(await names('')).toEqual(['Delta', 'Gamma', 'Beta', 'Alpha'])
    expect(await names('tag=vendor')).toEqual(['Gamma', 'Alpha'])
    expect(await names('q=ALPHA')).toEqual(['Beta', 'Alpha'])
    expect(await names('q=100%25_')).toEqual([])
    expect(await names('status=active&tag=employee')).toEqual(['Beta'])
    expect(await names('status=archived')).toEqual([])
    const first = await api('GET', `${list}?limit=1&tag=vendor`, { token: boss.token })
    expect(await names(`tag=vendor&cursor=${first.body.next_cursor}`)).toEqual(['Alpha'])
  })

  test('an unknown cursor and one of another organization get the same answer', async () => {
    const [here, there] = [await setting(), await setting()]
    const foreign = await create(there.boss, there.list, {})
    for (const cursor of [randomUUID(), foreign.body.id]) {
      const refused = await api('GET', `${here.list}?cursor=${cursor}`, { token: here.boss.token })
      expect([refused.status, refused.body.error.details.errors[0].code]).toEqual([400, 'unknown_cursor'])
    }
  })

  test('a contact of another organization answers like one that does not exist', async () => {
    const [here, there] = [await setting(), await setting()]
    const foreign = await create(there.boss, there.list, {})
    for (const id of [randomUUID(), foreign.body.id]) {
      const refused = await api('GET', `/payment-contacts/${id}`, { token: here.boss.token })
      expect([refused.status, refused.body.error.type]).toEqual([404, 'not_found'])
    }
    const intruder = await create(here.boss, there.list, {})
    expect([intruder.status, intruder.body.error.type]).toEqual([404, 'not_found'])
  })

  test('a deleted contact is not found and not listed, and still serves as a cursor', async () => {
    const { boss, list } = await setting()
    const [older, deleted] = [await create(boss, list, { name: 'Older' }), await create(boss, list, {})]
    const gone = await api('DELETE', `/payment-contacts/${deleted.body.id}`, { token: boss.token })
    expect(gone.body).toEqual({ deleted: true, id: deleted.body.id })
    expect((await api('GET', `/payment-contacts/${deleted.body.id}`, { token: boss.token })).status).toBe(404)
    const page = await api('GET', `${list}?cursor=${deleted.body.id}`, { token: boss.token })
    expect(page.body.data.map((item: { id: string }) => item.id)).toEqual([older.body.id])
  })

  test('a member may list and create', async () => {
    const { boss, payer, list } = await setting()
    const member = await person()
    await join(payer.id, member, 'member')
    expect((await create(member, list, {})).status).toBe(201)
    expect((await api('GET', list, { token: member.token })).body.data).toHaveLength(1)
    expect((await api('GET', list, { token: boss.token })).body.data).toHaveLength(1)
  })
})
