/** Held coins whose sender nobody names go back after 30 days; answers and returns that meet. */
import { describe, expect, test } from 'vitest'
import { client } from '../temporal/client.ts'
import type { DepositId, OrganizationId } from '../db/model/ids.ts'
import { attendDeposit, recordDepositReturn } from '../activities/deposits.ts'
import { returnDeposit } from '../activities/deposit-partners.ts'
import { reconcile } from './support/reconcile.ts'
import { api, organization, person } from './support/api.ts'
import { owner } from './support/database.ts'
import { OWN, answer, arriveCrypto, booksOf, deposit, depositAt } from './support/deposits.ts'
import { advance } from './support/identity.ts'
import { fault, usePartners } from './support/partners.ts'
import { eventually } from './support/runs.ts'
import { useWorker } from './support/worker.ts'

useWorker()
usePartners()

const DAYS = 24 * 3600

async function setting() {
  const boss = await person()
  const { id } = await organization(boss)
  const made = await arriveCrypto(id, '1500')
  const ref = { organizationId: id as OrganizationId, depositId: made.id as DepositId }
  return { boss, id, made, ref, run: client.workflow.getHandle(`deposit-${made.id}`) }
}

/** Its time is over now, whatever the clock of the others says. */
const expire = (id: string) =>
  owner`update deposits set release_by = business_now() - interval '1 second' where id = ${id}`

const keepSessions = () => owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`

test('after 30 days without an answer the partner returns it, once, and nothing of it is left in feed or books', async () => {
  const { boss, id, made, run } = await setting()
  await advance(29 * DAYS)
  await keepSessions()
  expect((await deposit(boss, made.id)).status).toBe('held')
  await advance(1 * DAYS + 60)
  await keepSessions()
  await eventually(async () => (await deposit(boss, made.id)).status).toBe('returned')
  expect(await run.result()).toBe('returned')
  expect(await depositAt('custodian', made.id)).toMatchObject({ status: 'returned', version: 2 })
  expect(await deposit(boss, made.id)).toMatchObject({
    needs_sender_travel_rule: false,
    release_by: null,
    transaction_id: null,
  })
  const feed = await api('GET', `/organizations/${id}/transactions`, { token: boss.token })
  expect(feed.body.data).toEqual([])
  expect(await booksOf(boss, id)).toEqual({ balance: '0', ok: true, suspense: '0' })
  const late = await answer(boss, made.id, OWN)
  expect([late.status, late.body.error.type]).toEqual([409, 'invalid_state'])
  const events = await owner`select type from events where subject_id = ${made.id} order by occurred_at, id`
  expect(events.map(({ type }) => type)).toEqual(['deposit.held', 'deposit.returned'])
})

test('an answer ends the run that waits', async () => {
  const { boss, made, run } = await setting()
  expect((await answer(boss, made.id, OWN)).status).toBe(200)
  expect(await run.result()).toBe('credited')
})

test('a partner that is away, slow or unclear for a while returns it in the end, once', async () => {
  const { boss, id, made, run } = await setting()
  await fault('custodian', 'ambiguous', 1)
  await fault('custodian', 'error', 1)
  await fault('custodian', 'malformed', 1)
  await expire(made.id)
  await reconcile()
  await eventually(async () => (await deposit(boss, made.id)).status).toBe('returned')
  expect(await run.result()).toBe('returned')
  expect(await depositAt('custodian', made.id)).toMatchObject({ status: 'returned', version: 2 })
  expect((await booksOf(boss, id)).ok).toBe(true)
})

describe('an answer and a return', () => {
  test('at once: exactly one of them happens', async () => {
    const rounds = await Promise.all(Array.from({ length: 10 }, () => setting()))
    const ended = await Promise.all(
      rounds.map(async ({ boss, id, made, ref }, n) => {
        await expire(made.id)
        const [answered] = await Promise.all([
          answer(boss, made.id, OWN),
          n % 2 ? attendDeposit(ref) : attendDeposit(ref).then(() => attendDeposit(ref)),
        ])
        const state = await attendDeposit(ref)
        if (answered.status === 200) expect(state).toMatchObject({ status: 'credited', is_returning: false })
        else {
          expect(answered.body.error.type).toBe('invalid_state')
          // its own run, woken by another round, may have brought it back by now
          if (state.status !== 'returned') expect(state).toMatchObject({ status: 'held', is_returning: true })
        }
        await reconcile()
        await eventually(async () => (await deposit(boss, made.id)).status).not.toBe('held')
        expect((await booksOf(boss, id)).ok).toBe(true)
        return (await deposit(boss, made.id)).status
      }),
    )
    expect(ended).toHaveLength(10)
  })

  test('once it is on its way back, it asks for nothing any more', async () => {
    const { boss, id, made, ref, run } = await setting()
    await run.terminate('a test goes on by hand')
    await expire(made.id)
    expect(await attendDeposit(ref)).toMatchObject({ status: 'held', is_returning: true })
    expect(await deposit(boss, made.id)).toMatchObject({ status: 'held', needs_sender_travel_rule: false })
    const refused = await answer(boss, made.id, OWN)
    expect([refused.status, refused.body.error.type]).toEqual([409, 'invalid_state'])
    const { body } = await api('GET', `/organizations/${id}/attention`, { token: boss.token })
    expect(body.data).toEqual([])
  })
})

test('a return that was made and not recorded is asked for again, and recorded once, by twenty at once', async () => {
  const { boss, id, made, ref, run } = await setting()
  await run.terminate('the worker died between the partner and the books')
  await expire(made.id)
  await attendDeposit(ref)
  await Promise.all(Array.from({ length: 20 }, () => returnDeposit(ref)))
  expect(await depositAt('custodian', made.id)).toMatchObject({ status: 'returned', version: 2 })
  expect((await deposit(boss, made.id)).status).toBe('held')
  const ended = await Promise.all(Array.from({ length: 20 }, () => recordDepositReturn(ref)))
  expect(new Set(ended)).toEqual(new Set(['returned']))
  await returnDeposit(ref) // nothing is asked of the partner any more
  expect(await booksOf(boss, id)).toMatchObject({ balance: '0', ok: true })
  const transfers = await owner`select key from ledger_transfers where key like ${`deposit:${made.id}:%`} order by key`
  expect(transfers.map(({ key }) => key)).toEqual([`deposit:${made.id}:receive`, `deposit:${made.id}:return`])
})

test('a held deposit whose run is gone is found and driven on', async () => {
  const { boss, made, run } = await setting()
  await run.terminate('ended by an operator')
  await expire(made.id)
  await owner`update deposits set updated_at = updated_at - interval '2 hours' where id = ${made.id}`
  expect(await reconcile()).toBeGreaterThan(0)
  await eventually(async () => (await deposit(boss, made.id)).status).toBe('returned')
})
