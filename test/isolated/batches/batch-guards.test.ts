import { expect, test } from 'vitest'
import { heavy, main } from '../../../activities/index.ts'
import { sealCells } from '../../../db/batches/cells.ts'
import type { BatchId, OrganizationId } from '../../../domain/ids.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { type TestPerson, api, approvalPath, approve, contact, fund, organization, person } from '../../support/api.ts'
import { joined, setRules } from '../../support/approvals/approvals.ts'
import {
  IBAN,
  approved,
  draftOf,
  drive,
  outcomes,
  payPage,
  submit,
  submitted,
  violations,
} from '../../support/batches/batches.ts'
import { owner } from '../../support/database.ts'
import { closeGate, installGates } from '../../support/faults/gates.ts'
import { fileOf, importFile, newBatch, readBatch, toHandle, uploaded } from '../../support/batches/imports.ts'
import { remove } from '../../support/organizations/members.ts'
import { longTest } from '../../support/model-runs.ts'

const boss = await person({ authenticator: true })
const payer = await organization(boss, 'Payer')
await Promise.all([fund(payer.id, '100.00'), fund(payer.id, '100.00', 'EUR')])
const one = await organization(await person(), 'Payee')
await installGates({
  create: { on: 'insert on payment_batch_rows', when: 'new.row_number = 5001' },
  settle: { on: 'insert on payment_contacts', when: 'new.one_time' },
})

test('a row that was priced for the bank, and is paid by service ID when it is submitted again, costs nothing', async () => {
  const before = await submitted(boss, payer.id, [{ iban: IBAN, amount: '10.00' }])
  expect(before.fees).toHaveLength(1)
  await api('POST', `${approvalPath(before)}/reject`, { token: boss.token, body: { reason: 'By service ID' } })
  await owner`
    update payment_batch_rows set rail = 'svc_id', currency = 'USD', svc_id = ${one.svcId},
      payee_organization_id = ${one.id}, fingerprint = null
    where payment_batch_id = ${before.id}`
  const { body: batch } = await submit(boss, before.id)
  expect(batch.fees).toEqual([])
  await approve(boss, batch)
  await payPage(batch)
  const [payment] = await owner`
    select deducting_amount, landing_amount, fee_amount from payments where payment_batch_id = ${batch.id}`
  expect(payment).toEqual({ deducting_amount: '10.00', landing_amount: '10.00', fee_amount: '0.00' })
  expect(await violations(payer.id)).toEqual([])
})

test('only accounts that money comes to are opened, whatever else is in the page', async () => {
  const payee = await organization(await person(), 'Payee')
  const poor = await organization(boss, 'Poor')
  const batch = await approved(boss, payer.id, [
    { svc: payee, amount: '1.00' },
    { iban: IBAN, amount: '2.00' },
  ])
  await payPage(batch)
  const unpaid = await approved(boss, poor.id, [{ iban: IBAN, amount: '2.00' }])
  await payPage(unpaid)
  expect(await outcomes(batch.id)).toEqual(['succeeded', 'submitted'])
  expect(await outcomes(unpaid.id)).toEqual(['failed insufficient_funds'])
  const open = (id: string) =>
    owner`select currency from ledger_accounts where organization_id = ${id} and kind = 'held'`
  expect(await open(payee.id)).toEqual([{ currency: 'USD' }])
  expect(await open(poor.id)).toEqual([])
})

test('cells that were exchanged since the batch was submitted are not paid, and the rest is', async () => {
  const batch = await submitted(boss, payer.id, [
    { iban: IBAN, amount: '2.00' },
    { iban: IBAN, amount: '3.00' },
  ])
  const [row] = await owner<{ id: string }[]>`
    select id from payment_batch_rows where payment_batch_id = ${batch.id} and row_number = 1`
  if (!row) throw new Error('it has two rows')
  const cells = {
    amount: '2.00',
    currency: 'EUR',
    payout_reason: 'services',
    statement_description: 'Pay of June',
    account_holder_name: 'Jane Doe',
    iban: 'NL91ABNA0417164300',
  }
  const sealed = sealCells(row.id, { cells, more: [], short: false })
  await owner`update payment_batch_rows set sealed = ${sealed} where id = ${row.id}`
  expect((await approve(boss, batch)).status).toBe(200)
  await payPage(batch)
  expect(await outcomes(batch.id)).toEqual(['failed destination_missing', 'submitted'])
  expect(await violations(payer.id)).toEqual([])
})

test('if nobody may approve what they ask for, the submitter may not, and what is given outlives who gave it', async () => {
  const other = await organization(boss, 'Careful')
  await fund(other.id, '10.00')
  const [first, second] = (await joined(other.id, 'admin', 2)) as [TestPerson, TestPerson]
  const steps = [{ required: 2, roles: ['owner', 'admin'] }]
  await setRules(other.id, boss, [{ action_type: 'payment_batch', steps, self_approval: false }])
  const batch = await submitted(boss, other.id, [{ svc: one, amount: '2.00' }])
  const refused = await approve(boss, batch)
  expect([refused.status, refused.body.error.type]).toEqual([403, 'requester_cannot_approve'])
  expect((await approve(first, batch)).body.status).toBe('pending')
  expect((await approve(second, batch)).body.status).toBe('approved')
  for (const gone of [first, second]) expect((await remove(boss, other.id, gone.userId)).status).toBe(200)
  expect((await drive(batch)).status).toBe('completed')
  expect(await violations(other.id)).toEqual([])
})

longTest('the approval of who leaves before the last one counts no more, and another one is asked for', async () => {
  const other = await organization(boss, 'Careful')
  await fund(other.id, '10.00')
  const [first, second] = (await joined(other.id, 'admin', 2)) as [TestPerson, TestPerson]
  await setRules(other.id, boss, [
    { action_type: 'payment_batch', steps: [{ required: 2, roles: ['owner', 'admin'] }] },
  ])
  const batch = await submitted(boss, other.id, [{ svc: one, amount: '2.00' }])
  expect((await approve(first, batch)).body.status).toBe('pending')
  expect((await remove(boss, other.id, first.userId)).status).toBe(200)
  expect((await approve(second, batch)).body.status).toBe('pending')
  expect(await outcomes(batch.id)).toEqual(['valid'])
  expect((await approve(boss, batch)).body.status).toBe('approved')
  expect((await drive(batch)).status).toBe('completed')
})

longTest('what a member has submitted who leaves is approved and paid all the same', async () => {
  const other = await organization(boss, 'Payer')
  await fund(other.id, '10.00')
  const [member] = (await joined(other.id, 'admin', 1)) as [TestPerson]
  const batch = await submitted(member, other.id, [{ svc: one, amount: '2.00' }])
  expect((await remove(boss, other.id, member.userId)).status).toBe(200)
  expect((await approve(boss, batch)).body.status).toBe('approved')
  expect((await drive(batch)).status).toBe('completed')
  expect(await violations(other.id)).toEqual([])
})

test('paused after a page, a batch goes on with the next one when its organization is back', async () => {
  const other = await organization(boss, 'Payer')
  await fund(other.id, '10.00')
  const batch = await approved(
    boss,
    other.id,
    Array.from({ length: 501 }, () => ({ svc: one, amount: '0.01' })),
  )
  const organizationId = other.id as OrganizationId
  await payPage(batch)
  await moveOrganization(organizationId, 'pause')
  await payPage(batch)
  expect(new Set((await outcomes(batch.id)).slice(0, 500))).toEqual(new Set(['succeeded']))
  expect((await outcomes(batch.id)).at(-1)).toBe('valid')
  await moveOrganization(organizationId, 'resume')
  expect((await drive(batch)).status).toBe('completed')
})

test('a batch without a rule of its own waits for 30 days', async () => {
  const batch = await submitted(boss, payer.id, [{ svc: one, amount: '1.00' }])
  const [row] = await owner`
    select expires_at - inserted_at = interval '30 days' as whole from approvals where id = ${batch.approval_request_id}`
  expect(row).toEqual({ whole: true })
})

test('while a file is imported, its batch says how many rows are read, and has none of them yet', async () => {
  const id = (await newBatch(boss, payer.id)) as BatchId
  const file = await uploaded(boss, id, fileOf(...Array.from({ length: 5001 }, () => toHandle(one.svcId))))
  const ref = { id, organizationId: payer.id as OrganizationId }
  expect((await importFile(boss, id, file)).body).toMatchObject({ status: 'importing', rows_processed: 0 })
  const gate = await closeGate('create', payer.id)
  const importing = heavy.importBatch(ref)
  await gate.waiting()
  expect(await readBatch(boss, id)).toMatchObject({ status: 'importing', rows_processed: 5000, rows_total: 0 })
  expect(await main.viewBatch(ref)).toMatchObject({ says: 'Imports its file: 5000 rows are read.' })
  await gate.open()
  await importing
  expect(await readBatch(boss, id)).toMatchObject({ status: 'draft', rows_processed: 0, rows_total: 5001 })
})

test('an organization with money is not deleted; one that has paid all of it is, and what was not begun is skipped', async () => {
  const other = await organization(boss, 'Payer')
  const id = other.id as OrganizationId
  await fund(id, '5.00')
  const batch = await approved(
    boss,
    id,
    Array.from({ length: 501 }, () => ({ svc: one, amount: '0.01' })),
  )
  await expect(moveOrganization(id, 'delete')).rejects.toMatchObject({ type: 'invalid_state' })
  await payPage(batch)
  await moveOrganization(id, 'delete')
  expect((await drive(batch)).status).toBe('partially_completed')
  expect((await outcomes(batch.id)).slice(-2)).toEqual(['succeeded', 'skipped'])
  expect(await violations(id)).toEqual([])
})

test('a payee who is deleted while a page is paid fails the row, and the others are paid', async () => {
  const other = await organization(boss, 'Payer')
  const payee = await organization(await person(), 'Payee')
  await fund(other.id, '10.00')
  const batch = await approved(boss, other.id, [
    { svc: payee, amount: '1.00' },
    { svc: one, amount: '2.00' },
  ])
  const gate = await closeGate('settle', other.id)
  const paying = payPage(batch)
  const refused = expect(paying).rejects.toMatchObject({ code: 'BF004' }) // the whole page is paid again
  await gate.waiting()
  await moveOrganization(payee.id as OrganizationId, 'delete')
  await gate.open()
  await refused
  expect((await drive(batch)).status).toBe('partially_completed')
  expect(await outcomes(batch.id)).toEqual(['failed payee unavailable', 'succeeded'])
  expect(await violations(other.id)).toEqual([])
})

test('a row refers to a batch, and to a contact with its destination, of its own organization', async () => {
  const [mine, foreign] = [await organization(boss, 'Mine'), await organization(boss, 'Foreign')]
  const contactOf = async ({ id }: { id: string }) => {
    const contactId = await contact(boss, id, one.svcId)
    const [row] = await owner<{ id: string }[]>`
      select id from payment_destinations where payment_contact_id = ${contactId}`
    return { contactId, destinationId: row?.id ?? '' }
  }
  const [own, another, theirs] = [await contactOf(mine), await contactOf(mine), await contactOf(foreign)]
  const batch = await draftOf(boss, mine.id, [{ svc: one, amount: '1.00' }])
  const theirBatch = await draftOf(boss, foreign.id, [])
  const none = '00000000-0000-4000-8000-000000000000'
  const pays = (contactId: string, destinationId: string) => ({
    payment_contact_id: contactId,
    destination_id: destinationId,
  })
  const change = (set: object) => owner`
    update payment_batch_rows set ${owner(set as Record<string, string>)} where organization_id = ${mine.id}`
  const add = (set: object) => owner`
    insert into payment_batch_rows
    select (jsonb_populate_record(r, ${owner.json({ row_number: 2, ...set })} || jsonb_build_object('id', gen_random_uuid()))).*
    from payment_batch_rows r where payment_batch_id = ${batch} and row_number = 1`
  for (const write of [change, add]) {
    await write(pays(own.contactId, own.destinationId))
    for (const wrong of [
      { payment_batch_id: theirBatch },
      { payment_batch_id: none },
      pays(own.contactId, another.destinationId),
      pays(theirs.contactId, theirs.destinationId),
      pays(none, own.destinationId),
      pays(own.contactId, none),
    ]) {
      await expect(write({ row_number: 3, ...wrong })).rejects.toMatchObject({ code: '23503' })
    }
  }
})
