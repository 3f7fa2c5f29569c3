/** `npm run histories`: walks the paths of payments and batches on a date and records their histories. */
import { expect, vi } from 'vitest'
import type { OrganizationId } from '../../domain/ids.ts'
import { approve, fund, organization, person } from '../support/api.ts'
import { draftOf, ended, submit } from '../support/batches/batches.ts'
import { owner } from '../support/database.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { moveOrganization } from '../support/organizations/status.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { usePartners } from '../support/partners/partners.ts'
import { become, payerBy } from '../support/payments/payouts.ts'
import {
  businessDay,
  moveToHour,
  moveToLastHour,
  onDate,
  scheduled,
  unschedule,
} from '../support/payments/schedules.ts'
import { until } from '../support/until.ts'
import { useWorker } from '../support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-schedules-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
usePartners()
useWorker({ whole: true })

/** Waits until the run of a row has looked at its latest change, and waits for its day. */
const isSeen = (id: string) =>
  until('its run to have seen that', async () => {
    const [process] = await owner`select unseen_since from processes where id = ${id}`
    return process && !process['unseen_since']
  })

/** An approved batch that pays 4.00 on its day, from these funds. */
async function batchOnDay(funds: string) {
  const boss = await person({ authenticator: true, name: PRIVATE.firstName })
  const [payer, payee] = [await organization(boss, PRIVATE.payee), await organization(await person(), 'Payee')]
  await fund(payer.id, funds)
  const draft = await draftOf(boss, payer.id, [{ svc: payee, amount: '4.00' }])
  const day = await businessDay()
  const { body: batch } = await submit(boss, draft, { execute_on: day })
  await approve(boss, batch)
  await isSeen(batch.id)
  return { payer, batch, day }
}

recordPaths({
  async 'payment-scheduled-then-paid'() {
    const at = await payerBy('fiat')
    const day = await businessDay()
    const made = await scheduled(at, day)
    await isSeen(made.id)
    await moveToHour(day, 6)
    await become(at, made, 'succeeded')
    return runOf('payment', made.id)
  },
  async 'payment-scheduled-then-unscheduled'() {
    const at = await payerBy('fiat')
    const made = await scheduled(at, await businessDay())
    await isSeen(made.id)
    expect((await unschedule(at.boss, made)).status).toBe(200)
    return runOf('payment', made.id)
  },
  async 'payment-scheduled-then-given-up'() {
    const at = await payerBy('fiat', '10.00')
    const day = await businessDay()
    const made = await scheduled(at, day)
    await moveToLastHour(made, day)
    await become(at, made, 'failed')
    return runOf('payment', made.id)
  },
  async 'payment-scheduled-too-late'() {
    const at = await payerBy('fiat')
    const day = await businessDay(1)
    const made = await onDate(at, day)
    await isSeen(made.id)
    await moveToHour(day, 0)
    await become(at, made, 'cancelled')
    return runOf('payment', made.id)
  },
  async 'payment-batch-scheduled'() {
    const { batch, day } = await batchOnDay('10.00')
    await moveToHour(day, 6)
    await ended(batch.id)
    return runOf('payment-batch', batch.id)
  },
  async 'payment-batch-put-off-then-paid'() {
    const { payer, batch, day } = await batchOnDay('1.00')
    await moveToHour(day, 6)
    await until('it to be put off', async () => {
      const [row] = await owner`select from payment_schedules where id = ${batch.approval_request_id} and refused <> ''`
      return row
    })
    await isSeen(batch.id)
    await fund(payer.id, '10.00')
    await moveToHour(day, 10)
    await ended(batch.id)
    return runOf('payment-batch', batch.id)
  },
  async 'payment-batch-day-given-up'() {
    const { payer, batch, day } = await batchOnDay('10.00')
    await moveOrganization(payer.id as OrganizationId, 'pause')
    await moveToHour(day, 17)
    await ended(batch.id)
    return runOf('payment-batch', batch.id)
  },
})
