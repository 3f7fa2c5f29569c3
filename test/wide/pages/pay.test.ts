/** Paying on pages alone: ask, check, send for approval; once, whatever the browser sends again. */
import { expect, test } from 'vitest'
import { api, payerAndPayee, person } from '../../support/api.ts'
import { draftOf } from '../../support/batches/batches.ts'
import { typedBill } from '../../support/bills/bills.ts'
import { DESK, PHONE, expectSound, openTab, pagesUrl } from '../../support/pages/browser.ts'
import { BANK } from '../../support/contacts/destinations.ts'
import { payerBy } from '../../support/payments/payouts.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

const listed = async (organizationId: string, token: string) =>
  (await api('GET', `/organizations/${organizationId}/payments`, { token })).body.data

test.each([
  ['on a phone, without script', { viewport: PHONE, javaScriptEnabled: false }],
  ['on a desk', { viewport: DESK, colorScheme: 'dark' }],
] as const)('a payment by bank is asked for %s, with what it costs said first, and once', async (_, shape) => {
  const { payer, boss, contact } = await payerBy('fiat')
  const tab = await openTab(boss, shape)
  const { page } = tab
  const sound = () => ('javaScriptEnabled' in shape ? undefined : expectSound(tab))
  await page.goto(`/o/${payer.id}`)
  await page.getByRole('link', { name: 'Pay', exact: true }).click()
  await page.getByLabel('Payee', { exact: true }).selectOption({ index: 1 })
  await page.getByLabel('Amount').fill('12,50,0')
  await page.getByLabel('Currency').selectOption('EUR')
  await page.getByLabel('Text for the payee').fill('Invoice 1002')
  await page.getByLabel('Speed').selectOption('Instant, or not at all')
  await sound()
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('The amount is not clear').waitFor()
  expect(await page.getByLabel('Text for the payee').inputValue()).toBe('Invoice 1002') // nothing is typed twice
  await page.getByLabel('Amount').fill('1.2')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('1.40 EUR').first().waitFor() // with its fee
  await page.getByText('Instant, or not at all').waitFor()
  await sound()
  await page.getByRole('button', { name: 'Ask for approval' }).click()
  await page.getByText('Sent for approval.').waitFor()
  await sound()
  await page.goBack()
  await page.getByRole('button', { name: 'Ask for approval' }).click() // as a person who is not sure
  await page.getByText('was asked for already').waitFor()
  const [payment, ...more] = await listed(payer.id, boss.token)
  expect(more).toEqual([])
  expect(payment).toMatchObject({ speed: 'instant', fallback: 'none' })
  expect(payment).toMatchObject({ landing: { amount: '1.20', currency: 'EUR' }, payment_contact_id: contact })
  await page.goto(`/approve/${payment.approval_request_id}`)
  await page.getByText('within seconds, counted from its approval').waitFor()
  await page.getByText('Instant, or not at all').waitFor()
  await page.goto(`/o/${payer.id}/payments`)
  await page.getByText('waits for approval').filter({ visible: true }).first().waitFor()
  await sound()
  await page.getByRole('link', { name: payment.destination_name, exact: true }).click()
  await page.getByText('History').waitFor()
  await page.getByText('Withdraw the request').first().click()
  await page.getByRole('button', { name: 'Withdraw the request' }).click()
  await page.getByText('cancelled').filter({ visible: true }).first().waitFor()
  expect((await listed(payer.id, boss.token))[0].status).toBe('cancelled')
})

test('a payee beyond the first hundred is found by a search, and its payments by day and payee', async () => {
  const { payer, boss, contact } = await payerBy('fiat')
  const list = `/organizations/${payer.id}/payment-contacts`
  await Promise.all(
    Array.from({ length: 100 }, (_, at) =>
      api('POST', list, {
        token: boss.token,
        body: {
          name: `Later ${at}`,
          type: 'business',
          destinations: [{ ...BANK, account_holder_name: `Later ${at}` }],
        },
      }),
    ),
  )
  const { body } = await api('GET', `/payment-contacts/${contact}`, { token: boss.token })
  const tab = await openTab(boss, { viewport: PHONE })
  const { page } = tab
  await page.goto(`/o/${payer.id}/payments/new`)
  expect(await page.locator(`option[value="${contact}"]`).count()).toBe(0)
  await page.getByLabel('Find a payee').fill(body.name)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByLabel('Payee', { exact: true }).selectOption(contact)
  await expectSound(tab)
  await page.getByLabel('Amount').fill('1.20')
  await page.getByLabel('Currency').selectOption('EUR')
  await page.getByLabel('Text for the payee').fill('Invoice 7')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('link', { name: 'Change' }).click()
  expect(await page.getByLabel('Payee', { exact: true }).inputValue()).toBe(contact) // also without the search
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('button', { name: 'Ask for approval' }).click()
  await page.getByText('Sent for approval.').waitFor()
  const [{ created_at: at }] = await listed(payer.id, boss.token)
  const filter = `payment_contact_id=${contact}`
  for (const [query, count] of [
    [`${filter}&from=${at.slice(0, 10)}`, 1],
    [`${filter}&to=2020-01-01`, 0],
    [`payment_contact_id=${payer.id}`, 0],
  ] as const) {
    await page.goto(`/o/${payer.id}/payments?${query}`)
    expect([query, await page.getByRole('link', { name: body.name }).count()]).toEqual([query, count])
  }
  await expectSound(tab)
  const [draft, bill] = [await draftOf(boss, payer.id, []), await typedBill(boss, payer.id)]
  for (const place of [`batches/${draft}?edit=new`, `bills/${bill.id}/pay`]) {
    await page.goto(`/o/${payer.id}/${place}`)
    expect([place, await page.locator(`option[value="${contact}"]`).count()]).toEqual([place, 0])
    if (place.startsWith('bills')) await page.getByText('Change payee, day or text').click()
    await page.getByLabel('Find a payee').fill(body.name)
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByLabel('Payee').locator(`option[value="${contact}"]`).waitFor({ state: 'attached' })
    await expectSound(tab)
  }
})

test('a form that is sent twice pays once; of another company nothing is seen', async () => {
  const { payer, boss, contactId } = await payerAndPayee('100.00')
  const stranger = await person()
  const send = (path: string, token: string, fields: Record<string, string>) =>
    fetch(pagesUrl + path, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        cookie: `session=${token}`,
        origin: pagesUrl,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(fields).toString(),
    })
  const draft = { payee: contactId, amount: '5', currency: 'USD', reason: 'goods', text: 'Twice', key: 'twice-1' }
  const check = `/o/${payer.id}/payments/check?${new URLSearchParams(draft).toString()}`
  const page = await (await fetch(pagesUrl + check, { headers: { cookie: `session=${boss.token}` } })).text()
  const quote_id = /name="quote_id" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const sent = await Promise.all(
    [1, 2, 3].map(() => send(`/o/${payer.id}/payments`, boss.token, { ...draft, quote_id })),
  )
  expect(sent.map(({ status }) => status)).toEqual([303, 303, 303])
  const [{ id }, ...more] = await listed(payer.id, boss.token)
  expect(more).toEqual([])
  expect(new Set(sent.map(({ headers }) => headers.get('location')))).toEqual(
    new Set([`/o/${payer.id}/payments/${id}?done=asked`]),
  )
  for (const path of ['', '/payments', '/payments/new', `/payments/${id}`, `/payments/${id}/receipt`]) {
    const cookie = { headers: { cookie: `session=${stranger.token}` } }
    expect((await fetch(`${pagesUrl}/o/${payer.id}${path}`, cookie)).status).toBe(404)
  }
  expect((await send(`/o/${payer.id}/payments/${id}/withdraw`, stranger.token, {})).status).toBe(404)
  expect((await listed(payer.id, boss.token))[0].status).toBe('awaiting_approval')
})
