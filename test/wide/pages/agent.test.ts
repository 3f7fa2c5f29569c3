/** An agent by the official client, and the person it hands over to: from a bill to money that is paid. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { join } from '../../support/api.ts'
import { typedBill } from '../../support/bills/bills.ts'
import { delegateOf } from '../../support/identity/delegates.ts'
import { withAuthenticator } from '../../support/identity/identity.ts'
import { agent, use } from '../../support/mcp/client.ts'
import { expectSound, makePasskey, openTab, signInOn } from '../../support/pages/browser.ts'
import { addAuthenticator } from '../../../dev/walk/authenticator.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { payerBy } from '../../support/payments/payouts.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

test('an agent prepares the payment of a bill, and hands links to a person who approves payee and payment', async () => {
  const { boss, payer } = await payerBy('fiat')
  const approver = await withAuthenticator()
  await join(payer.id, approver, 'admin')
  await typedBill(boss, payer.id, { amount: '12.00' })
  const { secret } = await delegateOf(boss, payer.id, { name: 'Books', kind: 'agent', access: 'prepare' })
  const client = await agent(secret)
  const call = async (name: string, args: Record<string, unknown>) => {
    const { isError, structuredContent } = await use(client, name, args)
    expect(isError ?? false, JSON.stringify(structuredContent)).toBe(false)
    return structuredContent
  }
  const [bill] = (await call('list_bills', {})).data
  const pay = () => call('request_bill_payment', { bill_id: bill.id, idempotency_key: randomUUID() })
  const linkTo = async (approval: string): Promise<string> => {
    const { url } = await call('approval_link', { approval_id: approval })
    return new URL(url).pathname
  }
  const tab = await openTab(null)
  const { page } = tab
  await addAuthenticator(page)
  const toPayee = await linkTo((await pay()).waits_for.approval_request_id)
  await page.goto(toPayee)
  await signInOn(page, approver)
  await makePasskey(page, approver)
  const approve = async (path: string) => {
    await page.goto(path)
    await page.getByText('asked for by the agent Books').waitFor()
    await page.getByText('Prepared by a program or an agent, not by the person').waitFor()
    await expectSound(tab)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('button', { name: 'Confirm with passkey' }).click()
    await page.getByText('You approved this.').waitFor()
  }
  await approve(toPayee)
  await approve(await linkTo((await pay()).approval_request_id))
  await page.getByText('Paid.').waitFor()
  expect((await call('list_payments', {})).data).toMatchObject([{ status: 'succeeded' }])
  await client.close()
})
