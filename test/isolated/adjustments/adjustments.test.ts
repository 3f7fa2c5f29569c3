/** Adjustments of contradictions of partners and of orphaned money, booked by two operators. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { auditService } from '../../../activities/audits.ts'
import { administer } from '../../../admin.ts'
import { checkIntegrity } from '../../../services/ledger/ledger.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { returnDeposit } from '../../../sandbox/db/deposits.ts'
import { asSystem, readerOf } from '../../../db/postgres/sql.ts'
import { api, approve, fund } from '../../support/api.ts'
import {
  as,
  booked,
  contradict,
  credited,
  found,
  operator,
  paidAndRefused,
  proposed,
  refusal,
  total,
} from '../../support/ledger/adjustments.ts'
import { serviceFindings, tamper } from '../../support/ledger/books.ts'
import { owner } from '../../support/database.ts'
import { advance as advanceClock, eventTypes } from '../../support/identity/identity.ts'
import { everyNth, fullScale, longTest } from '../../support/model-runs.ts'
import { usePartners } from '../../support/partners/partners.ts'
import {
  PARTNER,
  advance,
  become,
  cancel,
  eventsOf,
  feedOf,
  holdings,
  payerBy,
  read,
  sent,
  taken,
  violations,
} from '../../support/payments/payouts.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

describe('a payment that its partner contradicts', () => {
  test('paid and then refused is given back with its fee; the finding ends, and comes again if the bank says another word', async () => {
    const { payer, payment, id } = await paidAndRefused()
    const [one, two] = [await operator(), await operator()]
    const { line, id: adjustment } = await proposed(one, 'propose', payment.id, 'their', 'letter')
    expect(line).toContain(
      `payment ${payment.id} of organization ${id}, listed by bank as rejected with 100.00 EUR: reversed here`,
    )
    expect(await administer(['adjustments', 'list'])).toContain(`proposed by ${one.email}: their letter`)
    expect(await refusal(as(two, 'propose', payment.id, 'again'))).toBe('invalid_state')
    expect(await found('fiat', id)).toEqual(['bank_in_the_books_but_not_paid']) // nothing is booked yet
    expect((await read(payer, payment)).status).toBe('succeeded')
    expect(await refusal(as(one, 'confirm', adjustment))).toBe('requester_cannot_approve')
    expect(await refusal(administer(['adjustments', 'confirm', two.email, '000000', adjustment]))).toBe('code_invalid')
    expect(await as(two, 'confirm', adjustment)).toContain('is booked')

    const done = await read(payer, payment)
    expect([done.status, done.status_detail]).toEqual([
      'reversed',
      'an operator has booked that the bank calls it rejected',
    ])
    expect(await holdings(payer, id)).toEqual({ available: 900, held: 0 })
    expect((await feedOf(payment)).map(({ type }) => type).toSorted()).toEqual(['fee', 'payment', 'refund', 'reversal'])
    expect(await violations(payer, id)).toEqual([])
    for (let n = 0; n < 2; n += 1) expect(await found('fiat', id)).toEqual([])
    expect(await eventsOf(payer, payment)).toEqual(expect.arrayContaining(['payment.adjusted', 'payment.reversed']))
    const log = await owner`select type from events where subject_id = ${adjustment} order by occurred_at, id`
    expect(log.map(({ type }) => type)).toEqual(['adjustment.proposed', 'adjustment.confirmed'])
    expect(await eventTypes(one.token)).toContain('adjustment.proposed')
    expect(await eventTypes(two.token)).toContain('adjustment.confirmed')
    expect(await refusal(as(await operator(), 'confirm', adjustment))).toBe('invalid_state')

    await contradict('bank', payment.id, 'rejected', 'settled')
    await advanceClock(601)
    await found('fiat', id)
    await advanceClock(601)
    expect(await found('fiat', id)).toEqual(['bank_payout_status_differs'])
    await booked('propose', payment.id, 'they paid after all')
    expect([await total('receivable', id), await total('bank', id)]).toEqual([-100, 100])
    expect([await violations(payer, id), await found('fiat', id)]).toEqual([[], []])
  })

  test.each(
    everyNth(
      [
        ['fiat', 'rejected', 'failed'],
        ['crypto', 'cancelled', 'cancelled'],
      ] as const,
      2,
    ),
  )(
    'by %s: %s and then paid is owed by the organization, and collected from what it has',
    async (rail, said, status) => {
      const { payer, payment } = await taken(rail)
      const { id } = payer.payer
      if (status === 'cancelled') await cancel(payer, payment)
      await advance(payment, status)
      await become(payer, payment, status)
      await contradict(PARTNER[rail], payment.id, said, 'settled')
      expect(await found(rail, id)).toEqual([`${PARTNER[rail]}_paid_but_not_in_the_books`])
      await booked('propose', payment.id, 'it is on their statement')
      expect(await found(rail, id)).toEqual([])
      expect([await total('receivable', id), await holdings(payer, id)]).toEqual([-100, { available: 900, held: 0 }])
      expect([(await read(payer, payment)).status, await violations(payer, id)]).toEqual([status, []])

      const [currency, amount] = rail === 'fiat' ? ['EUR', '100.00'] : ['USDC', '100']
      expect(await refusal(as(await operator(), 'collect', id, '100.01', currency, 'too much'))).toBe('invalid_state')
      await booked('collect', id, amount, currency, 'as agreed')
      expect([await total('receivable', id), await holdings(payer, id)]).toEqual([0, { available: 800, held: 0 }])
      expect(await violations(payer, id)).toEqual([])
      await auditService()
      expect((await serviceFindings('ledger')).filter((finding) => finding.startsWith('adjustments_'))).toEqual([])
    },
  )

  longTest('exchanged, and then refused, is given back in the currency that was deducted, with its fee', async () => {
    const payer = await payerBy('fiat')
    const { id } = payer.payer
    await fund(id, '500.00', 'USD')
    const quote = await api('POST', '/payments/preflight', {
      token: payer.boss.token,
      body: { payment_contact_id: payer.contact, amount: { amount: '100.00', currency: 'USD' }, side: 'deducting' },
    })
    const made = await api('POST', '/payments/execute', {
      token: payer.boss.token,
      body: { quote_id: quote.body.quote_id, payout_reason: 'services', statement_description: 'Invoice 2' },
    })
    expect((await approve(payer.boss, made.body)).status).toBe(200)
    await become(payer, made.body, 'succeeded')
    await contradict('bank', made.body.id, 'settled', 'cancelled')
    expect(await found('fiat', id)).toEqual(['bank_in_the_books_but_not_paid'])
    const { line, id: adjustment } = await proposed(await operator(), 'propose', made.body.id, 'their letter')
    expect(line).toContain('credits nothing EUR, and refunds its fee of 0.55 in the currency that was deducted;')
    await as(await operator(), 'confirm', adjustment)
    const balances = await api('GET', `/organizations/${id}/balances`, { token: payer.boss.token })
    expect(balances.body.data).toMatchObject([
      { currency: 'EUR', total: { amount: '900.00' } },
      { currency: 'USD', available: { amount: '500.00' }, total: { amount: '500.00' } },
    ])
    expect([await violations(payer, id), await found('fiat', id)]).toEqual([[], []])
  })

  test.each(
    everyNth(
      [
        ['110.00', 0, -10],
        ['90.00', 10, 0],
      ] as const,
      2,
    ),
  )('paid in another amount, %s, ends, and the difference is booked', async (amount, back, owed) => {
    const { payer, payment } = await taken('fiat')
    const { id } = payer.payer
    await owner`update sandbox_payouts set amount = ${amount} where id = ${payment.id}`
    await contradict('bank', payment.id, 'pending', 'settled')
    const waiting = await become(payer, payment, 'on_hold')
    expect(waiting.status_detail).toContain('an operator has to look')
    expect(await found('fiat', id)).toEqual(['bank_payout_amount_differs'])
    await booked('propose', payment.id, 'the bank confirmed it')
    expect((await read(payer, payment)).status).toBe('succeeded')
    const available = Math.round((900 - Number(payment.deducting.amount) + back) * 100) / 100
    expect([await holdings(payer, id), await total('receivable', id)]).toEqual([{ available, held: 0 }, owed])
    expect([await violations(payer, id), await found('fiat', id)]).toEqual([[], []])

    // sent back afterwards, so that nothing but 90 or 110 has left
    await owner`update sandbox_payouts set amount = '100.00' where id = ${payment.id}`
    await contradict('bank', payment.id, 'settled', 'returned')
    await until('the bank to be heard', async () => {
      const [row] = await owner`
        select partner_version as version, callback_version from payments where id = ${payment.id}`
      return row?.['callback_version'] >= 0 && row?.['version'] >= row?.['callback_version']
    })
    expect([(await read(payer, payment)).status, await holdings(payer, id)]).toEqual([
      'succeeded',
      { available, held: 0 },
    ])
  })

  test('is proposed only with a finding, and confirmed only if nothing has changed since; withdrawn it books nothing', async () => {
    const { payer, payment, id } = await paidAndRefused()
    const [one, two] = [await operator(), await operator()]
    expect(await refusal(as(one, 'propose', randomUUID(), 'why not'))).toBe('not_found')
    const { id: adjustment } = await proposed(one, 'propose', payment.id, 'their letter')
    await contradict('bank', payment.id, 'rejected', 'returned')
    await become(payer, payment, 'reversed')
    await found('fiat', id)
    expect(await refusal(as(two, 'confirm', adjustment))).toBe('invalid_state')
    expect(await as(two, 'withdraw', adjustment)).toContain('is withdrawn')
    expect(await refusal(as(two, 'confirm', adjustment))).toBe('invalid_state')
    expect([await administer(['adjustments', 'list']), await total('bank', id)]).toEqual(['nothing is proposed', 0])
  })

  test('is booked once, however many confirm it at once; what is booked is proved by what was confirmed', async () => {
    const { payer, payment, id } = await paidAndRefused()
    const { id: adjustment } = await proposed(await operator(), 'propose', payment.id, 'their letter')
    const others = await Promise.all(Array.from({ length: fullScale ? 8 : 3 }, operator))
    const answers = await Promise.all(others.map((other) => refusal(as(other, 'confirm', adjustment))))
    expect(answers.toSorted()).toEqual(['done', ...others.slice(1).map(() => 'invalid_state')])
    expect(await holdings(payer, id)).toEqual({ available: 900, held: 0 })
    expect(await violations(payer, id)).toEqual([])
    await expect(
      asSystem(id as OrganizationId, (tx) => tx`update adjustments set refunded_fee = 0 where id = ${adjustment}`),
    ).rejects.toMatchObject({ code: '42501' })

    const differs = [{ check: 'adjustment_differs', subject: adjustment }]
    for (const set of [
      'refunded_fee = refunded_fee + 1',
      `status = 'withdrawn', confirmed_by = null, confirmed_at = null`,
    ]) {
      const [before] =
        await owner`select status, refunded_fee, confirmed_by, confirmed_at from adjustments where id = ${adjustment}`
      await tamper((tx) => tx.unsafe(`update adjustments set ${set} where id = '${adjustment}'`))
      expect(await violations(payer, id)).toEqual(differs)
      await tamper((tx) => tx`update adjustments set ${owner(before ?? {})} where id = ${adjustment}`)
    }
    expect(await violations(payer, id)).toEqual([])
  })
})

describe('a deposit that is credited', () => {
  const later = async (id: string) => {
    await advanceClock(601)
    await found('fiat', id)
    await advanceClock(601)
    return found('fiat', id)
  }

  test('and then recalled is owed by the organization; the finding ends', async () => {
    const { payer, id, deposit, atBank } = await credited()
    await returnDeposit('bank', atBank, 'recalled')
    expect(await later(id)).toEqual(['bank_deposit_status_differs'])
    await booked('propose', deposit, 'their recall of today')
    expect([await total('receivable', id), await holdings(payer, id)]).toEqual([-100, { available: 100, held: 0 }])
    expect([await later(id), await violations(payer, id)]).toEqual([[], []])
  })

  longTest('in another amount than was booked is owed, or credited', async () => {
    const { payer, id, deposit, atBank } = await credited()
    await owner`update sandbox_deposits set amount = '130.00' where id = ${atBank}`
    expect(await found('fiat', id)).toEqual(['bank_deposit_amount_differs'])
    await booked('propose', deposit, 'the statement says 130')
    expect([await holdings(payer, id), await violations(payer, id)]).toEqual([{ available: 130, held: 0 }, []])
    await owner`update sandbox_deposits set amount = '95.00' where id = ${atBank}`
    expect(await found('fiat', id)).toEqual(['bank_deposit_amount_differs'])
    await booked('propose', deposit, 'no, 95')
    expect([await total('receivable', id), await holdings(payer, id)]).toEqual([-35, { available: 130, held: 0 }])
    expect([await found('fiat', id), await violations(payer, id)]).toEqual([[], []])
  })
})

test('what an organization that is gone has is paid outside and booked: banned, it is deleted then; and what comes back later is found', async () => {
  const payer = await payerBy('fiat')
  const { id } = payer.payer
  const payment = await sent(payer)
  await become(payer, payment, 'succeeded')
  const nobodys = async () => {
    await auditService()
    return serviceFindings('ledger', id)
  }
  expect(await refusal(as(await operator(), 'disburse', id, 'EUR', 'WIRE-1', 'closed'))).toBe('invalid_state')
  await administer(['organization', 'ban', id])
  expect(await refusal(administer(['organization', 'delete', id]))).toBe('invalid_state')
  await booked('disburse', id, 'EUR', 'WIRE-1', 'to', 'the', 'account', 'it', 'came', 'from')
  await administer(['organization', 'delete', id])
  expect(await nobodys()).toEqual([])

  await advance(payment, 'reversed')
  await until('the payment to come back', async () => {
    return (await owner`select from payments where id = ${payment.id} and status = 'reversed'`).length > 0
  })
  expect(await nobodys()).toEqual([`money_of_nobody ${id}`])
  const adjustment = await booked('disburse', id, 'EUR', 'WIRE-2', 'the rest')
  expect(await nobodys()).toEqual([])
  expect(await refusal(as(await operator(), 'disburse', id, 'EUR', 'WIRE-3', 'again'))).toBe('invalid_state')
  expect(await total('payable', id)).toBeCloseTo(900 - (Number(payment.deducting.amount) - 100))
  const rows = await owner`select type, direction, description from transactions where adjustment_id = ${adjustment}`
  expect(rows).toEqual([{ type: 'payment', direction: 'out', description: 'Paid outside: WIRE-2' }])
  const checks = async () => {
    const { violations: all } = await checkIntegrity(readerOf(id as OrganizationId))
    return all.map(({ check }) => check)
  }
  expect(await checks()).toEqual([])
  await tamper((tx) => tx`delete from adjustments where id = ${adjustment}`)
  expect(await checks()).toEqual(['adjustment_differs', 'out_without_cause'])
})
