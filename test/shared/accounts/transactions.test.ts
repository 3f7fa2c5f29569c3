/** Money that arrives: deposit, ledger, balances and feed agree. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../domain/accounts/transaction.ts'
import { type TestPerson, api, fund, join, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { hashOf } from '../../../services/idempotency.ts'
import { MANY } from '../../support/model-runs.ts'
import { refuse } from '../../../domain/errors.ts'
import { transaction } from '../../../db/postgres/sql.ts'
import { openAccount } from '../../support/deposits/deposits.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { eventually, resultOf } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

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

  test('to nobody is not found; on a chain there are only coins', async () => {
    const { id } = await setting()
    expect(refusal(await deposit(randomUUID(), '1', 'USD'))).toEqual([404, 'not_found'])
    expect(refusal(await deposit(id, '1', 'USD', { rail: 'crypto' }))).toEqual([422, 'unsupported_currency'])
    await owner`update organizations set status = 'banned' where id = ${id}`
    expect((await deposit(id, '1', 'USD')).status).toBe(404)
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

async function funded() {
  const boss = await person()
  const { id } = await organization(boss)
  await fund(id, '10')
  const row = (await api('GET', `/organizations/${id}/transactions`, { token: boss.token })).body.data[0]
  return { boss, id, row }
}

const annotate = (by: TestPerson, id: string, body: unknown) =>
  api('PATCH', `/transactions/${id}`, { token: by.token, body })
const eventsOf = async (id: string) =>
  await owner`select payload::jsonb as payload, actor_user_id from events
    where subject_id = ${id} and type = 'transaction.annotated' order by id`

test('notes and category change one by one: absent leaves, null clears; the log says what changed and no text', async () => {
  const { boss, row } = await funded()
  const noted = await annotate(boss, row.id, { internal_notes: 'For the auditors', category: 'Sales' })
  expect([noted.status, noted.body]).toEqual([200, { ...row, internal_notes: 'For the auditors', category: 'Sales' }])
  const renamed = { internal_notes: 'For the auditors', category: 'Revenue' }
  expect((await annotate(boss, row.id, { category: 'Revenue' })).body).toMatchObject(renamed)
  const cleared = { ...renamed, internal_notes: null }
  for (const body of [{ internal_notes: null }, {}, { category: 'Revenue' }])
    expect((await annotate(boss, row.id, body)).body).toMatchObject(cleared)
  expect((await api('GET', `/transactions/${row.id}`, { token: boss.token })).body.category).toBe('Revenue')
  const events = await eventsOf(row.id)
  expect(events.map((event) => event['payload'].changed)).toEqual([
    ['category', 'internal_notes'],
    ['category'],
    ['internal_notes'],
  ])
  expect(events[0]?.['payload'].hash).toBe(hashOf({ category: 'Sales', internal_notes: 'For the auditors' }))
  expect(JSON.stringify(events)).not.toMatch(/Sales|Revenue|auditors/)
  expect(new Set(events.map((event) => event['actor_user_id']))).toEqual(new Set([boss.userId]))
})

test('changes at once are as many changes, each whole', async () => {
  const { boss, row } = await funded()
  const answers = await Promise.all(
    Array.from({ length: MANY }, (_, i) => annotate(boss, row.id, { category: `c${i}`, internal_notes: `n${i}` })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(MANY).fill(200))
  const { category, internal_notes: notes } = (await api('GET', `/transactions/${row.id}`, { token: boss.token })).body
  expect(notes).toBe(category.replace('c', 'n'))
  expect(await eventsOf(row.id)).toHaveLength(MANY)
})

test('a row whose payment came to nothing is gone for everybody, and a cursor that names it still resolves', async () => {
  const { boss, id, row } = await funded()
  await fund(id, '5')
  const gone = randomUUID()
  await owner`
    insert into transactions (id, organization_id, type, direction, status, amount, currency, discarded_at)
    values (${gone}, ${id}, 'payment', 'out', 'pending', 1, 'USD', business_now())`
  const path = `/organizations/${id}/transactions`
  const idsOf = async (query = '') =>
    (await api('GET', path + query, { token: boss.token })).body.data.map((one: { id: string }) => one.id)
  const ids = await idsOf()
  expect(ids).not.toContain(gone)
  expect((await api('GET', `/transactions/${gone}`, { token: boss.token })).status).toBe(404)
  expect((await annotate(boss, gone, { category: 'x' })).status).toBe(404)
  expect(await idsOf(`?cursor=${gone}`)).toEqual(ids)
  expect(ids[1]).toBe(row.id)
})

const kept = async (id: string): Promise<number> =>
  (await owner`select count(*)::int as n from idempotency_claims where id = ${id}`)[0]?.['n']

test('what still goes on when a transaction is over says nothing on its connection', async () => {
  const [early, late] = [randomUUID(), randomUUID()]
  let goOn = () => {}
  const over = new Promise<void>((resolve) => (goOn = resolve))
  let slow: Promise<unknown> | undefined
  const refused = transaction(async (tx) => {
    const write = (id: string) => tx`insert into idempotency_claims (id, body_hash) values (${id}, 'x')`
    slow = write(early)
      .then(() => over)
      .then(() => write(late))
    await Promise.all([slow, write(early).then(() => refuse('not_found'))])
  })
  await expect(refused).rejects.toThrow()
  goOn()
  await expect(slow).rejects.toThrow('the transaction is over')
  expect([await kept(early), await kept(late)]).toEqual([0, 0])
})

test('what was not waited for when a transaction committed is not written either', async () => {
  const [early, late] = [randomUUID(), randomUUID()]
  let forgotten: Promise<string> | undefined
  await transaction(async (tx) => {
    await tx`insert into idempotency_claims (id, body_hash) values (${early}, 'x')`
    forgotten = new Promise((resume) => setImmediate(resume))
      .then(() => tx`insert into idempotency_claims (id, body_hash) values (${late}, 'x')`)
      .then(
        () => 'written',
        (error: Error) => error.message,
      )
  })
  expect(await forgotten).toBe('the transaction is over')
  expect([await kept(early), await kept(late)]).toEqual([1, 0])
})

describe('receiving accounts', () => {
  type Account = { id: string; status: string; currency: string; network?: string | null; account: string }
  type Page = { data: Account[] }

  async function setting() {
    const boss = await person()
    const { id } = await organization(boss, 'Umbrella Traders')
    const read = async (kind: string, query = '') =>
      (await api('GET', `/organizations/${id}/${kind}${query}`, { token: boss.token })).body
    return { boss, id, read }
  }
  const currencies = (page: Page) => page.data.map((one) => [one.currency, one.network].filter(Boolean).join(' '))
  const idsOf = (page: Page) => page.data.map((one) => one.id)
  const statusesOf = (page: Page) => page.data.map((one) => one.status)

  describe('bank accounts', () => {
    test('are asked for by the first reading, and active with their details a moment later', async () => {
      const { id, read } = await setting()
      const first = await read('bank-accounts')
      expect(currencies(first)).toEqual(['USD', 'EUR', 'GBP'])
      for (const account of first.data) {
        expect(account).toMatchObject({ organization_id: id, status: expect.any(String) })
        if (account.status === 'provisioning') expect([account.account, account.details]).toEqual([null, null])
      }
      await eventually(async () => statusesOf(await read('bank-accounts'))).toEqual(Array(3).fill('active'))
      const opened = await read('bank-accounts')
      expect(idsOf(opened)).toEqual(idsOf(first))
      const [, euro] = opened.data
      expect(euro).toMatchObject({
        account: expect.stringMatching(/^DE\d{20}$/),
        details: { iban: euro.account, account_holder_name: 'Umbrella Traders' },
      })
      expect(await resultOf(`receiving-account-${euro.id}`)).toBe('active')
    })

    test('are asked for once, also by many first readings at once', async () => {
      const { id, read } = await setting()
      const pages = await Promise.all(Array.from({ length: MANY }, () => read('bank-accounts')))
      await eventually(async () => (await read('bank-accounts')).data.length).toBe(3)
      for (const page of pages) expect(page.data.length).toBeLessThanOrEqual(3)
      const [count] = await owner`select count(*)::int as n from receiving_accounts where organization_id = ${id}`
      expect(count?.['n']).toBe(3)
    })

    test('stay provisioning while the bank is away, and are opened once by the same process', async () => {
      const { boss, id, read } = await setting()
      await fault('bank', 'ambiguous', 2)
      await fault('bank', 'error', 1)
      await read('bank-accounts')
      for (const currency of ['USD', 'EUR', 'GBP']) await openAccount(boss, id, currency)
      const [count] = await owner`select count(*)::int as n from sandbox_accounts s
      join receiving_accounts r on r.id = s.id where r.organization_id = ${id}`
      expect(count?.['n']).toBe(3)
    })
  })

  test('deposit addresses are one for each coin and network', async () => {
    const { read } = await setting()
    const all = ['USDC ethereum', 'USDC solana', 'USDT ethereum', 'USDT tron', 'ETH ethereum', 'BTC bitcoin']
    expect(currencies(await read('deposit-addresses'))).toEqual(all)
    await eventually(async () => statusesOf(await read('deposit-addresses'))).toEqual(Array(6).fill('active'))
    const { data } = await read('deposit-addresses')
    expect(new Set(data.map((one: Account) => one.account)).size).toBe(6)
    for (const one of data) expect(one.details).toMatchObject({ address: one.account, network: one.network })
    const first = await read('deposit-addresses', '?limit=4')
    const rest = await read('deposit-addresses', `?limit=4&cursor=${first.next_cursor}`)
    expect([...first.data, ...rest.data]).toEqual(data)
  })

  test('an open account stands beside the balance of its currency', async () => {
    const { boss, id, read } = await setting()
    await fund(id, '5', 'EUR')
    const { id: accountId, account, details } = await openAccount(boss, id, 'EUR')
    const { data } = await read('multi-currency-accounts')
    expect(data[0].account_details).toEqual([{ type: 'bank_account', id: accountId, network: null, account, details }])
  })
})
