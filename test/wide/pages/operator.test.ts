/** Pages of operators: behind their token alone, read only, accessible. */
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['OPERATOR_TOKEN'] = 'a token of operators that is long enough'
})

import { baseUrl, createPayment, payerAndPayee, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { endOperatorSignIns } from '../../../services/operators/sign-ins.ts'
import { DESK, expectSound, openTab, pagesUrl } from '../../support/pages/browser.ts'

test('without the token nothing is shown; with it, what is open, since when, and the command for it', async () => {
  mkdirSync(process.env['DATA_DIR'] ?? '', { recursive: true }) // whose disk is measured
  const { boss, payer, contactId } = await payerAndPayee()
  const { id } = await createPayment(boss, contactId)
  const endpoint = { url: 'https://gone.example.com/secret', types: [] }
  const { body: hook } = await withStepUp('POST', `/organizations/${payer.id}/webhook-endpoints`, {
    token: boss.token,
    body: endpoint,
  })
  await owner`update webhook_endpoints set status = 'disabled', disabled_reason = 'gone' where id = ${hook.id}`
  await owner`insert into partner_lists (partner, list, read_at) values ('bank', 'payouts', business_now())`
  await owner`insert into partner_callbacks (partner, id, subject, subject_id) values ('bank', '1', 'payment', ${id})`
  const tab = await openTab(null, { viewport: DESK })
  const { page } = tab
  for (const path of ['/operate', `/operate/processes/${id}`]) {
    await page.goto(path)
    expect(await page.getByText('payment').count()).toBe(0)
    await page.getByLabel('Operator token').waitFor()
  }
  await expectSound(tab)
  await page.getByLabel('Operator token').fill('not this one')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Operator token').fill('a token of operators that is long enough')
  await page.keyboard.press('Enter')
  await page.getByText('1 thing needs you').waitFor()
  await page.getByText('No worker answers → start one').waitFor()
  await page.getByRole('heading', { name: 'Processes that wait for people' }).waitFor()
  await page.getByRole('row', { name: /payment awaiting_approval 1/ }).waitFor()
  await page.getByText(/of organization .*: gone.example.com, disabled/).waitFor()
  await page.getByText(/^bank: lists read at .*, called last at .*, 1 callbacks not handled/m).waitFor()
  expect(await page.content()).not.toContain('secret')
  await expectSound(tab)
  await page
    .getByRole('row', { name: /payment awaiting_approval/ })
    .getByRole('link')
    .click()
  await page.getByText(`payment-${id}`).first().waitFor()
  for (const text of ['Payer', '10.00 USD', 'Payee', 'Test Person']) await page.getByText(text).first().waitFor()
  expect(await page.getByText('processes restart').count()).toBe(0) // where nothing polls, it helps nobody
  await expectSound(tab)
  await page.getByRole('link', { name: 'Runbook' }).first().click()
  await page.getByRole('link', { name: 'WorkerAway' }).click()
  await page.getByText(/No worker answers at/).waitFor()
  await expectSound(tab)
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await page.getByRole('link', { name: 'Betrieb', exact: true }).click()
  await page.getByText('1 Sache braucht Sie').waitFor()
})

test('the last hour is drawn: answers, the slowest of them, and what nobody has looked at', async () => {
  const { watchLastHour } = await import('../../../pages/operate/last-hour.ts')
  const { stop } = watchLastHour(50)
  const { page } = await openTab(null, { viewport: DESK })
  await page.goto('/operate')
  await page.getByLabel('Operator token').fill('a token of operators that is long enough')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Processes under way' }).waitFor()
  await expect
    .poll(async () => {
      await page.reload()
      return page.getByRole('img', { name: /^(Answers a minute|p99|Seconds of the oldest)/ }).count()
    })
    .toBe(3)
  await page.getByRole('row', { name: /^bank \d/ }).waitFor() // the queue, with its pollers
  await page.getByRole('row', { name: /^bank fiat, http open Callbacks wait for runs/ }).waitFor()
  stop()
})

const send = (path: string, fields: Record<string, string>, cookie = '', from = baseUrl) =>
  fetch(baseUrl + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: from, 'sec-fetch-site': from === baseUrl ? 'same-origin' : 'cross-site', cookie },
    redirect: 'manual',
  })
const signedIn = async () => {
  const answer = await send('/operate/sign-in', { token: 'a token of operators that is long enough' })
  return answer.headers.getSetCookie()[0] ?? ''
}
const shown = async (mark: string) =>
  (await fetch(`${baseUrl}/operate`, { headers: { cookie: `operator=${mark}` } })).text()
const markIn = (cookie: string) => cookie.slice('operator='.length, cookie.indexOf(';'))

test('the mark of an operator is no session, ends after eight hours, and cannot be made without the token', async () => {
  const cookie = await signedIn()
  expect(cookie).toMatch(/^operator=.+; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(cookie).not.toContain('token of operators')
  const mark = markIn(cookie)
  expect(await shown(mark)).toContain('Processes')
  const [kept] =
    await owner`select encode(mark_hash, 'hex') as hash, expires_at - inserted_at as life from operator_sign_ins`
  expect(kept?.['life']).toBe('08:00:00')
  for (const forged of [`${mark}x`, mark.slice(1), kept?.['hash'], `${Date.now() + 1000}.${'x'.repeat(43)}`, ''])
    expect(await shown(forged)).toContain('Operator token')
  await owner`update operator_sign_ins set expires_at = clock_timestamp()`
  expect(await shown(mark)).toContain('Operator token')
})

test('an operator signs out on every page of theirs, and their mark is good nowhere after it; a command ends all', async () => {
  const [mine, others] = [markIn(await signedIn()), markIn(await signedIn())]
  const { page } = await openTab(null, { viewport: DESK })
  await page.context().addCookies([{ name: 'operator', value: mine, url: pagesUrl, sameSite: 'Strict' }])
  for (const path of [`/operate/processes/${randomUUID()}`, '/operate']) {
    await page.goto(path)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  }
  expect((await send('/operate/sign-out', {}, `operator=${mine}`, 'https://evil.example')).status).toBe(403)
  expect(await shown(mine)).toContain('Processes')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Operator token').waitFor()
  expect([await shown(mine), await shown(others)].map((html) => html.includes('Processes'))).toEqual([false, true])
  expect(await endOperatorSignIns()).toBeGreaterThan(0)
  expect(await shown(others)).toContain('Operator token')
})
