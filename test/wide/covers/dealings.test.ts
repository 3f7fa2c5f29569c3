/** Covers that no desk trades: operators deal, one records it, and another confirms it. */
import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, test } from 'vitest'
import { tradeCover } from '../../../activities/covers.ts'
import { administer } from '../../../admin.ts'
import { checkService } from '../../../services/audit/findings.ts'
import { asSystem } from '../../../db/postgres/sql.ts'
import type { CoverId, OrganizationId } from '../../../domain/ids.ts'
import { credit, debit, post, system } from '../../../services/ledger/ledger.ts'
import { daysAfter } from '../../../domain/instants.ts'
import { openPositionUsd } from '../../../services/covers/covers.ts'
import { listTradesInFlight } from '../../../services/covers/lists.ts'
import type { TestPerson } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { wait as advanceClock } from '../../support/identity/identity.ts'
import { operator, refusal } from '../../support/ledger/adjustments.ts'
import { reconcileWith, serviceFindings, tamper } from '../../support/ledger/books.ts'
import { answerAsBefore, answerInstead, usePartnerProxy } from '../../support/partners/proxy.ts'
import { eventually } from '../../support/runs/runs.ts'
import { booksAreClean, exchanger, execute, quoted } from '../../support/swaps.ts'
import { useWorker } from '../../support/worker.ts'

usePartnerProxy()
useWorker({ whole: true })

const at = await exchanger('1000.00')
const other = await exchanger('1000.00', 'EUR')
const [anna, ben] = [await operator(), await operator()]
/** Runs a command as an operator, with an unused code. */
const as = async (who: TestPerson, verb: string, ...words: string[]) => {
  await owner`update authenticators set last_step = 0 where user_id = ${who.userId}`
  return administer(['covers', verb, who.email, await who.totp(), ...words])
}
const propose = async (who: TestPerson, ids: readonly string[], typed: string) => {
  const line = await as(who, 'settle', ...ids, ...typed.split(' '))
  return { line, id: /dealing (\S+) is proposed/.exec(line)?.[1] ?? line }
}
const swapOf = async (by: typeof at, request: object) => {
  const { status, body } = await execute(by.boss, (await quoted(by, request)).quote_id)
  expect(status).toBe(201)
  return body as { swap_id: string; source_amount: string; target_amount: string }
}
const statusOf = async (id: string) =>
  (await owner<{ status: string }[]>`select status from covers where id = ${id}`)[0]?.status
const resultOf = async (currency: string) =>
  (
    await owner<{ amount: string }[]>`
      select coalesce(sum(e.amount), 0)::text as amount from ledger_entries e
      join ledger_accounts a on a.id = e.account_id where a.kind = 'fx_result' and a.currency = ${currency}`
  )[0]?.amount

/** Lets the desk refuse all trades for good. */
const refuseTrades = () =>
  answerInstead((method, path) =>
    method === 'PUT' && path.startsWith('/rates/v1/trades')
      ? { status: 422, body: '{"code":"below_minimum"}' }
      : undefined,
  )
const today = async () => {
  const [row] = await owner<{ day: string }[]>`select (business_now() at time zone 'UTC')::date::text as day`
  if (!row) throw new Error('there is a day')
  return row.day
}

test('one dealing settles covers of several organizations, net of opposite ones, when another operator confirms it', async () => {
  refuseTrades()
  const quotes = [
    await swapOf(at, { source_amount: '100.00' }),
    await swapOf(other, { source_currency: 'EUR', target_currency: 'USD', source_amount: '50.00' }),
  ]
  const ids = quotes.map(({ swap_id: id }) => id)
  const [one, back] = quotes
  if (!one || !back) throw new Error('two were executed')
  const net = (Number(one.source_amount) - Number(back.target_amount)).toFixed(2)
  const taken = (Number(one.target_amount) - Number(back.source_amount)).toFixed(2)
  const sold = (Number(net) - 0.25).toFixed(2)
  const { line, id } = await propose(anna, ids, `--sold ${sold} USD --bought ${taken} EUR --reason dealt by phone`)
  expect(line).toContain(
    `sold ${sold} USD, bought ${taken} EUR for 2 covers; result 0.25 USD; proposed by ${anna.email}`,
  )
  expect(await openPositionUsd()).toBeGreaterThan(0)
  expect(await refusal(as(anna, 'confirm', id))).toBe('requester_cannot_approve')
  expect(await refusal(propose(ben, ids, `--sold ${sold} USD --bought ${taken} EUR --reason again`))).toBe(
    'invalid_state',
  )
  expect(await as(ben, 'confirm', id)).toContain('is confirmed')
  for (const cover of ids) await eventually(() => statusOf(cover)).toBe('covered')
  expect(await openPositionUsd()).toBe(0)
  expect(await resultOf('USD')).toBe('0.25')
  expect(await checkService()).toEqual([])
  await booksAreClean(at)
  await booksAreClean(other)
  expect(await refusal(as(ben, 'confirm', id))).toBe('invalid_state')
  expect(await refusal(as(ben, 'withdraw', id))).toBe('invalid_state')
  await reconcileWith('rates')
  for (const cover of ids) expect(await serviceFindings('reconciliation', `%${cover}`)).toEqual([])
})

test('a cover that its desk trades meanwhile is not dealt as well', async () => {
  refuseTrades()
  const { swap_id: id, target_amount: bought } = await swapOf(at, { source_amount: '10.00' })
  const dealing = await propose(anna, [id], `--sold 10.00 USD --bought ${bought} EUR --reason dealt by phone`)
  expect(await administer(['covers', 'list', id])).toContain(`in dealing ${dealing.id}`)
  answerAsBefore()
  await advanceClock(600)
  await eventually(() => statusOf(id)).toBe('covered')
  expect(await refusal(as(ben, 'confirm', dealing.id))).toBe('invalid_state')
  expect(await as(ben, 'withdraw', dealing.id)).toContain('is withdrawn')
  expect(await refusal(propose(anna, [id], `--sold 10.00 USD --bought ${bought} EUR --reason again`))).toBe(
    'invalid_state',
  )
  expect(await checkService()).toEqual([])
})

test('a dealing that settles later is in flight until an operator says that it has, and then late', async () => {
  refuseTrades()
  const { swap_id: id, target_amount: bought } = await swapOf(at, { source_amount: '10.00' })
  const day = daysAfter(await today(), 2)
  const typed = `--sold 10.02 USD --bought ${bought} EUR --settles-on ${day} --reason dealt by phone`
  const dealing = await propose(anna, [id], typed)
  expect(dealing.line).toContain('result -0.02 USD')
  await as(ben, 'confirm', dealing.id)
  await eventually(() => statusOf(id)).toBe('covered')
  const inFlight = async () =>
    (await listTradesInFlight())
      .filter((one) => one.id === dealing.id)
      .map(({ amount }) => `${amount.amount} ${amount.currency}`)
  expect(await inFlight()).toEqual([`${bought} EUR`, '-10.02 USD'])
  const found = async () => {
    await reconcileWith('rates')
    return serviceFindings('reconciliation', `%${dealing.id}`)
  }
  expect(await found()).toEqual([])
  expect(await refusal(as(anna, 'settled', dealing.id))).toBe('invalid_state')
  expect(await inFlight()).toHaveLength(2)
  await advanceClock(3 * 24 * 3600 + 2 * 3600)
  expect(await found()).toEqual([`trade_not_settled ${dealing.id}`])
  expect(await administer(['covers', 'list', dealing.id])).toContain(`is not settled: sold 10.02 USD`)
  expect(await as(anna, 'settled', dealing.id)).toContain('has settled')
  expect(await found()).toEqual([])
  expect(await inFlight()).toEqual([])
  expect(await checkService()).toEqual([])
})

test('a desk that trades while the dealing is confirmed leaves one booking, whoever is first', async () => {
  for (let time = 0; time < 3; time += 1) {
    refuseTrades()
    const { swap_id: id, target_amount: bought } = await swapOf(at, { source_amount: '10.00' })
    const dealing = await propose(anna, [id], `--sold 10.00 USD --bought ${bought} EUR --reason dealt by phone`)
    answerAsBefore()
    const ref = { organizationId: at.org.id as OrganizationId, id: id as CoverId } // of rows that were just written
    await Promise.allSettled([
      new MockActivityEnvironment().run(tradeCover, ref),
      as(ben, 'confirm', dealing.id),
      new MockActivityEnvironment().run(tradeCover, ref),
    ])
    await advanceClock(600)
    await eventually(() => statusOf(id)).toBe('covered')
  }
  expect(await checkService()).toEqual([])
})

test('operators may confirm a trade of the desk that was too far away, and then nothing is left to find', async () => {
  const found = async (id: string) => {
    await reconcileWith('rates')
    return serviceFindings('reconciliation', `%${id}`)
  }
  const dealt = async (sold: string) => {
    refuseTrades()
    const { swap_id: id, target_amount: bought } = await swapOf(at, { source_amount: '10.00' })
    const dealing = await propose(anna, [id], `--sold ${sold} USD --bought ${bought} EUR --reason the desk did`)
    await as(ben, 'confirm', dealing.id)
    await eventually(() => statusOf(id)).toBe('covered')
    await owner`
      insert into sandbox_trades (id, body_hash, sell, buy) values (${id}, '',
        ${owner.json({ amount: '15.00', currency: 'USD' })}, ${owner.json({ amount: bought, currency: 'EUR' })})`
    return id
  }
  const [same, other] = [await dealt('15.00'), await dealt('14.00')]
  expect(await found(same)).toEqual([])
  expect(await found(other)).toEqual([`trade_of_no_cover ${other}`])
})

test('the audit finds a share that was changed, and bookings at a desk that are no cover’s', async () => {
  const [booked] = await owner<{ cover_id: string; dealing_id: string }[]>`
    select d.cover_id, d.dealing_id from dealt_covers d join covers c on c.id = d.cover_id
    where d.confirmed and c.status = 'covered' order by d.dealing_id limit 1`
  if (!booked) throw new Error('a dealing was booked')
  const alter = (by: string) =>
    tamper(
      (tx) =>
        tx`update dealt_covers set sold_amount = sold_amount + ${by}::numeric where cover_id = ${booked.cover_id}`,
    )
  await alter('0.01')
  expect(await checkService()).toEqual([{ check: 'dealing_differs', subject: booked.dealing_id }])
  await alter('-0.01')
  const [organizationId, money] = [at.org.id as OrganizationId, { amount: '5.00', currency: 'USD' }]
  const key = `settlement:${booked.dealing_id}`
  const legs = [debit(system('fx_result'), money), credit(system('bank'), money)]
  await asSystem(organizationId, (tx) => post(tx, [{ key, organizationId, legs }]))
  expect(await checkService()).toEqual([{ check: 'desk_of_no_cover', subject: key }])
  await tamper(
    (tx) => tx`
      with gone as (delete from ledger_transfers where key = ${key} returning id)
      delete from ledger_entries where transfer_id in (select id from gone)`,
  )
  expect(await checkService()).toEqual([])
})

test('what cannot be understood, or is of no open cover, is refused', async () => {
  const id = '01a00000-0000-7000-8000-000000000000'
  const typed = '--sold 10.00 USD --bought 9.19 EUR --reason x'
  expect(await refusal(propose(anna, [id], typed))).toBe('not_found')
  expect(await refusal(propose(anna, [id], '--sold 10.00 USD --bought 9.19 EUR'))).toMatch(/not understood/)
  expect(await refusal(propose(anna, [id], typed.replace('10.00', '10.001')))).toBe('amount_precision')
  expect(
    await refusal(propose(anna, [id], `${typed} --settles-on`.replace('--reason', '--settles-on 2026-02-30 --reason'))),
  ).toBe('unprocessable_entity')
})
