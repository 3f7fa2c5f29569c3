/** One thing of each kind in an organization, and calls of any operation on them. */
import { randomUUID } from 'node:crypto'
import type { Route } from '../../../api/http/route.ts'
import { EXAMPLES } from '../../../api/openapi/document.ts'
import {
  type TestPerson,
  api,
  approvalPath,
  approve,
  createPayment,
  payerAndPayee,
  person,
  withStepUp,
} from '../api.ts'
import { IBAN, draftOf, rowIdOf } from '../batches/batches.ts'
import { billingContact } from '../billing-contacts.ts'
import { typedBill } from '../bills/bills.ts'
import { owner } from '../database.ts'
import { arriveCrypto } from '../deposits/deposits.ts'
import { requestExport } from '../exports/exports.ts'
import { FORM } from '../http/forms.ts'
import { newEmail } from '../identity/identity.ts'
import { handIn, mailbox, mailsOf } from '../inbound-mails.ts'
import { invite } from '../invitations/invitations.ts'
import { creditNoteOf } from '../credit-notes/credit-notes.ts'
import { invoiceOf, step } from '../invoices/invoices.ts'
import { apiKey } from '../organizations/api-keys.ts'
import { quoteOf } from '../payments/quotes.ts'
import { oneOfEach } from '../swaps.ts'
import { subscribed, webhooks } from '../webhooks/webhooks.ts'

/** Ids by the name of a parameter, or of a member of a body. */
export type Ids = Readonly<Record<string, string>>

/** An organization with the ids of its things: those of parameters, and all. */
export async function world() {
  const { boss, payer, contactId } = await payerAndPayee('1000.00')
  const { id } = payer
  const deposit = await arriveCrypto(id, '1000')
  const [payment, approved] = [
    await createPayment(boss, contactId, '1.00'),
    await createPayment(boss, contactId, '2.00'),
  ]
  await approve(boss, approved)
  const swapped = await oneOfEach(boss, id)
  const batchId = await draftOf(boss, id, [{ iban: IBAN, amount: '1.00', invalid: true }])
  const customer = await billingContact(boss, id)
  const charged = await invoiceOf(boss, id, customer.id)
  await step(boss, charged.id, 'submit')
  const endpoint = await subscribed(boss, { port: 20_001 }, { organizationId: id })
  const [transaction] = await owner<{ id: string }[]>`select id from transactions where organization_id = ${id}`
  const rows = await owner<{ id: string }[]>`
    select id from transactions where organization_id = ${id}
    union all (select id from events where organization_id = ${id} limit 1)
    union all (select id from ledger_accounts where organization_id = ${id} limit 1)
    union all select id from payment_destinations where organization_id = ${id}`
  const ids: Ids = {
    organization_id: id,
    payment_id: payment.id,
    approval_id: payment.approval_request_id,
    payment_contact_id: contactId,
    payment_destination_id: payment.destination_id,
    transaction_id: transaction!.id,
    deposit_id: deposit.id,
    swap_id: swapped.swapId,
    swap_quote_id: swapped.quoteId,
    quote_id: (await quoteOf(boss, contactId, { amount: '1.00', currency: 'USD' })).quote_id,
    batch_id: batchId,
    row_id: await rowIdOf(batchId),
    api_key_id: (await apiKey(boss, id)).id,
    invitation_id: (await invite(boss, id, [{ email: newEmail() }])).body[0].id,
    export_id: (await requestExport(boss, id, { type: 'expenses', format: 'csv' })).body.id,
    webhook_endpoint_id: endpoint.id,
    ...(await streamOf(boss, id)),
    delivery_id: (await webhooks(boss, id, 'POST', `/${endpoint.id}/test`, {})).body.id,
    bill_id: (await typedBill(boss, id)).id,
    billing_contact_id: customer.id,
    invoice_id: (await invoiceOf(boss, id, customer.id)).id,
    charged_invoice_id: charged.id,
    credit_note_id: (await creditNoteOf(boss, charged.id, '1.00')).id,
    user_id: boss.userId,
    question_id: await questionOf(boss, payment),
    substitution_id: await substitutionOf(boss, id),
    ...(await mailedTo(boss, id)),
  }
  const others = [approved.id, approved.approval_request_id, payment.event.id, approved.event.id]
  return { boss, svcId: payer.svcId, ids, all: [...Object.values(ids), ...others, ...rows.map((row) => row.id)] }
}

/** Makes a log stream, to a port where nothing listens. */
async function streamOf({ token }: TestPerson, id: string): Promise<Ids> {
  const body = { kind: 'https', url: 'http://127.0.0.1:20002/log' }
  const answer = await withStepUp('POST', `/organizations/${id}/log-streams`, { token, body })
  if (answer.status !== 201) throw new Error(`log stream: ${JSON.stringify(answer.body)}`)
  const stream = `/organizations/${id}/log-streams/${answer.body.id}`
  await withStepUp('POST', `${stream}/test`, { token, body: {} })
  const { body: sent } = await api('GET', `${stream}/deliveries`, { token })
  return { log_stream_id: answer.body.id, stream_delivery_id: sent.data[0].id }
}

/** Opens an address for bills, to which a mail comes. */
async function mailedTo(boss: TestPerson, id: string): Promise<Ids> {
  const { id: mailboxId, address } = await mailbox(boss, id)
  await handIn(address, 'ann@supplier.example', Buffer.from('From: ann@supplier.example\r\nSubject: A bill\r\n\r\n'))
  const [mail] = await mailsOf(boss, id)
  return { bill_mailbox_id: mailboxId, inbound_mail_id: mail.id }
}

/** Asks the person themselves about a payment. */
async function questionOf({ token, userId }: TestPerson, payment: Parameters<typeof approvalPath>[0]): Promise<string> {
  const body = { text: 'Which order is this?', to: userId }
  const answer = await api('POST', `${approvalPath(payment)}/questions`, { token, body })
  if (answer.status !== 201) throw new Error(`question: ${JSON.stringify(answer.body)}`)
  return answer.body.id as string
}

/** Writes a substitution of the person by one who has left. */
async function substitutionOf({ userId }: TestPerson, organizationId: string): Promise<string> {
  const id = randomUUID()
  await owner`
    insert into substitutions (id, organization_id, user_id, substitute_id, starts_at, ends_at, created_by)
    values (${id}, ${organizationId}, ${userId}, ${(await person()).userId}, business_now(),
      business_now() + interval '1 day', ${userId})`
  return id
}

/** Body of an operation's example, in which ids are replaced. */
export function bodyOf(route: Route, ids: Ids): Record<string, unknown> {
  const quote = route.tag === 'Swaps' ? ids['swap_quote_id'] : ids['quote_id']
  const members = Object.entries(EXAMPLES[route.operationId]?.body ?? {})
  const named = { ...ids, quote_id: quote, ...(route.operationId === 'askQuestion' && { to: ids['user_id'] }) }
  return Object.fromEntries(members.map(([name, value]) => [name, new Map(Object.entries(named)).get(name) ?? value]))
}

/** Calls an operation with ids in its path, and with its example's body or another. */
export function callWith(
  route: Route,
  token: string | undefined,
  ids: Ids,
  { key, body = bodyOf(route, ids) }: { key?: string; body?: object } = {},
) {
  const named = (name: string): string | undefined =>
    name === 'item_id'
      ? `review_approval:${ids['approval_id'] ?? randomUUID()}`
      : name === 'domain'
        ? 'nowhere.example'
        : ids[name]
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named(name) ?? randomUUID())
  return api(route.method.toUpperCase(), path, {
    token,
    ...(key && { key }),
    ...(route.body && { body }),
    ...(route.upload && FORM),
  })
}

/** Reads what an answer tells, but for the id of its request. */
export function toldBy({ status, headers, body }: Awaited<ReturnType<typeof api>>) {
  const { step_up: challenge, ...error } = body.error ?? {}
  const named = ['content-type', 'cache-control', 'allow', 'www-authenticate'].map((name) => headers.get(name))
  return { status, headers: named, error: { ...error, request_id: '' }, challenged: challenge !== undefined }
}
