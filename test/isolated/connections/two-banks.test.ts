/** Two banks and two custodians at once: each pays, receives and calls for itself, and has books of its own. */
import { expect, test, vi } from 'vitest'
import { advance } from '../../support/identity/identity.ts'
import { api, approve } from '../../support/api.ts'
import { IBAN } from '../../support/batches/batches.ts'
import { newBatch } from '../../support/batches/imports.ts'
import { SECOND } from '../../support/connections.ts'
import { BANK, WALLET } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { OWN, answer, arriveSilently, deposit, openAccount, operator } from '../../support/deposits/deposits.ts'
import { reconcileWith, serviceFindings } from '../../support/ledger/books.ts'
import { calledBack, connected, payoutAt, usePartners } from '../../support/partners/partners.ts'
import { AT_SECOND, ON_SOLANA, everywhere, expectBooksApart, order } from '../../support/partners/two.ts'
import { become, cancel, violations } from '../../support/payments/payouts.ts'
import { businessDay, moveToHour } from '../../support/payments/schedules.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'
import { movePayout } from '../../../sandbox/db/payouts.ts'

await vi.hoisted(async () => {
  const { connectTwo } = await import('../../support/connections.ts')
  connectTwo()
})
usePartners()
useWorker()

const PAID_BY = [
  ['bank', 'EUR', BANK],
  [SECOND, 'USD', AT_SECOND],
  ['custodian', 'USDC', WALLET],
  ['trade', 'USDC', ON_SOLANA],
] as const

test.each(PAID_BY)(
  '%s pays what it serves, and its name is in the row, the order and the event',
  async (name, ...to) => {
    const [currency, destination] = to
    const payer = await everywhere(destination)
    const payment = await order(payer, currency)
    await become(payer, payment, 'succeeded')
    const [row] = await owner`select connection from payments where id = ${payment.id}`
    expect(row).toEqual({ connection: name })
    expect(await payoutAt(name, payment.id)).toMatchObject({ status: 'settled' })
    const { body } = await api('GET', `/payments/${payment.id}/events`, { token: payer.boss.token })
    const role = currency === 'USDC' ? 'custodian' : 'bank'
    expect(body.data.map((event: any) => event.payload)).toContainEqual(
      expect.objectContaining({ partner: role, connection: name }),
    )
    expect((await api('GET', `/payments/${payment.id}`, { token: payer.boss.token })).body.connection).toBe(name)
    expect(await violations(payer, payer.id)).toEqual([])
    await owner`update payments set connection = ${name === 'bank' ? SECOND : 'bank'} where id = ${payment.id}`
    expect(await violations(payer, payer.id)).toEqual([
      { check: 'moved_at_another_connection', subject: `payment:${payment.id}:settle` },
    ])
    await owner`update payments set connection = ${name} where id = ${payment.id}`
  },
)

test('rows of a batch, and a payment on a date, go to the bank of their currency', async () => {
  const payer = await everywhere(AT_SECOND)
  const batch = await newBatch(payer.boss, payer.id)
  const common = { payout_reason: 'services', statement_description: 'Invoice 1', account_holder_name: 'Payee' }
  for (const row of [
    { ...common, iban: IBAN, amount: '5.00', currency: 'EUR' },
    {
      ...common,
      account_number: '123456789',
      aba_code: '021000021',
      bank_country: 'US',
      amount: '6.00',
      currency: 'USD',
    },
  ]) {
    const added = await api('POST', `/payment-batches/${batch}/rows`, { token: payer.boss.token, body: row })
    expect(added.body.errors).toEqual([])
  }
  const asked = await api('POST', `/payment-batches/${batch}/submit`, { token: payer.boss.token, body: {} })
  expect(asked.status, JSON.stringify(asked.body)).toBe(200)
  await approve(payer.boss, asked.body)
  const day = await businessDay()
  const dated = await order(payer, 'USD', { execute_on: day })
  const paid = () =>
    owner`select connection, landing_currency as currency from payments
      where payment_batch_id = ${batch} and status = 'succeeded' order by 2`
  await until('both rows are paid', async () => (await paid()).length === 2)
  expect(await paid()).toEqual([
    { connection: 'bank', currency: 'EUR' },
    { connection: SECOND, currency: 'USD' },
  ])
  await moveToHour(day, 8)
  await become(payer, dated, 'succeeded')
  expect(await payoutAt(SECOND, dated.id)).toMatchObject({ status: 'settled' })
})

test('a bill in dollars is paid by the bank that serves them', async () => {
  const payer = await everywhere(BANK)
  const body = {
    currency: 'USD',
    supplier_name: 'Payee',
    account_number: '123456789',
    aba_code: '021000021',
    amount: '7.00',
  }
  const token = payer.boss.token
  const bill = await api('POST', `/organizations/${payer.id}/bills`, {
    token,
    body: { ...body, bank_country_alpha2: 'US', supplier_country_alpha2: 'US' },
  })
  expect(bill.status, JSON.stringify(bill.body)).toBe(201)
  const asked = await api('POST', `/bills/${bill.body.id}/request-payment`, { token, body: {} })
  expect(asked.status, JSON.stringify(asked.body)).toBe(200)
  const payment = (await api('GET', `/payments/${asked.body.fiat_outgoing_id}`, { token })).body
  await approve(payer.boss, payment)
  await become(payer, payment, 'succeeded')
  expect(await payoutAt(SECOND, payment.id)).toMatchObject({ status: 'settled' })
})

test('a withdrawal is cancelled at its custodian', async () => {
  const payer = await everywhere(ON_SOLANA)
  await owner`insert into sandbox_faults (partner, fault, times) values ('trade', 'manual', 1)`
  const payment = await order(payer, 'USDC')
  await until('it is ordered', () => payoutAt('trade', payment.id))
  await cancel(payer, payment)
  await become(payer, payment, 'cancelled')
  expect(await payoutAt('trade', payment.id)).toMatchObject({ status: 'cancelled' })
})

const call = (id: string, partner: string, secret = '') => calledBack(id, { partner, ...(secret && { secret }) })
const secretOf = (name: string) => connected(name).callbackSecret ?? ''

test('a callback is signed by the secret of its connection, and is about its own payments alone', async () => {
  const payer = await everywhere(AT_SECOND)
  await owner`insert into sandbox_faults (partner, fault, times) values (${SECOND}, 'manual', 1)`
  const payment = await order(payer, 'USD')
  await become(payer, payment, 'processing')
  const calls = async () =>
    (
      await owner`select callbacks_received as received, callback_version as version from payments where id = ${payment.id}`
    )[0]
  const before = await calls()
  expect((await call(payment.id, SECOND, secretOf('bank'))).status).toBe(401)
  expect((await call(payment.id, 'bank', secretOf(SECOND))).status).toBe(401)
  expect((await call(payment.id, 'bank')).status).toBe(204)
  expect((await call(payment.id, 'trade')).status).toBe(204)
  expect(await calls()).toEqual(before)
  expect(await serviceFindings('database', `%${payment.id}`)).toEqual([])
  expect((await call(payment.id, 'nobody', secretOf('bank'))).status).toBe(404)
  expect((await call(payment.id, 'rates', secretOf('bank'))).status).toBe(404)
  expect((await call(payment.id, SECOND)).status).toBe(204)
  expect((await calls())?.['received']).toBe(before?.['received'] + 1)
  await movePayout(SECOND, payment.id, { from: ['pending', 'processing'], to: 'settled' })
  await become(payer, payment, 'succeeded')
})

test('each bank opens accounts, and what arrives is of the bank at which it arrived', async () => {
  const { boss, id } = await everywhere(BANK)
  const [euros, dollars] = [await openAccount(boss, id, 'EUR'), await openAccount(boss, id, 'USD')]
  const rows = await owner`
    select currency, network, connection from receiving_accounts where organization_id = ${id} and rail = 'fiat' order by 1`
  expect(rows).toEqual([
    { currency: 'EUR', network: null, connection: 'bank' },
    { currency: 'USD', network: null, connection: SECOND },
  ])
  const account = ({ details }: any) => details.iban ?? details.account_number
  const mine = await arriveSilently(SECOND, account(dollars), '11.00', 'USD')
  // an account at the other bank: nobody is credited
  const foreign = await arriveSilently(SECOND, account(euros), '12.00', 'EUR')
  await reconcileWith(SECOND)
  await until(
    'it is booked',
    async () => (await owner`select from deposits where partner_deposit_id = ${mine}`).length > 0,
  )
  const [row] =
    await owner`select connection, status, organization_id as id from deposits where partner_deposit_id = ${mine}`
  expect(row).toEqual({ connection: SECOND, status: 'credited', id })
  const [lost] = await until('the other is unmatched', async () => {
    const found = await owner`select id, partner from unmatched_deposits where partner_deposit_id = ${foreign}`
    return found.length > 0 && found
  })
  expect(lost?.['partner']).toBe(SECOND)
  expect(await operator('unmatched')).toContain(SECOND)
  await operator('return', lost?.['id'])
  const [back] = await owner`select status from sandbox_deposits where partner = ${SECOND} and id = ${foreign}`
  expect(back).toEqual({ status: 'returned' })
})

test('two banks may give their deposits one id', async () => {
  const { boss, id } = await everywhere(BANK)
  const [euros, dollars] = [await openAccount(boss, id, 'EUR'), await openAccount(boss, id, 'USD')]
  const one = await arriveSilently(SECOND, dollars.details.iban ?? dollars.details.account_number, '13.00', 'USD')
  const sender = owner.json({ name: 'Sender', account_reference: null, country: null, reference: null })
  await owner`
    insert into sandbox_deposits (partner, id, account, amount, currency, sender, reference)
    values ('bank', ${one}, ${euros.details.iban}, '14.00', 'EUR', ${sender}, 'REF')`
  await Promise.all([calledBack(one, { partner: 'bank', type: 'deposit.updated' }), reconcileWith(SECOND)])
  await until(
    'both are booked',
    async () => (await owner`select from deposits where partner_deposit_id = ${one}`).length === 2,
  )
  const rows = await owner`
    select connection, currency, status from deposits where partner_deposit_id = ${one} order by connection`
  expect(rows).toEqual([
    { connection: 'bank', currency: 'EUR', status: 'credited' },
    { connection: SECOND, currency: 'USD', status: 'credited' },
  ])
})

test('coins that were held are released and sent back at their own custodian', async () => {
  const { boss, id } = await everywhere(BANK)
  const held = async () =>
    (
      await api('POST', '/sandbox/deposits', {
        body: {
          organization_id: id,
          rail: 'crypto',
          network: 'solana',
          amount: { amount: '2500.00', currency: 'USDC' },
        },
      })
    ).body
  const [kept, returned] = [await held(), await held()]
  expect(kept.status).toBe('held')
  await answer(boss, kept.id, OWN)
  expect(await deposit(boss, kept.id)).toMatchObject({ status: 'credited' })
  await owner`update deposits set release_by = business_now() where id = ${returned.id}`
  await owner`update processes set look_at = business_now() where id = ${returned.id}`
  await advance(60)
  await until('it is sent back', async () => (await deposit(boss, returned.id)).status === 'returned')
  const [there] = await owner`select partner, status from sandbox_deposits where id = ${returned.id}`
  expect(there).toEqual({ partner: 'trade', status: 'returned' })
})

test('the books at each connection are what it has of ours, and every audit is clean', expectBooksApart)
