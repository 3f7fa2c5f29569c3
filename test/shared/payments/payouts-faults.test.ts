/** Under any fault of a partner, a payment reaches its end and is paid once. */
import { describe, expect, test } from 'vitest'
import { administer } from '../../../admin.ts'
import { owner } from '../../support/database.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import {
  PARTNER,
  become,
  eventsOf,
  holdings,
  payerBy,
  sent,
  taken,
  violations,
} from '../../support/payments/payouts.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'
import { everyNth, fullScale } from '../../support/model-runs.ts'

usePartners()
useWorker()

/** Consecutive faults; the client repeats what it may. */
const FAULTS = [
  ['down', 3],
  ['slow', 1],
  ['error', 3],
  ['rate_limited', 2],
  ['malformed', 3],
  ['ambiguous', 2],
  ['duplicate_callback', 5],
  ['lost_callback', 5],
  ['late_callback', 2],
  ['out_of_order', 2],
] as const

/** Waits until the partner has no callback left and the process has nothing to do. */
const heardOut = ({ id }: { id: string }) =>
  until('the last callback to be handled', async () => {
    const [left] = await owner`select from sandbox_callbacks where subject_id = ${id}
      union all select from partner_callbacks where subject_id = ${id} and handled_at is null
      union all select from processes where id = ${id}`
    return left === undefined
  })

// Each rail has its own partner, and so its own faults.
describe.concurrent.each(['fiat', 'crypto'] as const)('a payment by %s', (rail) => {
  /** In `npm test`, each rail meets a fifth of them, different from the other rail's. */
  const half = rail === 'fiat' ? 0 : 1
  test.sequential.each(everyNth(FAULTS, 5, half * 2))('settles once in spite of %s', async (name, times) => {
    const payer = await payerBy(rail)
    await fault(PARTNER[rail], name, times)
    const payment = await sent(payer)
    const settled = await become(payer, payment, 'succeeded')
    await heardOut(payment)
    const available = 900 - Number(settled.deducting.amount)
    expect(await holdings(payer, payer.payer.id)).toEqual({ available, held: 0 })
    const payouts = await owner`select status from sandbox_payouts where id = ${payment.id}`
    expect(payouts.map((row) => row['status'])).toEqual(['settled'])
    const events = await eventsOf(payer, payment)
    expect(new Set(events).size).toBe(events.length)
    expect(await violations(payer, payer.payer.id)).toEqual([])
  })

  test
    .runIf(fullScale || rail === 'fiat')
    .sequential('whose partner says nothing clear is put on hold, and settles when the partner is back', async () => {
      const payer = await payerBy(rail)
      await fault(PARTNER[rail], 'down', 60)
      const payment = await sent(payer)
      const held = await become(payer, payment, 'on_hold')
      expect(held).toMatchObject({ status_detail: `the ${PARTNER[rail]} gives no clear answer`, cancellable: false })
      expect((await holdings(payer, payer.payer.id)).held).toBe(Number(held.deducting.amount))
      await owner`delete from sandbox_faults where partner = ${PARTNER[rail]}`
      await become(payer, payment, 'succeeded')
      expect(await eventsOf(payer, payment)).toEqual(expect.arrayContaining(['payment.held', 'payment.released']))
      expect(await violations(payer, payer.payer.id)).toEqual([])
    })

  test
    .runIf(fullScale || rail === 'crypto')
    .sequential(
      'that its partner took and does not know any more is never sent again: an operator fails it',
      async () => {
        const { payer, payment } = await taken(rail)
        await owner`delete from sandbox_payouts where id = ${payment.id}`
        await become(payer, payment, 'on_hold')
        expect(await owner`select id from sandbox_payouts where id = ${payment.id}`).toHaveLength(0)
        expect((await holdings(payer, payer.payer.id)).held).toBeGreaterThan(0)
        await administer(['payments', 'fail', payment.id, 'the', 'partner', 'lost', 'it'])
        const failed = await become(payer, payment, 'failed')
        expect(failed.status_detail).toBe('the partner lost it')
        expect(await holdings(payer, payer.payer.id)).toEqual({ available: 900, held: 0 })
        expect(await violations(payer, payer.payer.id)).toEqual([])
      },
    )

  test
    .runIf(fullScale || rail === 'fiat')
    .sequential('that its partner knows is not failed by an operator', async () => {
      const { payment } = await taken(rail)
      const failing = administer(['payments', 'fail', payment.id, 'reason'])
      await expect(failing).rejects.toMatchObject({ type: 'invalid_state' })
    })
})
