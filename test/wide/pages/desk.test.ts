/** From the mail to the money in a real browser: accept, code, ask to pay, ask and answer, approve by passkey. */
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { xmlFiles } from '../../../dev/sample-bills/xml-files.ts'
import { addAuthenticator } from '../../../dev/walk/authenticator.ts'
import { api, fund, join, organization } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { withAuthenticator } from '../../support/identity/identity.ts'
import { domainOf, mailBytes, handIn, newSender, proved, whenMailRead } from '../../support/inbound-mails.ts'
import { DESK, PHONE, expectSound, makePasskey, openTab } from '../../support/pages/browser.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

/** Interactions that a bill may cost, from the mail that brought it to its approval. */
const INTERACTIONS_MAX = 25

test('a bill that came by mail is accepted, coded, asked about, answered and approved in few steps', async () => {
  const [clerk, approver] = [await withAuthenticator(), await withAuthenticator()]
  const { id } = await organization(clerk, 'Payer')
  await join(id, approver, 'admin')
  await fund(id, '1000000.00', 'EUR')
  await setRules(id, clerk, [{ steps: [{ required: 1, user_ids: [approver.userId] }] }])
  const account = { code: '4900', name: 'Office supplies', account_type: 'expense' }
  await api('PUT', `/organizations/${id}/accounts-chart`, {
    token: clerk.token,
    body: { accounts: [account], tax_codes: [] },
  })
  const path = `/organizations/${id}/bill-mailboxes`
  const { address } = (await api('POST', path, { token: clerk.token, body: { name: 'Suppliers' } })).body
  const sample = xmlFiles().find(
    ({ half, name }) => half === 'made' && name.startsWith('plain') && name.includes('ubl-xrechnung'),
  )
  const sender = newSender()
  const raw = await mailBytes({
    from: sender,
    to: address,
    subject: 'Your bill',
    headers: proved(domainOf(sender)),
    attachments: [{ filename: 'bill.xml', content: sample?.bytes }],
  })
  await handIn(address, sender, raw)
  const { files } = await whenMailRead(clerk, id, 'Your bill')
  const bill = () => api('GET', `/bills/${files[0].bill_id}`, { token: clerk.token })
  await until('the bill is read', async () => (await bill()).body.bill.status === 'extracted')

  let count = 0
  const click = (target: Locator) => {
    count += 1
    return target.click()
  }
  const fill = (target: Locator, text: string) => {
    count += 1
    return target.fill(text)
  }

  const tab = await openTab(clerk, { viewport: PHONE })
  const { page } = tab
  await page.goto('/desk')
  await expectSound(tab)
  await click(page.getByText('has brought a bill').first())
  await click(page.getByRole('button', { name: 'Always accept this sender' }))
  await page.getByText('Accepted.').waitFor()
  await expectSound(tab)
  await page.goto('/desk')
  await click(page.locator(`a[href$="${files[0].bill_id}/code"]`))
  for (const field of await page.getByLabel('Account').all()) await fill(field, '4900')
  await expectSound(tab)
  await click(page.getByRole('button', { name: 'Save', exact: true }))
  await page.getByText('The coding is saved.').waitFor()
  await click(page.getByRole('link', { name: 'Pay this bill' }))
  await click(page.getByRole('button', { name: 'Ask for approval' }))
  await page.getByText('waits for approval').first().waitFor()
  const { approval_request_id: approval } = (await bill()).body.bill

  const theirs = await openTab(approver, { viewport: DESK })
  await addAuthenticator(theirs.page)
  await makePasskey(theirs.page, approver) // once for all bills
  await theirs.page.goto(`/approve/${approval}`)
  await theirs.page.getByText('Office supplies').first().waitFor()
  await click(theirs.page.getByText('Ask a question…'))
  await fill(theirs.page.getByLabel('Question', { exact: true }), 'Which order is this?')
  await click(theirs.page.getByRole('button', { name: 'Ask', exact: true }))
  await theirs.page.getByText('Which order is this?').waitFor()
  await expectSound(theirs)

  await page.goto('/desk')
  await click(page.locator(`a[href="/approve/${approval}"]`).first())
  await click(page.getByText('Answer…'))
  await fill(page.getByLabel('Answer', { exact: true }), 'Order 7')
  await click(page.getByRole('button', { name: 'Answer', exact: true }))
  await page.getByText('Order 7').waitFor()
  await expectSound(tab)

  await theirs.page.goto(`/approve/${approval}`)
  await theirs.page.getByText('Order 7').waitFor()
  await click(theirs.page.getByRole('button', { name: 'Approve' }))
  await click(theirs.page.getByRole('button', { name: 'Confirm with passkey' }))
  await theirs.page.getByText('You approved this.').waitFor()
  expect(count).toBeLessThan(INTERACTIONS_MAX)
})
