import { expect, test } from 'vitest'
import { main, partners } from '../../../activities/index.ts'
import { sealCells } from '../../../db/batches/cells.ts'
import type { OrganizationId } from '../../../db/model/ids.ts'
import { api, approvalPath, approve, fund, organization, person } from '../../support/api.ts'
import { IBAN, approved, outcomes, submit, submitted, violations } from '../../support/batches.ts'
import { owner } from '../../support/database.ts'

const boss = await person({ authenticator: true })
const payer = await organization(boss, 'Payer')
await Promise.all([fund(payer.id, '100.00'), fund(payer.id, '100.00', 'EUR')])
const one = await organization(await person(), 'Payee')

/** Looks at the batch, and pays a page. */
async function pay({ id }: { id: string }) {
  const ref = { id, organizationId: payer.id as OrganizationId }
  await main.lookAtBatch(ref)
  await partners.payBatchRows(ref)
}

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
  await pay(batch)
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
  await pay(batch)
  const unpaid = await approved(boss, poor.id, [{ iban: IBAN, amount: '2.00' }])
  await partners.payBatchRows({ id: unpaid.id, organizationId: poor.id as OrganizationId })
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
  await pay(batch)
  expect(await outcomes(batch.id)).toEqual(['failed destination_missing', 'submitted'])
  expect(await violations(payer.id)).toEqual([])
})
