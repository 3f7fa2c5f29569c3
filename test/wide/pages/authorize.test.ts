/** The page that connects a client, in a browser: it is sound, and leads back to the client with a code. */
import { expect, test } from 'vitest'
import { organization, person } from '../../support/api.ts'
import { authorizeUrl, describedClient, newVerifier, tokenOfCode } from '../../support/identity/oauth.ts'
import { expectSound, openTab } from '../../support/pages/browser.ts'
import { httpReceiver } from '../../support/webhooks/receivers.ts'

test('a person connects an agent by a code, and the browser brings the code to it', async () => {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss, 'Books & Co')
  const receiver = await httpReceiver((_request, response) => response.end('connected'))
  const redirect_uri = `http://127.0.0.1:${receiver.port}/callback`
  const client = { ...(await describedClient()), redirect_uri }
  const verifier = newVerifier()
  const tab = await openTab(boss)
  const { page } = tab
  await page.goto(authorizeUrl(client, verifier))
  await expectSound(tab)
  await page.getByLabel('Organization').selectOption(id)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByLabel('Code of your authenticator').fill(await boss.totp())
  await expectSound(tab)
  await page.getByRole('button', { name: 'Confirm with code' }).click()
  await page.waitForURL(`${redirect_uri}?**`)
  expect(await page.textContent('body')).toBe('connected')
  expect((await tokenOfCode(new URL(page.url()), verifier, client)).status).toBe(200)
  expect(tab.faults).toEqual([])
})

test('a request with a fault leads to its client by a click alone', async () => {
  const boss = await person({ authenticator: true })
  const receiver = await httpReceiver((_request, response) => response.end('told'))
  const redirect_uri = `http://127.0.0.1:${receiver.port}/callback`
  const client = { ...(await describedClient()), redirect_uri }
  const tab = await openTab(boss)
  const { page } = tab
  await page.goto(authorizeUrl(client, newVerifier(), { scope: 'everything' }))
  await expectSound(tab)
  expect(receiver.received).toEqual([])
  await page.getByRole('link', { name: 'Tell the program' }).click()
  await page.waitForURL(`${redirect_uri}?error=invalid_scope&**`)
})
