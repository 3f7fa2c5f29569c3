/** Runs of bills on pages alone: bills are chosen from what can be paid, and approved beside their papers. */
import { expect, test } from 'vitest'
import { electronic } from '../../../dev/sample-bills/electronic.ts'
import { LAYOUTS } from '../../../dev/sample-bills/layouts.ts'
import { printBill } from '../../../dev/sample-bills/printed.ts'
import { api, fund, organization, person } from '../../support/api.ts'
import { readBatch, rowsOf } from '../../support/batches/imports.ts'
import { plain } from '../../support/bills/changed.ts'
import { OTHER_IBAN, readBill, typedBill } from '../../support/bills/bills.ts'
import { PHONE, expectSound, openTab } from '../../support/pages/browser.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

test('on a phone, without script, chosen bills become a batch, and its approver sees each with its paper', async () => {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss, 'Payer')
  await fund(id, '10000.00', 'EUR')
  const pdf = Buffer.from(await printBill(plain(), LAYOUTS[0]!))
  const paper = await readBill(boss, id, pdf, 'application/pdf')
  const again = await readBill(boss, id, Buffer.from(electronic(plain(), 'ubl-peppol')), 'application/xml')
  const of = { supplier_name: paper.supplier_name, supplier_tax_id: paper.supplier_tax_id, iban: OTHER_IBAN }
  const credit = await typedBill(boss, id, {
    ...of,
    iban: null,
    amount: '19.00',
    bill_number: 'G-1',
    not_payable: 'credit_note',
  })
  const { page } = await openTab(boss, { viewport: PHONE, javaScriptEnabled: false })
  const tab = await openTab(boss, { viewport: PHONE })
  /** Opens the page of the other tab in one with script, which can look at it. */
  const look = async () => {
    await tab.page.goto(page.url())
    await expectSound(tab)
  }
  await page.goto(`/o/${id}/bills`)
  await page.getByRole('link', { name: 'Pay several bills' }).click()
  await page.getByRole('button', { name: 'Make a batch of these' }).click()
  await page.getByText('Choose at least one bill.').waitFor()
  await look()
  for (const bill of [paper.id, again.id, credit.id]) await page.locator(`input[value="${bill}"]`).check()
  await page.getByRole('button', { name: 'Make a batch of these' }).click()
  await page.getByText('3 bills stayed out:').waitFor() // the two look alike, and without them nothing is credited
  await api('POST', `/bills/${again.id}/cancel`, { token: boss.token, body: {} })
  await page.goto(`/o/${id}/bills/run`)
  for (const bill of [paper.id, credit.id]) await page.locator(`input[value="${bill}"]`).check()
  await page.getByRole('button', { name: 'Make a batch of these' }).click()
  await page.getByText('The bills are in the batch.').waitFor()
  await look()
  const batch = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  expect(await rowsOf(boss, batch)).toMatchObject([{ bill_id: paper.id, amount: { amount: '100.00' } }])
  await page.getByRole('button', { name: 'Ask for approval' }).click()
  await page.getByText('Sent for approval.').waitFor()
  const { approval_request_id: approval } = await readBatch(boss, batch)
  await page.goto(`/approve/${approval}`)
  await page.getByText('The bill that it pays').waitFor()
  const picture = page.getByRole('img', { name: 'First page of the bill of row 1' })
  await picture.scrollIntoViewIfNeeded()
  expect(await picture.evaluate((image: any) => image.decode().then(() => image.naturalWidth > 100))).toBe(true)
  await look()
  await picture.click()
  await page.getByRole('img', { name: 'Page 1 of the bill' }).waitFor()
  await page.goto(`/approve/${approval}/rows`)
  await page.getByRole('link', { name: 'Less a credit note' }).waitFor()
  await page.getByRole('link', { name: 'Bill', exact: true }).click()
  await page.getByText('119.00').first().waitFor()
})
