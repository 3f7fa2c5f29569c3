/** Unpaid invoices, and the money that pays them. */
import { type Answer, type TestPerson, api, organization, person } from '../api.ts'
import { billingContact } from '../billing-contacts.ts'
import { owner } from '../database.ts'
import { until } from '../until.ts'
import { invoiceOf, step } from './invoices.ts'

/** An organization with a customer without a mail address, and its owner. */
export async function seller(boss?: TestPerson) {
  const by = boss ?? (await person())
  const { id } = await organization(by)
  const contact = await billingContact(by, id, { emails: null, company_name: 'Lindenhof GmbH' })
  return { boss: by, id, contactId: contact.id as string }
}
export type Seller = Awaited<ReturnType<typeof seller>>

/** A sent invoice of `total` without tax, in EUR by default. */
export async function sentInvoice({ boss, id, contactId }: Seller, total: string, more: object = {}) {
  const line_items = [{ description: 'Work', quantity: '1', price: total, tax_percentage: '0' }]
  const made = await invoiceOf(boss, id, contactId, { line_items, ...more })
  const { status, body } = await step(boss, made.id, 'submit')
  if (status !== 200) throw new Error(`submit: ${JSON.stringify(body)}`)
  return body
}

/** Receives money by bank, with the payer's text; returns its row of the feed. */
export async function received(
  { id }: Pick<Seller, 'id'>,
  amount: string,
  text: string | null = null,
  { currency = 'EUR', name = null }: { currency?: string; name?: string | null } = {},
) {
  const { status, body } = await api('POST', '/sandbox/deposits', {
    body: { organization_id: id, rail: 'fiat', amount: { amount, currency }, sender: { name, reference: text } },
  })
  if (status !== 201) throw new Error(`deposit: ${JSON.stringify(body)}`)
  return body.transaction_id as string
}

export const allocate = (by: TestPerson, invoiceId: string, transactionId: string, amount: string, key?: string) =>
  api('POST', `/invoices/${invoiceId}/allocations`, {
    token: by.token,
    body: { transaction_id: transactionId, amount },
    ...(key && { key }),
  })

export const takeBack = (by: TestPerson, invoiceId: string, allocationId: string): Promise<Answer> =>
  api('DELETE', `/invoices/${invoiceId}/allocations/${allocationId}`, { token: by.token })

export const allocationsOf = async (by: TestPerson, invoiceId: string) =>
  (await api('GET', `/invoices/${invoiceId}/allocations`, { token: by.token })).body.data

/** Waits for the result of matching incoming money; undefined if there was nothing to match. */
export const matched = (transactionId: string): Promise<string | undefined> =>
  until('incoming money is looked at', async () => {
    const [row] = await owner<{ status: string }[]>`select status from incoming_payments where id = ${transactionId}`
    return row?.status !== 'matching' && { status: row?.status }
  }).then(({ status }) => status)

export const violationsOf = async (by: TestPerson, id: string) =>
  (await api('GET', `/organizations/${id}/ledger/integrity`, { token: by.token })).body.violations
