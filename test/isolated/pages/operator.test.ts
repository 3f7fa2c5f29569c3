/** Pages of operators: behind their token alone, read only, accessible. */
import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['OPERATOR_TOKEN'] = 'a token of operators that is long enough'
})

import { baseUrl, createPayment, payerAndPayee } from '../../support/api.ts'
import { DESK, expectSound, openTab } from '../../support/pages/browser.ts'

test('without the token nothing is shown; with it, what is open, since when, and the command for it', async () => {
  const { boss, contactId } = await payerAndPayee()
  const { id } = await createPayment(boss, contactId)
  const tab = await openTab(null, { viewport: DESK })
  const { page } = tab
  for (const path of ['/operate', `/operate/processes/${id}`]) {
    await page.goto(path)
    expect(await page.getByText('payment').count()).toBe(0)
  }
  await expectSound(tab)
  await page.getByLabel('Operator token').fill('not this one')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Operator token').fill('a token of operators that is long enough')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Processes' }).waitFor()
  await page.getByRole('row', { name: /payment awaiting_approval 1/ }).waitFor()
  await expectSound(tab)
  await page
    .getByRole('row', { name: /payment awaiting_approval/ })
    .getByRole('link')
    .click()
  await page.getByText(`payment-${id}`).first().waitFor()
  await page.getByText(`npm run admin -- processes restart ${id}`).waitFor()
  await expectSound(tab)
})

test('the last hour is drawn: answers, the slowest of them, and what nobody has looked at', async () => {
  const { watchLastHour } = await import('../../../pages/last-hour.ts')
  const { stop } = watchLastHour(50)
  const { page } = await openTab(null, { viewport: DESK })
  await page.goto('/operate')
  await page.getByLabel('Operator token').fill('a token of operators that is long enough')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Processes' }).waitFor()
  await expect
    .poll(async () => {
      await page.reload()
      return page.getByRole('img', { name: /^(Answers a minute|p99|Seconds of the oldest)/ }).count()
    })
    .toBe(3)
  await page.getByRole('row', { name: /^partners/ }).waitFor() // the queue, with its pollers
  stop()
})

test('the mark of an operator is no session, ends after eight hours, and cannot be made without the token', async () => {
  const form = new URLSearchParams({ token: 'a token of operators that is long enough' })
  const headers = { origin: baseUrl, 'sec-fetch-site': 'same-origin' }
  const answer = await fetch(`${baseUrl}/operate/sign-in`, { method: 'POST', body: form, headers, redirect: 'manual' })
  const [cookie = ''] = answer.headers.getSetCookie()
  expect(cookie).toMatch(/^operator=.+; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(cookie).not.toContain('token of operators')
  const mark = cookie.slice('operator='.length, cookie.indexOf(';'))
  const [until = '', hash = ''] = decodeURIComponent(mark).split('.')
  const shown = async (operator: string) =>
    (await fetch(`${baseUrl}/operate`, { headers: { cookie: `operator=${operator}` } })).text()
  expect(await shown(mark)).toContain('Processes')
  for (const forged of [`${Number(until) + 1}.${hash}`, `${until}.`, `${Date.now() - 1}.${hash}`, until, ''])
    expect(await shown(forged)).toContain('Operator token')
})
