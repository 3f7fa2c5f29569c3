/** Payees on pages alone: added once, approved by another person, then paid. */
import { expect, test } from 'vitest'
import { api, join, organization, person } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { DESK, PHONE, expectSound, openTab } from '../../support/pages/browser.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

const contacts = async (organizationId: string, token: string) =>
  (await api('GET', `/organizations/${organizationId}/payment-contacts`, { token })).body.data

test.each([
  ['on a phone', { viewport: PHONE, colorScheme: 'dark' }],
  ['on a desk, without script', { viewport: DESK, javaScriptEnabled: false }],
] as const)('a payee with a bank account is added once %s, with what its country asks for', async (_, shape) => {
  const boss = await person()
  const { id } = await organization(boss)
  await join(id, await person(), 'admin')
  await setRules(id, boss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['admin'] }] }])
  const tab = await openTab(boss, shape)
  const { page } = tab
  const sound = () => ('javaScriptEnabled' in shape ? undefined : expectSound(tab))
  await page.goto(`/o/${id}/payees`)
  await page.getByText('No payees yet').waitFor()
  await sound()
  await page.getByRole('link', { name: 'Add a payee' }).click()
  await page.getByLabel('Country').selectOption('DE')
  await sound()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Hansa Logistik GmbH')
  await page.getByLabel('Account holder').fill('Hansa Logistik GmbH')
  await page.getByLabel('IBAN').fill('DE89370400440532013001') // a wrong check digit
  await page.getByLabel('Town').fill('Köln')
  await sound()
  await page.getByRole('button', { name: 'Ask for approval' }).click()
  await page.getByRole('alert').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Hansa Logistik GmbH') // nothing is typed twice
  await page.getByLabel('IBAN').fill('DE89370400440532013000')
  await page.getByRole('button', { name: 'Ask for approval' }).click()
  await page.getByText('Sent for approval.').waitFor()
  await sound()
  const [one, ...more] = await contacts(id, boss.token)
  expect(more).toEqual([])
  expect(one).toMatchObject({ name: 'Hansa Logistik GmbH', payee_address: { town: 'Köln', country_code: 'DE' } })
  await page.goto(`/o/${id}/payees?q=hansa`)
  await page.getByRole('link', { name: 'Hansa Logistik GmbH' }).click()
  await page.getByRole('link', { name: 'Its approval' }).click()
  await page.getByText('New payee').first().waitFor()
})
