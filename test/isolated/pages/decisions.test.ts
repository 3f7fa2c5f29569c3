/** Pages of approvers: one decision after the other, choices of several companies, sets that go through in part. */
import { expect, test } from 'vitest'
import { api, createPayment, join, payerAndPayee } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { withAuthenticator } from '../../support/identity/identity.ts'
import { DESK, PHONE, type Tab, expectSound, openTab } from '../../support/pages/browser.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

type Approver = Awaited<ReturnType<typeof withAuthenticator>>

/** A company with payments in US dollars that wait for an approver. */
async function companyOf(approver: Approver, balance: string, amounts: readonly string[]) {
  const { payer, boss, contactId } = await payerAndPayee(balance)
  await join(payer.id, approver, 'admin')
  const asked: string[] = []
  for (const amount of amounts) asked.push((await createPayment(boss, contactId, amount)).approval_request_id)
  const statuses = async (): Promise<string[]> => {
    const path = `/organizations/${payer.id}/approvals?status=all`
    const { body } = await api('GET', path, { token: boss.token })
    const rows: readonly { approval_id: string; status: string }[] = body.data
    return asked.map((id) => rows.find((row) => row.approval_id === id)?.status ?? 'missing')
  }
  return { id: payer.id, boss, asked, statuses }
}

const words = async ({ page }: Tab) => (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')

async function proveBy({ page }: Tab, code: string): Promise<void> {
  await page.getByLabel('Code of your authenticator').fill(code)
  await page.getByRole('button', { name: 'Confirm with code' }).click()
}

test('a page shows the balance and the last payments to the payee, and a decision leads on to the next request until none is left', async () => {
  const approver = await withAuthenticator()
  const { asked, statuses } = await companyOf(approver, '100.00', ['4.00', '2.50'])
  const tab = await openTab(approver, { viewport: PHONE, javaScriptEnabled: false })
  const { page } = tab
  await page.goto(`/approve/${asked[0]}`)
  const shown = await words(tab)
  const places = [
    'Pay 4.00 USD to "Payee" (service ID',
    'Available now 100.00 USD',
    'Available afterwards 96.00 USD',
    'Arrives at once, counted from its approval',
    'Last payments to this payee',
    '2.50 USD',
  ]
  expect(places.filter((one) => !shown.includes(one))).toEqual([])
  await page.getByText('Reject…').click()
  await page.getByLabel('Reason').fill('Not ours')
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('You rejected this. 1 more waits for you.').waitFor()
  const looked = await openTab(approver, { viewport: PHONE }) // axe needs script
  await looked.page.goto(page.url())
  await expectSound(looked)
  await page.getByRole('link', { name: 'Next: 2.50 USD, Payee' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await proveBy(tab, await approver.code())
  await page.getByText('You approved this. Nothing else waits for you.').waitFor()
  expect(await statuses()).toEqual(['rejected', 'approved'])
})

test('a choice of two companies is looked at once, those with warnings first, and proved once for each', async () => {
  const approver = await withAuthenticator()
  const one = await companyOf(approver, '100.00', ['1.00', '2.00'])
  const other = await companyOf(approver, '100.00', ['3.00'])
  const tab = await openTab(approver, { viewport: DESK, colorScheme: 'dark' })
  const { page } = tab
  await page.goto('/approve')
  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Approve selected: 3 · 6.00 USD' }).click()
  await page.getByRole('heading', { name: 'Approve 3 requests?' }).waitFor()
  await page.getByText('They belong to 2 companies: each asks once for a proof that it is you.').waitFor()
  await expectSound(tab)
  await page.getByRole('button', { name: 'Approve' }).click()
  await proveBy(tab, await approver.code())
  // the proof of one company releases nothing of the other
  await page.getByText('Confirm it is you').first().waitFor()
  expect([...(await one.statuses()), ...(await other.statuses())].toSorted()).not.toEqual([
    'approved',
    'approved',
    'approved',
  ])
  await proveBy(tab, await approver.code(1))
  await page.getByRole('heading', { name: 'Nothing for you to decide' }).waitFor()
  expect([...(await one.statuses()), ...(await other.statuses())]).toEqual(['approved', 'approved', 'approved'])
})

test('a set that goes through in part shows in three groups what was done, what was not and why, and what needs others', async () => {
  const approver = await withAuthenticator()
  const { id, boss, statuses } = await companyOf(approver, '10.00', ['4.00', '9.00'])
  const second = [{ required: 2, roles: ['owner', 'admin'] }]
  const rules = [{ steps: [{ required: 1, roles: ['owner', 'admin'] }] }]
  await setRules(id, boss, [...rules, { action_type: 'payment_contact', steps: second }])
  const { body: payee } = await api('POST', `/organizations/${id}/payment-contacts`, {
    token: boss.token,
    body: { name: 'Newcomer', type: 'business', destinations: [] },
  })
  expect(payee.approval_request_id).toBeTruthy()
  const tab = await openTab(approver, { viewport: PHONE })
  const { page } = tab
  await page.goto('/approve')
  for (const box of await page.locator('input[name=approval_id]').all()) await box.check()
  await page.getByRole('button', { name: 'Approve selected' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await proveBy(tab, await approver.code())
  await page.getByRole('heading', { name: 'Not all were decided' }).waitFor()
  const groups = (await page.locator('section').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
  expect(groups).toEqual([
    expect.stringMatching(/^Not decided \(1\) Payee \d\.00 USD .*The balance does not cover this payment now/),
    expect.stringMatching(/^Approved by you; another person has to approve, too \(1\) Newcomer /),
    expect.stringMatching(/^Approved \(1\) Payee \d\.00 USD /),
  ])
  await expectSound(tab)
  expect((await statuses()).toSorted()).toEqual(['approved', 'pending'])
})

test('a requester withdraws on the page; history and evidence show what was decided', async () => {
  const approver = await withAuthenticator()
  const { boss, asked, statuses } = await companyOf(approver, '10.00', ['4.00'])
  const mine = await openTab(boss, { viewport: DESK })
  await mine.page.goto(`/approve/${asked[0]}`)
  await mine.page.getByText('Withdraw…').click()
  await mine.page.getByRole('button', { name: 'Withdraw the request' }).click()
  await mine.page.getByText('Withdrawn or expired.').waitFor()
  expect(await statuses()).toEqual(['cancelled'])
  await mine.page.goto('/approve/history?status=cancelled')
  expect(await words(mine)).toMatch(/Payee withdrawn or expired 4\.00 USD Payment Pay 4\.00 USD to "Payee"/)
  await expectSound(mine)
  await mine.page.goto('/approve/history?status=approved')
  await mine.page.getByText('Nothing fits this search.').waitFor()
  await mine.page.goto(`/approve/${asked[0]}/evidence`)
  expect(await words(mine)).toMatch(/What was shown Pay 4\.00 USD to "Payee" .* Withdrawn by Test Person/)
  await expectSound(mine)
  const file = await mine.page.request.get(`/approve/${asked[0]}/evidence.json`)
  const { approval } = (await file.json()) as { approval: { approval_id: string } }
  expect([file.status(), approval.approval_id]).toEqual([200, asked[0]])
})
