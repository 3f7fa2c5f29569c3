/** The reconciliation: what partners list against our books, difference by difference. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { differencesTo, storeDifferences } from '../../../services/audit/reconciliation.ts'
import { api, join, organization, person } from '../../support/api.ts'
import { attention, item, summary } from '../../support/approvals/attention.ts'
import { findingsOf, reconcileWith, runScheduled, serviceFindings } from '../../support/ledger/books.ts'
import { owner } from '../../support/database.ts'
import { arriveAt, arriveCrypto, arriveSilently } from '../../support/deposits/deposits.ts'
import { advance as advanceClock } from '../../support/identity/identity.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { type Rail, advance, become, payerBy, sent } from '../../support/payments/payouts.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'
import { everyNth } from '../../support/model-runs.ts'

usePartners()
useWorker({ whole: true })
const RAILS: Rail[] = ['fiat', 'crypto']
const PARTNER = { fiat: 'bank', crypto: 'custodian' } as const
const run = (rail: Rail) => reconcileWith(PARTNER[rail])
const checksOf = async (id: string) => (await findingsOf(id)).map(({ check_name: check, subject }) => [check, subject])

/** Advances ten minutes after the partner's last callback, when a difference begins to count. */
const later = (id: string) =>
  until('a difference', async () => {
    await advanceClock(601)
    await run('fiat')
    return (await checksOf(id)).length > 0
  })

async function paid(rail: Rail) {
  const payer = await payerBy(rail)
  const payment = await sent(payer)
  await become(payer, payment, 'succeeded')
  return { payer, payment, id: payer.payer.id }
}

test.each(everyNth(RAILS, 2))(
  'payments by %s that were paid, refused or sent back agree, and leave nothing to do',
  async (rail) => {
    const { payer, payment, id } = await paid(rail)
    const returned = await sent(payer)
    await become(payer, returned, 'succeeded')
    await advance(returned, 'reversed')
    await become(payer, returned, 'reversed')
    const answer = await runScheduled(`reconciliation-${PARTNER[rail]}`)
    expect(answer.records).toBeGreaterThanOrEqual(3) // two payouts and a deposit
    expect([answer.unknown, await checksOf(id)]).toEqual([0, []])
    expect(await owner`select status from partner_records where id = ${payment.id}`).toEqual([{ status: 'settled' }])
    expect(await run(rail)).toEqual(answer)
  },
)

// one statement compares them; in `npm test` the others are found in test/isolated/adjustments
test.each(
  everyNth(
    [
      ['paid_without_approval', 'payments', `set status = 'awaiting_approval'`],
      ['paid_but_not_in_the_books', 'payments', `set status = 'failed'`],
      ['in_the_books_but_not_paid', 'sandbox_payouts', `set status = 'rejected'`],
      ['payout_amount_differs', 'sandbox_payouts', `set amount = '99.99'`],
    ] as const,
    4,
  ),
)('%s is found at once, told to owners and admins, and gone when it is settled', async (check, table, change) => {
  const { payer, payment, id } = await paid('fiat')
  const columns = table === 'payments' ? ['status'] : ['status', 'amount']
  const [before] = await owner`select ${owner(columns)} from ${owner(table)} where id = ${payment.id}`
  await owner.unsafe(`update ${table} ${change} where id = $1`, [payment.id])
  await run('fiat')
  expect(await checksOf(id)).toEqual([[`bank_${check}`, payment.id]])
  const { data } = (await attention(payer.boss, id, '?kind=reconciliation_difference')).body
  const shown = { severity: 'blocking', audience: 'organization', actionable_by_viewer: false }
  const href = `/organizations/${id}/payments/${payment.id}`
  expect(data).toMatchObject([{ kind: 'reconciliation_difference', ...shown, href }])
  expect((await item(payer.boss, id, data[0].id)).body).toEqual(data[0])
  expect((await summary(payer.boss, id)).by_kind.reconciliation_difference).toEqual({ actionable: 0, total: 1 })
  const member = await person()
  await join(id, member, 'member')
  expect((await attention(member, id, '?kind=reconciliation_difference')).body.data).toEqual([])
  expect((await item(member, id, data[0].id)).status).toBe(404)
  await owner`update ${owner(table)} set ${owner(before ?? {}, columns)} where id = ${payment.id}`
  await run('fiat')
  expect(await checksOf(id)).toEqual([])
  expect((await item(payer.boss, id, data[0].id)).status).toBe(404)
})

test('what may still be heard of is no difference yet; after ten minutes of business time it is', async () => {
  const { payment, id } = await paid('fiat')
  await owner`update payments set status = 'reversed', updated_at = business_now() where id = ${payment.id}`
  await run('fiat')
  expect(await checksOf(id)).toEqual([])
  await later(id)
  expect(await checksOf(id)).toEqual([['bank_payout_status_differs', payment.id]])
})

test('a payment that the partner never heard of is missing there, and a payout that we never had is the operator’s', async () => {
  const { payment, id } = await paid('fiat')
  await owner`delete from sandbox_payouts where id = ${payment.id}`
  const nobodys = randomUUID()
  await owner`
    insert into sandbox_payouts (partner, id, body_hash, amount, currency, status, detail, own_reference)
    values ('bank', ${nobodys}, '', '5.00', 'EUR', 'settled', '', '')`
  await later(id)
  expect(await checksOf(id)).toEqual([['bank_payout_missing', payment.id]])
  expect(await serviceFindings('reconciliation')).toContain(`bank_payout_of_no_payment ${nobodys}`)
  expect((await api('GET', '//metrics')).body).toMatch(/audit_findings_open\{kind="reconciliation"\} [1-9]/)
})

test('money that a partner received and never told of arrives all the same', async () => {
  const { id } = await paid('crypto')
  const account = randomUUID()
  await owner`
    insert into receiving_accounts (id, organization_id, rail, currency, network, status, account, details)
    values (${account}, ${id}, 'crypto', 'USDC', 'ethereum', 'active', ${account}, '{}')`
  const silent = await arriveSilently('custodian', account, '5.000000', 'USDC')
  expect((await run('crypto')).unknown).toBe(1)
  const booked = () => owner`select id from deposits where partner_deposit_id = ${silent}`
  await until('the deposit is in the books', async () => (await booked()).length === 1)
  expect((await run('crypto')).unknown).toBe(0)
  await owner`update sandbox_deposits set amount = '6.000000' where id = ${silent}`
  await run('crypto')
  expect(await checksOf(id)).toEqual([['custodian_deposit_amount_differs', (await booked())[0]?.['id']]])
})

describe('money that a partner sent back without a call, and that our books still hold, is returned', () => {
  /** Lets the partner send it back after its callback was processed. */
  async function sentBack(id: string) {
    await until(`nothing is to be looked at of ${id}`, async () => {
      const open = await owner`
        select id from sandbox_callbacks where subject_id = ${id}
        union all select id from partner_callbacks where subject_id = ${id} and handled_at is null
        union all select id::text from deposits where partner_deposit_id = ${id} and callbacks_received > callbacks_processed`
      return open.length === 0
    })
    await owner`update sandbox_deposits set status = 'returned', return_reason = 'another' where id = ${id}`
  }
  const returned = (table: string, id: string) =>
    expect.poll(() => owner`select status from ${owner(table)} where id = ${id}`).toEqual([{ status: 'returned' }])

  test('coins that wait for their sender: their run is made to look, once', async () => {
    const { id } = await organization(await person())
    const held = await arriveCrypto(id, '5000')
    await sentBack(held.id)
    for (let n = 0; n < 2; n += 1) expect((await run('crypto')).unknown).toBe(0)
    const calls = owner`select from partner_callbacks where subject_id = ${held.id} and id like 'reconciliation:%'`
    expect(await calls).toHaveLength(1)
    await returned('deposits', held.id)
    expect(await checksOf(id)).toEqual([])
  })

  test('what nobody could be found for', async () => {
    const { unmatched_deposit_id: id } = await arriveAt('nobody-at-all', '10', 'RON')
    const [row] = await owner`select partner_deposit_id from unmatched_deposits where id = ${id}`
    await sentBack(row?.['partner_deposit_id'])
    await run('fiat')
    await returned('unmatched_deposits', id)
  })
})

test('a partner’s differences are kept apart from another’s, and many at once keep each of them once', async () => {
  const { payment, id } = await paid('fiat')
  await owner`update payments set status = 'failed' where id = ${payment.id}`
  await run('fiat')
  const now = new Date().toISOString()
  const stored = Array.from({ length: 8 }, async (_, i) => {
    const [partner, list] = [i % 2 ? 'bank' : 'custodian', i % 4 < 2 ? 'payouts' : 'deposits'] as const
    await storeDifferences(partner, list, await differencesTo(partner, list, now))
  })
  await Promise.all(stored)
  expect(await checksOf(id)).toEqual([['bank_paid_but_not_in_the_books', payment.id]])
})

test('a list is read on from what moved lately, and once a day from its beginning', async () => {
  const { payer } = await paid('crypto')
  await become(payer, await sent(payer, '1.00'), 'succeeded')
  const whole = await run('crypto')
  await advanceClock(8 * 86_400)
  expect((await run('crypto')).records).toBe(whole.records) // after a day: the whole list
  expect((await run('crypto')).records).toBeLessThanOrEqual(whole.records)
})
