/** Payments on a date: what blocks them on their day, who ends them before, and what nobody can do twice. */
import { expect, test } from 'vitest'
import { executeScheduled } from '../../../activities/schedules.ts'
import type { OrganizationId, PaymentId } from '../../../domain/ids.ts'
import { api, approvalPath, approve, join, payerAndPayee, paymentBody, person } from '../../support/api.ts'
import { nameSubstitute } from '../../support/approvals/substitutions.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { remove } from '../../support/organizations/members.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { become, cancel, eventsOf, holdings, payerBy, read, violations } from '../../support/payments/payouts.ts'
import {
  businessDay,
  moveTo,
  moveToHour,
  onDate,
  putOff,
  scheduled,
  unschedule,
} from '../../support/payments/schedules.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

test('an approval that is still pending when the day begins expires', async () => {
  const at = await payerBy('fiat')
  const day = await businessDay(1)
  const made = await onDate(at, day)
  const { body: asked } = await api('GET', approvalPath(made), { token: at.boss.token })
  expect(asked.expires_at).toBe(`${day}T00:00:00Z`)
  await moveToHour(day, 0)
  const late = await approve(at.boss, made)
  expect(refusal(late)).toEqual([409, 'approval_expired'])
  expect(await become(at, made, 'cancelled')).toMatchObject({
    status_detail: 'approval expired',
    schedule: { state: 'done' },
  })
})

test('its requester ends a payment before its day begins, once, and its money was never held', async () => {
  const at = await payerBy('fiat')
  const day = await businessDay()
  const made = await onDate(at, day)
  const waiting = await unschedule(at.boss, made)
  expect([...refusal(waiting), waiting.body.error.details.reason]).toEqual([
    409,
    'payment_not_scheduled',
    'waits_for_approval',
  ])
  await approve(at.boss, made)
  await moveTo(new Date(Date.parse(`${day}T00:00:00Z`) - 2000).toISOString())
  const ended = await unschedule(at.boss, made)
  const shown = { status: 'cancelled', status_detail: 'unscheduled', schedule: { state: 'done' } }
  expect([ended.status, ended.body]).toMatchObject([200, shown])
  expect((await unschedule(at.boss, made)).body).toMatchObject(shown) // a repeat
  expect((await eventsOf(at, made)).slice(-2)).toEqual(['payment.scheduled', 'payment.unscheduled'])
  await moveToHour(day, 7)
  expect(await read(at, made)).toMatchObject(shown)
  expect(await holdings(at, at.payer.id)).toEqual({ available: 900, held: 0 })
  expect(await violations(at, at.payer.id)).toEqual([])
})

test('who may decide a payment, also as a substitute, may end it without a proof, and no other member', async () => {
  const at = await payerBy('fiat')
  const [admin, member] = [await person({ authenticator: true }), await person()]
  await join(at.payer.id, admin, 'admin')
  await join(at.payer.id, member, 'member')
  const day = await businessDay()
  const made = await scheduled(at, day)
  expect(refusal(await unschedule(member, made))).toEqual([404, 'not_found'])
  await setRules(at.payer.id, at.boss, [{ steps: [{ required: 1, roles: ['owner'] }] }])
  const ofOwners = await scheduled(at, day, '50.00')
  const refused = await unschedule(admin, ofOwners)
  expect([...refusal(refused), refused.body.error.details.reason]).toEqual([
    403,
    'forbidden',
    'only_requester_or_approver',
  ])
  expect((await unschedule(admin, made)).status).toBe(200)
  await nameSubstitute(at.boss, at.payer.id, admin)
  expect((await unschedule(admin, ofOwners)).status).toBe(200)
})

test('when its day has begun, without one, or when it is paid, a payment cannot be taken back', async () => {
  const at = await payerBy('fiat')
  const day = await businessDay()
  const made = await scheduled(at, day)
  await moveToHour(day, 0)
  const begun = await unschedule(at.boss, made)
  expect(begun.body.error).toMatchObject({
    type: 'payment_not_scheduled',
    details: { reason: 'day_has_begun', current: 'submitted' },
  })
  const cancelling = await cancel(at, made)
  expect(cancelling.body.error).toMatchObject({
    type: 'payment_not_cancellable',
    details: { current: 'submitted', allowed: ['unschedule', 'submit', 'miss'], reason: 'waits_for_its_day' },
  })
  await moveToHour(day, 6)
  await become(at, made, 'succeeded')
  expect((await unschedule(at.boss, made)).body.error.details).toMatchObject({ reason: 'already_executed' })
})

test('while the organization is paused a payment is tried later, and its money stays where it is', async () => {
  const at = await payerBy('fiat')
  const day = await businessDay()
  const made = await scheduled(at, day)
  await moveOrganization(at.payer.id as OrganizationId, 'pause')
  await moveToHour(day, 6)
  expect((await putOff(made, 10)).refused).toBe('organization_unavailable')
  await moveOrganization(at.payer.id as OrganizationId, 'resume')
  await owner`update organizations set books_stopped_at = business_now() where id = ${at.payer.id}`
  await moveToHour(day, 10)
  expect((await putOff(made, 14)).refused).toBe('ledger_unbalanced')
  await owner`update organizations set books_stopped_at = null where id = ${at.payer.id}`
  await moveToHour(day, 14)
  await become(at, made, 'succeeded')
})

test('a payee that is gone on the day fails the payment, and nothing is held', async () => {
  const { boss, payee, contactId } = await payerAndPayee('100.00')
  const day = await businessDay()
  const body = { ...paymentBody(contactId), execute_on: day }
  const { body: made } = await api('POST', '/payments', { token: boss.token, body })
  await approve(boss, made)
  await moveOrganization(payee.id as OrganizationId, 'ban')
  await moveToHour(day, 6)
  const failed = await become({ boss, contact: contactId, rail: 'fiat' }, made, 'failed')
  expect(failed.status_detail).toBe('not paid on its day: payee unavailable')
  expect(await owner`select from ledger_transfers where key like ${`payment:${made.id}:%`}`).toHaveLength(0)
})

test('a contact that is paid on a date cannot be deleted before', async () => {
  const at = await payerBy('fiat')
  await scheduled(at, await businessDay())
  const answer = await api('DELETE', `/payment-contacts/${at.contact}`, { token: at.boss.token })
  expect(refusal(answer)).toEqual([409, 'contact_in_use'])
})

test('with its organization a payment ends that waits for its day, as one that waits for approval does', async () => {
  const at = await payerBy('fiat')
  const made = await scheduled(at, await businessDay())
  expect(await moveOrganization(at.payer.id as OrganizationId, 'ban')).toMatchObject({ cancelled: 1 })
  const [row] = await owner`select status, status_detail from payments where id = ${made.id}`
  expect(row).toEqual({ status: 'cancelled', status_detail: 'organization banned' })
})

test('a call of the partner before the day makes no payment', async () => {
  const at = await payerBy('fiat')
  const made = await scheduled(at, await businessDay())
  await owner`select record_payment_callback(${made.id}, 1)`
  await executeScheduled({ id: made.id as PaymentId, organizationId: at.payer.id as OrganizationId })
  expect(await read(at, made)).toMatchObject({ status_detail: 'scheduled' })
})

test('a step that is taken again, or by two workers at once, holds the money once', async () => {
  const at = await payerBy('fiat')
  const made = await scheduled(at, await businessDay())
  const ref = { id: made.id as PaymentId, organizationId: at.payer.id as OrganizationId }
  await owner`update payment_schedules set try_at = business_now(), starts_at = business_now() where id = ${made.id}`
  await Promise.all([executeScheduled(ref), executeScheduled(ref), executeScheduled(ref)])
  await executeScheduled(ref)
  const held = await owner`select from ledger_transfers where key = ${`payment:${made.id}:reserve`}`
  expect(held).toHaveLength(1)
  await become(at, made, 'succeeded')
  expect((await eventsOf(at, made)).filter((type) => type === 'payment.submitted')).toHaveLength(1)
})

test('of taking a payment back and making it at the same moment exactly one happens', async () => {
  const at = await payerBy('fiat')
  const outcomes: string[] = []
  for (const first of ['unschedule', 'execute', 'both', 'both', 'both', 'both']) {
    const made = await scheduled(at, await businessDay(), '1.00')
    const ref = { id: made.id as PaymentId, organizationId: at.payer.id as OrganizationId }
    // as if its day had begun for the step, and not yet for the request
    await owner`update payment_schedules set try_at = business_now() where id = ${made.id}`
    if (first === 'execute') await executeScheduled(ref)
    const [answer] = await Promise.all([
      unschedule(at.boss, made),
      first === 'unschedule' ? null : executeScheduled(ref),
    ])
    if (first === 'unschedule') await executeScheduled(ref)
    const ended = await become(at, made, 'succeeded', 'cancelled')
    const held = await owner`select from ledger_transfers where key = ${`payment:${made.id}:reserve`}`
    expect([answer.status, held.length]).toEqual(ended.status === 'cancelled' ? [200, 0] : [409, 1])
    outcomes.push(ended.status)
  }
  expect(new Set(outcomes).size).toBe(2)
  // the audit finds what was held before its day began, as it was here
  const early = (await violations(at, at.payer.id)).map(({ check }: { check: string }) => check)
  expect(early).toEqual(outcomes.filter((one) => one === 'succeeded').map(() => 'reserved_before_its_day'))
})

test('a payment whose requester has left is made on its day: it was approved', async () => {
  const at = await payerBy('fiat')
  const admin = await person()
  await join(at.payer.id, admin, 'admin')
  const day = await businessDay()
  const made = await onDate({ ...at, boss: admin }, day)
  expect((await approve(at.boss, made)).status).toBe(200)
  expect((await remove(at.boss, at.payer.id, admin.userId)).status).toBe(200)
  await moveToHour(day, 6)
  await become(at, made, 'succeeded')
})
