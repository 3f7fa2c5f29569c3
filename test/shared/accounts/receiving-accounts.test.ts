/** Receiving accounts: opened at the first read, by one process each, listed beside the balances. */
import { describe, expect, test } from 'vitest'
import { reconcile } from '../../../temporal/reconciler.ts'
import { api, fund, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { openAccount } from '../../support/deposits/deposits.ts'
import { MANY } from '../../support/model-runs.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { eventually, resultOf } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

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

  test('whose run is gone, though somebody waits, are found and opened', async () => {
    const { boss, id } = await setting()
    const accountId = '0'.repeat(8) + id.slice(8)
    await owner`insert into receiving_accounts (id, organization_id, rail, currency, status)
      values (${accountId}, ${id}, 'fiat', 'CHF', 'requested')`
    await owner`insert into processes (id, workflow, organization_id, why, look_at, unseen_since, changed_at)
      values (${accountId}, 'receiving-account', ${id}, 'requested', 'infinity', null, now() - interval '2 minutes')`
    await reconcile()
    expect(await openAccount(boss, id, 'CHF')).toMatchObject({ id: accountId, status: 'active' })
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
