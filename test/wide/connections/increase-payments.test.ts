/** Dollars at Increase, as its stand-in plays it: payments, returns, deposits, callbacks, books and proofs of funds. */
import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test, vi } from 'vitest'
import { movePayout } from '../../../sandbox/db/payouts.ts'
import { api, approve, fund } from '../../support/api.ts'
import { contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { deposit, depositor, openAccount } from '../../support/deposits/deposits.ts'
import { comparisonOf, prove } from '../../support/ledger/funds.ts'
import { serviceFindings } from '../../support/ledger/books.ts'
import { advance, become, feedOf, violations, UNTIL_LIFTED } from '../../support/payments/payouts.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { connected, liftFaults, usePartners } from '../../support/partners/partners.ts'
import { reconcileWhole } from '../../support/partners/reconcile.ts'
import { AT_SECOND } from '../../support/partners/two.ts'
import { eventually } from '../../support/runs/runs.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

vi.hoisted(() => Object.assign(process.env, { SANDBOX_PARTNERS: 'increase' }))

useWorker({ whole: true })
usePartners()

const ADDRESS = { line1: 'Weg 1', line2: null, postal_code: '04109', city: 'Leipzig', country_code: 'DE' }

async function payerInDollars() {
  const at = await contactWith([AT_SECOND])
  await owner`update organizations set postal_address = ${owner.json(ADDRESS)} where id = ${at.payer.id}`
  await fund(at.payer.id, '900.00', 'USD')
  return { ...at, rail: 'fiat' as const }
}
type Payer = Awaited<ReturnType<typeof payerInDollars>>

async function sent(payer: Payer) {
  const quote = await quoteOf(payer.boss, payer.contact, { amount: '100.00', currency: 'USD' }, { side: 'landing' })
  const payment = await executed(payer.boss, quote.quote_id)
  const answer = await approve(payer.boss, payment)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return payment as { id: string }
}

/** Lets the bank fail. */
const fail = (fault: string, times = 1) =>
  owner`insert into sandbox_faults (partner, fault, times) values ('usd', ${fault}, ${times})`

/** A payment that the bank took and leaves alone. */
async function taken() {
  const payer = await payerInDollars()
  await fail('manual', UNTIL_LIFTED)
  const payment = await sent(payer)
  await become(payer, payment, 'processing')
  await until('the bank has it', async () => (await ordersOf(payment)).length > 0)
  await liftFaults('usd')
  return { payer, payment }
}

/** Reads the orders that the bank has of a payment. */
const ordersOf = ({ id }: { id: string }) => owner<{ status: string; document: object }[]>`
  select status, document from sandbox_payouts where partner = 'usd' and id = ${id}`

async function balanceOf({ boss, payer }: Payer): Promise<number> {
  const { body } = await api('GET', `/organizations/${payer.id}/balances`, { token: boss.token })
  return Number(body.data.find(({ currency }: { currency: string }) => currency === 'USD').total.amount)
}

/** Posts an event of the bank, signed as it signs. */
function calledBack(transfer: string, message: string, secret = connected('usd').callbackSecret ?? '') {
  const [at, kind] = [new Date(), /^(?:sandbox_)?(\w+_transfer)_/.exec(transfer)?.[1] ?? '']
  const body = JSON.stringify({
    id: message,
    type: 'event',
    category: `${kind}.updated`,
    associated_object_id: transfer,
    associated_object_type: kind,
    created_at: at.toISOString(),
  })
  return api('POST', `//partners/usd/callbacks`, {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': message,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`).sign(message, at, body),
    },
  })
}

const theirId = async ({ id }: { id: string }): Promise<string> => {
  const [row] = await owner<{ id: string }[]>`select their_id as id from partner_orders where subject_id = ${id}`
  return row?.id ?? ''
}

const expectEqual = () => until('an equal balance', async () => (await prove(false)).open === 0)

test('a payment goes by ACH, settles, and a return that comes later gives the money back', async () => {
  const payer = await payerInDollars()
  const payment = await sent(payer)
  const paid = await become(payer, payment, 'succeeded')
  expect(paid.status_detail).toContain('settled')
  expect(paid.connection).toBe('usd')
  const [order] = await ordersOf(payment)
  expect(order).toMatchObject({
    status: 'settled',
    document: {
      kind: 'ach_transfer',
      key: payment.id,
      order: {
        amount: 10_000,
        account_number: AT_SECOND.account_number,
        routing_number: AT_SECOND.aba_code,
        standard_entry_class_code: 'corporate_credit_or_debit',
        statement_descriptor: 'Invoice 1',
        company_name: 'Payer',
      },
    },
  })
  const before = await balanceOf(payer)
  expect((await advance(payment, 'reversed', 'account_closed')).status).toBe(200)
  const back = await become(payer, payment, 'reversed')
  expect(back.status_detail).toContain('R02 account closed')
  expect(await balanceOf(payer)).toBe(before + 100)
  expect((await feedOf(payment)).map(({ amount, discarded }) => [Number(amount), discarded])).toContainEqual([
    100,
    false,
  ])
  expect(await ordersOf(payment)).toHaveLength(1)
  expect(await violations(payer, payer.payer.id)).toEqual([])
})

test('answers that are lost, late or wrong pay nothing twice', async () => {
  const payer = await payerInDollars()
  for (const name of ['ambiguous', 'error', 'malformed', 'rate_limited'] as const) await fail(name)
  const payment = await sent(payer)
  await become(payer, payment, 'succeeded')
  await liftFaults('usd')
  expect(await ordersOf(payment)).toHaveLength(1)
  expect(await violations(payer, payer.payer.id)).toEqual([])
})

test('a payment goes where it is moved at the bank; one that it refuses gives all back', async () => {
  const held = await taken()
  expect((await advance(held.payment, 'on_hold')).status).toBe(200)
  await become(held.payer, held.payment, 'on_hold')
  await movePayout('usd', held.payment.id, { from: ['on_hold'], to: 'settled' })
  await become(held.payer, held.payment, 'succeeded')
  const failed = await taken()
  expect((await advance(failed.payment, 'failed')).status).toBe(200)
  await become(failed.payer, failed.payment, 'failed')
  expect(await balanceOf(failed.payer)).toBe(900)
  for (const { payer } of [held, failed]) expect(await violations(payer, payer.payer.id)).toEqual([])
})

test('a callback that comes twice, late or from another is believed in nothing', async () => {
  const { payer, payment } = await taken()
  const [id, message] = [await theirId(payment), `event_${randomUUID()}`]
  expect(id).toMatch(/^(sandbox_)?ach_transfer_/)
  expect((await calledBack(id, message)).status).toBe(204)
  expect((await calledBack(id, message)).status).toBe(204)
  expect((await calledBack(id, `event_${randomUUID()}`, 'a secret of another bank, as long')).status).toBe(401)
  expect(await ordersOf(payment)).toMatchObject([{ status: 'pending' }])
  await advance(payment, 'succeeded')
  await become(payer, payment, 'succeeded')
  expect((await calledBack(id, `event_${randomUUID()}`)).status).toBe(204) // late: nothing has changed
  await reconcileWhole('usd')
  expect((await become(payer, payment, 'succeeded')).id).toBe(payment.id)
  expect(await balanceOf(payer)).toBe(799.44) // less its fee
  expect(await violations(payer, payer.payer.id)).toEqual([])
})

test('each organization has an account number, once, and dollars that arrive there are credited', async () => {
  const [one, other] = [await depositor(), await depositor()]
  await fail('ambiguous', 2)
  const [first, second] = [await openAccount(one.boss, one.id, 'USD'), await openAccount(other.boss, other.id, 'USD')]
  await liftFaults('usd')
  expect(first).toMatchObject({ details: { account_number: expect.any(String), aba_code: expect.any(String) } })
  expect(first.details.account_number).not.toBe(second.details.account_number)
  const opened = await owner`
    select from sandbox_accounts where partner = 'usd' and document ->> 'key' = any (${[first.id, second.id]})`
  expect(opened).toHaveLength(2)
  const made = await api('POST', '/sandbox/deposits', {
    body: { organization_id: one.id, rail: 'fiat', amount: { amount: '25.00', currency: 'USD' } },
  })
  await eventually(async () => (await deposit(one.boss, made.body.id)).status).toBe('credited')
  await reconcileWhole('usd') // the bank lists it by its own id: it is the same deposit
  const { body } = await api('GET', `/organizations/${one.id}/balances`, { token: one.boss.token })
  expect(body.data).toContainEqual(expect.objectContaining({ total: { amount: '25.00', currency: 'USD' } }))
})

test('what the bank holds is what the books say, and no list differs', async () => {
  const { payer, payment } = await taken() // it has left the balance, and is not settled yet
  await reconcileWhole('usd')
  await expectEqual()
  expect(await comparisonOf('usd', 'USD')).toMatchObject({
    outcome: 'equal',
    items: [expect.objectContaining({ kind: 'payout_sent', amount: '-100.00' })],
  })
  await advance(payment, 'succeeded')
  await become(payer, payment, 'succeeded')
  await expectEqual()
  expect(await comparisonOf('usd', 'USD')).toMatchObject({ outcome: 'equal', items: [] })
  expect(await serviceFindings('reconciliation')).toEqual([])
})
