import { beforeEach, expect, test } from 'vitest'
import { sealCells } from '../../../services/batches/cells.ts'
import { stopBooks } from '../../../services/organizations/status.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { asSystem } from '../../../db/postgres/sql.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { type TestOrganization, type TestPerson, api, approve, fund, organization, person } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import {
  IBAN,
  type TestRow,
  approved,
  cancel,
  draftOf,
  drive,
  outcomes,
  payPage,
  payees,
  submit,
  submitted,
  violations,
} from '../../support/batches/batches.ts'
import { tamper } from '../../support/ledger/books.ts'
import { owner } from '../../support/database.ts'
import { BANK } from '../../support/contacts/destinations.ts'
import { longTest } from '../../support/model-runs.ts'
import { businessDay } from '../../support/payments/schedules.ts'

/** No worker runs here: each page is paid when the test says so. */
const boss: TestPerson = await person({ authenticator: true })
const [one, two] = (await payees(2)) as [TestOrganization, TestOrganization]
let payer: TestOrganization
const BOTH = [
  { svc: one, amount: '1.00' },
  { svc: two, amount: '2.00' },
]

beforeEach(async () => {
  payer = await organization(boss, 'Payer')
  await fund(payer.id, '100.00')
})

const rowsOf = (...amounts: string[]) => amounts.map((amount) => ({ svc: one, amount }))
const rowsTo = (count: number) => rowsOf(...Array<string>(count).fill('0.01'))

test('short funds fail rows in their order, and the rest go on; a batch of which nothing was paid has failed', async () => {
  const batch = await approved(boss, payer.id, rowsOf('60.00', '50.00', '40.00', '0.01'))
  expect(await drive(batch)).toMatchObject({ at_rest: true, status: 'partially_completed' })
  const short = 'failed insufficient_funds'
  expect(await outcomes(batch.id)).toEqual(['succeeded', short, 'succeeded', short])
  const [row] = await owner`select rows_succeeded, rows_failed from payment_batches where id = ${batch.id}`
  expect(row).toEqual({ rows_succeeded: 2, rows_failed: 2 })
  expect((await drive(await approved(boss, payer.id, rowsOf('100.01')))).status).toBe('failed')
  expect(await violations(payer.id)).toEqual([])
})

longTest(
  'a page that is paid again pays the rows after it: each row has one payment, with an id of its own',
  async () => {
    const batch = await approved(boss, payer.id, rowsTo(501))
    await Promise.all([payPage(batch), payPage(batch), payPage(batch)])
    expect((await drive(batch)).status).toBe('completed')
    const [paid] = await owner`
    select count(*)::int as payments, count(distinct r.id)::int as rows, sum(p.landing_amount)::text as amount
    from payments p join payment_batch_rows r on r.payment_id = p.id where p.payment_batch_id = ${batch.id}`
    expect(paid).toEqual({ payments: 501, rows: 501, amount: '5.01' })
    expect(await violations(payer.id)).toEqual([])
  },
)

test('cancelled midway, what was not begun is skipped, and what was paid stays', async () => {
  const batch = await approved(boss, payer.id, rowsTo(501))
  await payPage(batch)
  expect((await cancel(boss, batch.id)).body.status).toBe('cancelling')
  expect((await cancel(boss, batch.id)).body.status).toBe('cancelling')
  expect((await drive(batch)).status).toBe('partially_completed')
  const all = await outcomes(batch.id)
  expect([all.filter((one) => one === 'succeeded').length, all[500]]).toEqual([500, 'skipped'])
  expect(await violations(payer.id)).toEqual([])
  expect((await cancel(boss, batch.id)).body.error.type).toBe('invalid_state')
})

test.each<[string, string, TestRow[], string[]]>([
  [
    'after its last row was begun, it is completed if each was paid',
    'completed',
    [...rowsTo(2), { svc: one, amount: '0.01', invalid: true }],
    ['succeeded', 'succeeded', 'skipped'],
  ],
  [
    'after its last row was begun, it is completed in part if one has failed',
    'partially_completed',
    rowsOf('0.01', '100.00'),
    ['succeeded', 'failed insufficient_funds'],
  ],
  ['before its first row, it is cancelled', 'cancelled', rowsTo(2), ['skipped', 'skipped']],
])('cancelled %s', async (_, status, rows, ends) => {
  const { body: batch } = await submit(boss, await draftOf(boss, payer.id, rows), { exclude_invalid: true })
  expect((await approve(boss, batch)).status).toBe(200)
  if (status !== 'cancelled') await payPage(batch)
  expect((await cancel(boss, batch.id)).body.status).toBe('cancelling')
  expect((await drive(batch)).status).toBe(status)
  expect(await outcomes(batch.id)).toEqual(ends)
  expect(await violations(payer.id)).toEqual([])
})

test('while its organization is paused, or its books are stopped, a batch waits and says why', async () => {
  const id = payer.id as OrganizationId
  const batch = await approved(boss, payer.id, rowsTo(1))
  await moveOrganization(id, 'pause')
  await payPage(batch)
  const says = expect.stringContaining('the organization is paused')
  expect(await drive(batch)).toMatchObject({ stopped: true, says })
  await moveOrganization(id, 'resume')
  await asSystem(id, stopBooks)
  await payPage(batch)
  expect(await drive(batch)).toMatchObject({ stopped: true, says: expect.stringContaining('the books are stopped') })
  expect(await outcomes(batch.id)).toEqual(['valid'])
  await owner`update organizations set books_stopped_at = null where id = ${id}`
  expect((await drive(batch)).status).toBe('completed')
})

test.each(['ban', 'delete'] as const)('a %s stops a batch for good: what was not begun is skipped', async (how) => {
  const other = await organization(boss, 'Stopped') // with money it is not deleted
  const batch = await approved(boss, other.id, rowsTo(1))
  await moveOrganization(other.id as OrganizationId, how)
  expect((await drive(batch)).status).toBe('cancelled')
  if (how === 'ban') await moveOrganization(other.id as OrganizationId, 'unban')
  expect(await outcomes(batch.id)).toEqual(['skipped'])
})

const WAITS = ['for its day', 'for its next page'] as const
test.each(WAITS)('a batch that waits %s when its organization is banned pays nothing after the ban', async (what) => {
  const other = await organization(boss, 'Banned')
  await fund(other.id, '10.00')
  const day = what === 'for its day' ? { execute_on: await businessDay(10) } : {}
  const { body: batch } = await submit(boss, await draftOf(boss, other.id, rowsTo(2)), day)
  expect((await approve(boss, batch)).status).toBe(200)
  expect(await moveOrganization(other.id as OrganizationId, 'ban')).toMatchObject({ cancelled: 1 })
  expect(await moveOrganization(other.id as OrganizationId, 'unban')).toMatchObject({ cancelled: 0 })
  await owner`update payment_schedules set try_at = business_now() where id = ${batch.approval_request_id}`
  expect((await drive(batch)).status).toBe('cancelled')
  expect(await outcomes(batch.id)).toEqual(['skipped', 'skipped'])
  const ban = owner`select cause from events where subject_id = ${other.id} and type = 'organization.banned'`
  expect(
    await owner`
    select actor_kind from events
    where subject_id = ${batch.id} and type = 'payment_batch.cancel_requested' and cause = (${ban})`,
  ).toEqual([{ actor_kind: 'admin' }])
  expect(await violations(other.id)).toEqual([])
})

test('a ban lets a batch end whose rows have all begun', async () => {
  const other = await organization(boss, 'Banned')
  await fund(other.id, '10.00')
  const batch = await approved(boss, other.id, rowsTo(1))
  await payPage(batch)
  expect(await moveOrganization(other.id as OrganizationId, 'ban')).toMatchObject({ cancelled: 0 })
  expect((await drive(batch)).status).toBe('completed')
  expect(await outcomes(batch.id)).toEqual(['succeeded'])
})

async function contactAt(...payees: TestOrganization[]) {
  const destinations = payees.map(({ svcId }, index) => ({ type: 'svc_id', svc_id: svcId, default: index === 0 }))
  const body = { name: 'Payee', type: 'business', destinations }
  const made = await api('POST', `/organizations/${payer.id}/payment-contacts`, { token: boss.token, body })
  expect(made.status).toBe(201)
  return { id: made.body.id, destinationId: made.body.destinations[0].id }
}

test('a contact that was put away since, or lost its destination, fails its row; the others are paid', async () => {
  const make = () => contactAt(one, two)
  const [gone, moved, stays] = [await make(), await make(), await make()]
  const rows = [gone, moved, stays].map((contact) => ({ contact, svc: one, amount: '1.00' }))
  const batch = await approved(boss, payer.id, rows)
  expect((await api('DELETE', `/payment-contacts/${gone.id}`, { token: boss.token })).status).toBe(200)
  const at = `/payment-destinations/${moved.destinationId}`
  expect((await api('DELETE', at, { token: boss.token })).status).toBe(200)
  expect((await drive(batch)).status).toBe('partially_completed')
  expect(await outcomes(batch.id)).toEqual(['failed contact_not_approved', 'failed destination_missing', 'succeeded'])
  expect(await violations(payer.id)).toEqual([])
})

test('bank details that are not those that were approved, or do not open, fail their row', async () => {
  await fund(payer.id, '10.00', 'EUR')
  const rows = Array.from({ length: 3 }, () => ({ iban: IBAN, amount: '1.00' }))
  const batch = await submitted(boss, payer.id, rows)
  const [one, other] = await owner<{ id: string }[]>`
    select id from payment_batch_rows where payment_batch_id = ${batch.id} order by row_number`
  const cells = { account_holder_name: 'Else', iban: BANK.iban, currency: 'EUR', amount: '1.00', payout_reason: 'x' }
  const sealed = sealCells(one?.id ?? '', { cells, more: [], short: false })
  await owner`update payment_batch_rows set sealed = ${sealed} where id = any (${[one?.id ?? '', other?.id ?? '']})`
  expect((await approve(boss, batch)).status).toBe(200)
  await drive(batch)
  const gone = 'failed destination_missing'
  expect(await outcomes(batch.id)).toEqual([gone, gone, 'submitted'])
  expect(await violations(payer.id)).toEqual([])
})

test('under a policy that came since, a payee is paid only where an active contact is', async () => {
  await contactAt(one)
  const batch = await approved(boss, payer.id, BOTH)
  await setRules(payer.id, boss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['owner'] }] }])
  await drive(batch)
  expect(await outcomes(batch.id)).toEqual(['succeeded', 'failed contact_not_approved'])
})

test('of payments through the bank 200 at most wait to be taken, in the order of the rows; what it has taken gives way', async () => {
  await fund(payer.id, '500.00', 'EUR')
  const bank = Array.from({ length: 202 }, () => ({ iban: IBAN, amount: '1.00' }))
  const batch = await approved(boss, payer.id, [...bank, { svc: one, amount: '1.00' }])
  expect(await drive(batch)).toMatchObject({ status: 'processing', bank_full: true })
  const before = await outcomes(batch.id)
  expect(before.map((one) => one === 'submitted')).toEqual(Array.from({ length: 203 }, (_, index) => index < 200))
  expect(await violations(payer.id)).toEqual([])
  const take = (count: number) => owner`
    update payments set status = 'processing' where id in (
      select id from payments where payment_batch_id = ${batch.id} and status = 'submitted' order by id limit ${count})`
  await take(99)
  expect(await drive(batch)).toMatchObject({ bank_full: true })
  await take(1)
  expect(await drive(batch)).toMatchObject({ bank_full: false, rows_left: false, payments_under_way: 202 })
})

test.each<[string, (tx: typeof owner, id: string) => Promise<unknown>, string[]]>([
  [
    'a row that is not as it was approved',
    (tx, id) => tx`update payment_batch_rows set payee = 'Else' where payment_batch_id = ${id} and row_number = 1`,
    ['payment_without_approval'],
  ],
  [
    'a row that was added',
    (tx, id) => tx`
      insert into payment_batch_rows (id, organization_id, payment_batch_id, row_number, line, sealed, status, errors,
        warnings, cell_errors, payee, payee_organization_id, rail, amount, currency, payout_reason, statement_description)
      values (gen_random_uuid(), ${payer.id}, ${id}, 9, 9, '', 'valid', '[]', '[]', '[]', 'Else', ${one.id}, 'svc_id', 1,
        'USD', 'services', 'x')`,
    ['batch_row_without_payment', 'payment_without_approval'],
  ],
  [
    'a row of a completed batch that has no payment',
    (tx, id) => tx`update payment_batch_rows set payment_id = null where payment_batch_id = ${id} and row_number = 1`,
    ['batch_row_without_payment', 'payment_of_no_batch_row', 'payment_without_approval'],
  ],
  [
    'a payment to another payee than its row',
    (tx, id) => tx`update payments set payee_organization_id = ${one.id} where payment_batch_id = ${id}`,
    ['payment_without_approval'],
  ],
  [
    'an approval that was never given',
    (tx, id) => tx`update approvals set status = 'rejected' where target_id = ${id}`,
    ['payment_without_approval'],
  ],
  [
    'an approval of another text than its hash',
    (tx, id) => tx`update approvals set subject_hash = 'x' where target_id = ${id}`,
    ['payment_without_approval'],
  ],
])('the audit finds %s', async (_, change, checks) => {
  const batch = await approved(boss, payer.id, BOTH)
  expect((await drive(batch)).status).toBe('completed')
  await tamper((tx) => change(tx, batch.id))
  expect([...new Set((await violations(payer.id)).map((line) => line.split(' ')[0]))]).toEqual(checks)
})

test('rows that changed behind our back since the batch was submitted are not approved', async () => {
  const batch = await submitted(boss, payer.id, rowsTo(1))
  const change = (tx: typeof owner) => tx`update payment_batch_rows set amount = 2 where payment_batch_id = ${batch.id}`
  await expect(change(owner)).rejects.toThrow('does not change')
  await tamper(change)
  const answer = await approve(boss, batch)
  expect([answer.status, answer.body.error?.details.reason]).toEqual([409, 'rows_changed'])
})
