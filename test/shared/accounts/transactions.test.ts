/** Money that arrives: deposit, ledger, balances and feed agree. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type TestPerson, api, fund, join, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'

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

  test.each([
    ['7', 'JPY', '7'],
    ['0.001', 'KWD', '0.001'],
    ['1', 'BTC', '1.00000000'],
    ['999999999999999.99', 'EUR', '999999999999999.99'],
  ])('of %s %s is %s', async (amount, currency, written) => {
    const { id } = await setting()
    const made = await deposit(id, amount, currency, currency === 'BTC' ? { rail: 'crypto' } : {})
    expect(made.body.amount).toEqual({ amount: written, currency })
  })

  test.each([
    ['0', 'USD', 400, 'invalid_request'],
    ['-1', 'USD', 400, 'invalid_request'],
    ['1.001', 'USD', 422, 'amount_precision'],
    ['0.5', 'JPY', 422, 'amount_precision'],
    ['1', 'ABC', 422, 'unsupported_currency'],
    ['1000000000000000', 'USD', 422, 'amount_too_large'],
  ])('of %s %s is refused with %i %s', async (amount, currency, status, type) => {
    const { id } = await setting()
    const refused = await deposit(id, amount, currency)
    expect([refused.status, refused.body.error.type]).toEqual([status, type])
  })

  test('to nobody is not found; on a chain there are only coins', async () => {
    const { boss, id } = await setting()
    const nobody = await deposit(randomUUID(), '1', 'USD')
    expect([nobody.status, nobody.body.error.type]).toEqual([404, 'not_found'])
    const crypto = await deposit(id, '1', 'USD', { rail: 'crypto' })
    expect([crypto.status, crypto.body.error.type]).toEqual([422, 'unsupported_currency'])
    await owner`update organizations set status = 'banned' where id = ${id}`
    expect((await deposit(id, '1', 'USD')).status).toBe(404)
    expect((await api('GET', `/organizations/${id}`, { token: boss.token })).status).toBe(404)
  })

  test('with a key is credited once, also at once', async () => {
    const { boss, id, path } = await setting()
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 5 }, () => deposit(id, '10', 'USD', {}, key)))
    expect(answers.map((answer) => answer.status)).toEqual(Array(5).fill(201))
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    const refused = await deposit(id, '11', 'USD', {}, key)
    expect([refused.status, refused.body.error.type]).toEqual([422, 'idempotency_key_reused'])
    expect((await read(boss, `${path}/transactions`)).data).toHaveLength(1)
  })

  test('never gets lost among others that come at once', async () => {
    const { boss, id, path } = await setting()
    await Promise.all(Array.from({ length: 20 }, (_, index) => fund(id, String(index + 1))))
    const feed = (await read(boss, `${path}/transactions`)).data as any[]
    let balance = 0
    for (const row of feed.toReversed()) {
      balance += Number(row.amount.amount)
      expect(row.running_balance).toEqual(usd(balance.toFixed(2)))
    }
    expect(balance).toBe(210)
    expect((await read(boss, `${path}/ledger/integrity`)).ok).toBe(true)
  })
})

describe('balances', () => {
  test('are listed by currency and paged', async () => {
    const { boss, id, path } = await setting()
    for (const currency of ['USD', 'EUR', 'JPY']) await fund(id, '5', currency)
    const all = await read(boss, `${path}/multi-currency-accounts`)
    expect(all.data.map((account: any) => account.currency)).toEqual(['EUR', 'JPY', 'USD'])
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

  test('of any past instant are what they were then', async () => {
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
  })

  test.each(['2999-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-01-01', 'yesterday', '0000-01-01T00:00:00Z'])(
    'as of %s are refused',
    async (instant) => {
      const { boss, path } = await setting()
      const refused = await api('GET', `${path}/balances?as_of=${instant}`, { token: boss.token })
      expect([refused.status, refused.body.error.type]).toEqual([400, 'invalid_request'])
      expect(refused.body.error.details.errors).toMatchObject([{ path: 'as_of' }])
    },
  )

  test('are those of one organization', async () => {
    const [here, there] = [await setting(), await setting()]
    await fund(there.id, '10')
    const mine = await read(here.boss, `${here.path}/multi-currency-accounts`)
    expect(mine.data).toEqual([])
    for (const path of ['multi-currency-accounts', 'balances', 'transactions', 'ledger/integrity']) {
      const refused = await api('GET', `${there.path}/${path}`, { token: here.boss.token })
      expect([refused.status, refused.body.error.type]).toEqual([404, 'not_found'])
    }
  })
})

describe('the feed', () => {
  test('is filtered by each of its filters', async () => {
    const { boss, id, path } = await setting()
    await deposit(id, '10', 'USD', { sender: { name: 'Alpha' } })
    await deposit(id, '20', 'EUR', { sender: { name: 'Beta', reference: 'Invoice 9' } })
    await deposit(id, '30', 'USD', { sender: { name: 'Gamma' } })
    const [{ today } = { today: '' }] = await owner<{ today: string }[]>`select business_now()::date::text as today`
    const names = async (query: string) =>
      (await read(boss, `${path}/transactions?${query}`)).data.map((row: any) => row.counterparty)
    expect(await names('')).toEqual(['Gamma', 'Beta', 'Alpha'])
    expect(await names('currency=EUR')).toEqual(['Beta'])
    expect(await names('currency=XYZ')).toEqual([])
    expect(await names('direction=out')).toEqual([])
    expect(await names('direction=in&type=deposit&status=posted')).toEqual(['Gamma', 'Beta', 'Alpha'])
    expect(await names('type=payment')).toEqual([])
    expect(await names('status=pending')).toEqual([])
    expect(await names('amount_min=20&amount_max=20.00')).toEqual(['Beta'])
    expect(await names('q=invoice')).toEqual(['Beta'])
    expect(await names(`from=2020-01-01&to=2020-01-02`)).toEqual([])
    expect(await names(`from=2020-01-01T00:00:00Z`)).toHaveLength(3)
    expect(await names(`to=${today}`)).toHaveLength(3)
    expect(await names(`payment_contact_id=${randomUUID()}`)).toEqual([])
  })

  test('is paged newest first, each row once, and a cursor resolves without the filters', async () => {
    const { boss, id, path } = await setting()
    for (const amount of ['1', '2', '3', '4', '5']) await fund(id, amount)
    const seen: string[] = []
    let cursor = ''
    do {
      const page = await read(boss, `${path}/transactions?limit=2${cursor}`)
      seen.push(...page.data.map((row: any) => row.amount.amount))
      cursor = page.next_cursor ? `&cursor=${page.next_cursor}` : ''
    } while (cursor)
    expect(seen).toEqual(['5.00', '4.00', '3.00', '2.00', '1.00'])
    const first = await read(boss, `${path}/transactions?limit=1`)
    const filtered = await read(boss, `${path}/transactions?amount_max=2&cursor=${first.next_cursor}`)
    expect(filtered.data.map((row: any) => row.amount.amount)).toEqual(['2.00', '1.00'])
  })

  test.each([
    'cursor=nonsense',
    `cursor=${randomUUID()}`,
    'from=2026-02-30',
    'limit=abc',
    'amount_min=-1',
    'type=gift',
  ])('refuses %s', async (query) => {
    const { boss, path } = await setting()
    const refused = await api('GET', `${path}/transactions?${query}`, { token: boss.token })
    expect([refused.status, refused.body.error.type]).toEqual([400, 'invalid_request'])
  })

  test('shows a member what they caused, and nothing else', async () => {
    const { boss, id, path } = await setting()
    const member = await person()
    await join(id, member, 'member')
    await fund(id, '10')
    const [row] = (await read(boss, `${path}/transactions`)).data
    expect((await read(member, `${path}/transactions`)).data).toEqual([])
    expect((await api('GET', `/transactions/${row.id}`, { token: member.token })).status).toBe(404)
    await owner`update transactions set created_by = ${member.userId} where id = ${row.id}`
    expect((await read(member, `${path}/transactions`)).data).toEqual([row])
    expect(await read(member, `/transactions/${row.id}`)).toEqual(row)
  })

  test('a transaction of another organization answers like one that does not exist', async () => {
    const [here, there] = [await setting(), await setting()]
    await fund(there.id, '10')
    const [row] = (await read(there.boss, `${there.path}/transactions`)).data
    for (const id of [row.id, randomUUID()]) {
      const refused = await api('GET', `/transactions/${id}`, { token: here.boss.token })
      expect([refused.status, refused.body.error.type]).toEqual([404, 'not_found'])
    }
    const foreign = await api('GET', `${here.path}/transactions?cursor=${row.id}`, { token: here.boss.token })
    expect(foreign.status).toBe(400)
  })
})
