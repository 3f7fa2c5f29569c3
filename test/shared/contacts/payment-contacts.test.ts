import { describe, expect, test } from 'vitest'
import { type TestPerson, api } from '../../support/api.ts'
import { BANK, WALLET, setting } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'

const create = (by: TestPerson, list: string, body: object) =>
  api('POST', list, { token: by.token, body: { name: 'Payee', type: 'business', ...body } })

describe('creating', () => {
  test('answers the contact with its destinations, the first one as the default, and writes an event', async () => {
    const { boss, payer, payee, list } = await setting()
    const made = await create(boss, list, {
      email: 'Pay@Example.com',
      tag: 'vendor',
      destinations: [{ type: 'svc_id', svc_id: payee.svcId, label: 'Main' }, BANK, WALLET],
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
        { ...BANK, swift_code: null, account_number: null, label: null, default: false },
        { ...WALLET, memo: null, default: false },
      ],
    })
    const read = await api('GET', `/payment-contacts/${made.body.id}`, { token: boss.token })
    expect(read.body).toMatchObject({
      id: made.body.id,
      destinations: [{ svc_id: payee.svcId }, { ...BANK, iban: '…2051' }, { ...WALLET, address: '…9EE7' }],
    })
    const [event] = await owner`select type, payload from events where subject_id = ${made.body.id}`
    expect(event?.['type']).toBe('payment_contact.created')
    expect(event?.['payload']).not.toContain(BANK.iban)
  })

  test('a service ID that nobody has is refused by its path, and nothing is made', async () => {
    const { boss, list } = await setting()
    const refused = await create(boss, list, { destinations: [BANK, { type: 'svc_id', svc_id: 'nobody-has-this' }] })
    expect(refusal(refused)).toEqual([422, 'unknown_handle'])
    expect(refused.body.error.details).toEqual({ path: 'destinations.1.svc_id', svc_id: 'nobody-has-this' })
    expect((await api('GET', list, { token: boss.token })).body.data).toEqual([])
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

  test('a deleted contact is not found and not listed, and still serves as a cursor', async () => {
    const { boss, list } = await setting()
    const [older, deleted] = [await create(boss, list, { name: 'Older' }), await create(boss, list, {})]
    const gone = await api('DELETE', `/payment-contacts/${deleted.body.id}`, { token: boss.token })
    expect(gone.body).toEqual({ deleted: true, id: deleted.body.id })
    expect((await api('GET', `/payment-contacts/${deleted.body.id}`, { token: boss.token })).status).toBe(404)
    const page = await api('GET', `${list}?cursor=${deleted.body.id}`, { token: boss.token })
    expect(page.body.data.map((item: { id: string }) => item.id)).toEqual([older.body.id])
  })
})
