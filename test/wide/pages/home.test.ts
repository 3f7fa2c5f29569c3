/** First pages: Home of a company, the start page, languages, and the parts of the design. */
import { expect, test } from 'vitest'
import { api, createPayment, join, organization, payerAndPayee, person } from '../../support/api.ts'
import { DESK, PHONE, expectSound, openTab, pagesUrl } from '../../support/pages/browser.ts'

const SHAPES = [
  { viewport: PHONE, colorScheme: 'dark' },
  { viewport: DESK, colorScheme: 'light' },
] as const

test.each(SHAPES)('Home says what there is, what needs the viewer, and what came and went: %j', async (shape) => {
  const { payer, boss, contactId } = await payerAndPayee('100.00')
  await createPayment(boss, contactId, '5.00')
  const tab = await openTab(boss, shape)
  const { page } = tab
  await page.goto('/')
  expect(new URL(page.url()).pathname).toBe(`/o/${payer.id}`)
  for (const text of ['100.00 USD', 'Approve a payment', 'Deposit'])
    await page.getByText(text).filter({ visible: true }).first().waitFor()
  await expectSound(tab)
  await page.getByRole('link', { name: 'Approve a payment' }).click()
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
})

test('a company without anything says so; others than its members find nothing', async () => {
  const [boss, stranger] = [await person(), await person()]
  const { id } = await organization(boss)
  const tab = await openTab(boss)
  await tab.page.goto(`/o/${id}`)
  for (const text of ['No money yet', 'No transactions yet', 'First steps', 'Add a payee'])
    await tab.page.getByText(text, { exact: true }).waitFor()
  await expectSound(tab)
  const other = await openTab(stranger)
  expect((await other.page.goto(`/o/${id}`))?.status()).toBe(404)
  await expectSound(other)
})

test('first steps tick themselves off, and are gone from a company that has taken them all', async () => {
  const { payer, boss, contactId } = await payerAndPayee('100.00')
  const { page } = await openTab(boss, { viewport: DESK })
  const done = page.locator('section', { hasText: 'First steps' }).getByText('done', { exact: true })
  await page.goto(`/o/${payer.id}`)
  expect(await done.count()).toBe(2) // a payee, and money
  await createPayment(boss, contactId, '5.00')
  await page.reload()
  expect(await done.count()).toBe(3)
  await join(payer.id, await person(), 'member')
  await page.reload()
  expect(await page.getByText('First steps').count()).toBe(0)
  await page.getByText('Books are proved').waitFor()
})

test('the pages are in the language that the browser asks for, or that was chosen', async () => {
  const { payer, boss } = await payerAndPayee('100.00')
  const { page } = await openTab(boss, { locale: 'de-DE', viewport: DESK })
  await page.goto(`/o/${payer.id}`)
  await page.getByText('Zu erledigen').waitFor()
  await page.getByText('100,00').first().waitFor()
  await page.locator('.person summary').click()
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByText('What needs you').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/o/${payer.id}`)
})

test.each(SHAPES)('who is not signed in is shown four doors; each part of the design is sound: %j', async (shape) => {
  const tab = await openTab(null, shape)
  await tab.page.goto('/')
  expect(await tab.page.locator('main li').count()).toBe(4)
  await expectSound(tab)
  await tab.page.goto('/design')
  await expectSound(tab)
  expect((await tab.page.goto('/nothing'))?.status()).toBe(404)
  await expectSound(tab)
})

test('each link of each page of a company leads to a page, in both languages', async () => {
  const { payer, boss, contactId } = await payerAndPayee('100.00')
  await createPayment(boss, contactId, '5.00')
  const seen = new Set<string>()
  const open = [`/o/${payer.id}`]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const cookie = `session=${boss.token}; language=${seen.size % 2 === 0 ? 'de' : 'en'}`
    const answer = await fetch(pagesUrl + path, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })
    expect([path, answer.status < 400]).toEqual([path, true])
    if (!answer.headers.get('content-type')?.startsWith('text/html')) continue
    const links = [...(await answer.text()).matchAll(/<a [^>]*href="(\/[^"#]*|\?[^"#]*)"/g)].map(
      ([, href = '']) => href,
    )
    open.push(
      ...links.map((href) => (href.startsWith('?') ? path.split('?')[0] + href : href).replaceAll('&amp;', '&')),
    )
  }
  for (const path of ['/attention', '/transactions', '/payments', '/payments/new']) {
    const address = `/o/${payer.id}${path}`
    if (!seen.has(address))
      expect((await fetch(pagesUrl + address, { headers: { cookie: `session=${boss.token}` } })).status).toBe(200)
  }
  expect(seen.size).toBeGreaterThan(8)
})

test.each(SHAPES)('tasks and transactions are listed, searched and shown: %j', async (shape) => {
  const { payer, boss } = await payerAndPayee('100.00')
  const tab = await openTab(boss, shape)
  const { page } = tab
  for (const path of ['/attention', '/transactions?q=nothing', '/transactions']) {
    await page.goto(`/o/${payer.id}${path}`)
    await expectSound(tab)
  }
  await page.getByRole('link', { name: 'Deposit' }).click()
  await page.getByText('+100.00 USD').filter({ visible: true }).first().waitFor()
  await expectSound(tab)
  await page.getByLabel('Category').fill('Sales')
  await page.getByLabel('Notes').fill('Of the fair\nin May')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const { data } = (await api('GET', `/organizations/${payer.id}/transactions`, { token: boss.token })).body
  expect(data[0]).toMatchObject({
    category: 'Sales',
    internal_notes: expect.stringMatching(/^Of the fair\r?\nin May$/),
  })
  await page.goto(
    `/o/${payer.id}/transactions?category=Sales&amount_min=100&from=2026-01-01&currency=USD&status=posted`,
  )
  await page.getByRole('link', { name: 'Deposit' }).waitFor()
  await page.goto(`/o/${payer.id}/transactions?amount_min=1,2,3`)
  await page.getByText('The amount is not clear').waitFor()
})
