/** Books on pages alone: statements as files, and accounts to receive money at. */
import { expect, test } from 'vitest'
import { api, approve, createPayment, payerAndPayee, person } from '../../support/api.ts'
import { DESK, PHONE, expectSound, openTab, pagesUrl } from '../../support/pages/browser.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

const exportsOf = async (organizationId: string, token: string) =>
  (await api('GET', `/organizations/${organizationId}/exports`, { token })).body.data

test('a statement is made once and fetched on a phone without script', async () => {
  const { payer, boss, contactId } = await payerAndPayee('100.00')
  await approve(boss, await createPayment(boss, contactId, '5.00'))
  const { page } = await openTab(boss, { viewport: PHONE, javaScriptEnabled: false, acceptDownloads: true })
  await page.goto(`/o/${payer.id}`)
  await page.getByRole('link', { name: 'Statement' }).click()
  await page.getByLabel('Or from day').fill('2026-01-01')
  await page.getByLabel('Format').selectOption('csv')
  await page.getByRole('button', { name: 'Make the file' }).click()
  await page.getByText('Enter both days, or none.').first().waitFor()
  expect(await page.getByLabel('Format').inputValue()).toBe('csv') // nothing is chosen twice
  await page.getByLabel('To day').fill('2035-12-31')
  await page.getByRole('button', { name: 'Make the file' }).click()
  await page.getByText('Asked for').waitFor()
  const [one, ...more] = await exportsOf(payer.id, boss.token)
  expect(more).toEqual([])
  expect(one).toMatchObject({ type: 'balance_statement', format: 'csv', from: '2026-01-01', to: '2035-12-31' })
  await until('the file', async () => {
    await page.reload()
    return (await page.getByRole('link', { name: 'Download' }).count()) > 0
  })
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('link', { name: 'Download' })
      .click()
      .catch(() => undefined), // a download ends no navigation
  ])
  expect(file.suggestedFilename()).toBe(one.filename)
  const text = await (await file.createReadStream()).toArray()
  expect(Buffer.concat(text).toString()).toMatch(/closing_balance,USD[^\n]*95\.00/)
  await page.goto(`/o/${payer.id}/books/exports`)
  await page.getByText('ready').filter({ visible: true }).first().waitFor()
})

test('a form of an export that is sent twice makes one; of others none is seen', async () => {
  const { payer, boss } = await payerAndPayee('100.00')
  const stranger = await person()
  const body = new URLSearchParams({ type: 'transactions', month: '2026-11', format: 'pdf', key: 'twice-1' }).toString()
  const send = (token: string) =>
    fetch(`${pagesUrl}/o/${payer.id}/books/exports`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        cookie: `session=${token}`,
        origin: pagesUrl,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body,
    })
  const sent = await Promise.all([send(boss.token), send(boss.token)])
  const [{ id }, ...more] = await exportsOf(payer.id, boss.token)
  expect(more).toEqual([])
  expect(sent.map(({ headers }) => headers.get('location'))).toEqual(
    [1, 2].map(() => `/o/${payer.id}/books/exports/${id}`),
  )
  for (const path of ['', '/exports', '/exports/new', `/exports/${id}`, `/exports/${id}/file`, '/accounts', '/proof']) {
    const cookie = { headers: { cookie: `session=${stranger.token}` } }
    expect([path, (await fetch(`${pagesUrl}/o/${payer.id}/books${path}`, cookie)).status]).toEqual([path, 404])
  }
})

test('accounts to receive money open by themselves, and are text to copy; each part is sound', async () => {
  const { payer, boss } = await payerAndPayee('100.00')
  const tab = await openTab(boss, { viewport: DESK, colorScheme: 'dark' })
  const { page } = tab
  const opened = await until('the accounts at banks', async () => {
    const { data } = (await api('GET', `/organizations/${payer.id}/bank-accounts`, { token: boss.token })).body
    return data.length > 0 && data.every(({ status }: { status: string }) => status === 'active') ? data : false
  })
  await page.goto(`/o/${payer.id}/books`)
  await expectSound(tab)
  await page.getByRole('link', { name: 'Receive money' }).click()
  await page.getByText('As text to copy').first().waitFor()
  await page.getByText('As text to copy').first().click()
  const texts = [page.getByLabel('Service ID'), page.getByLabel('What a payer of').first()]
  const [svcId, told = ''] = await Promise.all(texts.map((text) => text.inputValue()))
  expect(svcId).toBe(payer.svcId)
  expect(opened.some(({ account }: { account: string }) => told.includes(account))).toBe(true)
  await expectSound(tab)
  for (const path of ['proof', 'exports', 'exports/new']) {
    await page.goto(`/o/${payer.id}/books/${path}`)
    await expectSound(tab)
  }
})
