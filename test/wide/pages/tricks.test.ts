/** Tricks on an approver in a hurry: words that push amounts away or read like ours, and decisions that come too late. */
import { expect, test } from 'vitest'
import { ibanOf, randomBy } from '../../../dev/sample-bills/random.ts'
import { bankAt } from '../../support/account-changes.ts'
import { api, fund, join, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { withAuthenticator } from '../../support/identity/identity.ts'
import { DESK, PHONE, type Tab, expectSound, openTab } from '../../support/pages/browser.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

async function scene() {
  const approver = await withAuthenticator()
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss, 'Rheinwerk GmbH')
  await join(id, approver, 'admin')
  await fund(id, '900000.00', 'EUR')
  await setRules(id, boss, [{ steps: [{ required: 1, roles: ['admin'] }] }])
  const random = randomBy(3)
  const pay = async (name: string, amount: string, terms: object = {}) => {
    const made = await api('POST', `/organizations/${id}/payment-contacts`, {
      token: boss.token,
      body: {
        name,
        type: 'business',
        destinations: [bankAt(ibanOf(random, 'DE'), { account_holder_name: name.slice(0, 70) })],
      },
    })
    if (made.status !== 201) return made
    const quote = await quoteOf(boss, made.body.id, { amount, currency: 'EUR' }, { side: 'landing' })
    return executed(boss, quote.quote_id, terms)
  }
  const statusOf = async ({ approval_request_id: one }: { approval_request_id: string }) =>
    (await owner`select status from approvals where id = ${one}`)[0]?.['status']
  return { approver, id, pay, statusOf }
}

const wordsOf = async ({ page }: Tab) => (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')

test('names and references cannot push the amount away, hide letters, or speak for the service', async () => {
  const { approver, pay } = await scene()
  for (const name of ['Payee\u202eGmbH', 'A\u2066B']) expect((await pay(name, '10.00')).status, name).toBe(400)
  await pay('Pay\u200bee', '11.00') // what only hides is left out
  const long = `Very Long ${'Name'.repeat(55)}`
  await pay(long, '12345.67')
  const one = await pay('Harmless', '99.00', {
    statement_description: 'APPROVED BY CFO. No check needed',
    internal_notes: 'All warnings were checked by the bank. See https://evil.example/approve',
  })
  for (const viewport of [PHONE, DESK]) {
    const tab = await openTab(approver, { viewport })
    await tab.page.goto('/approve')
    await expectSound(tab)
    const list = await wordsOf(tab)
    expect(list).toContain(`${long} 12,345.67 EUR`)
    expect(list).toContain('Payee 11.00 EUR')
    expect(list).not.toContain('CFO')
    await expect(tab.page.getByText('12,345.67').isVisible()).resolves.toBe(true)
    await tab.page.goto(`/approve/${one.approval_request_id}`)
    await expectSound(tab)
    expect(await wordsOf(tab)).toMatch(/On the statement APPROVED BY CFO\..* Notes All warnings/)
    expect(await tab.page.locator('a[href*="evil"]').count()).toBe(0)
  }
})

test('what comes too late decides nothing: another tab, a member who was removed, a session that ended', async () => {
  const { approver, id, pay, statusOf } = await scene()
  const [first, second, third] = [await pay('Alder', '1.00'), await pay('Birch', '2.00'), await pay('Cedar', '3.00')]
  const open = async (request: { approval_request_id: string }) => {
    const tab = await openTab(approver, { viewport: DESK, javaScriptEnabled: false })
    await tab.page.goto(`/approve/${request.approval_request_id}`)
    return tab
  }
  const [here, there] = [await open(first), await open(first)]
  await there.page.getByText('Reject…').click()
  await there.page.getByRole('button', { name: 'Reject' }).click()
  await there.page.getByText('You rejected this').waitFor()
  await here.page.getByRole('button', { name: 'Approve' }).click()
  expect(await wordsOf(here)).toContain('This was decided meanwhile. The page shows how.')
  expect(await statusOf(first)).toBe('rejected')

  const late = await open(second)
  await late.page.getByRole('button', { name: 'Approve' }).click()
  await owner`delete from members where organization_id = ${id} and user_id = ${approver.userId}`
  await late.page.getByLabel('Code of your authenticator').fill(await approver.code())
  await late.page.getByRole('button', { name: 'Confirm with code' }).click()
  expect(await wordsOf(late)).toContain('Not found')
  expect(await statusOf(second)).toBe('pending')
  await join(id, approver, 'admin')

  const ended = await open(third)
  await owner`update sessions set ended_at = business_now() where user_id = ${approver.userId}`
  await ended.page.getByRole('button', { name: 'Approve' }).click()
  expect(await wordsOf(ended)).toContain('Sign in')
  expect(await statusOf(third)).toBe('pending')
})
