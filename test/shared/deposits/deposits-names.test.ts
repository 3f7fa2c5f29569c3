/** Names in deposits and accounts: partner ids, case of addresses, owners of accounts. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { unknownDeposits } from '../../../services/audit/reconciliation.ts'
import { api, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { arriveAt, arriveSilently, booksOf, calledAbout, openAccount } from '../../support/deposits/deposits.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { eventually } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

async function setting(name?: string) {
  const boss = await person()
  const { id } = await organization(boss, name)
  return { boss, id }
}

/** Money at both partners under one id. */
async function arriveTwice(account: string, address: string): Promise<string> {
  const id = await arriveSilently('bank', account, '10', 'EUR')
  const other = await arriveSilently('custodian', address, '20', 'USDC')
  await owner`update sandbox_deposits set id = ${id} where id = ${other}`
  return id
}
const PARTNERS = ['bank', 'custodian'] as const

describe('two deposits that bank and custodian call the same', () => {
  test('are both credited, and no one is unknown or known through the other', async () => {
    const { boss, id } = await setting()
    const [euro, coin] = [await openAccount(boss, id, 'EUR'), await openAccount(boss, id, 'USDC')]
    const partnerDepositId = await arriveTwice(euro.account, coin.account)
    await calledAbout('bank', partnerDepositId)
    await eventually(async () => (await booksOf(boss, id, 'EUR')).balance).toBe('10.00')
    for (const partner of PARTNERS) {
      await owner`insert into partner_records (partner, list, id, status, amount, currency)
        values (${partner}, 'deposits', ${partnerDepositId}, 'received', 1, 'EUR')`
    }
    expect(await unknownDeposits('bank', null, 100)).not.toContain(partnerDepositId)
    expect(await unknownDeposits('custodian', null, 100)).toContain(partnerDepositId)
    await calledAbout('custodian', partnerDepositId)
    await eventually(async () => (await booksOf(boss, id, 'USDC')).balance).toBe('20.000000')
    expect(await unknownDeposits('custodian', null, 100)).not.toContain(partnerDepositId)
    expect(await booksOf(boss, id, 'EUR')).toMatchObject({ balance: '10.00', ok: true })
  })

  test('are both unmatched, where nobody has the accounts', async () => {
    const partnerDepositId = await arriveTwice('nobody-s', 'nobody-s')
    for (const partner of PARTNERS) await calledAbout(partner, partnerDepositId)
    await eventually(
      () =>
        owner`select partner from unmatched_deposits where partner_deposit_id = ${partnerDepositId} order by partner`,
    ).toEqual(PARTNERS.map((partner) => ({ partner })))
  })
})

describe('an address that a deposit names', () => {
  test.each([
    ['USDC', (address: string) => address.toLowerCase()],
    ['USDC', (address: string) => `0x${address.slice(2).toUpperCase()}`],
    ['BTC', (address: string) => address.toUpperCase()],
  ])('on the network of %s is the same in other letters', async (currency, otherwise) => {
    const { boss, id } = await setting()
    const { account } = await openAccount(boss, id, currency)
    expect(otherwise(account)).not.toBe(account)
    const { status } = await arriveAt(otherwise(account), '0.001', currency)
    expect(status).toBe('credited')
  })

  test('in base58 is another one in other letters', async () => {
    const { id } = await setting()
    const address = `T${randomUUID().replaceAll('-', '')}`
    await owner`insert into receiving_accounts (id, organization_id, rail, currency, network, status, account, details)
      values (${randomUUID()}, ${id}, 'crypto', 'USDT', 'tron', 'active', ${address}, '{}')`
    expect((await arriveAt(address.toLowerCase(), '1', 'USDT')).status).toBe('unmatched')
    expect((await arriveAt(address, '1', 'USDT')).status).toBe('credited')
  })
})

test('an organization that is renamed while its accounts open gets them, under the name that was asked for', async () => {
  const { boss, id } = await setting('Before Ltd')
  await fault('bank', 'ambiguous', 6) // done at the partner, but the answer is lost
  await api('GET', `/organizations/${id}/bank-accounts`, { token: boss.token })
  await eventually(async () => {
    const [row] = await owner`
      select count(*)::int as n from sandbox_accounts s join receiving_accounts r on r.id = s.id where r.organization_id = ${id}`
    return row?.['n']
  }).toBe(3)
  await owner`update organizations set name = 'After Ltd' where id = ${id}`
  await owner`delete from sandbox_faults`
  const { details } = await openAccount(boss, id, 'EUR')
  expect(details.account_holder_name).toBe('Before Ltd')
  for (const currency of ['USD', 'GBP']) await openAccount(boss, id, currency)
})
