/** Short returns against what partners list, and what operators book. */
import { expect, test } from 'vitest'
import { checkService } from '../../../services/audit/findings.ts'
import { movePayout } from '../../../sandbox/db/payouts.ts'
import { as, booked, found, operator, proposed, refusal, total } from '../../support/ledger/adjustments.ts'
import { tamper } from '../../support/ledger/books.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { become, holdings, payerBy, sent, violations } from '../../support/payments/payouts.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker({ whole: true })

const euros = (amount: string) => ({ amount, currency: 'EUR' })

async function returned(amount: string, currency = 'EUR') {
  const payer = await payerBy('fiat')
  const payment = await sent(payer)
  const { deducting, landing } = await become(payer, payment, 'succeeded')
  await movePayout('bank', payment.id, { from: ['settled'], to: 'returned', returned: { amount, currency } })
  const fee = Number(deducting.amount) - Number(landing.amount)
  return { payer, payment, id: payer.payer.id, fee }
}
const relist = (payment: { id: string }, amount: string) =>
  movePayout('bank', payment.id, { from: ['returned'], to: 'returned', returned: euros(amount) })

test('a part that came back is no difference; another part is one, and two operators book it', async () => {
  const { payer, payment, id, fee } = await returned('95.00')
  await become(payer, payment, 'reversed')
  expect(await found('fiat', id)).toEqual([])
  await relist(payment, '93.00')
  expect(await found('fiat', id)).toEqual(['bank_payout_amount_differs'])
  await booked('propose', payment.id, 'two more were kept')
  expect([await total('bank', id), await total('receivable', id)]).toEqual([2, -2])
  expect((await holdings(payer, id)).available).toBeCloseTo(900 - fee - 5, 2)
  expect([await found('fiat', id), await violations(payer, id)]).toEqual([[], []])
  await relist(payment, '99.00')
  expect(await found('fiat', id)).toEqual(['bank_payout_amount_differs'])
  await booked('propose', payment.id, 'they sent the rest')
  expect([await total('bank', id), await total('receivable', id)]).toEqual([-4, 0])
  expect((await holdings(payer, id)).available).toBeCloseTo(900 - fee - 1, 2)
  expect([await found('fiat', id), await violations(payer, id), await checkService()]).toEqual([[], [], []])
})

test('more than was sent is a finding at once, and nothing is booked before two operators have looked', async () => {
  const { payer, payment, id, fee } = await returned('103.00')
  expect(await found('fiat', id)).toEqual(['bank_payout_amount_differs'])
  expect((await holdings(payer, id)).available).toBeCloseTo(900 - fee - 100, 2)
  const { line, id: adjustment } = await proposed(await operator(), 'propose', payment.id, 'they paid interest')
  expect(line).toContain('listed by bank as returned with 100.00 EUR, of which 103.00 came back')
  expect(await as(await operator(), 'confirm', adjustment)).toContain('is booked')
  await become(payer, payment, 'reversed')
  expect((await holdings(payer, id)).available).toBeCloseTo(900 - fee + 3, 2)
  expect([await found('fiat', id), await violations(payer, id), await checkService()]).toEqual([[], [], []])
})

test('another currency is a finding, which nobody can book', async () => {
  const { payment, id } = await returned('95.00', 'USD')
  expect(await found('fiat', id)).toEqual(['bank_payout_amount_differs'])
  expect(await refusal(proposed(await operator(), 'propose', payment.id, 'what is this'))).toBe('invalid_state')
})

/** Faults that the tables' owner writes into a short return; `:id` is the payment. */
const FAULTS: Readonly<Record<string, string>> = {
  'another part on the payment → return_differs': 'update payments set returned_amount = 96 where id = :id',
  'a whole return of which a part was kept → return_differs':
    'update payments set returned_amount = null where id = :id',
  'another charge → return_differs, charge_differs': 'update partner_charges set amount = 6 where payment_id = :id',
  'a charge that is gone → return_differs, charge_differs': 'delete from partner_charges where payment_id = :id',
  'a charge of another connection → charge_differs':
    "update partner_charges set connection = 'custodian' where payment_id = :id",
  'a charge at another connection → moved_at_another_connection': `
    with other as (
      insert into ledger_accounts (organization_id, currency, kind)
      values ('00000000-0000-0000-0000-000000000000', 'EUR', 'custody') returning id)
    update ledger_entries e set account_id = other.id from other, ledger_transfers t, ledger_accounts a, partner_charges c
    where c.payment_id = :id and t.key = 'charge:' || c.id and e.transfer_id = t.id and a.id = e.account_id and a.kind = 'bank'`,
  'another charge in the feed → return_differs':
    "update transactions set charges_amount = 6 where payment_id = :id and type = 'reversal'",
}

test.each(Object.entries(FAULTS))('%s', async (title, statement) => {
  const { payer, payment, id } = await returned('95.00')
  await become(payer, payment, 'reversed')
  expect(await violations(payer, id)).toEqual([])
  await tamper((tx) => tx.unsafe(statement.replace(':id', `'${payment.id}'`)))
  const checks = (await violations(payer, id)).map(({ check }: { check: string }) => check)
  expect(checks.toSorted()).toEqual((title.split(' → ')[1] ?? '').split(', ').toSorted())
})

test('a charge that was never booked → charges_differ', async () => {
  const { payer, payment, id } = await returned('95.00')
  await become(payer, payment, 'reversed')
  const found = { check: 'charges_differ', subject: 'charges:bank EUR' }
  expect(await checkService()).not.toContainEqual(found)
  await tamper(
    (tx) => tx`
      insert into partner_charges (id, organization_id, connection, payment_id, name, amount, currency)
      values (uuidv7(), ${id}, 'bank', ${payment.id}, 'returned', 0.01, 'EUR')`,
  )
  expect(await checkService()).toContainEqual(found)
})
