/** Instant payments: what a quote offers, what people approve, and what follows one that the bank refuses. */
import { describe, expect, test } from 'vitest'
import { fallbackIdOf } from '../../../domain/payments/speed.ts'
import { moneyPartner } from '../../../partners/money-partners.ts'
import { api, approvalPath, approve } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { fault, payoutAt, speaksOurs, usePartners } from '../../support/partners/partners.ts'
import { become, eventsOf, holdings, payerBy, violations } from '../../support/payments/payouts.ts'
import { executed, preflight, quoteOf } from '../../support/payments/quotes.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

/** A bank by files is not asked: what it has said stays, and its stand-in gives files their own ids. */
const isAsked = speaksOurs('bank')

const EUR = { amount: '100.00', currency: 'EUR' }
type Fallback = { readonly fallback?: 'standard' | 'none' }

/** An instant payment that waits for approval. */
async function requested(more: Fallback = {}, statement_description = 'Invoice 1') {
  const payer = await payerBy('fiat')
  const quote = await quoteOf(payer.boss, payer.contact, EUR, { side: 'landing', speed: 'instant', ...more })
  return { payer, quote, payment: await executed(payer.boss, quote.quote_id, { statement_description }) }
}

/** An instant payment that is approved, and its answers from the bank. */
async function sent(more: Fallback = {}, description?: string) {
  const at = await requested(more, description)
  expect((await approve(at.payer.boss, at.payment)).status).toBe(200)
  return at
}

/** Lists payouts of these ids as the books read them. */
async function listed(ids: readonly string[]): Promise<(readonly [string, string])[]> {
  const found: (readonly [string, string])[] = []
  for (let after: string | null | undefined; after !== null;) {
    const page = await moneyPartner('bank').payouts(after)
    found.push(...page.data.filter(({ id }) => ids.includes(id)).map(({ id, status }) => [id, status] as const))
    after = page.next
  }
  return found
}

describe('a quote', () => {
  test('is standard unless it asks for more, and says how fast it is and what follows a refusal', async () => {
    const { boss, contact } = await payerBy('fiat')
    const standard = await quoteOf(boss, contact, EUR)
    const instant = await quoteOf(boss, contact, EUR, { speed: 'instant', fallback: 'none' })
    expect(standard).toMatchObject({ speed: 'standard', fallback: 'standard' })
    expect(instant).toMatchObject({ speed: 'instant', fallback: 'none', fees: standard.fees })
    expect(Date.parse(instant.estimated_arrival)).toBeLessThan(Date.parse(standard.estimated_arrival))
  })

  test('of what no bank pays within seconds is refused', async () => {
    const { boss, contact } = await payerBy('crypto')
    const answer = await preflight(boss, contact, { amount: '10', currency: 'USDC' }, { speed: 'instant' })
    expect(refusal(answer)).toEqual([422, 'instant_unavailable'])
  })

  test('passes its speed to the payment, which people approve with it', async () => {
    const { payer, payment } = await requested({ fallback: 'none' })
    expect(payment).toMatchObject({ speed: 'instant', fallback: 'none' })
    const { body } = await api('GET', approvalPath(payment), { token: payer.boss.token })
    expect(body.summary).toContain('Instant, or not at all.')
  })

  test('of an instant payment can be made where the capabilities say so', async () => {
    const { boss, payer } = await payerBy('fiat')
    const { body } = await api('GET', `/organizations/${payer.id}/capabilities`, { token: boss.token })
    const of = (currency: string) => body.data.find((one: { currency: string }) => one.currency === currency)
    expect(of('EUR').instant).toEqual(of('EUR').send)
    expect(of('USDC').instant).toEqual({ available: false, reason: 'not_served' })
  })
})

describe('an instant payment', () => {
  test('is paid at once, by one order', async () => {
    const { payer, payment } = await sent()
    await become(payer, payment, 'succeeded')
    expect(await payoutAt('bank', payment.id)).toMatchObject({ status: 'settled' })
    expect(await payoutAt('bank', fallbackIdOf(payment.id))).toBeUndefined()
  })

  test('that the bank refuses is ordered again as a standard one, and paid once', async () => {
    await fault('bank', 'instant_rejected')
    const { payer, payment } = await sent()
    const settled = await become(payer, payment, 'succeeded')
    expect(await payoutAt('bank', payment.id)).toMatchObject({ status: 'rejected' })
    expect(await payoutAt('bank', fallbackIdOf(payment.id))).toMatchObject({ status: 'settled', amount: '100.00' })
    expect(await eventsOf(payer, payment)).toContain('payment.fell_back')
    expect(await holdings(payer, payer.payer.id)).toEqual({
      available: 900 - Number(settled.deducting.amount),
      held: 0,
    })
    expect(await violations(payer, payer.payer.id)).toEqual([])
  })

  test('that the bank refuses fails without a fallback, and its money is back', async () => {
    await fault('bank', 'instant_rejected')
    const { payer, payment } = await sent({ fallback: 'none' })
    await become(payer, payment, 'failed')
    expect(await payoutAt('bank', fallbackIdOf(payment.id))).toBeUndefined()
    expect(await holdings(payer, payer.payer.id)).toEqual({ available: 900, held: 0 })
  })

  test('of which the bank knows nothing yet is asked about until it does: no standard one is ordered', async () => {
    await fault('bank', 'instant_timeout')
    const { payer, payment } = await sent()
    await become(payer, payment, 'succeeded')
    expect(await payoutAt('bank', payment.id)).toMatchObject({ status: 'settled' })
    expect(await payoutAt('bank', fallbackIdOf(payment.id))).toBeUndefined()
    expect(await eventsOf(payer, payment)).not.toContain('payment.fell_back')
  })

  test.runIf(isAsked)(
    'is not ordered where its standard order is there already, as a database that was restored has forgotten',
    async () => {
      const { payer, payment } = await requested()
      const id = fallbackIdOf(payment.id)
      await owner`
      insert into sandbox_payouts (partner, id, body_hash, amount, currency, status, detail, own_reference)
      values ('bank', ${id}, 'another', 100, 'EUR', 'settled', 'paid', 'SB1')`
      expect((await approve(payer.boss, payment)).status).toBe(200)
      await become(payer, payment, 'succeeded')
      expect(await payoutAt('bank', payment.id)).toBeUndefined()
    },
  )

  test.runIf(isAsked)(
    'that was refused is listed as its standard order; if it is paid later, as a payout of no payment',
    async () => {
      await fault('bank', 'instant_rejected')
      const { payer, payment } = await sent()
      await become(payer, payment, 'succeeded')
      const ids = [payment.id, fallbackIdOf(payment.id)]
      expect(await listed(ids)).toEqual([[payment.id, 'settled']])
      await owner`update sandbox_payouts set status = 'settled' where id = ${payment.id}`
      expect(await listed(ids)).toEqual([
        [fallbackIdOf(payment.id), 'settled'],
        [payment.id, 'settled'],
      ])
    },
  )

  test.runIf(isAsked)('whose standard order the bank refuses too fails, and neither was made', async () => {
    const { payer, payment } = await sent({}, 'refused at the door')
    await become(payer, payment, 'failed')
    expect(await eventsOf(payer, payment)).toContain('payment.fell_back')
    const rows = await owner`select id from sandbox_payouts where id in (${payment.id}, ${fallbackIdOf(payment.id)})`
    expect(rows).toEqual([])
    expect(await holdings(payer, payer.payer.id)).toEqual({ available: 900, held: 0 })
  })
})
