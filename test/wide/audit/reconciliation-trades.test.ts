/** The reconciliation with the rates desk: its trades against the covers that they close. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { owner } from '../../support/database.ts'
import { reconcileWith, runScheduled, serviceFindings } from '../../support/ledger/books.ts'
import { advance as advanceClock } from '../../support/identity/identity.ts'
import { answerAsBefore, answerInstead, usePartnerProxy } from '../../support/partners/proxy.ts'
import { exchanger, isCovered, swapped } from '../../support/swaps.ts'
import { useWorker } from '../../support/worker.ts'

usePartnerProxy()
useWorker({ whole: true })
const run = () => reconcileWith('rates')
const covered = async () => {
  const swap = await swapped(await exchanger())
  await isCovered(swap)
  return swap
}
const found = (id: string) => serviceFindings('reconciliation', `%${id}`)

test('exchanges that are covered agree with the trades, and leave nothing to do', async () => {
  const swap = await covered()
  const answer = await runScheduled('reconciliation-rates')
  expect([answer.records >= 1, answer.unknown]).toEqual([true, 0])
  await advanceClock(2 * 3600)
  await run()
  expect(await found(swap.id)).toEqual([])
})

test('a trade that is missing, of no cover, or of other amounts is the operator’s, until it is there no more', async () => {
  const [missing, other, fine] = [await covered(), await covered(), await covered()]
  const [nobodys, unreadable] = [randomUUID(), await covered()]
  const lost = await owner`delete from sandbox_trades where id = ${missing.id} returning *`
  await owner`update sandbox_trades set buy = '{"amount": "1.00", "currency": "EUR"}' where id = ${other.id}`
  await owner`update sandbox_trades set buy = '{"amount": "1.00", "currency": "XXX"}' where id = ${unreadable.id}`
  await owner`
    insert into sandbox_trades (id, body_hash, sell, buy)
    select ${nobodys}, '', sell, buy from sandbox_trades where id = ${fine.id}`
  await run()
  expect(await found(missing.id)).toEqual([]) // may still arrive
  await advanceClock(601)
  expect((await run()).differences).toBe(3)
  expect(await found(missing.id)).toEqual([`trade_missing ${missing.id}`])
  expect(await found(other.id)).toEqual([`trade_amount_differs ${other.id}`])
  expect(await found(nobodys)).toEqual([`trade_of_no_cover ${nobodys}`])
  expect(await found(unreadable.id)).toEqual([`unreadable_record rates:trades:${unreadable.id}`])
  expect(await found(fine.id)).toEqual([])
  await owner`insert into sandbox_trades (id, body_hash, sell, buy)
    values (${missing.id}, '', ${owner.json(lost[0]?.['sell'])}, ${owner.json(lost[0]?.['buy'])})`
  const [bought] = await owner`select buy from sandbox_trades where id = ${fine.id}`
  await owner`update sandbox_trades set buy = ${owner.json(bought?.['buy'])} where id in ${owner([other.id, unreadable.id])}`
  await advanceClock(25 * 3600)
  await run()
  for (const { id } of [missing, other, unreadable]) expect(await found(id)).toEqual([])
  await owner`delete from sandbox_trades where id = ${nobodys}`
})

test('a swap that the desk refuses for good is told after an hour, also while its list cannot be read, until it is covered', async () => {
  answerInstead((method, path) => {
    if (!path.startsWith('/rates/v1/trades')) return undefined
    return method === 'PUT' ? { status: 422, body: '{"code":"below_minimum"}' } : { status: 400, body: '' }
  })
  const swap = await swapped(await exchanger())
  await expect(run()).rejects.toThrow()
  expect(await found(swap.id)).toEqual([])
  await advanceClock(3601)
  await expect(run()).rejects.toThrow()
  expect(await found(swap.id)).toEqual([`exchange_not_covered ${swap.id}`])
  answerAsBefore()
  await isCovered(swap)
  await run()
  expect(await found(swap.id)).toEqual([])
})
