/** Deposits at a provider whose ids are no UUIDs: each has one of ours, also after the process that made it. */
import { expect, test } from 'vitest'
import { isUuid } from '../../../domain/ids.ts'
import type { DepositView, MoneyDriver, ReturnOrder } from '../../../partners/driver.ts'
import { useOurIds } from '../../../partners/our-ids.ts'
import { forgetfulDriver } from '../../support/partners/forgetful.ts'

const amount = { amount: '7.00', currency: 'EUR' }
const sender = { name: 'Ada', reference: null, account_reference: null, country: null }
const depositOf = (id: string): DepositView => {
  const arrived = { reference: null, receivedAt: '2030-01-01T00:00:00Z' }
  return { id, account: 'DE1', amount, sender, status: 'received', ...arrived }
}
const UUID = '0197a5c5-1111-7111-8111-111111111111'
const LISTED = ['inbound_ach_1', UUID, UUID.toUpperCase(), 'inbound/wire 2']

const asked: string[] = []
const nowhere = { party: 'bank', url: 'http://127.0.0.1:1', key: '', timeoutMs: 1, queues: [] }
const driver: MoneyDriver = {
  ...forgetfulDriver(nowhere),
  payouts: () => Promise.resolve({ data: [], odd: [], next: null }),
  deposits: () => Promise.resolve({ data: LISTED.map(depositOf), odd: [], next: null }),
  deposit: (id) => {
    asked.push(id)
    return Promise.resolve(LISTED.includes(id) ? depositOf(id) : null)
  },
  returnDeposit: ({ id }: ReturnOrder) => Promise.resolve({ ...depositOf(id), status: 'returned' as const }),
}
const [one, other] = [useOurIds('bank', driver), useOurIds('other-bank', driver)]

test('are listed, found and returned by UUIDs of ours', async () => {
  const ids = (await one.deposits()).data.map(({ id }) => id)
  expect(ids.every(isUuid)).toBe(true)
  expect(new Set(ids).size).toBe(LISTED.length)
  expect(ids[1]).toBe(UUID)
  for (const [at, id] of ids.entries()) {
    expect(await one.deposit(id)).toMatchObject({ id, amount })
    expect(asked.pop()).toBe(LISTED[at])
    expect(await one.returnDeposit?.({ id, amount, reason: 'nobody' }, id)).toMatchObject({ id, status: 'returned' })
  }
  expect((await one.deposits()).data.map(({ id }) => id)).toEqual(ids)
})

test('are others at another connection, and unknown there before they are listed', async () => {
  const [id = ''] = (await one.deposits()).data.map((listed) => listed.id)
  expect(await other.deposit(id)).toBeNull()
  const [its = ''] = (await other.deposits()).data.map((listed) => listed.id)
  expect(its).not.toBe(id)
  expect(await other.deposit(its)).toMatchObject({ id: its })
})

test('are not believed where the provider answers about another one', async () => {
  const confused = useOurIds('bank', { ...driver, deposit: () => Promise.resolve(depositOf('inbound_ach_9')) })
  await expect(confused.deposit(UUID)).rejects.toMatchObject({ type: 'PartnerUnclear' })
})
