/** Held coins without a named sender go back after 30 days; racing answers and returns. */
import { describe, expect, test } from 'vitest'
import { main } from '../../../activities/index.ts'
import { client } from '../../../temporal/client.ts'
import type { DepositId, OrganizationId } from '../../../domain/ids.ts'
import { MANY, fullScale } from '../../support/model-runs.ts'
import { reconcile } from '../../support/partners/reconcile.ts'
import { api } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import {
  OWN,
  answer,
  arriveCrypto,
  booksOf,
  deposit,
  depositAt,
  depositor,
  noteReturned,
  pursue,
} from '../../support/deposits/deposits.ts'
import { advance } from '../../support/identity/identity.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { eventually, resultOf } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

const DAYS = 24 * 3600

async function setting() {
  const { boss, id } = await depositor()
  const made = await arriveCrypto(id, '1500')
  const ref = { organizationId: id as OrganizationId, id: made.id as DepositId }
  return { boss, id, made, ref, run: client.workflow.getHandle(`deposit-${made.id}`) }
}

/** Terminates its run once it waits and the callback was processed: the test takes each step after that. */
async function endRun({ made, run }: Awaited<ReturnType<typeof setting>>): Promise<void> {
  await eventually(
    () => owner`
      select from deposits d join processes p using (id)
      where d.id = ${made.id} and p.unseen_since is null and d.callbacks_received = d.callbacks_processed
        and not exists (select from sandbox_callbacks c where c.subject_id = d.partner_deposit_id)`,
  ).toHaveLength(1)
  await run.terminate('the rest is done by hand')
}

/** Expires it, independently of the other tests' clock. */
const expire = (id: string) =>
  owner`update deposits set release_by = business_now() - interval '1 second' where id = ${id}`

const heldAs = async (id: string) => (await owner`select status, is_returning from deposits where id = ${id}`)[0]

const keepSessions = () => owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`

test('after 30 days without an answer the partner returns it, once, and nothing of it is left in feed or books', async () => {
  const { boss, id, made } = await setting()
  await advance(29 * DAYS)
  await keepSessions()
  expect((await deposit(boss, made.id)).status).toBe('held')
  await advance(1 * DAYS + 60)
  await keepSessions()
  await eventually(async () => (await deposit(boss, made.id)).status).toBe('returned')
  expect(await resultOf(`deposit-${made.id}`)).toBe('returned')
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

test('a partner that is away, slow or unclear for a while returns it in the end, once', async () => {
  const { boss, id, made } = await setting()
  await fault('custodian', 'ambiguous', 1)
  await fault('custodian', 'error', 1)
  await fault('custodian', 'malformed', 1)
  await expire(made.id)
  await reconcile()
  await eventually(async () => (await deposit(boss, made.id)).status).toBe('returned')
  expect(await resultOf(`deposit-${made.id}`)).toBe('returned')
  expect(await depositAt('custodian', made.id)).toMatchObject({ status: 'returned', version: 2 })
  expect((await booksOf(boss, id)).ok).toBe(true)
})

describe('an answer and a return', () => {
  test('at once: exactly one of them happens', async () => {
    const rounds = await Promise.all(Array.from({ length: fullScale ? 10 : 4 }, () => setting()))
    await Promise.all(
      rounds.map(async ({ boss, made, ref }, n) => {
        await expire(made.id)
        const [answered] = await Promise.all([
          answer(boss, made.id, OWN),
          n % 2 ? main.startReturn(ref) : main.startReturn(ref).then(() => main.startReturn(ref)),
        ])
        await main.startReturn(ref)
        const state = await heldAs(made.id)
        if (answered.status === 200) expect(state).toMatchObject({ status: 'credited', is_returning: false })
        else {
          expect(answered.body.error.type).toBe('invalid_state')
          // its own run may have brought it back by now
          if (state?.['status'] !== 'returned') expect(state).toMatchObject({ status: 'held', is_returning: true })
        }
      }),
    )
    await reconcile()
    for (const { boss, id, made } of rounds) {
      await eventually(async () => (await deposit(boss, made.id)).status).not.toBe('held')
      expect((await booksOf(boss, id)).ok).toBe(true)
    }
  })

  test('once it is on its way back, it asks for nothing any more', async () => {
    const at = await setting()
    const { boss, id, made, ref } = at
    await endRun(at)
    await expire(made.id)
    expect(await main.viewDeposit(ref)).toMatchObject({ status: 'held', return_due: true, returning: false })
    await main.startReturn(ref)
    expect(await main.viewDeposit(ref)).toMatchObject({
      status: 'held',
      return_due: false,
      returning: true,
      ask_due: true,
    })
    expect(await heldAs(made.id)).toEqual({ status: 'held', is_returning: true })
    expect(await deposit(boss, made.id)).toMatchObject({ status: 'held', needs_sender_travel_rule: false })
    const refused = await answer(boss, made.id, OWN)
    expect([refused.status, refused.body.error.type]).toEqual([409, 'invalid_state'])
    const { body } = await api('GET', `/organizations/${id}/attention`, { token: boss.token })
    expect(body.data).toEqual([])
  })
})

test('a return that was made and not recorded is asked for again, and recorded once, by many at once', async () => {
  const at = await setting()
  const { boss, id, made, ref } = at
  await endRun(at)
  await expire(made.id)
  await main.startReturn(ref)
  await owner`
    update sandbox_deposits set status = 'returned', version = 2, return_reason = 'Nobody said who sent it.'
    where id = ${made.id}`
  expect((await deposit(boss, made.id)).status).toBe('held')
  await Promise.all(Array.from({ length: MANY }, () => pursue(ref)))
  expect(await depositAt('custodian', made.id)).toMatchObject({ status: 'returned', version: 2 })
  const ended = await Promise.all(Array.from({ length: MANY }, () => noteReturned(ref)))
  expect(new Set(ended)).toEqual(new Set(['returned']))
  await fault('custodian', 'down', 1)
  await pursue(ref) // sends nothing to the partner
  expect(await owner`delete from sandbox_faults where times > 0 returning fault`).toEqual([{ fault: 'down' }])
  expect(await booksOf(boss, id)).toMatchObject({ balance: '0', ok: true })
  const transfers = await owner`select key from ledger_transfers where key like ${`deposit:${made.id}:%`} order by key`
  expect(transfers.map(({ key }) => key)).toEqual([`deposit:${made.id}:receive`, `deposit:${made.id}:return`])
})
