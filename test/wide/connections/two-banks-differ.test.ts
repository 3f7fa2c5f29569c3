/** Differences to two banks and two custodians: a finding has the name of its connection, and is of no other. */
import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { advance } from '../../support/identity/identity.ts'
import { api } from '../../support/api.ts'
import { SECOND } from '../../support/connections.ts'
import { BANK } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { as, operator } from '../../support/ledger/adjustments.ts'
import { findingsOf, reconcileWith, serviceFindings } from '../../support/ledger/books.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { AT_SECOND, everywhere, expectBooksApart, order } from '../../support/partners/two.ts'
import { become } from '../../support/payments/payouts.ts'
import { useWorker } from '../../support/worker.ts'
import { movePayout } from '../../../sandbox/db/payouts.ts'

await vi.hoisted(async () => {
  const { connectTwo } = await import('../../support/connections.ts')
  connectTwo()
})
usePartners()
useWorker()

test('a difference at one is a finding under its name, which an adjustment books there', async () => {
  const payer = await everywhere(AT_SECOND)
  const payment = await order(payer, 'USD')
  await become(payer, payment, 'succeeded')
  await movePayout(SECOND, payment.id, { from: ['settled'], to: 'rejected' })
  await reconcileWith('bank')
  expect(await findingsOf(payer.id)).toEqual([])
  await reconcileWith(SECOND)
  const check = `${SECOND}_in_the_books_but_not_paid`
  expect(await findingsOf(payer.id)).toEqual([{ kind: 'reconciliation', check_name: check, subject: payment.id }])
  await reconcileWith('bank')
  await reconcileWith('custodian')
  expect(await findingsOf(payer.id)).toHaveLength(1)
  const first = await operator()
  const line = await as(first, 'propose', payment.id, 'the bank refused it')
  await as(await operator(), 'confirm', /adjustment (\S+) is proposed/.exec(line)?.[1] ?? '')
  await reconcileWith(SECOND)
  expect(await findingsOf(payer.id)).toEqual([])
})

test('a credited deposit that a bank lists as sent back is a finding about a deposit, whatever the name', async () => {
  const { boss, id } = await everywhere(BANK)
  const [row] = await owner`
    select id, partner_deposit_id as named from deposits where organization_id = ${id} and currency = 'USD' and rail = 'fiat'`
  await owner`
    update sandbox_deposits set status = 'returned', return_reason = 'taken back', version = version + 1
    where partner = ${SECOND} and id = ${row?.['named']}`
  await reconcileWith(SECOND)
  await advance(660)
  await reconcileWith(SECOND)
  expect(await findingsOf(id)).toMatchObject([{ check_name: `${SECOND}_deposit_status_differs`, subject: row?.['id'] }])
  const { body } = await api('GET', `/organizations/${id}/attention`, { token: boss.token })
  const [item] = body.data.filter((one: any) => one.kind === 'reconciliation_difference')
  expect(item).toMatchObject({ subject: { type: 'deposit', deposit_id: row?.['id'] } })
  expect(item.summary).toContain(SECOND)
  const line = await as(await operator(), 'propose', row?.['id'], 'it was taken back')
  await as(await operator(), 'confirm', /adjustment (\S+) is proposed/.exec(line)?.[1] ?? '')
  await reconcileWith(SECOND)
  expect(await findingsOf(id)).toEqual([])
})

test('a payout that one bank lists of a payment of another is a finding of the first', async () => {
  const payer = await everywhere(BANK)
  const payment = await order(payer, 'EUR')
  await become(payer, payment, 'succeeded')
  await owner`
    insert into sandbox_payouts (partner, id, body_hash, amount, currency, status, detail, own_reference)
    values (${SECOND}, ${payment.id}, 'x', '20.00', 'EUR', 'settled', 'settled', 'twice')`
  await Promise.all([reconcileWith(SECOND), reconcileWith('bank')])
  expect(await serviceFindings('reconciliation', payment.id)).toEqual([`${SECOND}_payout_of_no_payment ${payment.id}`])
  await owner`delete from sandbox_payouts where partner = ${SECOND} and id = ${payment.id}`
  await owner`delete from partner_records where partner = ${SECOND} and id = ${payment.id}`
  await reconcileWith(SECOND)
  expect(await serviceFindings('reconciliation', payment.id)).toEqual([])
})

test('findings of a connection called trade are not those of trades', async () => {
  const id = randomUUID()
  await owner`
    insert into sandbox_payouts (partner, id, body_hash, amount, currency, status, detail, own_reference)
    values ('trade', ${id}, 'x', '20.00', 'USDC', 'settled', 'settled', 'none')`
  await reconcileWith('trade')
  await reconcileWith('rates')
  expect(await serviceFindings('reconciliation', id)).toEqual([`trade_payout_of_no_payment ${id}`])
  await owner`delete from sandbox_payouts where id = ${id}`
  await owner`delete from partner_records where id = ${id}`
  await reconcileWith('trade')
  expect(await serviceFindings('reconciliation', id)).toEqual([])
})

test('the books are apart at the end', expectBooksApart)
