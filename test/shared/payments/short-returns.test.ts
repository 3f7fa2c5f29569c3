/** Payments of which a part came back, and charges of partners: booked without a person, and no cent is lost. */
import { describe, expect, test } from 'vitest'
import { administer } from '../../../admin.ts'
import { movePayout } from '../../../sandbox/db/payouts.ts'
import { api, baseUrl } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { readPdf } from '../../support/exports/pdf.ts'
import { findingsAbout } from '../../support/ledger/service-findings.ts'
import { speaksOurs, usePartners } from '../../support/partners/partners.ts'
import {
  type Rail,
  CURRENCY,
  PARTNER,
  become,
  feedOf,
  holdings,
  payerBy,
  read,
  sent,
  sentExchanged,
  taken,
  violations,
} from '../../support/payments/payouts.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

/** A bank by files is not asked: what it has said stays, and its stand-in gives files their own ids. */
const isAsked = speaksOurs('bank')

type Part = { amount: string; currency: string }
const partly = (payment: { id: string }, to: string, parts: { returned?: Part; charges?: Part }) =>
  api('POST', `/sandbox/payments/${payment.id}/advance`, { body: { to, ...parts } })
const euros = (amount: string): Part => ({ amount, currency: 'EUR' })

/** Sums of entries of the organization's transfers by kind of account, for one currency. */
async function booked(id: string, currency: string) {
  const rows = await owner<{ kind: string; amount: string }[]>`
    select a.kind, sum(e.amount)::float8::text as amount from ledger_entries e
    join ledger_accounts a on a.id = e.account_id join ledger_transfers t on t.id = e.transfer_id
    where t.organization_id = ${id} and a.currency = ${currency} group by 1 having sum(e.amount) <> 0`
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, Number(amount)]))
}
const chargesOf = (payment: { id: string }) => owner`
  select name, connection, amount::float8 as amount, currency from partner_charges where payment_id = ${payment.id} order by name`

describe('95.00 of 100.00 come back', () => {
  test('without a person: 95.00 are available, 5.00 are charges, and the clearing lacks 5.00', async () => {
    const payer = await payerBy('fiat')
    const payment = await sent(payer)
    const before = await holdings(payer, payer.payer.id)
    await become(payer, payment, 'succeeded')
    const after = await holdings(payer, payer.payer.id)
    expect((await partly(payment, 'reversed', { returned: euros('95.00'), charges: euros('5.00') })).status).toBe(200)
    await become(payer, payment, 'reversed')
    expect(before.held).toBeGreaterThan(0)
    expect(await holdings(payer, payer.payer.id)).toEqual({ available: after.available + 95, held: 0 })
    const feed = await feedOf(payment)
    expect(feed.at(-1)).toMatchObject({ type: 'reversal', amount: '95' })
    const { bank, 'charges:bank': charges = 0 } = await booked(payer.payer.id, 'EUR')
    expect([bank, charges]).toEqual([5 - 900, 0])
    expect(await chargesOf(payment)).toEqual([{ name: 'kept', connection: 'bank', amount: 5, currency: 'EUR' }])
    expect([await violations(payer, payer.payer.id), await findingsAbout(payer.payer.id)]).toEqual([[], []])
  })

  test('and payment, feed, event, receipt and statement name both amounts', async () => {
    const payer = await payerBy('fiat')
    const [payment, token] = [await sent(payer), payer.boss.token]
    expect((await become(payer, payment, 'succeeded')).charges).toBeNull()
    await partly(payment, 'reversed', { returned: euros('95.00') })
    expect((await become(payer, payment, 'reversed')).charges).toEqual(euros('5.00'))
    const words = '95.00 of 100.00 EUR came back; 5.00 EUR charges'
    const { body } = await api('GET', `/organizations/${payer.payer.id}/transactions?payment_id=${payment.id}`, {
      token,
    })
    const [row, ...others] = body.data as { type: string; charges: Part | null; description: string }[]
    expect(row).toMatchObject({ type: 'reversal', charges: euros('5.00'), description: `Invoice 1 (${words})` })
    expect(others.map(({ charges }) => charges)).toEqual([null, null])
    const amounts = { returned: euros('95.00'), charges: euros('5.00') }
    const log = await api('GET', `/payments/${payment.id}/events`, { token })
    expect(log.body.data.at(-1)).toMatchObject({ event_type: 'payment.reversed', payload: amounts })
    const headers = { authorization: `Bearer ${token}` }
    const receipt = await fetch(`${baseUrl}/api/v1/payments/${payment.id}/receipt`, { headers })
    const { text } = readPdf(Buffer.from(await receipt.arrayBuffer()))
    expect(text).toMatch(/Returned\s+95\.00 EUR, .*Kept as charges\s+5\.00 EUR: 95\.00 EUR of 100\.00 EUR came\s+back/s)
  })
})

test('at once, before it was known to be paid: paid and reversed in one step, with the amounts in the last event alone', async () => {
  const { payer, payment } = await taken('fiat')
  await movePayout('bank', payment.id, { from: ['pending', 'processing'], to: 'returned', returned: euros('0.10') })
  await become(payer, payment, 'reversed')
  const events = await owner<{ type: string; payload: { returned?: Part; charges?: Part } | null }[]>`
    select type, payload::jsonb as payload from events where subject_id = ${payment.id}`
  const named = events.filter(({ payload }) => payload?.returned ?? payload?.charges)
  expect(named).toMatchObject([
    { type: 'payment.reversed', payload: { returned: euros('0.10'), charges: euros('99.90') } },
  ])
  expect(await violations(payer, payer.payer.id)).toEqual([])
})

test('of an exchange the part that came back is exchanged back, and its cover is of the part', async () => {
  const { payer, payment, landing } = await sentExchanged('100.00')
  const { id } = payer.payer
  await become(payer, payment, 'succeeded')
  const half = { amount: (Number(landing.amount) / 2).toFixed(2), currency: 'EUR' }
  await partly(payment, 'reversed', { returned: half })
  await become(payer, payment, 'reversed')
  const [row] = await owner`
    select t.amount::float8 as refund, (p.deducting_amount - p.fee_amount)::float8 as net, c.sell_amount::float8 as sold,
      c.buy_amount::float8 as bought, c.value_usd::float8 as value from transactions t join payments p on p.id = t.payment_id
    join covers c on c.transfer_key = 'payment:' || p.id || ':reverse'
    where t.payment_id = ${payment.id} and t.type = 'reversal'`
  const { refund, net, sold, bought, value } = row as Record<string, number>
  expect([sold, bought]).toEqual([Number(half.amount), refund])
  expect(refund).toBeCloseTo(Number(net) / 2, 1)
  expect(value).toBeCloseTo(Number(net) / 2, 0)
  await until('the covers are closed', async () => {
    const open = await owner`select from covers where organization_id = ${id} and status = 'open'`
    return open.length === 0
  })
  expect([await violations(payer, id), await findingsAbout(payer.payer.id)]).toEqual([[], []])
})

test('of which nothing came back has cost all: nothing is in the feed, and the books agree', async () => {
  const { payer, payment } = await sentExchanged('100.00')
  await become(payer, payment, 'succeeded')
  await movePayout('bank', payment.id, { from: ['settled'], to: 'returned', returned: euros('0.00') })
  await become(payer, payment, 'reversed')
  expect((await feedOf(payment)).map(({ type }) => type)).not.toContain('reversal')
  const { landing } = await read(payer, payment)
  expect(await chargesOf(payment)).toMatchObject([{ name: 'kept', amount: Number(landing.amount), currency: 'EUR' }])
  expect([await violations(payer, payer.payer.id), await findingsAbout(payer.payer.id)]).toEqual([[], []])
})

describe('a return that cannot be booked', () => {
  // an entry has the currency of its account
  test.each([euros('100.01'), ...(isAsked ? [{ amount: '95.00', currency: 'USD' }] : [])])(
    'of %j holds a payment under way',
    async (returned) => {
      const { payer, payment } = await taken('fiat')
      await movePayout('bank', payment.id, { from: ['pending', 'processing'], to: 'returned', returned })
      const held = await become(payer, payment, 'on_hold')
      expect(held.status_detail).toContain('names another amount')
      expect(await holdings(payer, payer.payer.id)).toMatchObject({ held: Number(held.deducting.amount) })
      expect([await chargesOf(payment), await violations(payer, payer.payer.id)]).toEqual([[], []])
    },
  )

  test.runIf(isAsked)('contradicts another: it moves nothing, and the first stays', async () => {
    const payer = await payerBy('fiat')
    const payment = await sent(payer)
    await become(payer, payment, 'succeeded')
    await partly(payment, 'reversed', { returned: euros('95.00') })
    await become(payer, payment, 'reversed')
    const before = await holdings(payer, payer.payer.id)
    const version = await movePayout('bank', payment.id, {
      from: ['returned'],
      to: 'returned',
      returned: euros('97.00'),
    })
    await until('the partner was asked', async () => {
      const [row] = await owner`select partner_version as version from payments where id = ${payment.id}`
      return row?.['version'] === version
    })
    expect(await holdings(payer, payer.payer.id)).toEqual(before)
    expect((await feedOf(payment)).filter(({ type }) => type === 'reversal')).toHaveLength(1)
    expect(await violations(payer, payer.payer.id)).toEqual([])
  })
})

test.runIf(isAsked).each<Rail>(['fiat', 'crypto'])(
  'charges of a payment by %s are the service’s, once, whenever they are named',
  async (rail) => {
    const { payer, payment } = await taken(rail)
    const partner = PARTNER[rail]
    const named = rail === 'fiat' ? { amount: '0.20', currency: 'USD' } : { amount: '0.002', currency: 'ETH' }
    await partly(payment, 'succeeded', { charges: named })
    const settled = await become(payer, payment, 'succeeded')
    await movePayout(partner, payment.id, { from: ['settled'], to: 'settled', charges: named })
    await movePayout(partner, payment.id, {
      from: ['settled'],
      to: 'returned',
      charges: { amount: '1', currency: CURRENCY[rail] },
    })
    await become(payer, payment, 'reversed')
    expect(await chargesOf(payment)).toEqual([
      { name: 'returned', connection: partner, amount: 1, currency: CURRENCY[rail] },
      { name: 'settled', connection: partner, amount: Number(named.amount), currency: named.currency },
    ])
    const listed = await administer(['books', 'charges', payment.id])
    expect(listed).toContain(`${partner}: ${Number(named.amount)}`)
    expect(listed).toContain(`settled of payment ${payment.id}`)
    const books = await booked(payer.payer.id, named.currency)
    expect(books[`charges:${partner}`]).toBe(-Number(named.amount))
    const fee = Number(settled.deducting.amount) - Number(settled.landing.amount)
    expect((await holdings(payer, payer.payer.id)).available).toBeCloseTo(900 - fee, 6)
    expect([await violations(payer, payer.payer.id), await findingsAbout(payer.payer.id)]).toEqual([[], []])
  },
)
