/** People who brought the accounts of a batch. */
import { expect, test } from 'vitest'
import {
  ANNA,
  BERT,
  CORA,
  bankAt,
  batchOf,
  paid,
  payerOfTwo,
  setSettings,
  toName,
} from '../../support/account-changes.ts'
import { submit } from '../../support/batches/batches.ts'
import { approvalOf } from '../../support/approvals/approvals.ts'
import { TERMS, changeRow, fileOf, imported, rowsOf } from '../../support/batches/imports.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

test('an account that only a row names was changed by who added or imported the row, and who changed its account', async () => {
  const { id, boss, admin, contactOf } = await payerOfTwo()
  await paid(boss, (await contactOf({}, bankAt(ANNA))).id)
  await setSettings(boss, id, { account_change_hours: 0 })
  const changersOf = async (batchId: string) => {
    const { subject } = await approvalOf((await submit(boss, batchId)).body, boss)
    return subject.payment_batch.account_change.changes[0].changed_by.map(({ id: person }: { id: string }) => person)
  }
  const changed = async (cells: object) => {
    const batchId = await batchOf(boss, id, toName('Supplier GmbH', BERT))
    const [row] = await rowsOf(boss, batchId)
    expect((await changeRow(admin, batchId, row.id, cells)).status).toBe(200)
    return changersOf(batchId)
  }
  expect(await changed({ amount: '11.00' })).toEqual([boss.userId])
  expect(await changed({ iban: CORA })).toEqual([boss.userId, admin.userId].toSorted())
  const file = fileOf(`,,Supplier GmbH,${BERT},10.00,EUR,${TERMS}`)
  const drafted = await batchOf(boss, id, toName('Supplier GmbH', CORA))
  await imported(admin, drafted, file)
  expect(await changersOf(drafted)).toEqual([admin.userId])
})
