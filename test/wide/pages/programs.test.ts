/** Programs on pages alone: keys and webhooks, whose secrets are shown once, and delegates. */
import type { Page, Response } from 'playwright-core'
import { expect, test } from 'vitest'
import { type TestPerson, api, join, organization, person } from '../../support/api.ts'
import { delegateOf } from '../../support/identity/delegates.ts'
import { keysPath, use } from '../../support/organizations/api-keys.ts'
import { DESK, PHONE, expectSound, openTab, pagesUrl } from '../../support/pages/browser.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { httpReceiver } from '../../support/webhooks/receivers.ts'
import { verified, webhooks } from '../../support/webhooks/webhooks.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

const DARK_DESK = { viewport: DESK, colorScheme: 'dark' } as const

const allow = (id: string) => api('POST', `/sandbox/step-up/${id}/decide`, { body: { decision: 'allow' } })

/** Confirms the proof of identity that a page asks for, and returns its answer. */
async function confirm(page: Page): Promise<Response> {
  await allow(await page.locator('input[name=step_up]').first().inputValue())
  await page.getByLabel('Code of your authenticator').fill('123456')
  const [answer] = await Promise.all([
    page.waitForResponse((one) => one.request().method() === 'POST'),
    page.getByRole('button', { name: 'Confirm with code' }).click(),
  ])
  return answer
}

const secretOn = (page: Page): Promise<string> => page.getByLabel('Secret').inputValue()

const keysOf = async ({ token }: TestPerson, id: string) => (await api('GET', keysPath(id), { token })).body.data

test('a key is made, rotated and revoked; its secret is shown once, and a form that is sent again makes none', async () => {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss)
  const tab = await openTab(boss, DARK_DESK)
  const { page } = tab
  await page.goto(`/o/${id}/programs`)
  await expectSound(tab)
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByText('No keys yet').waitFor()
  await page.getByRole('link', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('Treasury')
  await page.getByLabel('Give money back').check()
  await expectSound(tab)
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByRole('alert').waitFor() // a member gives no money back
  expect(await page.getByLabel('Name').inputValue()).toBe('Treasury')
  await page.getByLabel('Give money back').uncheck()
  await page.getByLabel('Read balances').check()
  await page.getByRole('button', { name: 'Make the key' }).click()
  const made = await confirm(page)
  expect([made.status(), made.headers()['cache-control']]).toEqual([200, 'no-store'])
  const secret = await secretOn(page)
  expect(page.url()).not.toContain(secret)
  expect((await use(secret, id)).status).toBe(200)
  await expectSound(tab)
  await page.reload()
  await page.getByText('This was done already').first().waitFor()
  const [key, ...more] = await keysOf(boss, id)
  expect(more).toEqual([])
  expect(key).toMatchObject({ name: 'Treasury', scopes: ['balances:read'], status: 'active' })
  await page.getByRole('link', { name: 'All keys' }).click()
  await page.getByRole('link', { name: 'Treasury' }).click()
  await expectSound(tab)
  await page.locator('summary', { hasText: 'Another secret' }).click()
  await page.getByRole('button', { name: 'Change the secret' }).click()
  await confirm(page)
  const other = await secretOn(page)
  expect([other === secret, (await use(other, id)).status]).toEqual([false, 200])
  await page.getByRole('link', { name: 'I have kept it' }).click()
  await page.getByText('Earlier secret works until').waitFor()
  await page.locator('summary', { hasText: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByText('The key is revoked.').waitFor()
  expect((await use(other, id)).status).toBe(401)
})

/** Sends a form of the boss as a browser does. */
const send = ({ token }: TestPerson, path: string, fields: readonly (readonly [string, string])[]) =>
  fetch(pagesUrl + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: `session=${token}`, origin: pagesUrl, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
  })

const fieldsIn = (page: string): [string, string][] =>
  [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  ])

test('a form that is sent three times at once makes one key, and one webhook', async () => {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss)
  const prove = async (path: string, fields: readonly (readonly [string, string])[]) => {
    const kept = new Map(fieldsIn(await (await send(boss, path, fields)).text()))
    await allow(kept.get('step_up') ?? '')
    return [...kept.set('method', 'totp').set('code', '123456')]
  }
  const thrice = async (path: string, fields: readonly (readonly [string, string])[]) => {
    const answers = await Promise.all([1, 2, 3].map(() => send(boss, path, fields)))
    return Promise.all(answers.map((answer) => answer.text()))
  }
  const keys = `/o/${id}/programs/keys`
  const shown = await thrice(
    keys,
    await prove(keys, [
      ['name', 'Twice'],
      ['role', 'member'],
      ['key', 'k'],
    ]),
  )
  expect(shown.filter((page) => /svc_test_\w+/.test(page))).toHaveLength(1)
  expect(await keysOf(boss, id)).toHaveLength(1)
  const hooks = `/o/${id}/programs/webhooks`
  const first = [
    ['url', 'https://hooks.example.com/a'],
    ['newest', ''],
    ['key', 'w'],
  ] as const
  const proved = await prove(hooks, first)
  const secrets = (await thrice(hooks, proved)).map((page) => /whsec_[^<\s]+/.exec(page)?.[0])
  expect([new Set(secrets).size, secrets[0]]).toEqual([1, expect.stringContaining('whsec_')])
  expect((await send(boss, hooks, proved)).status).toBe(422) // a reload, much later
  expect((await webhooks(boss, id, 'GET')).body.data).toHaveLength(1)
})

test('a webhook is made, tried, replayed, rotated, turned off and deleted on a desk in dark', async () => {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss)
  const receiver = await httpReceiver((_, response) => response.writeHead(204).end())
  const tab = await openTab(boss, DARK_DESK)
  const { page } = tab
  await page.goto(`/o/${id}/programs/webhooks`)
  await page.getByRole('link', { name: 'New webhook' }).click()
  await page.getByLabel('Address').fill(`http://127.0.0.1:${receiver.port}/events`)
  await page.getByText('organization.*', { exact: true }).click()
  await page.getByLabel('organization.updated').check()
  await expectSound(tab)
  await page.getByRole('button', { name: 'Make the webhook' }).click()
  const made = await confirm(page)
  expect([made.status(), made.headers()['cache-control']]).toEqual([200, 'no-store'])
  const secret = await secretOn(page)
  await expectSound(tab)
  await page.getByRole('link', { name: 'I have kept it' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('A test is on its way.').waitFor()
  await until('the delivery', async () => {
    await page.getByRole('link', { name: 'Look again' }).click()
    return (await page.getByText('HTTP 204').count()) > 0
  })
  expect(verified(receiver, secret)).toMatchObject([{ type: 'webhook_endpoint.test' }])
  await expectSound(tab)
  await page.locator('table a').first().click()
  await expectSound(tab)
  await page.getByRole('button', { name: 'Deliver again' }).click()
  await page.getByText('The event is delivered again.').waitFor()
  await until('the replay', () => Promise.resolve(receiver.received.length === 2))
  await page.getByText('Deliver the events of some days again').click()
  await page.getByLabel('From day').fill('2026-01-01')
  await page.getByRole('button', { name: 'Deliver again' }).click()
  await page.getByText('The events are delivered again.').waitFor()
  await page.locator('summary', { hasText: 'Another secret' }).click()
  await page.getByRole('button', { name: 'Change the secret' }).click()
  const other = await secretOn(page)
  expect(other).not.toBe(secret)
  await page.reload()
  await page.getByText('was changed since the page was opened').waitFor()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('A member turned it off.').waitFor()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('It is on.').waitFor()
  await page.getByRole('link', { name: 'Change', exact: true }).click()
  await page.getByLabel('Description').fill('Books')
  expect(await page.getByLabel('organization.updated').isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Save' }).click()
  const [endpoint] = (await webhooks(boss, id, 'GET')).body.data
  expect(endpoint).toMatchObject({ description: 'Books', types: ['organization.updated'], status: 'active' })
  await page.locator('summary', { hasText: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete the webhook' }).click()
  await page.getByText('The webhook is deleted.').waitFor()
  expect((await webhooks(boss, id, 'GET')).body.data).toEqual([])
})

test('an owner ends a delegate of a member on a phone without script; a member sees none of it', async () => {
  const [boss, member] = [await person(), await person({ authenticator: true, name: 'Ada' })]
  const { id } = await organization(boss)
  await join(id, member, 'member')
  await delegateOf(member, id, { name: 'Helper', kind: 'agent', access: 'read' })
  const { page } = await openTab(boss, { viewport: PHONE, javaScriptEnabled: false })
  await page.goto(`/o/${id}/programs`)
  await page.getByRole('link', { name: 'Delegates' }).click()
  await page.getByText('Ada Person').waitFor()
  await page.locator('summary', { hasText: 'End' }).click()
  await page.getByRole('button', { name: 'End it now' }).click()
  await page.getByText('The delegate is ended.').waitFor()
  const { data } = (await api('GET', `/organizations/${id}/delegates`, { token: boss.token })).body
  expect(data).toMatchObject([{ name: 'Helper', end_reason: 'ended_by_owner' }])
  const tab = await openTab(member)
  await tab.page.goto(`/o/${id}/programs`)
  await tab.page.getByText('Nothing here for you').waitFor()
  await expectSound(tab)
})
