/** Money that arrives: deposit, ledger, balances and feed agree. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../domain/accounts/transaction.ts'
import { type TestPerson, api, fund, join, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'

async function setting() {
  const boss = await person()
  const { id } = await organization(boss)
  return { boss, id, path: `/organizations/${id}` }
}

const deposit = (organizationId: string, amount: string, currency: string, more: object = {}, key?: string) =>
  api('POST', '/sandbox/deposits', {
    body: { organization_id: organizationId, rail: 'fiat', amount: { amount, currency }, ...more },
    ...(key && { key }),
  })

const read = async (by: TestPerson, path: string) => (await api('GET', path, { token: by.token })).body
const usd = (amount: string) => ({ amount, currency: 'USD' })

describe('a deposit', () => {
  test('is credited at once, in ledger, balance and feed', async () => {
    const { boss, id, path } = await setting()
    const made = await deposit(id, '1234.5', 'USD', { sender: { name: 'Sender', reference: 'Invoice 7' } })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      organization_id: id,
      rail: 'fiat',
      amount: usd('1234.50'),
      status: 'credited',
      source: { name: 'Sender', reference: 'Invoice 7', account_reference: null, country: null },
      needs_sender_travel_rule: false,
    })
    const feed = await read(boss, `${path}/transactions`)
    expect(feed.data).toMatchObject([
      {
        organization_id: id,
        type: 'deposit',
        direction: 'in',
        amount: usd('1234.50'),
        running_balance: usd('1234.50'),
        counterparty: 'Sender',
        description: 'Invoice 7',
        deposit_id: made.body.id,
        payment_id: null,
        status: 'posted',
      },
    ])
    expect(await read(boss, `/transactions/${feed.data[0].id}`)).toEqual(feed.data[0])
    const integrity = await read(boss, `${path}/ledger/integrity`)
    expect(integrity).toMatchObject({ ok: true, entries: 1, transfers: 1, violations: [] })
    const events = await owner`select type, actor_kind from events where subject_id = ${made.body.id}`
    expect(events).toEqual([{ type: 'deposit.credited', actor_kind: 'system' }])
  })

  test('is answered at the precision of its currency, or refused', async () => {
    const { id } = await setting()
    for (const [amount, currency, answer] of [
      ['0.001', 'KWD', '0.001'],
      ['1', 'BTC', '1.00000000'],
      ['999999999999999.99', 'EUR', '999999999999999.99'],
      ['1.001', 'USD', [422, 'amount_precision']],
      ['1', 'ABC', [422, 'unsupported_currency']],
    ] as const) {
      const made = await deposit(id, amount, currency, currency === 'BTC' ? { rail: 'crypto' } : {})
      expect(made.status === 201 ? made.body.amount.amount : refusal(made), `${amount} ${currency}`).toEqual(answer)
    }
  })

  test('to nobody is not found; on a chain there are only coins', async () => {
    const { id } = await setting()
    expect(refusal(await deposit(randomUUID(), '1', 'USD'))).toEqual([404, 'not_found'])
    expect(refusal(await deposit(id, '1', 'USD', { rail: 'crypto' }))).toEqual([422, 'unsupported_currency'])
    await owner`update organizations set status = 'banned' where id = ${id}`
    expect((await deposit(id, '1', 'USD')).status).toBe(404)
  })

  test('with a key is credited once, also at once', async () => {
    const { boss, id, path } = await setting()
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 5 }, () => deposit(id, '10', 'USD', {}, key)))
    expect(answers.map((answer) => answer.status)).toEqual(Array(5).fill(201))
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    expect(refusal(await deposit(id, '11', 'USD', {}, key))).toEqual([422, 'idempotency_key_reused'])
    expect((await read(boss, `${path}/transactions`)).data).toHaveLength(1)
  })

  test('never gets lost among others that come at once', async () => {
    const { boss, id, path } = await setting()
    await Promise.all(Array.from({ length: 20 }, (_, index) => fund(id, String(index + 1))))
    const feed: Pick<Transaction, 'amount' | 'running_balance'>[] = (await read(boss, `${path}/transactions`)).data
    let balance = 0
    for (const row of feed.toReversed()) {
      balance += Number(row.amount.amount)
      expect(row.running_balance).toEqual(usd(balance.toFixed(2)))
    }
    expect(balance).toBe(210)
    expect((await read(boss, `${path}/ledger/integrity`)).ok).toBe(true)
  })
})

test('balances are listed by currency and paged', async () => {
  const { boss, id, path } = await setting()
  for (const currency of ['USD', 'EUR', 'JPY']) await fund(id, '5', currency)
  const all = await read(boss, `${path}/multi-currency-accounts`)
  expect(all.data.map(({ currency }: { currency: string }) => currency)).toEqual(['EUR', 'JPY', 'USD'])
  expect(all.data[0]).toMatchObject({
    available: { amount: '5.00', currency: 'EUR' },
    held: { amount: '0.00', currency: 'EUR' },
    total: { amount: '5.00', currency: 'EUR' },
    status: 'active',
    account_details: [],
  })
  const first = await read(boss, `${path}/multi-currency-accounts?limit=2`)
  expect(first).toMatchObject({ has_more: true, next_cursor: all.data[1].id })
  const rest = await read(boss, `${path}/multi-currency-accounts?cursor=${first.next_cursor}`)
  expect(rest).toEqual({ data: [all.data[2]], has_more: false, next_cursor: null })
  const unknown = await api('GET', `${path}/multi-currency-accounts?cursor=${randomUUID()}`, { token: boss.token })
  expect(unknown.status).toBe(400)
})

test('balances of any past instant are what they were then', async () => {
  const { boss, id, path } = await setting()
  await fund(id, '10')
  await fund(id, '5')
  const [second, first] = (await read(boss, `${path}/transactions`)).data
  const totalAt = async (instant: string) =>
    (await read(boss, `${path}/balances?as_of=${instant}`)).data[0]?.total.amount
  expect(await totalAt(first.posted_at)).toBe('10.00')
  expect(await totalAt(second.posted_at)).toBe('15.00')
  expect(await totalAt('2020-01-01T00:00:00Z')).toBe('0.00')
  const now = await read(boss, `${path}/balances`)
  expect(now.data).toEqual([{ currency: 'USD', available: usd('15.00'), held: usd('0.00'), total: usd('15.00') }])
  expect(Date.parse(now.as_of)).not.toBeNaN()
  for (const instant of ['2999-01-01T00:00:00Z', '0000-01-01T00:00:00Z']) {
    const { error } = await read(boss, `${path}/balances?as_of=${instant}`)
    expect(error).toMatchObject({ type: 'invalid_request', details: { errors: [{ path: 'as_of' }] } })
  }
})

test('the feed is paged newest first, and a cursor resolves without the filters, but not in another organization', async () => {
  const [{ boss, id, path }, there] = [await setting(), await setting()]
  for (const amount of ['1', '2', '3']) await fund(id, amount)
  const amounts = (page: { data: Transaction[] }) => page.data.map((row) => row.amount.amount)
  const first = await read(boss, `${path}/transactions?limit=1`)
  expect(amounts(first)).toEqual(['3.00'])
  const next = `cursor=${first.next_cursor}`
  expect(amounts(await read(boss, `${path}/transactions?amount_max=1&${next}`))).toEqual(['1.00'])
  expect((await read(there.boss, `${there.path}/transactions?${next}`)).error.type).toBe('invalid_request')
})

test('the feed shows a member what they caused, and nothing else', async () => {
  const { boss, id, path } = await setting()
  const member = await person()
  await join(id, member, 'member')
  await fund(id, '10')
  const [row] = (await read(boss, `${path}/transactions`)).data
  expect((await read(member, `${path}/transactions`)).data).toEqual([])
  const note = () => api('PATCH', `/transactions/${row.id}`, { token: member.token, body: { category: 'Mine' } })
  expect((await api('GET', `/transactions/${row.id}`, { token: member.token })).status).toBe(404)
  expect((await note()).status).toBe(404)
  await owner`update transactions set created_by = ${member.userId} where id = ${row.id}`
  expect((await read(member, `${path}/transactions`)).data).toEqual([row])
  expect(await read(member, `/transactions/${row.id}`)).toEqual(row)
  expect((await note()).body).toEqual({ ...row, category: 'Mine' })
})
