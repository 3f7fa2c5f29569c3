/** Links in mails, in a browser: an address is confirmed, a password set, an invitation accepted. */
import { expect, test } from 'vitest'
import { api, baseUrl, organization, person } from '../../support/api.ts'
import { PASSWORD, newEmail, sentTo, signIn, signUp } from '../../support/identity/identity.ts'
import { invite } from '../../support/invitations/invitations.ts'
import { sent } from '../../support/invoices/public-pages.ts'
import { expectSound, openTab, pagesUrl } from '../../support/pages/browser.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

/** Path and fragment of the link in the newest mail to an address. */
async function linkTo(email: string): Promise<string> {
  const mail = await until('a mail with a link', async () =>
    (await sentTo(email)).find(({ text }) => text.includes('#token=')),
  )
  const link = /https?:\/\/\S+#token=[\w%-]+/.exec(mail.text)?.[0] ?? ''
  return link.slice(new URL(link).origin.length)
}

test('the link of a sign-up confirms the address and signs in; its token stays in no address', async () => {
  const email = newEmail()
  await signUp(email)
  const tab = await openTab(null)
  // from a mail program of another site, which the browser keeps the cookies back from
  await tab.page.goto(`${baseUrl}/sign-in`)
  await tab.page.evaluate(`location.href = ${JSON.stringify(pagesUrl + (await linkTo(email)))}`)
  await tab.page.waitForURL(`${pagesUrl}/confirm-email`)
  await tab.page.getByText(email).waitFor()
  await expectSound(tab)
  await tab.page.getByLabel('Password').fill('the phrase of its owner')
  await tab.page.getByRole('button', { name: 'Confirm' }).click()
  await tab.page.getByRole('heading', { name: 'Create your company' }).waitFor()
  expect((await signIn(email, 'the phrase of its owner')).body.status).toBe('authenticated')
  expect((await signIn(email, PASSWORD)).status).toBe(401)
})

test('a forgotten password is set by the link, also without script', async () => {
  const { email } = await person()
  await api('POST', '/auth/password/forgot', { body: { email } })
  const link = await linkTo(email)
  const { page } = await openTab(null, { javaScriptEnabled: false })
  await page.goto(link)
  await page.getByLabel('Code of the mail').fill('wrong')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Code of the mail').fill(decodeURIComponent(link.split('token=')[1] ?? ''))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(email).waitFor()
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('Sign in with it.').waitFor()
  expect((await signIn(email, PASSWORD)).body.status).toBe('authenticated')
})

test('who is invited makes an account by the link, and joins', async () => {
  const boss = await person()
  const { id } = await organization(boss, 'Inviting')
  const email = newEmail()
  await invite(boss, id, [{ email }])
  const tab = await openTab(null)
  const { page } = tab
  await page.goto(await linkTo(email))
  await page.getByText('Inviting').waitFor()
  await expectSound(tab)
  expect(await page.getByLabel('E-mail address').inputValue()).toBe(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByLabel('E-mail address').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('heading', { name: 'Inviting' }).waitFor()
  const { body } = await api('GET', `/organizations/${id}/members`, { token: boss.token })
  expect(body.data.map((member: { email: string }) => member.email)).toContain(email)
})

test('the page of an invoice is sound in the dark, and says how to pay before all else on a phone', async () => {
  const { token } = await sent({ issue_date: '2020-01-01', due_date: '2020-01-31' })
  const tab = await openTab(null, { colorScheme: 'dark' })
  await tab.page.goto(`/i/${token}`)
  await expectSound(tab)
  const top = async (selector: string) => (await tab.page.locator(selector).first().boundingBox())?.y ?? 0
  expect(await top('.pay')).toBeLessThan(await top('section.parties'))
  expect(await top('.owed')).toBeLessThan(await top('.pay'))
})
