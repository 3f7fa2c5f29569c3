import { expect, test } from 'vitest'
import { MAPPED, connectBooks, itemsIn, mapped, synced } from '../../support/accounting/accounting.ts'
import { person } from '../../support/api.ts'
import { sentCreditNote } from '../../support/credit-notes/credit-notes.ts'
import { seller, sentInvoice } from '../../support/invoices/allocations.ts'
import { step } from '../../support/invoices/invoices.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const boss = await person({ authenticator: true })

test('credit notes are in the books once their invoice is, and once, also if they are sent after it', async () => {
  const at = await seller(boss)
  const { tenant_id: tenantId } = await connectBooks(boss, at.id)
  await mapped(boss, at.id, MAPPED)
  const invoice = await sentInvoice(at, '100')
  const first = await sentCreditNote(boss, invoice.id, '20')
  await synced(boss, at.id)
  expect(await itemsIn(tenantId, 'CreditNotes')).toEqual([])
  await step(boss, invoice.id, 'mark-paid')
  expect(await synced(boss, at.id)).toMatchObject({ pushed: 2, failed: 0, skipped: 0 })
  const second = await sentCreditNote(boss, invoice.id, '30')
  expect(await synced(boss, at.id)).toMatchObject({ pushed: 1, failed: 0, skipped: 0 })
  expect(await synced(boss, at.id)).toMatchObject({ pushed: 0, failed: 0, skipped: 0 })
  expect(await itemsIn(tenantId, 'CreditNotes')).toMatchObject([
    { Type: 'ACCRECCREDIT', CreditNoteNumber: first.number, Reference: first.id, Total: 20 },
    { Type: 'ACCRECCREDIT', CreditNoteNumber: second.number, Reference: second.id, Total: 30 },
  ])
})
