/** Payments on a date: nothing comes before the day, and none spends what another spent. */
import { expect, test } from 'vitest'
import { daysAfter } from '../../../domain/instants.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { api, approve, payerAndPayee, paymentBody, withStepUp } from '../../support/api.ts'
import { ended } from '../../support/batches/batches.ts'
import { owner } from '../../support/database.ts'
import { subjectsTo } from '../../support/identity/identity.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { become, payerBy, read, violations } from '../../support/payments/payouts.ts'
import {
  businessDay,
  businessNow,
  missedOf,
  moveTo,
  moveToHour,
  onDate,
  scheduled,
  scheduledBatch,
  triesOf,
} from '../../support/payments/schedules.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

test('a payment is not tried before its day begins, whatever the clocks of a new time zone say', async () => {
  const at = await payerBy('crypto')
  const path = `/organizations/${at.payer.id}/settings`
  const zone = (time_zone: string) => withStepUp('PATCH', path, { token: at.boss.token, body: { time_zone } })
  await zone('Pacific/Pago_Pago')
  const day = daysAfter((await businessNow()).slice(0, 10), 3)
  await moveTo(`${day}T20:00:00Z`) // nine in the morning of this day there, and ten of the next in Kiritimati
  await zone('Pacific/Kiritimati')
  const made = await onDate(at, daysAfter(day, 1), '1.00')
  const { until: begins } = made.schedule
  expect(begins).toBe(`${daysAfter(day, 1)}T11:00:00Z`)
  expect((await triesOf(made)).next).toBe(begins.replace('Z', '.000Z'))
  expect((await approve(at.boss, made)).status).toBe(200)
  expect(await read(at, made)).toMatchObject({ status_detail: 'scheduled', schedule: { state: 'waiting' } })
  await moveTo(begins)
  await become(at, made, 'succeeded')
  expect(await violations(at, at.payer.id)).toEqual([])
})

test('code that knows no day makes neither a payment nor a batch before it: the database refuses', async () => {
  const at = await payerBy('fiat')
  const day = await businessDay()
  const [waiting, approved] = [await onDate(at, day, '2.00'), await scheduled(at, day, '1.00')]
  for (const { id } of [waiting, approved]) {
    for (const status of ['submitted', 'succeeded'])
      await expect(owner`update payments set status = ${status} where id = ${id}`).rejects.toThrow('before its day')
  }
  const other = await payerAndPayee('500.00')
  const { batch } = await scheduledBatch(other, day, '4.00')
  const pay = () => owner`
    insert into payments select (jsonb_populate_record(null::payments, to_jsonb(p) || jsonb_build_object('id', uuidv7(),
      'organization_id', ${other.payer.id}::text, 'payment_batch_id', ${batch.id}::text, 'approval_request_id', null,
      'status', 'submitted', 'event_id', uuidv7(), 'feed_id', uuidv7(), 'fee_feed_id', null, 'quote_id', null))).*
    from payments p where p.id = ${waiting.id}`
  await expect(pay()).rejects.toThrow('before its day')
  await moveToHour(day, 6)
  await become(at, approved, 'succeeded')
  await ended(batch.id)
})

test('a batch whose organization is paused over its whole day is given up, and not paid when that ends', async () => {
  const at = await payerAndPayee('100.00')
  const { boss, payer } = at
  const day = await businessDay()
  const { batch } = await scheduledBatch(at, day, '4.00')
  await moveOrganization(payer.id as OrganizationId, 'pause')
  await moveToHour(day, 14)
  const now = async () => (await api('GET', `/payment-batches/${batch.id}`, { token: boss.token })).body
  expect(await now()).toMatchObject({ status: 'processing', schedule: { state: 'executing' } })
  await moveToHour(day, 16)
  await ended(batch.id)
  await moveOrganization(payer.id as OrganizationId, 'resume')
  expect(await now()).toMatchObject({ status: 'cancelled', schedule: { state: 'done' } })
  expect(await owner`select from payments where payment_batch_id = ${batch.id}`).toHaveLength(0)
  const [item] = await missedOf(at)
  expect(item.summary).toContain('organization unavailable')
  expect(await subjectsTo(boss.email)).toContain('Your request in "Payer" was not paid on its day')
})

test('payments that are due at the same moment spend what is there and no more, and each of them ends', async () => {
  const { boss, payer, contactId: contact } = await payerAndPayee('4.00')
  const day = await businessDay()
  const made: string[] = []
  for (let n = 0; n < 8; n += 1) {
    const body = { ...paymentBody(contact, '1.00'), execute_on: day }
    const { body: payment } = await api('POST', '/payments', { token: boss.token, body })
    expect((await approve(boss, payment)).status).toBe(200)
    made.push(payment.id)
  }
  const left = () => owner`
    select from payments p join payment_schedules s on s.id = p.id
    where p.id = any (${made}) and p.status = 'scheduled' and s.try_at <= business_now()`
  for (const hour of [6, 10, 14, 16]) {
    await moveToHour(day, hour)
    await until(`all are tried at ${hour}`, async () => (await left()).length === 0)
  }
  const ends = await owner`
    select status, count(*)::int as payments from payments where id = any (${made}) group by 1 order by 1`
  expect(ends).toEqual([
    { status: 'failed', payments: 4 },
    { status: 'succeeded', payments: 4 },
  ])
  expect(await violations({ boss, contact, rail: 'fiat' }, payer.id)).toEqual([])
})
