/** Bills on pages alone: files handed in, read, settled and paid, whatever the browser sends again. */
import { expect, test } from 'vitest'
import { LAYOUTS } from '../../../dev/sample-bills/layouts.ts'
import { printBill } from '../../../dev/sample-bills/printed.ts'
import { electronic } from '../../../dev/sample-bills/electronic.ts'
import { plain } from '../../support/bills/changed.ts'
import { type TestPerson, api, fund, organization, person } from '../../support/api.ts'
import { provenanceOf, whenRead } from '../../support/bills/bills.ts'
import { send } from '../../support/pages/addresses.ts'
import { DESK, PHONE, expectSound, openTab } from '../../support/pages/browser.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

async function payer() {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss, 'Payer')
  await fund(id, '10000.00', 'EUR')
  return { boss, id }
}

const listed = async (boss: TestPerson, id: string): Promise<any[]> =>
  (await api('GET', `/organizations/${id}/bills`, { token: boss.token })).body.data

const PDF = async () => ({
  name: 'Rechnung März.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from(await printBill(plain(), LAYOUTS[0]!)),
})
const xml = (name: string, text: string) => ({ name, mimeType: 'text/xml', buffer: Buffer.from(text) })

test('on a phone, without script, a file becomes a bill, and the bill one payment', async () => {
  const { boss, id } = await payer()
  const { page } = await openTab(boss, { viewport: PHONE, javaScriptEnabled: false })
  await page.goto(`/o/${id}`)
  await page.getByRole('link', { name: 'Bills', exact: true }).click()
  await page.getByText('No bills yet').waitFor()
  await page.getByLabel('Hand in bills').setInputFiles(await PDF())
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await page.getByText('Handed in. It is being read.').waitFor()
  const [bill] = await listed(boss, id)
  await whenRead(boss, bill.id)
  await page.goto(`/o/${id}/bills`)
  await page.getByText('119.00').filter({ visible: true }).first().waitFor()
  await page.getByRole('link', { name: bill.supplier_name ?? plain().seller.name }).click()
  expect(await page.getByLabel('Amount').inputValue()).toBe('119.00')
  await page.getByText('Read on page 1').first().waitFor()
  const picture = page.getByRole('img', { name: 'Page 1 of the bill' })
  expect(await picture.evaluate((image: any) => image.decode().then(() => image.naturalWidth > 100))).toBe(true)
  await page.getByRole('link', { name: 'Pay this bill' }).click()
  await page.getByText('DE02 1203 0000 0000 2020 51').first().waitFor()
  await page.getByText('119.20 EUR').filter({ visible: true }).first().waitFor() // with its fee
  const key = await page.locator('input[name=key]').inputValue()
  await page.getByRole('button', { name: 'Ask for approval' }).click()
  await page.getByText('The payment is asked for').waitFor()
  const again = await send(`/o/${id}/bills/${bill.id}/pay`, new URLSearchParams({ key }), { session: boss.token })
  expect([again.status, again.headers.get('location')]).toEqual([303, `/o/${id}/bills/${bill.id}?done=asked`])
  await page.goBack() // as a person who is not sure
  await page.getByRole('link', { name: 'The payment', exact: true }).waitFor()
  const payments = (await api('GET', `/organizations/${id}/payments`, { token: boss.token })).body.data
  expect(payments).toMatchObject([{ landing: { amount: '119.00', currency: 'EUR' }, status: 'awaiting_approval' }])
  expect(await listed(boss, id)).toMatchObject([{ status: 'payment_requested', fiat_outgoing_id: payments[0].id }])
})

test('on a desk in dark, several files are each taken or refused, a doubt is settled, and a copy is known', async () => {
  const { boss, id } = await payer()
  const tab = await openTab(boss, { viewport: DESK, colorScheme: 'dark' })
  const { page } = tab
  const good = electronic(plain({ number: 'G-1' }), 'ubl-peppol')
  const doubtful = electronic(plain({ number: 'D-1' }), 'cii-en16931').replaceAll(
    'DE02120300000000202051',
    'DE03120300000000202051',
  )
  await page.goto(`/o/${id}/bills`)
  await expectSound(tab)
  await page
    .getByLabel('Hand in bills')
    .setInputFiles([
      xml('good.xml', good),
      { name: 'notes.docx', mimeType: 'application/octet-stream', buffer: Buffer.from('PK\u0003\u0004 no bill') },
      xml('doubtful.xml', doubtful),
    ])
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await page.getByText('One file was refused.').waitFor()
  await page.getByText('2 files are being read.').waitFor()
  await expectSound(tab)
  const bills = await listed(boss, id)
  expect(bills).toHaveLength(2)
  const read = await Promise.all(bills.map((bill) => whenRead(boss, bill.id)))
  const doubt = read.find(({ bill_number: number }) => number === 'D-1')
  expect(doubt.doubts.map(({ code }: { code: string }) => code)).toContain('wrong_check_digits')
  await page.goto(`/o/${id}/bills/${doubt.id}`)
  await page.getByText('Its check digits are wrong').first().waitFor()
  await expectSound(tab)
  await page.getByRole('textbox', { name: 'IBAN' }).fill('DE02 1203 0000 0000 2020 51')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await expectSound(tab)
  const settled = (await listed(boss, id)).find((bill) => bill.id === doubt.id)
  expect(settled).toMatchObject({ iban: 'DE02120300000000202051', doubts: [], amount: '119.00' })
  const typed = (await provenanceOf(boss, doubt.id)).filter(({ method }) => method === 'user')
  expect(typed.map(({ field }) => field)).toEqual(['iban']) // what was not touched stays what was read
  await page.getByRole('link', { name: 'Pay this bill' }).click()
  await page.getByRole('heading', { name: 'This is what would be done' }).waitFor()
  await expectSound(tab)
  await page.getByLabel('I have compared it with the other bill').check() // of the same amount and day
  await page.getByRole('button', { name: 'Ask for approval' }).click()
  await page.getByText('The payment is asked for').waitFor()
  expect((await listed(boss, id)).map(({ status }) => status).toSorted()).toEqual(['extracted', 'payment_requested'])
})

test('a bill is typed, said to be paid already, and put away', async () => {
  const { boss, id } = await payer()
  const tab = await openTab(boss, { viewport: DESK })
  const { page } = tab
  await page.goto(`/o/${id}/bills`)
  await page.getByRole('link', { name: 'Type a bill' }).click()
  await page.getByLabel('Supplier', { exact: true }).fill('Papier & Co')
  await page.getByLabel('Amount').fill('1,2,3')
  await page.getByLabel('Currency').fill('eur')
  await page.getByRole('button', { name: 'Save the bill' }).click()
  await page.getByText('The amount is not clear').first().waitFor()
  expect(await page.getByLabel('Supplier', { exact: true }).inputValue()).toBe('Papier & Co') // nothing is typed twice
  await page.getByLabel('Amount').fill('1,250.50')
  await page.getByRole('button', { name: 'Save the bill' }).click()
  await page.getByText('Missing before it can be paid').waitFor()
  await expectSound(tab)
  expect(await listed(boss, id)).toMatchObject([{ amount: '1250.50', currency: 'EUR', supplier_name: 'Papier & Co' }])
  await page.getByRole('link', { name: 'Pay this bill' }).click()
  await page.getByText('The payment cannot be asked for yet').waitFor()
  await page.getByRole('link', { name: 'Complete the bill' }).click()
  await page.getByLabel('Nothing to pay because').selectOption('paid')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('paying it again would pay it twice', { exact: false }).first().waitFor()
  await page.getByText('Put away', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Put away' }).click()
  await page.getByText('This bill was put away').waitFor()
  await page.goto(`/o/${id}/bills?show=closed`)
  await page.getByRole('link', { name: 'Papier & Co' }).waitFor()
  await expectSound(tab)
  expect(await listed(boss, id)).toMatchObject([{ status: 'cancelled' }])
})
