/** Exchange, plan and accounting program on pages alone. */
import { expect, test } from 'vitest'
import { api, organization, payerAndPayee, person } from '../../support/api.ts'
import { DESK, PHONE, expectSound, openTab } from '../../support/pages/browser.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { subscriptionOf } from '../../support/subscriptions.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

test('money is exchanged once on a phone without script, at a rate that is shown first', async () => {
  const { payer, boss } = await payerAndPayee('100.00')
  const { page } = await openTab(boss, { viewport: PHONE, javaScriptEnabled: false })
  await page.goto(`/o/${payer.id}/books/exchange`)
  await page.getByLabel('Amount', { exact: true }).fill('1,2,3')
  await page.getByRole('button', { name: 'Show the rate' }).click()
  await page.getByText('The amount is not clear').first().waitFor()
  expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('1,2,3')
  await page.getByLabel('Amount', { exact: true }).fill('10')
  await page.getByLabel('To balance').selectOption('EUR')
  await page.getByRole('button', { name: 'Show the rate' }).click()
  await page.getByText('firm for one minute').waitFor()
  await page.getByRole('button', { name: 'Exchange now' }).click()
  await page.getByText('Exchanged.').waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Exchange now' }).click() // as a person who is not sure
  await page.getByText('was made already').waitFor()
  const { data } = (await api('GET', `/organizations/${payer.id}/swaps`, { token: boss.token })).body
  expect(data).toMatchObject([{ source_amount: '10.00', source_currency: 'USD', target_currency: 'EUR' }])
})

test('a plan is selected by a proof, ended and kept on a desk in dark', async () => {
  const { payer, boss } = await payerAndPayee('100.00')
  const tab = await openTab(boss, { viewport: DESK, colorScheme: 'dark' })
  const { page } = tab
  const by = { boss, id: payer.id }
  await page.goto(`/o/${payer.id}/books/plan`)
  await expectSound(tab)
  await page.locator('summary', { hasText: 'Select' }).first().click()
  await page.getByRole('button', { name: 'Select this plan' }).first().click()
  const id = await page.locator('input[name=step_up]').first().inputValue()
  await api('POST', `/sandbox/step-up/${id}/decide`, { body: { decision: 'allow' } })
  await page.getByLabel('Code of your authenticator').fill('123456')
  await page.getByRole('button', { name: 'Confirm with code' }).click()
  await page.getByText('its first month is paid').waitFor()
  await expectSound(tab)
  await page.locator('summary', { hasText: 'End the plan' }).click()
  await page.getByRole('button', { name: 'End with the month' }).click()
  await page.getByText('The plan ends with its month.').waitFor()
  expect((await subscriptionOf(by)).scheduled_effective_date).not.toBeNull()
  await page.locator('.card').first().getByRole('button', { name: 'Keep this plan' }).click()
  await page.getByText('The plan stays as it is.').waitFor()
  expect(await subscriptionOf(by)).toMatchObject({ status: 'active', scheduled_effective_date: null })
})

test('an accounting program is connected by a link, and accounts are chosen for it', async () => {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss)
  const tab = await openTab(boss, { viewport: DESK })
  const { page } = tab
  await page.goto(`/o/${id}/books/accounting`)
  await expectSound(tab)
  await page.getByRole('button', { name: 'Connect Xero' }).click()
  const stepUp = await page.locator('input[name=step_up]').first().inputValue()
  await api('POST', `/sandbox/step-up/${stepUp}/decide`, { body: { decision: 'allow' } })
  await page.getByLabel('Code of your authenticator').fill('123456')
  await page.getByRole('button', { name: 'Confirm with code' }).click()
  await page.getByRole('link', { name: 'To Xero' }).waitFor()
  await expectSound(tab)
  await page.goto(`/o/${id}/books/accounting/mappings`)
  await page.getByLabel('Fees of payments').fill('404')
  await page.getByText('Card spending').click()
  await page.getByLabel('Rent', { exact: true }).fill('469')
  await expectSound(tab)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const path = `/organizations/${id}/integrations/accounting/mappings`
  expect((await api('GET', path, { token: boss.token })).body.data).toMatchObject([
    { mapping_type: 'bank_fees', source_value: null, account_code: '404' },
    { mapping_type: 'card_category', source_value: 'rent', account_code: '469' },
  ])
})
