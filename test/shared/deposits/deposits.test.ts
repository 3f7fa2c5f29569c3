/** Deposits from partners: reported by callbacks, polled, booked once, listed. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { bookView, receiveDeposit } from '../../../activities/deposits.ts'
import { moneyPartner } from '../../../partners/money-partners.ts'
import { arrive } from '../../../sandbox/db/deposits.ts'
import { transaction } from '../../../db/postgres/sql.ts'
import { MANY, everyNth } from '../../support/model-runs.ts'
import { api, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import {
  arriveAt,
  arriveCrypto,
  arriveSilently,
  booksOf,
  calledAbout,
  deposit,
  openAccount,
} from '../../support/deposits/deposits.ts'
import { fault, speaksOurs, usePartners, whileFaulty } from '../../support/partners/partners.ts'
import { eventually } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'
import { unknownDeposits } from '../../../services/audit/reconciliation.ts'

useWorker()
usePartners()

/** A bank by files is not asked: what it has said stays, and its stand-in gives files their own ids. */
const isAsked = speaksOurs('bank')

async function setting() {
  const boss = await person()
  const { id } = await organization(boss)
  return { boss, id, path: `/organizations/${id}` }
}
type Setting = Awaited<ReturnType<typeof setting>>
const listed = async ({ boss, path }: Setting, query = '') => {
  const { status, body } = await api('GET', `${path}/deposits?${query}`, { token: boss.token })
  expect(status).toBe(200)
  return body
}

describe('money that a partner tells of', () => {
  test.each(everyNth([null, 'late_callback', 'duplicate_callback'] as const, 2))(
    'by its own callback (%s) is asked for, and booked once',
    async (how) => {
      const at = await setting()
      const { account } = await openAccount(at.boss, at.id, 'EUR')
      if (how) await fault('bank', how, 1)
      const sender = { name: 'Caller', account_reference: null, country: 'DE', reference: 'Invoice 3' }
      const amount = { amount: '3.00', currency: 'EUR' }
      await transaction((tx) => arrive(tx, { id: randomUUID(), partner: 'bank', account, amount, sender }))
      await eventually(async () => (await listed(at)).data.length).toBe(1)
      const [made] = (await listed(at)).data
      const credited = { organization_id: at.id, rail: 'fiat', network: null, status: 'credited', amount }
      expect(made).toMatchObject({ ...credited, source: sender, needs_sender_travel_rule: false })
      expect(await deposit(at.boss, made.id)).toEqual(made)
      expect(await booksOf(at.boss, at.id, 'EUR')).toMatchObject({ balance: '3.00', ok: true })
    },
  )

  test('is held, whatever it is worth, while nobody can say what that is', async () => {
    const at = await setting()
    const { account } = await openAccount(at.boss, at.id, 'USDC')
    const partnerId = await arriveSilently('custodian', account, '1', 'USDC')
    const receive = () => receiveDeposit({ partner: 'custodian', partnerDepositId: partnerId })
    const booked = await whileFaulty('rates', 'down', receive)
    expect(booked).toMatchObject({ kind: 'deposit', status: 'held' })
  })

  test.runIf(isAsked)('is booked once, however often and however it is told, by many at once', async () => {
    const at = await setting()
    const { account } = await openAccount(at.boss, at.id, 'EUR')
    const partnerDepositId = await arriveSilently('bank', account, '7', 'EUR')
    const ref = { partner: 'bank', partnerDepositId } as const
    const view = await moneyPartner('bank').deposit(partnerDepositId)
    if (!view) throw new Error('it is there')
    const told = Array.from({ length: MANY }, (_, n) => {
      if (n === 0) return receiveDeposit(ref)
      return n % 2 ? calledAbout('bank', partnerDepositId) : bookView('bank', view)
    })
    await Promise.all(told)
    await eventually(async () => (await listed(at)).data.length).toBe(1)
    await calledAbout('bank', partnerDepositId)
    expect(await booksOf(at.boss, at.id, 'EUR')).toMatchObject({ balance: '7.00', ok: true })
    const feed = await api('GET', `${at.path}/transactions`, { token: at.boss.token })
    expect(feed.body.data).toHaveLength(1)
  })

  test.runIf(isAsked)('and that is sent back before it was booked is not booked', async () => {
    const at = await setting()
    const { account } = await openAccount(at.boss, at.id, 'EUR')
    const partnerDepositId = await arriveSilently('bank', account, '7', 'EUR')
    await moneyPartner('bank').returnDeposit(
      { id: partnerDepositId, amount: { amount: '7.00', currency: 'EUR' }, reason: 'a mistake' },
      partnerDepositId,
    )
    expect(await receiveDeposit({ partner: 'bank', partnerDepositId })).toEqual({ kind: 'nothing' })
    expect(await receiveDeposit({ partner: 'bank', partnerDepositId: randomUUID() })).toEqual({ kind: 'nothing' })
    expect((await listed(at)).data).toEqual([])
  })

  test('reaches a paused organization', async () => {
    const at = await setting()
    const { account } = await openAccount(at.boss, at.id, 'EUR')
    await owner`update organizations set status = 'paused' where id = ${at.id}`
    expect(await arriveAt(account, '5')).toMatchObject({ status: 'credited' })
  })
})

describe('the list of deposits', () => {
  test('is filtered, searched and paged, newest first', async () => {
    const at = await setting()
    const made: string[] = []
    for (const [amount, currency, name] of [
      ['10', 'USD', 'Alpha'],
      ['20', 'EUR', 'Beta'],
      ['30', 'USD', 'Gamma'],
    ]) {
      const { body } = await api('POST', '/sandbox/deposits', {
        body: {
          organization_id: at.id,
          rail: 'fiat',
          amount: { amount, currency },
          sender: { name, reference: `No ${amount}` },
        },
      })
      made.push(body.id)
    }
    const held = await arriveCrypto(at.id, '1000')
    const [alpha, beta, gamma] = made
    const ids = async (query: string) => (await listed(at, query)).data.map((one: { id: string }) => one.id)
    expect(await ids('')).toEqual([held.id, gamma, beta, alpha])
    expect(await ids('status=held')).toEqual([held.id])
    expect(await ids('rail=crypto')).toEqual([held.id])
    expect(await ids('currency=USD')).toEqual([gamma, alpha])
    expect(await ids('amount_min=20&amount_max=30')).toEqual([gamma, beta])
    expect(await ids('q=beta')).toEqual([beta])
    expect(await ids('q=NO%2030')).toEqual([gamma])
    expect(await ids('from=2100-01-01')).toEqual([])
    expect(await ids('to=2020-01-01')).toEqual([])
    expect(await listed(at, 'limit=3')).toMatchObject({ has_more: true, next_cursor: beta })
    expect(await ids(`limit=3&cursor=${beta}`)).toEqual([alpha])
  })
})

test.each([
  ['crypto', 'USD', undefined, [422, 'unsupported_currency', { currency: 'USD' }]],
  ['fiat', 'USDC', undefined, [422, 'unsupported_currency', { currency: 'USDC' }]],
  ['crypto', 'USDC', 'marsnet', [400, 'invalid_request', mismatch('must be ethereum or solana for USDC')]],
  ['crypto', 'BTC', 'ethereum', [400, 'invalid_request', mismatch('must be bitcoin for BTC')]],
] as const)('the stand-ins take no deposit by %s of %s on network %s', async (rail, currency, network, refused) => {
  const { id } = await setting()
  const money = { rail, amount: { amount: '1', currency }, ...(network && { network }) }
  for (const { status, body } of await Promise.all([
    api('POST', '/sandbox/deposits', { body: { organization_id: id, ...money } }),
    api('POST', '/sandbox/unmatched-deposits', { body: { account: `nobody-${id}`, ...money } }),
  ])) {
    expect([status, body.error.type, body.error.details]).toEqual(refused)
  }
})

function mismatch(message: string) {
  return { errors: [{ path: 'network', code: 'network_mismatch', message }] }
}

test.runIf(isAsked)(
  'at the stand-ins a deposit names the account of its organization, or the organization where it has none',
  async () => {
    const at = await setting()
    const arrive = async (amount: object, more: object) => {
      const { body } = await api('POST', '/sandbox/deposits', { body: { organization_id: at.id, amount, ...more } })
      const partner = body.rail === 'fiat' ? 'bank' : 'custodian'
      return (await moneyPartner(partner).deposit(body.id))?.account
    }
    const euros = [{ amount: '5', currency: 'EUR' }, { rail: 'fiat' }] as const
    expect(await arrive(...euros)).toBe(at.id)
    const { account } = await openAccount(at.boss, at.id, 'EUR')
    expect(await arrive(...euros)).toBe(account)
    const coins = { amount: '5', currency: 'USDC' }
    for (const network of ['ethereum', 'solana']) {
      const address = await openAccount(at.boss, at.id, 'USDC', network)
      expect(await arrive(coins, { rail: 'crypto', network })).toBe(address.account)
    }
    expect(await arrive({ amount: '5', currency: 'SEK' }, { rail: 'fiat' })).toBe(at.id)
  },
)

describe('deposits names', () => {
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
    test.runIf(isAsked)('are both credited, and no one is unknown or known through the other', async () => {
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

    test.runIf(isAsked)('are both unmatched, where nobody has the accounts', async () => {
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
      const address = `TQ${randomUUID().replaceAll('-', '')}`
      await owner`insert into receiving_accounts (id, organization_id, rail, currency, network, status, account, details)
      values (${randomUUID()}, ${id}, 'crypto', 'USDT', 'tron', 'active', ${address}, '{}')`
      expect((await arriveAt(address.toLowerCase(), '1', 'USDT')).status).toBe('unmatched')
      expect((await arriveAt(address, '1', 'USDT')).status).toBe('credited')
    })
  })

  test.runIf(isAsked)(
    'an organization that is renamed while its accounts open gets them, under the name that was asked for',
    async () => {
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
    },
  )
})
