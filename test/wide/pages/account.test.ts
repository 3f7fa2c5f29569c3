/** A person's way in: an account, its first company, and all that is theirs, on pages alone. */
import { generate } from 'otplib'
import { expect, test } from 'vitest'
import { COUNTRIES } from '../../../domain/country.ts'
import { api, person } from '../../support/api.ts'
import { PASSWORD, codeTo, newEmail, signIn, tokenTo } from '../../support/identity/identity.ts'
import { DESK, expectSound, openTab } from '../../support/pages/browser.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

test('without script on a phone: from no account to a company of one’s own', async () => {
  const email = newEmail()
  const tab = await openTab(null, { javaScriptEnabled: false })
  const { page } = tab
  await page.goto('/')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill('aaaaaaaaaaaa')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('alert').getByText('not one repeated character').waitFor()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { name: 'Look at your mail' }).waitFor()
  await page.goto('/confirm-email')
  await page.getByLabel('Code of the mail').fill(await tokenTo(email))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'Create your company' }).waitFor()
  await page.getByLabel('Name of the company').fill('Analytical Engines')
  await page.getByLabel('Country').selectOption('DE')
  await page.getByLabel('Time zone').selectOption('Europe/Berlin')
  await page.getByRole('button', { name: 'Create the company' }).dblclick()
  await page.getByRole('heading', { name: 'Analytical Engines' }).waitFor()
  const { token } = (await signIn(email)).body
  const { body } = await api('GET', '/organizations', { token })
  expect(body.data).toMatchObject([{ name: 'Analytical Engines', country_code: 'DE', role: 'owner' }])
  const settings = await api('GET', `/organizations/${body.data[0].id}/settings`, { token })
  expect(settings.body).toMatchObject({ time_zone: 'Europe/Berlin', time_zone_from: null })
})

test('the pages of a sign-up, a forgotten password and a first company are sound, in German too', async () => {
  for (const locale of ['en', 'de']) {
    const out = await openTab(null, { locale })
    for (const path of ['/sign-up', '/forgot-password', '/sign-in']) {
      await out.page.goto(path)
      await expectSound(out)
    }
    const tab = await openTab(await person(), { locale, timezoneId: 'Europe/Vienna' })
    await tab.page.goto('/')
    await tab.page.waitForURL('**/companies/new')
    expect(await tab.page.locator('[name=time_zone]').inputValue()).toBe('Europe/Vienna')
    await expectSound(tab)
  }
  const { page } = await openTab(null, { locale: 'de' })
  await page.goto('/sign-in')
  await page.getByLabel('E-Mail-Adresse').fill('nobody@example.com')
  await page.getByLabel('Passwort').fill(PASSWORD)
  await page.getByRole('button', { name: 'Weiter' }).click()
  await page.getByRole('alert').getByText('E-Mail-Adresse oder Passwort ist falsch.').waitFor()
})

test('a forgotten password: the page says the same for every address, and mails the owner', async () => {
  const { email } = await person()
  const { page } = await openTab(null, { javaScriptEnabled: false })
  for (const address of [newEmail(), email]) {
    await page.goto('/sign-in')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('E-mail address').fill(address)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('If there is an account with this address').waitFor()
  }
  expect(await tokenTo(email)).not.toBe('')
})

test('on a dark desk: profile, password, authenticator, codes, sessions and log are one’s own to change', async () => {
  const somebody = await person()
  const other = (await signIn(somebody.email, somebody.password)).body.token
  const tab = await openTab(somebody, { viewport: DESK, colorScheme: 'dark' })
  const { page } = tab
  await page.goto('/me')
  await page.getByLabel('First name').fill('Grace')
  await page.getByLabel('Mails about requests').selectOption('daily')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  expect(await page.getByLabel('Mails about requests').inputValue()).toBe('daily')
  await expectSound(tab)
  await page.getByRole('link', { name: 'Sign-in and devices' }).click()
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByText('You are signed out everywhere else.').waitFor()
  expect((await api('GET', '/me', { token: other })).status).toBe(401)
  await expectSound(tab)
  await page.getByRole('button', { name: 'Set up an authenticator' }).click()
  const secret = (await page.locator('p code').textContent()) ?? ''
  await page.getByLabel('Code that the app shows').fill('000000')
  await page.getByLabel('Code of the message').fill(await codeTo(somebody.email))
  await page.getByRole('button', { name: 'Set up an authenticator' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Code that the app shows').fill(await generate({ secret }))
  await page.getByLabel('Code of the message').fill(await codeTo(somebody.email))
  await page.getByRole('button', { name: 'Set up an authenticator' }).click()
  await page.getByText('The authenticator is set up.').waitFor()
  await page.getByRole('button', { name: 'Make ten new codes' }).click()
  const epoch = Math.floor(Date.now() / 1000) + 30
  await page.getByLabel('Code of your authenticator').fill(await generate({ secret, epoch }))
  await page.getByRole('button', { name: 'Confirm with code' }).click()
  expect((await page.locator('pre').innerText()).trim().split('\n')).toHaveLength(10)
  await expectSound(tab)
  await page.getByRole('link', { name: 'I have kept them' }).click()
  await page.getByText('10 codes are left.').waitFor()
  await page.getByRole('link', { name: 'Security log' }).click()
  await page.getByRole('cell', { name: 'Authenticator added' }).waitFor()
  await expectSound(tab)
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('link', { name: 'Change the password' }).click()
  await page.getByLabel('Present password').fill('not this one at all')
  await page.getByLabel('New password').fill('the phrase of its owner')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByRole('alert').getByText('The current password is wrong.').waitFor()
  expect(await page.content()).not.toContain('not this one at all')
  await page.getByLabel('Present password').fill(somebody.password)
  await page.getByLabel('New password').fill('the phrase of its owner')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('The password is changed.').waitFor()
  expect((await signIn(somebody.email, 'the phrase of its owner')).status).toBe(200)
  expect((await api('GET', '/me', { token: somebody.token })).body).toMatchObject({
    first_name: 'Grace',
    notify: 'daily',
    totp: { enabled: true },
  })
})

test('each country of ISO 3166-1 can be chosen, also the last of the alphabet', async () => {
  const { page } = await openTab(await person(), { locale: 'en' })
  await page.goto('/companies/new')
  const values = await page
    .locator('[name=country_code] option')
    .evaluateAll((options: any[]) => options.map(({ value }) => value))
  expect(values.filter(Boolean).toSorted()).toEqual([...COUNTRIES].toSorted())
})
