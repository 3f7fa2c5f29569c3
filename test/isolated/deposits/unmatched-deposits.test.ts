/** Unmatched deposits: in suspense exactly once, until an operator assigns or returns them. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { bookView, receiveDeposit } from '../../../activities/deposits.ts'
import { moneyPartner } from '../../../partners/money-partners.ts'
import { everyNth, MANY } from '../../support/model-runs.ts'
import { api, baseUrl } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import {
  OWN,
  answer,
  arriveAt,
  arriveSilently,
  booksOf,
  deposit,
  depositAt,
  depositor,
  openAccount,
  operator,
  refusal,
  suspense,
} from '../../support/deposits/deposits.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

/** A deposit in a currency of its own, so that suspense holds only this test's money. */
const unmatched = async (currency: string, amount = '10') =>
  (await arriveAt(`nobody-${randomUUID()}`, amount, currency)).unmatched_deposit_id as string

const openIn = async (currency: string) =>
  (await owner`select id from unmatched_deposits where currency = ${currency} and status = 'unmatched'`).length

describe('money goes to suspense, and the operator is told', () => {
  test('where nobody has the account', async () => {
    const id = await unmatched('SEK')
    expect(await suspense('SEK')).toBe('10')
    expect(await operator('unmatched')).toContain(id)
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text()
    expect(Number(/^unmatched_deposits (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0)
  })

  test('where the account is in another currency', async () => {
    const { boss, id } = await depositor()
    const { account } = await openAccount(boss, id, 'EUR')
    expect(await arriveAt(account, '10', 'NOK')).toMatchObject({ status: 'unmatched' })
    expect(await suspense('NOK')).toBe('10')
    expect((await booksOf(boss, id, 'NOK')).balance).toBe('0')
  })

  test.each(everyNth(['banned', 'deleted'], 2))('where the organization is %s', async (status) => {
    const { boss, id } = await depositor()
    const { account } = await openAccount(boss, id, 'GBP')
    await owner`update organizations set status = ${status} where id = ${id}`
    const before = Number(await suspense('GBP'))
    expect(await arriveAt(account, '10', 'GBP')).toMatchObject({ status: 'unmatched', deposit_id: null })
    expect(Number(await suspense('GBP'))).toBe(before + 10)
  })

  test('once, whatever the partner repeats, also many times at once, and also when the account is opened since', async () => {
    const { id } = await depositor()
    const account = `later-${randomUUID()}`
    const partnerDepositId = await arriveSilently('bank', account, '10', 'DKK')
    const ref = { partner: 'bank', partnerDepositId } as const
    const view = await moneyPartner('bank').deposit(partnerDepositId)
    if (!view) throw new Error('it is there')
    const booked = await Promise.all(Array.from({ length: MANY }, () => bookView('bank', view)))
    expect(new Set(booked.map((one) => JSON.stringify(one))).size).toBe(1)
    await owner`insert into receiving_accounts (id, organization_id, rail, currency, status, account, details)
      values (${randomUUID()}, ${id}, 'fiat', 'DKK', 'active', ${account}, '{}')`
    expect(await receiveDeposit(ref)).toEqual(booked[0])
    expect([await suspense('DKK'), await openIn('DKK')]).toEqual(['10', 1])
  })
})

describe('an operator', () => {
  test('assigns it: credited at once, from suspense, once by many at once', async () => {
    const { boss, id } = await depositor()
    const target = await unmatched('PLN')
    const told = await Promise.all(Array.from({ length: MANY }, () => operator('assign', target, id)))
    expect(new Set(told).size).toBe(1)
    expect(await booksOf(boss, id, 'PLN')).toEqual({ balance: '10.00', ok: true, suspense: '0' })
    const { body } = await api('GET', `/organizations/${id}/deposits`, { token: boss.token })
    expect(body.data).toMatchObject([{ status: 'credited', amount: { amount: '10.00', currency: 'PLN' } }])
    const events = await owner`select type, actor_kind from events where subject_id = ${body.data[0].id} order by id`
    expect(events.map(({ type, actor_kind }) => [type, actor_kind]).toSorted()).toEqual([
      ['deposit.assigned', 'admin'],
      ['deposit.credited', 'admin'],
    ])
    expect(await openIn('PLN')).toBe(0)
    expect([await refusal('return', target), await refusal('assign', target, (await depositor()).id)]).toEqual([
      'invalid_state',
      'invalid_state',
    ])
  })

  test('assigns coins by the travel rule, like any others', async () => {
    const { boss, id } = await depositor()
    const target = await unmatched('ETH', '1')
    await operator('assign', target, id)
    const { body } = await api('GET', `/organizations/${id}/deposits`, { token: boss.token })
    const [made] = body.data
    expect([made.status, await suspense('ETH')]).toEqual(['held', '1'])
    expect((await answer(boss, made.id, OWN)).status).toBe(200)
    expect((await deposit(boss, made.id)).status).toBe('credited')
    expect(await booksOf(boss, id, 'ETH')).toEqual({ balance: '1.000000000000000000', ok: true, suspense: '0' })
  })

  test('returns it, once by many at once; then nobody is assigned to it', async () => {
    const { id } = await depositor()
    const target = await unmatched('CZK')
    const [row] = await owner`select partner_deposit_id as id from unmatched_deposits where id = ${target}`
    const told = await Promise.all(Array.from({ length: MANY }, () => operator('return', target)))
    expect(told).toEqual(Array(MANY).fill(`${target} is returned`))
    expect(await depositAt('bank', row?.['id'])).toMatchObject({ status: 'returned', version: 2 })
    expect([await suspense('CZK'), await openIn('CZK')]).toEqual(['0', 0])
    expect(await refusal('assign', target, id)).toBe('invalid_state')
  })

  test('whose return broke off finds it in the list, cannot assign it, and ends the return', async () => {
    const { id } = await depositor()
    const target = await unmatched('HUF')
    await fault('bank', 'error', 20) // its run asks too
    await expect(operator('return', target)).rejects.toThrow()
    await owner`delete from sandbox_faults`
    expect(await operator('unmatched')).toMatch(new RegExp(`${target}.*is being returned`))
    expect(await refusal('assign', target, id)).toBe('invalid_state')
    expect(await suspense('HUF')).toBe('10')
    await operator('return', target)
    expect([await suspense('HUF'), await openIn('HUF')]).toEqual(['0', 0])
  })

  test('either assigns or returns it, where both are tried at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { boss, id } = await depositor()
      const target = await unmatched('MXN')
      const [assigned, returned] = await Promise.all([refusal('assign', target, id), refusal('return', target)])
      expect([assigned, returned].toSorted()).toEqual(['done', 'invalid_state'])
      expect(await booksOf(boss, id, 'MXN')).toEqual({
        balance: assigned === 'done' ? '10.00' : '0',
        ok: true,
        suspense: '0',
      })
    }
  })

  test('is refused what is unknown, and who is gone', async () => {
    const { id } = await depositor()
    const target = await unmatched('INR')
    expect(await refusal('assign', randomUUID(), id)).toBe('not_found')
    expect(await refusal('return', randomUUID())).toBe('not_found')
    expect(await refusal('assign', target, randomUUID())).toBe('not_found')
    await owner`update organizations set status = 'banned' where id = ${id}`
    expect(await refusal('assign', target, id)).toBe('not_found')
    expect(await openIn('INR')).toBe(1)
    await expect(operator('lose', target)).rejects.toThrow('usage')
  })
})
