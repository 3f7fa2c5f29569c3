/** Unreadable entries, unreadable lists, and payments that must be polled again. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { client } from '../../../temporal/client.ts'
import { depositIdOf } from '../../../domain/deposits/deposit.ts'
import { recordCallback } from '../../../services/callbacks/callbacks.ts'
import { movePayout } from '../../../sandbox/db/payouts.ts'
import { api } from '../../support/api.ts'
import { findingsOf, serviceFindings } from '../../support/ledger/books.ts'
import { owner } from '../../support/database.ts'
import { arriveSilently, openAccount } from '../../support/deposits/deposits.ts'
import { advance as advanceClock } from '../../support/identity/identity.ts'
import { reconcileWhole } from '../../support/partners/reconcile.ts'
import { answerAsBefore, answerInstead, usePartnerProxy } from '../../support/partners/proxy.ts'
import { fault } from '../../support/partners/partners.ts'
import { become, feedOf, payerBy, sent } from '../../support/payments/payouts.ts'
import { stateOf } from '../../support/runs/runs.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'
import { everyNth } from '../../support/model-runs.ts'

usePartnerProxy()
useWorker()
const told = (partner: string) => serviceFindings('reconciliation', `%${partner}:%`)
/** A payment that the partner paid and that failed here, which is reported at once. */
async function different(rail: 'fiat' | 'crypto') {
  const payer = await payerBy(rail)
  const payment = await sent(payer)
  await become(payer, payment, 'succeeded')
  await owner`update payments set status = 'failed' where id = ${payment.id}`
  return { payer, payment, checks: async () => (await findingsOf(payer.payer.id)).map((one) => one.check_name) }
}
const odd = async (name: string) => owner`select is_nothing from partner_oddities where name = ${name}`

test('a transfer of nothing and a token that nobody knows keep neither payments nor other deposits from being compared', async () => {
  const { payer, checks } = await different('crypto')
  const { account } = await openAccount(payer.boss, payer.payer.id, 'USDC')
  const silently = (amount: string, currency: string) => arriveSilently('custodian', account, amount, currency)
  const [zero, nothing] = [await silently('0.000000', 'USDC'), await silently('0', 'SCAM')]
  const [scam, fine] = [await silently('1000000', 'SCAM'), await silently('5.000000', 'USDC')]
  for (const unknown of [1, 0]) {
    expect((await reconcileWhole('custodian')).unknown).toBe(unknown)
    expect(await checks()).toEqual(['custodian_paid_but_not_in_the_books'])
    expect(await told('custodian')).toEqual([`unreadable_record custodian:deposits:${scam}`])
    const booked = () => owner`select id from deposits where partner_deposit_id = ${fine}`
    await until('the deposit that can be read is in the books', async () => (await booked()).length === 1)
  }
  expect((await api('GET', '//metrics')).body).toMatch(/audit_findings_open\{kind="reconciliation"\} [2-9]/)
  for (const id of [zero, nothing]) expect(await odd(id)).toEqual([{ is_nothing: true }])
  expect(await owner`select id from unmatched_deposits where partner_deposit_id in ${owner([zero, scam])}`).toEqual([])
  await owner`update sandbox_deposits set currency = 'USDT', amount = '1.000000' where id = ${scam}`
  await owner`delete from sandbox_deposits where id in ${owner([zero, nothing])}`
  await advanceClock(25 * 3600) // after a day the whole list is read
  expect((await reconcileWhole('custodian')).unknown).toBe(1)
  expect([await told('custodian'), await odd(zero), await odd(scam)]).toEqual([[], [], []])
})

test('a callback about money that nobody knows ends in a finding, and one about nothing in nothing', async () => {
  const payer = await payerBy('crypto')
  const { account } = await openAccount(payer.boss, payer.payer.id, 'USDC')
  const scam = await arriveSilently('custodian', account, '1000000', 'SCAM')
  const zero = await arriveSilently('custodian', account, '0.000000', 'USDC')
  for (const subjectId of [scam, zero]) {
    await recordCallback({ partner: 'custodian', id: randomUUID(), subject: 'deposit', subjectId })
    const run = client.workflow.getHandle(`deposit-${depositIdOf('custodian', subjectId)}`)
    const ended = () => run.result().catch(() => undefined)
    expect(await until('its run ends', ended)).toBe('announced')
  }
  expect(await told('custodian')).toEqual([`unreadable_record custodian:deposits:${scam}`])
  expect(await owner`select id from partner_callbacks where handled_at is null`).toEqual([])
  await owner`delete from sandbox_deposits where id in ${owner([scam, zero])}`
})

test('an entry without an id is told by its place, and the payouts of the page are compared all the same', async () => {
  const { checks } = await different('fiat')
  answerInstead((method, path) => {
    if (method !== 'GET' || !path.startsWith('/bank/v1/deposits?')) return undefined
    return { status: 200, body: JSON.stringify({ data: [{ status: 'received' }, null], next: null }) }
  })
  await reconcileWhole('bank')
  expect(await checks()).toEqual(['bank_paid_but_not_in_the_books'])
  expect(await told('bank')).toEqual([0, 1].map((place) => `unreadable_record bank:deposits:${place} after nothing`))
  answerAsBefore()
  await advanceClock(25 * 3600)
  await reconcileWhole('bank')
  expect(await told('bank')).toEqual([])
})

const LISTS = [['deposits', 'payouts'] as const, ['payouts', 'deposits'] as const]
test.each(everyNth(LISTS, 2))(
  'while the %s cannot be read the %s are compared; after two hours the operator is told',
  async (list, other) => {
    const { payer, checks } = await different('fiat')
    const { account } = await openAccount(payer.boss, payer.payer.id, 'EUR')
    await reconcileWhole('bank')
    await advanceClock(3600)
    const silent = await arriveSilently('bank', account, '5.00', 'EUR')
    answerInstead((_, path) => (path.startsWith(`/bank/v1/${list}?`) ? { status: 200, body: '{}' } : undefined))
    await owner`update payments set status = 'succeeded' where id in (select subject::uuid from audit_findings
    where organization_id = ${payer.payer.id})`
    const isUnclear = () => expect(reconcileWhole('bank')).rejects.toThrow(`unread: ${list}`)
    await isUnclear()
    expect(await checks()).toEqual(other === 'payouts' ? [] : ['bank_paid_but_not_in_the_books'])
    expect(await owner`select id from partner_records where id = ${silent}`).toHaveLength(other === 'deposits' ? 1 : 0)
    expect(await told('bank')).toEqual([])
    await advanceClock(3700)
    await isUnclear()
    expect(await told('bank')).toEqual([`bank_${list}_not_read bank:${list}`])
    answerAsBefore()
    await reconcileWhole('bank')
    expect([await told('bank'), await checks()]).toEqual([[], []])
  },
)

test('a return whose callback was lost is heard of: the partner is asked again, once for what it says', async () => {
  const payer = await payerBy('fiat')
  const payment = await sent(payer)
  await become(payer, payment, 'succeeded')
  await expect.poll(() => stateOf(payment)).toBe('COMPLETED')
  await fault('bank', 'lost_callback', 1)
  await movePayout('bank', payment.id, { from: ['settled'], to: 'returned' })
  await advanceClock(601)
  await reconcileWhole('bank') // it sees the change now, and waits ten minutes
  await advanceClock(601)
  answerInstead((_, path) => (path.startsWith('/bank/v1/payouts/') ? { status: 503, body: '' } : undefined))
  for (let run = 0; run < 3; run += 1) {
    await reconcileWhole('bank')
    expect((await findingsOf(payer.payer.id)).map((one) => one.check_name)).toEqual(['bank_payout_status_differs'])
    await advanceClock(601)
  }
  const calls = owner`select id from partner_callbacks where subject_id = ${payment.id} and id like 'reconciliation:%'`
  expect(await calls).toEqual([{ id: `reconciliation:${payment.id}:returned` }])
  answerAsBefore()
  await advanceClock(601)
  const state = () => owner`select status from payments where id = ${payment.id}` // sessions are over by now
  await expect.poll(state).toEqual([{ status: 'reversed' }])
  expect(await feedOf(payment)).toContainEqual(expect.objectContaining({ type: 'reversal', amount: '100' }))
  await reconcileWhole('bank')
  expect(await findingsOf(payer.payer.id)).toEqual([])
})

test('a reading goes on at the page at which it ended, and two at once read a list to its end', async () => {
  await advanceClock(25 * 3600) // after a day the whole list is read
  const pages = ['', 'page-1', 'page-2', 'page-3', 'page-4']
  const asked: string[] = []
  let breaksAt: string | undefined
  answerInstead((_, path) => {
    if (!path.startsWith('/bank/v1/payouts?')) return undefined
    const after = new URL(path, 'http://bank').searchParams.get('after') ?? ''
    asked.push(after)
    if (after === breaksAt) return { status: 503, body: '' }
    return { status: 200, body: JSON.stringify({ data: [], next: pages[pages.indexOf(after) + 1] ?? null }) }
  })
  for (breaksAt of pages.slice(1)) {
    await expect(reconcileWhole('bank')).rejects.toThrow('unread: payouts')
    expect(asked.at(-1)).toBe(breaksAt)
  }
  breaksAt = undefined
  await reconcileWhole('bank')
  const twice = pages.slice(1).flatMap((page) => [page, page]) // the page that broke, and the same again
  expect(asked).toEqual(['', ...twice])

  asked.length = 0
  await advanceClock(25 * 3600)
  await Promise.all([reconcileWhole('bank'), reconcileWhole('bank')])
  expect(new Set(asked)).toEqual(new Set(pages))
})
