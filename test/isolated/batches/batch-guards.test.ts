import { expect, test } from 'vitest'
import { heavy, main } from '../../../activities/index.ts'
import type { BatchId, OrganizationId } from '../../../domain/ids.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { api, approvalPath, approve, contact, fund, organization, person } from '../../support/api.ts'
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
  const pays = (contactId: string, destinationId: string) => ({
    payment_contact_id: contactId,
    destination_id: destinationId,
  })
  const change = (set: Record<string, string>) => owner`
    update payment_batch_rows set ${owner(set)} where payment_batch_id = ${batch}`
  await change(pays(own.contactId, own.destinationId))
  for (const wrong of [
    { payment_batch_id: theirBatch },
    pays(own.contactId, another.destinationId),
    pays(theirs.contactId, theirs.destinationId),
  ]) {
    await expect(change(wrong)).rejects.toMatchObject({ code: '23503' })
  }
})
