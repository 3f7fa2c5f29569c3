/** Payees on pages alone: added once, approved by another person, then paid. */
import { expect, test } from 'vitest'
import { ANNA, BERT, asked, bankAt, moveTo, paid, payerOfTwo } from '../../support/account-changes.ts'
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
  await page.getByRole('button', { name: 'Add a payee' }).click()
  await page.getByRole('alert').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Hansa Logistik GmbH') // nothing is typed twice
  await page.getByLabel('IBAN').fill('DE89370400440532013000')
  await page.getByRole('button', { name: 'Add a payee' }).click()
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

test('a payee is completed, its bank is asked, and it gets another account on a desk in dark', async () => {
  const { id, boss, contactOf } = await payerOfTwo()
  const { id: contactId } = await contactOf({}, bankAt(ANNA, { account_holder_name: 'Close Match Ltd' }))
  await contactOf({ name: 'Has an address', payee_address: { town: 'Köln', country_code: 'DE' } }, bankAt(BERT))
  const read = async () => (await api('GET', `/payment-contacts/${contactId}`, { token: boss.token })).body
  const tab = await openTab(boss, { viewport: DESK, colorScheme: 'dark' })
  const { page } = tab
  await page.goto(`/o/${id}/payees`)
  await page.getByLabel('Without an address').check()
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText('address missing').waitFor()
  expect(await page.getByText('Has an address').count()).toBe(0)
  await expectSound(tab)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'All without an address' }).click()
  expect((await download).suggestedFilename()).toBe('incomplete-payment-contacts.csv')
  await page.getByRole('link', { name: 'Supplier GmbH' }).click()
  await expectSound(tab)
  await page.getByRole('link', { name: 'Change details' }).click()
  await page.getByLabel('Street').fill('Größenweg')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').waitFor() // no town
  expect(await page.getByLabel('Street').inputValue()).toBe('Größenweg')
  await expectSound(tab)
  await page.getByLabel('Town').fill('Köln')
  await page.getByLabel('Country').selectOption('AT')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  expect(await read()).toMatchObject({
    name: 'Supplier GmbH',
    payee_address: { street: 'Größenweg', town: 'Köln', country_code: 'AT' },
  })
  await page.getByRole('button', { name: 'Ask the bank about the name' }).click()
  await page.getByText('The account belongs to a similar name.').waitFor()
  await expectSound(tab)
  await page.goto(`/o/${id}/payees/${contactId}`)
  await page.getByRole('link', { name: 'Show the whole number' }).click()
  await page.getByText(ANNA).waitFor()
  await page.getByRole('link', { name: 'Add an account' }).click()
  await page.getByLabel('Country').selectOption('DE')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('Account holder').fill('Supplier GmbH')
  await page.getByLabel('IBAN').fill('DE89370400440532013001')
  await page.getByLabel('Pay at this account from now on').check()
  await page.getByRole('button', { name: 'Add an account' }).click()
  await page.locator('#iban-wrong').waitFor()
  await expectSound(tab)
  await page.getByLabel('IBAN').fill(BERT)
  await page.getByRole('button', { name: 'Add an account' }).click()
  await page.getByText('Done. Where your policy').waitFor()
  await expectSound(tab)
  const { destinations } = await read()
  expect(destinations.map((one: { default: boolean }) => one.default)).toEqual([false, true])
  const old = page.locator(`#account-${destinations[0].id}`)
  await old.getByText('Remove the account').first().click()
  await old.getByRole('button', { name: 'Remove the account' }).click()
  await page.getByText('Saved.').waitFor()
  expect((await read()).destinations).toHaveLength(1)
  await page.getByText('Remove the payee').first().click()
  await page.getByRole('button', { name: 'Remove the payee' }).click()
  await page.getByText('The payee is removed.').waitFor()
  expect((await contacts(id, boss.token)).map(({ name }: { name: string }) => name)).toEqual(['Has an address'])
})

test('a changed account is confirmed by a call, with a proof, on a phone without script', async () => {
  const { id, boss, admin, contactOf } = await payerOfTwo()
  const { id: contactId } = await contactOf({}, bankAt(ANNA))
  await paid(boss, contactId)
  const account = await moveTo(boss, contactId, BERT)
  await expect(asked(boss, contactId, '5.00')).rejects.toThrow('account_cooling_off')
  const { page } = await openTab(admin, { viewport: PHONE, javaScriptEnabled: false })
  await page.goto(`/o/${id}/payees/${contactId}`)
  const card = page.locator(`#account-${account}`)
  await card.getByText('This account has changed').waitFor()
  await card.getByLabel('Spoken to').fill('Erna Muster')
  await card.getByLabel('Note').fill('By the number of the contract')
  await card.getByRole('button', { name: 'The payee confirmed it' }).click()
  await page.getByLabel('Code of your authenticator').fill(await admin.totp())
  await page.getByRole('button', { name: 'Confirm with code' }).click()
  await page.getByText('The call is recorded.').waitFor()
  const { body } = await api('GET', `/payment-destinations/${account}`, { token: boss.token })
  expect(body.call_back).toMatchObject({ spoken_to: 'Erna Muster', note: 'By the number of the contract' })
})
