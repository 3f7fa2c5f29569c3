/** Warnings of batches, of payees that look like others, and of payees that move: what a single payment would warn of. */
import { expect, test } from 'vitest'
import { sweepAll } from '../../../temporal/sweep.ts'
import {
  ANNA,
  BERT,
  CORA,
  age,
  bankAt,
  batchOf,
  moveTo,
  paid,
  asked,
  payerOfTwo,
  toContact,
} from '../../support/account-changes.ts'
import { approvalOf, setRules } from '../../support/approvals/approvals.ts'
import { submit } from '../../support/batches/batches.ts'
import { owner } from '../../support/database.ts'
import { mailsTo } from '../../support/identity/identity.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const NOTES = new Set(['first_payment', 'new_country', 'address_missing'])

/** A payer who paid one payee three times, long enough ago to know it. */
async function payer() {
  const at = await payerOfTwo()
  const { boss, id, contactOf } = at
  const known = await contactOf({ name: 'Nordwind Logistik GmbH' }, bankAt(ANNA))
  for (const amount of ['10.00', '11.00', '12.00']) await paid(boss, known.id, amount)
  await owner`update payments set inserted_at = inserted_at - interval '40 days' where organization_id = ${id}`
  const stopsOf = async (request: { organization_id: string; approval_request_id: string }): Promise<string[]> =>
    (await approvalOf(request, boss)).warnings.filter((one: string) => !NOTES.has(one))
  const stopsOfBatch = async (...rows: object[]): Promise<string[]> => {
    const batch = await submit(boss, await batchOf(boss, id, ...rows))
    expect(batch.status, JSON.stringify(batch.body)).toBe(200)
    return stopsOf(batch.body)
  }
  return { ...at, known, stopsOf, stopsOfBatch }
}

test('a payment to a payee whose name differs in one letter says so, also after a small first one; the known payee does not', async () => {
  const { boss, known, contactOf, stopsOf } = await payer()
  const twin = await contactOf({ name: 'Nordwint Logistik GmbH' }, bankAt(BERT))
  expect(await stopsOf(await asked(boss, twin.id, '10.50'))).toEqual(['similar_name'])
  expect(await stopsOf(await paid(boss, twin.id, '1.00'))).toEqual([]) // decided
  expect(await stopsOf(await asked(boss, twin.id, '10.70'))).toEqual(['similar_name'])
  expect(await stopsOf(await asked(boss, known.id, '10.80'))).toEqual([])
  const other = await contactOf({ name: 'Südwind Logistik GmbH' }, bankAt(CORA))
  expect(await stopsOf(await asked(boss, other.id, '10.90'))).toEqual([])
})

test('a batch of ordinary rows has no warning; one row of many is enough for each', async () => {
  const { boss, known, contactOf, stopsOfBatch } = await payer()
  const others = [await contactOf({ name: 'Papierhaus' }, bankAt(CORA)), known]
  const usual = (cents: number) => toContact(known.id, `10.${String(cents).padStart(2, '0')}`)
  const plain = Array.from({ length: 30 }, (_, at) => usual(at + 10))
  expect(await stopsOfBatch(...plain, toContact(others[0]?.id ?? '', '5.00'))).toEqual([])
  expect(await stopsOfBatch(...plain.map((_, at) => usual(at + 50)), toContact(known.id, '120.00'))).toEqual([
    'unusual_amount',
  ])
  const twin = await contactOf({ name: 'Nordwind Logistik AG' }, bankAt(BERT))
  expect(await stopsOfBatch(usual(1), toContact(twin.id, '9.01'))).toEqual(['similar_name'])
  expect(await stopsOfBatch(usual(2), usual(2))).toEqual(['duplicate'])
  await age(await moveTo(boss, known.id, 'DE12500105170648489890'), 100)
  // at its new account the known payee cannot be told from the other one by its name
  expect(await stopsOfBatch(usual(3))).toEqual(['account_changed', 'similar_name'])
})

test('another account of a payee that was paid says so where it is approved; the mail to the approver says it, too', async () => {
  const { boss, admin, id, known, contactOf, stopsOf } = await payer()
  const unpaid = await contactOf({ name: 'Papierhaus' }, bankAt(CORA))
  await setRules(id, boss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['admin'] }] }])
  const requestFor = async (contact: string) => {
    const destination = await moveTo(boss, contact, BERT)
    const [row] = await owner<{ approval_request_id: string }[]>`
      select c.approval_request_id from payment_contacts c join payment_destinations d on d.payment_contact_id = c.id
      where d.id = ${destination}`
    return { organization_id: id, approval_request_id: row?.approval_request_id ?? '' }
  }
  expect(await stopsOf(await requestFor(unpaid.id))).toEqual([])
  await owner`update approvals set next_reminder_at = null where organization_id = ${id}`
  const request = await requestFor(known.id)
  expect(await stopsOf(request)).toEqual(['account_changed'])
  await owner`update approvals set next_reminder_at = business_now() where id = ${request.approval_request_id}`
  await until('its run to wait', async () => {
    return (await owner`select from processes where id = ${known.id} and unseen_since is null`).length > 0
  })
  await owner`update processes set look_at = business_now() where id = ${known.id}`
  await sweepAll()
  const texts = async () => (await mailsTo(admin.email)).map(({ text }) => text)
  await until('the mail', async () =>
    (await texts()).some((text) => text.includes('The payee was last paid at another account.')),
  )
})
