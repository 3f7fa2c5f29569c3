/** Batches on pages alone: a file is read, faulty rows are mended, the rest is approved and paid. */
import { expect, test } from 'vitest'
import { api, approve, fund } from '../../support/api.ts'
import { payerAndPayee } from '../../support/batches/imports.ts'
import { header, partsOf, row, text } from '../../support/batches/workbooks.ts'
import { zipOf } from '../../support/exports/zip.ts'
import { DESK, PHONE, expectSound, openTab } from '../../support/pages/browser.ts'
import { until } from '../../support/until.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const rowOf = (payee: string, amount: string) =>
  row([payee, amount, 'USD', 'salary', 'Wages of June'].map((cell) => text(cell)))

const batchesOf = async (organizationId: string, token: string) =>
  (await api('GET', `/organizations/${organizationId}/payment-batches`, { token })).body.data

test('a workbook with two faulty rows is mended by its forms and submitted, on a phone without script', async () => {
  const { boss, payer, payee } = await payerAndPayee()
  await fund(payer.id, '100.00', 'USD')
  const { svcId: handle } = payee
  const book = zipOf(partsOf(header + rowOf(handle, '5.00') + rowOf(handle, 'a lot') + rowOf('nobody-at-all', '7.00')))
  const { page } = await openTab(boss, { viewport: PHONE, javaScriptEnabled: false })
  await page.goto(`/o/${payer.id}/batches`)
  await page.getByText('No batches yet').waitFor()
  await page.getByRole('link', { name: 'New batch' }).click()
  await page.getByLabel('Name').fill('Wages of June')
  await page.getByLabel('File').setInputFiles({ name: 'june.xlsx', mimeType: XLSX, buffer: book })
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Its rows are read now.').waitFor()
  await until('the rows to be read', async () => {
    await page.reload()
    return (await page.getByText('2 rows cannot be paid').count()) > 0
  })
  const amount = page.locator('#row-2')
  await amount.getByLabel('Amount').fill('6.00')
  await amount.getByRole('button', { name: 'Save the row' }).click()
  await page.getByText('The row is saved.').waitFor()
  const unknown = page.locator('#row-3')
  await unknown.getByLabel('Service ID').fill('nobody-either')
  await unknown.getByRole('button', { name: 'Save the row' }).click()
  await page.getByText('1 row cannot be paid').first().waitFor()
  expect(await unknown.getByLabel('Service ID').inputValue()).toBe('nobody-either') // with its fault beside it
  await unknown.getByText('Remove the row').first().click()
  await unknown.getByRole('button', { name: 'Remove the row' }).click()
  await page.getByText('The row is removed.').waitFor()
  await page.getByText('2 payments, all approved at once').waitFor()
  await page.getByRole('button', { name: 'Ask for approval' }).click()
  await page.getByText('Sent for approval.').waitFor()
  await page.goBack()
  await page.getByText('waits for approval').waitFor()
  expect(await page.getByRole('button', { name: 'Ask for approval' }).count()).toBe(0)
  const [batch, ...more] = await batchesOf(payer.id, boss.token)
  expect(more).toEqual([])
  expect(batch).toMatchObject({
    name: 'Wages of June',
    status: 'awaiting_approval',
    totals: [{ amount: '11.00', currency: 'USD' }],
  })
  expect((await approve(boss, batch)).status).toBe(200)
  await until('the payments', async () => {
    await page.goto(`/o/${payer.id}/batches/${batch.id}?status=succeeded`)
    return (await page.getByRole('link', { name: 'Payment', exact: true }).count()) === 2
  })
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Results (CSV)' }).click()
  expect((await download).suggestedFilename()).toBe(`results-${batch.id}.csv`)
})

test('rows are added by hand and changed on a desk in dark; a file that cannot be read says why', async () => {
  const { boss, payer, payee } = await payerAndPayee()
  const { svcId: handle } = payee
  const tab = await openTab(boss, { viewport: DESK, colorScheme: 'dark' })
  const { page } = tab
  await page.goto(`/o/${payer.id}/batches/new`)
  await expectSound(tab)
  await page.getByLabel('Name').fill('By hand')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('No rows yet').waitFor()
  await expectSound(tab)
  await page.getByRole('link', { name: 'Add a row' }).click()
  await page.getByLabel('Service ID').fill(handle)
  await page.getByLabel('Amount').fill('12,5,0')
  await page.getByLabel('Currency').fill('USD')
  await page.getByLabel('Purpose').selectOption('rent')
  await page.getByLabel('Text for the payee').fill('Rent of June')
  await expectSound(tab)
  await page.getByRole('button', { name: 'Add a row' }).click()
  await page.getByText('The row is added.').waitFor()
  await expectSound(tab)
  await page.getByRole('link', { name: 'Edit all cells' }).click()
  await page.locator('#row-1').getByLabel('Amount').fill('12.50')
  await page.locator('#row-1').getByLabel('Notes').fill('For the flat')
  await page.getByRole('button', { name: 'Save the row' }).click()
  await page.getByText('The row is saved.').waitFor()
  await page.getByText('12.50 USD').filter({ visible: true }).first().waitFor()
  const [batch] = await batchesOf(payer.id, boss.token)
  const { body } = await api('GET', `/payment-batches/${batch.id}/rows`, { token: boss.token })
  expect(body.data).toMatchObject([
    { status: 'valid', cells: { payee_svc_id: handle, internal_notes: 'For the flat' } },
  ])
  await page
    .getByLabel('File')
    .setInputFiles({ name: 'other.csv', mimeType: 'text/csv', buffer: Buffer.from('name;sum\nA;1') })
  await page.getByRole('button', { name: 'Read the file' }).click()
  await page.getByText('The file could not be read').waitFor()
  await expectSound(tab)
  await page.getByText('Delete the draft').first().click()
  await page.getByRole('button', { name: 'Delete the draft' }).click()
  await page.getByText('The draft is deleted.').waitFor()
  await expectSound(tab)
  expect(await batchesOf(payer.id, boss.token)).toEqual([])
})
