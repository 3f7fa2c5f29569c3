import { afterEach, describe, expect, test } from 'vitest'
import { MockActivityEnvironment } from '@temporalio/testing'
import { main } from '../../../activities/index.ts'
import { putTrade } from '../../../activities/clients/rates.ts'
import { coverSwap } from '../../../activities/partners/swaps.ts'
import type { OrganizationId, SwapId } from '../../../db/model/ids.ts'
import { asSystem } from '../../../db/sql.ts'
import { closePosition, swapCover } from '../../../db/swaps/swaps.ts'
import { client } from '../../../temporal/client.ts'
import { reconcile } from '../../support/reconcile.ts'
import { type RunningWorker, startWorker } from '../../../worker.ts'
import { owner } from '../../support/database.ts'
import { fault, usePartners } from '../../support/partners.ts'
import { eventually } from '../../support/runs.ts'
import { COVERED, booksAreClean, coverOf, exchanger, isCovered, setMarket, swapped } from '../../support/swaps.ts'
import { everyNth } from '../../support/model-runs.ts'
import '../../support/temporal-runtime.ts'

usePartners()

let worker: RunningWorker | undefined
const work = async () => {
  worker = await startWorker({ versioned: false, reconciles: false })
}
const rest = async () => {
  const stopping = worker
  worker = undefined
  await stopping?.stop()
}
afterEach(async () => {
  await rest()
  await setMarket('open')
})

const at = await exchanger('100000.00')
const organizationId = at.org.id as OrganizationId // of a row that was just written
const idOf = ({ id }: { id: string }) => id as SwapId
const refOf = ({ id }: { id: string }) => ({ organizationId, id })
const runOf = ({ id }: { id: string }) => client.workflow.getHandle(`swap-${id}`)
const stateOf = async (swap: { id: string }) => (await runOf(swap).describe()).status.name
const detailsOf = async (swap: { id: string }) =>
  (await runOf(swap).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails
const UNCOVERED = { status: 'executed', events: ['swap.executed'], trades: 0 }

describe('whatever the desk does, our position is closed once in the end', () => {
  test.each(everyNth(['ambiguous', 'error', 'rate_limited', 'slow', 'down', 'malformed'] as const, 4))(
    '%s',
    async (name) => {
      const swap = await swapped(at)
      expect(await coverOf(swap)).toEqual(UNCOVERED)
      await fault('rates', name, 2)
      await work()
      await isCovered(swap)
      await eventually(() => stateOf(swap)).toBe('COMPLETED')
      await booksAreClean(at)
    },
  )
})

test('a market that closed meanwhile is waited for, and an operator reads why; the organization has had its money all the while', async () => {
  const swap = await swapped(at)
  await setMarket('closed')
  await work()
  await eventually(() => detailsOf(swap)).toContain('refused: market_closed')
  expect(await coverOf(swap)).toEqual(UNCOVERED)
  const { runId } = await runOf(swap).describe()
  await reconcile() // a run that waits as it should is left alone
  expect(await runOf(swap).describe()).toMatchObject({ runId, status: { name: 'RUNNING' } })
  await setMarket('open')
  await isCovered(swap)
})

test('a run that was ended before it looked is started again; what the desk has done is not done twice', async () => {
  const [ended, done] = [await swapped(at), await swapped(at)]
  for (const swap of [ended, done]) {
    await eventually(() => stateOf(swap).catch(() => 'none')).toBe('RUNNING')
    await runOf(swap).terminate('ended by an operator')
  }
  const cover = await asSystem(organizationId, (tx) => swapCover(tx, idOf(done)))
  await putTrade(idOf(done), cover) // and the worker died before it could note it
  expect(await coverOf(done)).toEqual({ ...UNCOVERED, trades: 1 })
  await work()
  await isCovered(ended)
  await isCovered(done)
})

test('each step answers a repeat as the first time', async () => {
  const swap = await swapped(at)
  const cover = () => new MockActivityEnvironment({ attempt: 3 }).run(coverSwap, refOf(swap))
  for (let call = 0; call < 2; call += 1) {
    expect(await main.lookAtSwap(refOf(swap))).toMatchObject({ again: false, status: 'executed', due_now: true })
  }
  await Promise.all([cover(), cover()])
  await cover()
  await asSystem(organizationId, (tx) => closePosition(tx, idOf(swap)))
  expect(await coverOf(swap)).toEqual(COVERED)
  for (let call = 0; call < 2; call += 1) {
    expect(await main.lookAtSwap(refOf(swap))).toMatchObject({ again: false, status: 'covered', driven: false })
  }
  const [trade] = await owner`select sell, buy from sandbox_trades where id = ${swap.id}`
  expect(trade).toEqual({ sell: { amount: '10.00', currency: 'USD' }, buy: { amount: '9.19', currency: 'EUR' } })
})
