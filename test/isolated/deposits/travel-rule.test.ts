/** The travel rule over HTTP: coins are held until their sender is known. No worker and no partner runs. */
import { describe, expect, test } from 'vitest'
import { MANY } from '../../support/model-runs.ts'
import { api, join, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { OTHER, OWN, answer, arriveCrypto, booksOf, deposit, depositor } from '../../support/deposits/deposits.ts'

async function setting() {
  const at = await depositor()
  return { ...at, path: `/organizations/${at.id}` }
}

describe('coins of 1,000 USD or more in value', () => {
  test('are held, pending in the feed and in no balance, and credited with the complete answer', async () => {
    const { boss, id, path } = await setting()
    const made = await arriveCrypto(id, '1000')
    expect(made).toMatchObject({
      rail: 'crypto',
      network: 'ethereum',
      amount: { amount: '1000.000000', currency: 'USDC' },
      status: 'held',
      needs_sender_travel_rule: true,
      release_by: expect.any(String),
    })
    const { body: before } = await api('GET', `${path}/transactions`, { token: boss.token })
    expect(before.data).toMatchObject([
      { id: made.transaction_id, type: 'deposit', direction: 'in', status: 'pending', running_balance: null },
    ])
    expect((await booksOf(boss, id)).balance).toBe('0')

    const answered = await answer(boss, made.id, OTHER)
    expect([answered.status, answered.body]).toEqual([
      200,
      {
        deposit_id: made.id,
        needs_sender_travel_rule: false,
        travel_rule_complete: true,
        source: {
          account_reference: 'wallet 7',
          address: '1 Side Street, Basel',
          country: 'CH',
          name: 'Sender AG',
          person_type: 'legal',
          relationship: 'vendor',
          is_own_account: false,
        },
      },
    ])
    expect(await deposit(boss, made.id)).toMatchObject({
      status: 'credited',
      needs_sender_travel_rule: false,
      release_by: null,
      transaction_id: made.transaction_id,
    })
    const { body: after } = await api('GET', `${path}/transactions`, { token: boss.token })
    expect(after.data).toMatchObject([
      { id: made.transaction_id, status: 'posted', running_balance: { amount: '1000.000000', currency: 'USDC' } },
    ])
    expect(await booksOf(boss, id)).toEqual({ balance: '1000.000000', ok: true, suspense: '0' })
  })

  test.each([
    ['999.999999', 'USDC', 'credited'],
    ['1000', 'USDC', 'held'],
    ['1000', 'USDT', 'credited'],
    ['0.0148', 'BTC', 'credited'],
    ['0.0149', 'BTC', 'held'],
    ['0.2873', 'ETH', 'credited'],
    ['0.2874', 'ETH', 'held'],
  ])('of %s %s are %s, and those that are held can be answered', async (amount, currency, status) => {
    const { boss, id } = await setting()
    const made = await arriveCrypto(id, amount, currency)
    expect([made.status, made.needs_sender_travel_rule]).toEqual([status, status === 'held'])
    expect((await answer(boss, made.id, OWN)).status).toBe(status === 'held' ? 200 : 409)
    expect((await booksOf(boss, id, currency)).ok).toBe(true)
  })

  test('stay held while the answer lacks something, and the refusal names each field', async () => {
    const { boss, id } = await setting()
    const made = await arriveCrypto(id, '1000')
    const refused = async (body: object) => {
      const { status, body: told } = await answer(boss, made.id, body)
      return [status, told.error.type, told.error.details.errors.map((error: { path: string }) => error.path)]
    }
    const others = ['person_type', 'name', 'address', 'country']
    expect(await refused({ own_account: false, attestation: true })).toEqual([422, 'travel_rule_incomplete', others])
    expect(await refused({ ...OTHER, name: '  ' })).toEqual([422, 'travel_rule_incomplete', ['name']])
    expect((await deposit(boss, made.id)).status).toBe('held')
    expect((await answer(boss, made.id, OTHER)).status).toBe(200)
  })

  test('are credited once: of many answers at once one counts, also where it comes again, and others are refused', async () => {
    const { boss, id } = await setting()
    const made = await arriveCrypto(id, '1000')
    const named = Array.from({ length: MANY }, (_, n) => ({ ...OTHER, name: `Sender ${Math.floor(n / 2)}` })) // each twice
    const answers = await Promise.all(named.map((body) => answer(boss, made.id, body)))
    const counted = answers.filter(({ status }) => status === 200).map(({ body }) => JSON.stringify(body))
    expect([counted.length, new Set(counted).size]).toEqual([2, 1])
    const others = answers.flatMap(({ body }) => body.error?.type ?? [])
    expect(others).toEqual(Array<string>(MANY - 2).fill('invalid_state'))
    expect(await booksOf(boss, id)).toMatchObject({ balance: '1000.000000', ok: true })
    const events = await owner`select type from events where subject_id = ${made.id} order by occurred_at, id`
    expect(events.map(({ type }) => type)).toEqual(['deposit.held', 'deposit.sender_named', 'deposit.credited'])
  })

  test('keep who sent them sealed: not in rows, events or histories in clear', async () => {
    const { boss, id } = await setting()
    const made = await arriveCrypto(id, '1000')
    await answer(boss, made.id, { ...OTHER, name: 'Wilhelmina Quarrystone' })
    const [row] = await owner`select to_jsonb(d)::text as text, travel_rule from deposits d where id = ${made.id}`
    const events = await owner`select coalesce(payload, '') as payload from events where subject_id = ${made.id}`
    const written = [
      row?.['text'],
      row?.['travel_rule'].toString('latin1'),
      ...events.map(({ payload }) => payload),
    ].join()
    expect(written).not.toContain('Quarrystone')
    expect(written).not.toContain('Side Street')
  })
})

describe('the travel rule', () => {
  test('is answered by any member, who sees what waits for an answer and what they answered, and no other', async () => {
    const { boss, id, path } = await setting()
    const member = await person()
    await join(id, member, 'member')
    const [made, other] = [await arriveCrypto(id, '1000'), await arriveCrypto(id, '2000')]
    expect((await api('GET', `/deposits/${made.id}`, { token: member.token })).status).toBe(200)
    expect((await answer(member, made.id, OWN)).status).toBe(200)
    expect((await answer(boss, other.id, OWN)).status).toBe(200)
    const listed = async (by: typeof member) =>
      (await api('GET', `${path}/deposits`, { token: by.token })).body.data.map((one: { id: string }) => one.id)
    expect(await listed(member)).toEqual([made.id])
    expect(await listed(boss)).toEqual([other.id, made.id])
    expect((await api('GET', `/deposits/${other.id}`, { token: member.token })).status).toBe(404)
    expect((await answer(member, other.id, OWN)).status).toBe(404)
  })

  test('is answered in a paused organization, and not found in a banned one', async () => {
    const { boss, id } = await setting()
    const [made, later] = [await arriveCrypto(id, '1000'), await arriveCrypto(id, '1000')]
    await owner`update organizations set status = 'paused' where id = ${id}`
    expect((await answer(boss, made.id, OWN)).status).toBe(200)
    await owner`update organizations set status = 'banned' where id = ${id}`
    expect((await answer(boss, later.id, OWN)).status).toBe(404)
  })

  test('is in attention until it is answered', async () => {
    const { boss, id, path } = await setting()
    const made = await arriveCrypto(id, '1000')
    const attention = async (rest = '') => (await api('GET', `${path}/attention${rest}`, { token: boss.token })).body
    const item = {
      id: `travel_rule:${made.id}`,
      summary: '1000.000000 USDC wait until it is known who sent them. Where nobody says so in time, they go back.',
      severity: 'action',
      raised_at: made.occurred_at,
      due_at: made.release_by,
      href: `/organizations/${id}/deposits/${made.id}`,
      subject: { type: 'deposit', deposit_id: made.id },
    }
    expect((await attention()).data).toMatchObject([item])
    expect((await attention('/summary')).by_kind.travel_rule).toEqual({ actionable: 1, total: 1 })
    await answer(boss, made.id, OWN)
    expect((await attention()).data).toEqual([])
  })
})
