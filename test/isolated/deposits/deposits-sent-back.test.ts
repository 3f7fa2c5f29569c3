/** Money that a partner returns by itself, or refuses to return: never credited, never locked in. */
import { describe, expect, test } from 'vitest'
import { reconcile } from '../../support/partners/reconcile.ts'
import { api } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import {
  OWN,
  answer,
  arriveAt,
  arriveCrypto,
  booksOf,
  deposit,
  depositAt,
  depositor,
  operator,
  refusal,
  suspense,
} from '../../support/deposits/deposits.ts'
import { answerAsBefore, answerInstead, usePartnerProxy } from '../../support/partners/proxy.ts'
import { askPartner } from '../../support/partners/partners.ts'
import { eventually, resultOf } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'
import { everyNth, longTest } from '../../support/model-runs.ts'

usePartnerProxy()
useWorker()

/** Held coins, which the custodian has under the same id. */
async function held() {
  const at = await depositor()
  const made = await arriveCrypto(at.id, '5000')
  return { ...at, depositId: made.id as string, result: () => resultOf(`deposit-${made.id}`) }
}
type Held = Awaited<ReturnType<typeof held>>

/** Waits until the custodian was asked after the callback about their arrival. */
const callProcessed = ({ depositId }: Held) =>
  eventually(
    () => owner`
      select from deposits d where d.id = ${depositId} and d.callbacks_received = d.callbacks_processed
        and not exists (select from sandbox_callbacks c where c.subject_id = d.partner_deposit_id)
        and not exists (select from partner_callbacks c where c.subject_id = d.partner_deposit_id and handled_at is null)`,
  ).toHaveLength(1)

const sendBack = (partner: 'bank' | 'custodian', id: string) =>
  askPartner(partner, 'PUT', `/deposits/${id}/return`, { reason: 'The sender wants it back.' })
const sendBackSilently = (id: string) =>
  owner`update sandbox_deposits set status = 'returned', return_reason = 'another' where id = ${id}`

async function expire({ depositId }: Held) {
  await owner`update deposits set release_by = business_now() - interval '1 second' where id = ${depositId}`
  await reconcile()
}

/** Sends them back with a callback that came while they were being booked: none has woken their run. */
async function leaveCallOpen({ depositId }: Held): Promise<void> {
  await sendBackSilently(depositId)
  await owner`
    insert into partner_callbacks (partner, id, subject, subject_id)
    values ('custodian', ${`msg_${depositId}`}, 'deposit', ${depositId})`
}
const openCallsOf = async ({ depositId }: Held) =>
  (
    await owner`
      select d.callbacks_received - d.callbacks_processed + (select count(*)::int from partner_callbacks c
        where c.subject_id = d.partner_deposit_id and c.handled_at is null) as count
      from deposits d where d.id = ${depositId}`
  )[0]?.['count'] as number
const statusOf = async ({ boss, depositId }: Held) => (await deposit(boss, depositId)).status

async function expectGone(at: Held) {
  const refused = await answer(at.boss, at.depositId, OWN)
  expect([refused.status, refused.body.error.type]).toEqual([409, 'invalid_state'])
  expect(await statusOf(at)).toBe('returned')
  expect(await booksOf(at.boss, at.id)).toMatchObject({ balance: '0', ok: true })
  const path = `/organizations/${at.id}`
  for (const list of ['transactions', 'attention']) {
    expect((await api('GET', `${path}/${list}`, { token: at.boss.token })).body.data).toEqual([])
  }
  const keys = await owner`select key from ledger_transfers where key like ${`deposit:${at.depositId}:%`} order by key`
  expect(keys.map(({ key }) => key)).toEqual([`deposit:${at.depositId}:receive`, `deposit:${at.depositId}:return`])
}

function answerReturns(status: number, body: object): { count: number } {
  const asked = { count: 0 }
  answerInstead((method, path) => {
    if (method !== 'PUT' || !path.endsWith('/return')) return undefined
    asked.count += 1
    return { status, body: JSON.stringify(body) }
  })
  return asked
}
const REFUSED = { code: 'account_closed' }

describe('held coins', () => {
  test('that the custodian sends back by itself are returned when it calls, and an answer credits nobody', async () => {
    const at = await held()
    expect((await sendBack('custodian', at.depositId)).status).toBe(200)
    await eventually(() => statusOf(at)).toBe('returned')
    expect(await at.result()).toBe('returned')
    await expectGone(at)
  })

  test('that it sent back without a call are not credited by an answer either', async () => {
    const at = await held()
    await sendBackSilently(at.depositId)
    await expectGone(at)
    expect(await at.result()).toBe('returned')
  })

  longTest('that it sent back for another reason before it was asked to are returned', async () => {
    const at = await held()
    await sendBackSilently(at.depositId)
    await expire(at)
    await eventually(() => statusOf(at)).toBe('returned')
    await expectGone(at)
  })

  test('are credited by an answer while the custodian says nothing', async () => {
    const at = await held()
    await callProcessed(at)
    answerInstead((_, path) => (path.startsWith('/custodian') ? { status: 503, body: '' } : undefined))
    expect((await answer(at.boss, at.depositId, OWN)).status).toBe(200)
    expect(await booksOf(at.boss, at.id)).toMatchObject({ balance: '5000.000000', ok: true })
    answerAsBefore()
    expect(await at.result()).toBe('credited')
  })

  test.each(['after', 'before'])(
    'that the custodian calls about %s their booking are not credited by an answer until it was asked',
    async (when) => {
      const at = await held()
      await callProcessed(at)
      answerInstead((method, path) =>
        method === 'GET' && path.startsWith('/custodian') ? { status: 503, body: '' } : undefined,
      )
      if (when === 'before') await leaveCallOpen(at)
      else expect((await sendBack('custodian', at.depositId)).status).toBe(200)
      await eventually(() => openCallsOf(at)).toBeGreaterThan(0)
      const refused = await answer(at.boss, at.depositId, OWN)
      expect([refused.status, refused.body.error.type]).toEqual([503, 'service_unavailable'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect([await statusOf(at), (await booksOf(at.boss, at.id)).balance]).toEqual(['held', '0'])
      answerAsBefore()
      await eventually(() => statusOf(at)).toBe('returned')
      await expectGone(at)
    },
  )

  test.each(everyNth([{ status: 'received' }, { amount: { amount: '1', currency: 'USDC' } }], 2))(
    'are not returned by an answer that says %j: the custodian is asked again',
    async (said) => {
      const at = await held()
      const { body } = await askPartner('custodian', 'GET', `/deposits/${at.depositId}`)
      const asked = answerReturns(200, { ...body, status: 'returned', ...said })
      await expire(at)
      await eventually(() => asked.count).toBeGreaterThan(1)
      expect(await statusOf(at)).toBe('held')
      answerAsBefore()
      await eventually(() => statusOf(at)).toBe('returned')
      expect(await depositAt('custodian', at.depositId)).toMatchObject({ status: 'returned' })
    },
  )

  const refusals: [number, object][] = [
    [422, REFUSED],
    [409, { code: 'conflict' }],
  ]
  test.each(everyNth(refusals, 2))(
    'that the custodian refuses to return (%i) wait for their sender again, and can be answered',
    async (...refusal) => {
      const at = await held()
      const asked = answerReturns(...refusal)
      await expire(at)
      await eventually(async () => (await deposit(at.boss, at.depositId)).needs_sender_travel_rule && asked.count).toBe(
        1,
      )
      const { release_by: until } = await deposit(at.boss, at.depositId)
      expect(Date.parse(until) - Date.now()).toBeGreaterThan(6 * 24 * 3600 * 1000)
      const { body } = await api('GET', `/organizations/${at.id}/attention`, { token: at.boss.token })
      expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(['travel_rule'])
      const events = await owner`select type from events where subject_id = ${at.depositId} order by occurred_at, id`
      expect(events.map(({ type }) => type)).toEqual(['deposit.held', 'deposit.return_refused'])
      expect((await answer(at.boss, at.depositId, OWN)).status).toBe(200)
      expect(await booksOf(at.boss, at.id)).toMatchObject({ balance: '5000.000000', ok: true })
      expect(await at.result()).toBe('credited')
    },
  )

  test('that it refused to return are asked back again when nobody answers after that', async () => {
    const at = await held()
    answerReturns(422, REFUSED)
    await expire(at)
    await eventually(async () => (await deposit(at.boss, at.depositId)).release_by > new Date().toISOString()).toBe(
      true,
    )
    answerAsBefore()
    await expire(at)
    await eventually(() => statusOf(at)).toBe('returned')
    expect(await depositAt('custodian', at.depositId)).toMatchObject({ status: 'returned' })
  })
})

describe('unmatched money', () => {
  /** A deposit in a currency of its own, so that suspense holds only this test's money. */
  async function unmatched(currency: string) {
    const id = (await arriveAt('nobody-s', '10', currency)).unmatched_deposit_id as string
    const [row] = await owner`select partner_deposit_id from unmatched_deposits where id = ${id}`
    return { id, bankId: row?.['partner_deposit_id'] as string }
  }
  const stateOf = async (id: string) =>
    (await owner`select status from unmatched_deposits where id = ${id}`)[0]?.['status']

  test.each([
    ['and calls', 'SEK'],
    ['without a call', 'NOK'],
  ])('that the bank sends back by itself %s is returned, and assigned to no one', async (how, currency) => {
    const { boss, id } = await depositor()
    const money = await unmatched(currency)
    if (how === 'and calls') {
      expect((await sendBack('bank', money.bankId)).status).toBe(200)
      await eventually(() => stateOf(money.id)).toBe('returned')
    } else await sendBackSilently(money.bankId)
    expect(await refusal('assign', money.id, id)).toBe('invalid_state')
    expect([await stateOf(money.id), await suspense(currency)]).toEqual(['returned', '0'])
    expect((await booksOf(boss, id, currency)).balance).toBe('0')
  })

  test('is assigned to nobody while the bank says nothing, and can be after that', async () => {
    const { boss, id } = await depositor()
    const money = await unmatched('DKK')
    answerInstead((_, path) => (path.startsWith('/bank') ? { status: 503, body: '' } : undefined))
    expect(await refusal('assign', money.id, id)).not.toBe('done')
    answerAsBefore()
    expect(await refusal('assign', money.id, id)).toBe('done')
    expect(await booksOf(boss, id, 'DKK')).toEqual({ balance: '10.00', ok: true, suspense: '0' })
  })

  test('that the bank refuses to send back can be assigned again', async () => {
    const { boss, id } = await depositor()
    const money = await unmatched('PLN')
    answerReturns(422, REFUSED)
    expect(await refusal('return', money.id)).toContain('refuses to send')
    expect(await operator('unmatched')).toMatch(new RegExp(`${money.id}: .*(?<!is being returned)$`, 'm'))
    expect(await refusal('assign', money.id, id)).toBe('done')
    expect(await booksOf(boss, id, 'PLN')).toEqual({ balance: '10.00', ok: true, suspense: '0' })
  })

  longTest('that the bank sent back for another reason is returned all the same', async () => {
    const money = await unmatched('CZK')
    await sendBackSilently(money.bankId)
    expect(await operator('return', money.id)).toBe(`${money.id} is returned`)
    expect(await suspense('CZK')).toBe('0')
  })

  test('is not returned by an answer that it is still there', async () => {
    const money = await unmatched('HUF')
    const { body } = await askPartner('bank', 'GET', `/deposits/${money.bankId}`)
    answerReturns(200, body)
    expect(await refusal('return', money.id)).toBe('PartnerUnclear')
    expect([await stateOf(money.id), await suspense('HUF')]).toEqual(['returning', '10'])
    answerAsBefore()
    expect(await refusal('return', money.id)).toBe('done')
    expect(await suspense('HUF')).toBe('0')
  })
})
