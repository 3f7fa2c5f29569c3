/** Invoices and incoming money in every waiting state, where a lost run must not matter. */
import { expect } from 'vitest'
import { approve } from '../api.ts'
import { setRules } from '../approvals/approvals.ts'
import { billingContact } from '../billing-contacts.ts'
import { owner } from '../database.ts'
import { sentTo } from '../identity/identity.ts'
import { fault } from '../partners/partners.ts'
import { until } from '../until.ts'
import { type Seller, allocationsOf, received, seller, sentInvoice, violationsOf } from './allocations.ts'
import { historyOf, readInvoice } from './invoices.ts'

const PATIENCE_MS = 200_000

/** Sends or submits the waiting ones; returns functions that continue, and the expected ends. */
export async function invoicesUnderWay(boss: Seller['boss']) {
  const at = await seller(boss)
  const steps = [{ required: 1, roles: ['owner'] }]
  const rule = { action_type: 'billing_invoice', currency: 'EUR', amount_from: '1000', steps }
  await setRules(at.id, boss, [rule])
  const [days] = await owner`
    select business_now()::date::text as issue_date, (business_now()::date + 5)::text as due_date`
  const emails: string[] = []
  const sent = async (total: string) => {
    const email = `customer-${emails.length}-${at.id}@example.com`
    emails.push(email)
    const contact = await billingContact(boss, at.id, { emails: [email] })
    return sentInvoice({ ...at, contactId: contact.id }, total, days)
  }
  const mailed = (id: string, type = 'invoice.mail_delivered') =>
    until(`${type} of ${id}`, async () => (await historyOf(boss, id)).includes(type), PATIENCE_MS)
  const [paid, late] = [await sent('100'), await sent('200')]
  for (const { id } of [paid, late]) await mailed(id)
  const [waits, expires] = [await sent('3000'), await sent('4000')]
  await fault('storage', 'down', 1)
  const unwritten = await sent('500')
  await until(
    'a try that failed',
    async () => (await owner`select from invoices where id = ${unwritten.id} and asks > 0`)[0],
  )
  const soon = (ids: string[]) =>
    owner`update processes set look_at = business_now() - interval '1 minute' where id = any (${ids})`
  return {
    async goOn(): Promise<void> {
      await received(at, '100.00', paid.number)
      expect((await approve(boss, waits)).body.status).toBe('approved')
      await owner`update approvals set expires_at = business_now() where id = ${expires.approval_request_id}`
      // as if its reminder were due
      await owner`update invoices set due_date = due_date - 3, sent_at = sent_at - interval '9 days' where id = ${late.id}`
      await soon([expires.id, late.id])
    },
    async end(): Promise<void> {
      for (const { id } of [waits, unwritten]) await mailed(id)
      await mailed(late.id, 'invoice.reminded')
      await mailed(expires.id, 'invoice.refused')
      await mailed(paid.id, 'invoice.paid')
      expect(await allocationsOf(boss, paid.id)).toHaveLength(1)
      expect((await readInvoice(boss, expires.id)).state).toBe('draft')
      const mails = await Promise.all(emails.map(async (email) => (await sentTo(email)).length))
      expect(mails).toEqual([1, 2, 1, 0, 1])
      expect(await violationsOf(boss, at.id)).toEqual([])
    },
  }
}
