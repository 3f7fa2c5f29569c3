/** The money is there: balances of partners against the books, and what is signed. */
import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { proveBalances } from '../../../activities/funds.ts'
import { administer } from '../../../admin.ts'
import { movePayout } from '../../../sandbox/db/payouts.ts'
import { owner } from '../../support/database.ts'
import { arriveSilently } from '../../support/deposits/deposits.ts'
import { comparisonOf, passDay, proofsOf, prove, readLists } from '../../support/ledger/funds.ts'
import { serviceFindings } from '../../support/ledger/books.ts'
import { answerAsBefore, answerInstead, usePartnerProxy } from '../../support/partners/proxy.ts'
import { askPartner } from '../../support/partners/partners.ts'
import { advance, become, payerBy, sent, taken } from '../../support/payments/payouts.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartnerProxy()
useWorker({ whole: true })
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const findings = () => serviceFindings('reconciliation')
/** Looks until nothing moves any more; answers the last look. */
const proved = () => until('an equal balance', async () => (await prove(false)).open === 0)

/** Makes the bank say that it holds more, or less, than the stand-in does. */
async function bankSays(more: string, currency = 'EUR'): Promise<void> {
  const { body } = await askPartner('bank', 'GET', '/balances')
  const data = body.data.map((one: { currency: string; amount: string }) =>
    one.currency === currency ? { ...one, amount: (Number(one.amount) + Number(more)).toFixed(2) } : one,
  )
  answerInstead((_, path) =>
    path.endsWith('/bank/v1/balances') ? { status: 200, body: JSON.stringify({ data }) } : undefined,
  )
}

test('what is equal in each currency is signed once a day, in a chain, and kept in storage', async () => {
  const payer = await payerBy('fiat')
  const coins = await payerBy('crypto')
  await become(payer, await sent(payer), 'succeeded')
  await become(coins, await sent(coins), 'succeeded')
  await proved()
  expect(await findings()).toEqual([])
  expect(await comparisonOf('bank', 'EUR')).toMatchObject({ outcome: 'equal', items: [] })
  expect((await prove()).signed).toBe(0)
  for (const [currency, name] of [
    ['EUR', 'bank'],
    ['USDC', 'custodian'],
  ] as const) {
    const [proof, ...more] = await proofsOf(currency)
    expect(more).toEqual([])
    const stated = JSON.parse(proof!.statement)
    expect(stated).toMatchObject({ currency, previous: null, customers: { leaves: 1 } })
    expect(stated.connections).toMatchObject([{ connection: name, outcome: 'equal', items: 0 }])
    expect(proof!.stored_as).toMatch(/^proofs-of-funds\//)
  }
  await passDay()
  await proved()
  const [first, second] = await proofsOf('EUR')
  expect(JSON.parse(second!.statement).previous).toBe(sha256(first!.statement))
})

test('proofs at one moment, and one that dies in the middle, leave one for each currency and day', async () => {
  await passDay()
  const before = (await proofsOf('EUR')).length
  await owner`
    create function die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`
  await owner`create trigger die before insert on funds_proofs for each row execute function die()`
  await expect(prove()).rejects.toThrow(/killed/)
  await owner`drop trigger die on funds_proofs`
  await owner`drop function die()`
  expect(await owner`select from funds_leaves l where not exists (select from funds_proofs p where p.id = l.proof_id)`).toEqual([]) // prettier-ignore
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => proveBalances({ isLast: false })))
  expect(results.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect(await proofsOf('EUR')).toHaveLength(before + 1)
})

test('a stolen euro is a finding with its amount and the movement that explains it, until it is back', async () => {
  const payer = await payerBy('fiat')
  const payment = await sent(payer, '1.00')
  await become(payer, payment, 'succeeded')
  await passDay()
  await bankSays('-1.00')
  expect((await prove(false)).open).toBe(1)
  expect(await findings()).toEqual([]) // it may be on its way
  const before = (await proofsOf('EUR')).length
  await prove()
  expect(await findings()).toEqual(['balance_differs bank:EUR:-1.00'])
  const { difference, nearest, items } = await comparisonOf('bank', 'EUR')
  expect([difference, items]).toEqual(['-1.00', []])
  expect(nearest).toEqual({
    explains: true,
    items: [{ kind: 'payout', name: `payment:${payment.id}`, amount: '-1.00' }],
  })
  expect(await proofsOf('EUR')).toHaveLength(before)
  expect(JSON.parse((await proofsOf('USDC')).at(-1)!.statement).connections).toMatchObject([{ outcome: 'equal' }])
  answerAsBefore()
  await proved()
  expect(await findings()).toEqual([])
  expect(await proofsOf('EUR')).toHaveLength(before + 1)
})

test('a payout of no payment excuses nothing, and is named', async () => {
  const id = randomUUID()
  await owner`
    insert into sandbox_payouts (partner, id, body_hash, amount, currency, status, detail, own_reference)
    values ('bank', ${id}, 'x', '7.77', 'EUR', 'settled', 'gone', 'x')`
  await prove()
  expect(await findings()).toContain('balance_differs bank:EUR:-7.77')
  const thief = { kind: 'payout_of_no_payment', name: `payment:${id}`, amount: '-7.77' }
  expect((await comparisonOf('bank', 'EUR')).nearest).toEqual({ explains: true, items: [thief] })
  await owner`delete from sandbox_payouts where id = ${id}`
  await owner`delete from partner_records where id = ${id}`
  await proved()
})

test('a payout in flight, and one that comes back, are equal at each step', async () => {
  const { payer, payment } = await taken('fiat')
  await proved()
  await advance(payment, 'succeeded')
  await become(payer, payment, 'succeeded')
  await proved()
  await advance(payment, 'reversed')
  await become(payer, payment, 'reversed')
  await proved()
})

test('what the partner settled and took, and the books did not hear of, is named and equal', async () => {
  const { payment } = await taken('fiat')
  answerInstead((_, path) => (path.endsWith(`/bank/v1/payouts/${payment.id}`) ? { status: 503, body: '' } : undefined))
  await owner`
    update sandbox_payouts set status = 'settled', version = version + 1, updated_at = clock_timestamp()
    where id = ${payment.id}` // without a callback
  const deposit = await arriveSilently('bank', 'an account', '12.34', 'EUR')
  await readLists('bank') // seen once, and asked about later
  await prove()
  const { outcome, items } = await comparisonOf('bank', 'EUR')
  expect([outcome, items]).toEqual(['equal', [
    { kind: 'deposit_received', name: `deposit:${deposit}`, amount: '12.34' },
    { kind: 'payout_settled', name: `payment:${payment.id}`, amount: '-100.00' },
  ]]) // prettier-ignore
})

test('a partner that gives no answer, and one that knows no balances', async () => {
  answerInstead((_, path) => (path.includes('/bank/v1/balances') ? { status: 503, body: '' } : undefined))
  await prove()
  expect(await findings()).toEqual(['balance_not_asked bank'])
  answerInstead((_, path) =>
    path.includes('/bank/v1/balances') ? { status: 404, body: '{"code":"not_found","message":"none"}' } : undefined,
  )
  await passDay()
  await prove()
  expect(await findings()).toEqual([])
  const stated = JSON.parse((await proofsOf('EUR')).at(-1)!.statement)
  expect(stated.connections).toMatchObject([{ connection: 'bank', outcome: 'not_known', balance: null }])
})

test('coins in which no organization has anything are the operator’s own', async () => {
  const { body } = await askPartner('custodian', 'GET', '/balances')
  const gas = { currency: 'ETH', network: 'ethereum', amount: '2.5', as_of: body.data[0].as_of }
  answerInstead((_, path) =>
    path.endsWith('/custodian/v1/balances')
      ? { status: 200, body: JSON.stringify({ data: [...body.data, gas] }) }
      : undefined,
  )
  await proved()
  expect(await comparisonOf('custodian', 'ETH')).toMatchObject({
    outcome: 'own',
    balance: '2.500000000000000000',
    clearing: '0.000000000000000000',
  })
})

test('an operator runs it at once, and reads each balance', async () => {
  await proved()
  expect(await administer(['books', 'proof'])).toMatch(/bank EUR: equal, books \d+\.\d\d, balance \d+\.\d\d/)
})

test('what a partner charges is an item until it is booked, beside coins of the operator, too', async () => {
  const { payer, payment } = await taken('fiat')
  const { payment: coins } = await taken('crypto')
  const silent = (method: string, path: string) =>
    method === 'GET' && /\/v1\/payouts\/[0-9a-f-]+$/.test(path) ? { status: 503, body: '' } : undefined
  const settle = (id: string, amount: string, currency: string) => owner`
    update sandbox_payouts set status = 'settled', charges = ${owner.json({ amount, currency })}, version = version + 1,
      updated_at = clock_timestamp() where id = ${id}` // without a callback
  answerInstead(silent)
  await settle(payment.id, '0.50', 'EUR')
  await settle(coins.id, '0.002', 'ETH')
  await prove()
  expect(await findings()).toEqual([])
  const itemsOf = async (connection: string, currency: string) => {
    const { outcome, items } = await comparisonOf(connection, currency)
    return [outcome, ...items.filter(({ kind }) => kind === 'charge').map(({ name, amount }) => `${name} ${amount}`)]
  }
  expect(await itemsOf('bank', 'EUR')).toEqual(['equal', `payment:${payment.id} -0.50`])
  expect(await itemsOf('custodian', 'ETH')).toEqual(['equal', `payment:${coins.id} -0.002000000000000000`])
  const { body } = await askPartner('custodian', 'GET', '/balances')
  const data = body.data.map((one: any) => (one.currency === 'ETH' ? { ...one, amount: '2.5' } : one))
  answerInstead((method, path) =>
    path.endsWith('/custodian/v1/balances') ? { status: 200, body: JSON.stringify({ data }) } : silent(method, path),
  )
  await prove()
  expect(await findings()).toEqual([])
  expect(await comparisonOf('custodian', 'ETH')).toMatchObject({ outcome: 'own' })
  answerAsBefore()
  await become(payer, payment, 'succeeded')
  await proved()
  expect(await itemsOf('bank', 'EUR')).toEqual(['equal'])
})

test('a short return after the instant of a balance is an item with its charge, and a missing cent is not', async () => {
  const payer = await payerBy('fiat')
  const payment = await sent(payer)
  await become(payer, payment, 'succeeded')
  const past = (await askPartner('bank', 'GET', '/balances')).body
  await movePayout('bank', payment.id, {
    from: ['settled'],
    to: 'returned',
    returned: { amount: '95.00', currency: 'EUR' },
  })
  await become(payer, payment, 'reversed')
  const answer = (less: string) => {
    const data = past.data.map((one: any) => (one.currency === 'EUR' ? { ...one, amount: (Number(one.amount) - Number(less)).toFixed(2) } : one)) // prettier-ignore
    answerInstead((_, path) =>
      path.endsWith('/bank/v1/balances') ? { status: 200, body: JSON.stringify({ data }) } : undefined,
    )
  }
  const ofPayment = async () => {
    const { difference, items } = await comparisonOf('bank', 'EUR')
    const booked = items.filter(({ kind }) => kind === 'booked_since').map(({ amount }) => amount)
    return [difference, ...booked.toSorted()]
  }
  answer('0.00')
  await prove()
  const whole = await ofPayment()
  answer('0.01')
  await prove()
  expect([whole, await ofPayment()]).toEqual([
    ['0.00', '-100.00', '5.00'],
    ['-0.01', '-100.00', '5.00'],
  ])
})

test('a charge that the books do not take in excuses nothing for long', async () => {
  const payer = await payerBy('fiat')
  const payment = await sent(payer)
  await become(payer, payment, 'succeeded')
  await owner`
    update sandbox_payouts set charges = '{"amount":"3.21","currency":"EUR"}' where id = ${payment.id}` // no new version
  // what other payments still move differs too, for a moment
  await until('the charge is a finding', async () => {
    await readLists('bank')
    await owner`update partner_records set changed_at = changed_at - interval '2 hours' where id = ${payment.id}`
    await prove()
    return (await findings()).includes('balance_differs bank:EUR:-3.21')
  })
  const { nearest } = await comparisonOf('bank', 'EUR')
  expect(nearest).toMatchObject({ explains: true, items: [{ kind: 'charge_not_booked', amount: '-3.21' }] })
})
