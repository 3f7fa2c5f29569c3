/** One company with a thing for each address of a page, in some states, made by operations. */
import { randomUUID } from 'node:crypto'
import { LAYOUTS } from '../../../dev/sample-bills/layouts.ts'
import { printBill } from '../../../dev/sample-bills/printed.ts'
import { billOf } from '../../../dev/sample-bills/random.ts'
import { newToken, tokenHash } from '../../../platform/encryption.ts'
import { setRules } from '../approvals/approvals.ts'
import { type TestPerson, api, fund, join, organization, person, withStepUp } from '../api.ts'
import { attach, attachmentsOf } from '../attachments/attachments.ts'
import { nameSubstitute } from '../approvals/substitutions.ts'
import { submitted } from '../batches/batches.ts'
import { change, readBill, requestPayment } from '../bills/bills.ts'
import { type Ids, world } from '../contract/world.ts'
import { creditFileOf, sentCreditNote } from '../credit-notes/credit-notes.ts'
import { owner } from '../database.ts'
import { delegateOf } from '../identity/delegates.ts'
import { invoiceOf, pdfOf, step } from '../invoices/invoices.ts'
import { DIRECTOR, addPaper } from '../onboarding/onboarding.ts'
import { changeRole } from '../organizations/members.ts'

export type Company = {
  readonly boss: TestPerson
  /** Member of the lowest role. */
  readonly member: TestPerson
  /** Owner of another company. */
  readonly stranger: TestPerson
  readonly ids: Ids
}

/** Makes the company; a worker and the partners have to run. */
export async function seedCompany(): Promise<Company> {
  const { boss, ids } = await world()
  const id = ids['organization_id'] ?? ''
  const [member, stranger] = await Promise.all([person(), person()])
  await join(id, member, 'member')
  await organization(stranger, 'Another company')
  await changeRole(boss, id, boss.userId, 'owner') // opens the window of the step-up
  await fund(id, '90000.00', 'EUR')
  const [layout] = LAYOUTS
  if (!layout) throw new Error('there is no layout')
  const bill = await readBill(boss, id, await printBill(billOf(900, 'de'), layout), 'application/pdf')
  await change(boss, bill.id, { amount: '12.00' })
  const asked = await requestPayment(boss, bill.id)
  const batch = await submitted(boss, id, [{ amount: '4.00', iban: 'DE02120300000000202051' }])
  const named = await api('POST', `/organizations/${id}/onboarding/people`, { token: boss.token, body: DIRECTOR })
  const paper = await addPaper(boss, id, { kind: 'articles' })
  const documents = await sendDocuments(boss, id, ids['billing_contact_id'] ?? '')
  const substitution = await nameSubstitute(boss, id, member)
  const steps = [{ required: 1, roles: ['owner', 'admin'] }]
  await setRules(id, boss, [
    { steps },
    { action_type: 'payment_batch', steps },
    { action_type: 'billing_invoice', steps },
  ])
  const waiting = await step(boss, (await invoiceOf(boss, id, ids['billing_contact_id'] ?? '')).id, 'submit')
  return {
    boss,
    member,
    stranger,
    ids: {
      ...ids,
      attachment_id: await attach(boss, attachmentsOf(id, `payments/${ids['payment_id']}`)),
      paid_id: await paidIn(id),
      read_bill_id: bill.id,
      bill_approval_id: asked.body.approval_request_id,
      submitted_batch_id: batch.id,
      batch_approval_id: batch.approval_request_id,
      ...documents,
      substitution_id: substitution.body.id,
      onboarding_person_id: named.body.id,
      paper_id: paper,
      invoice_approval_id: waiting.body.approval_request_id,
      delegate_id: (await delegateOf(boss, id)).id,
      member_id: member.userId,
      other_session_id: (await newSession(boss)).id,
      passkey_id: await passkeyOf(boss),
      approval_credential_id: await approvalCredentialOf(boss),
    },
  }
}

/** Sends an invoice and a credit note for it, and waits until both are written. */
async function sendDocuments(boss: TestPerson, id: string, customerId: string): Promise<Ids> {
  const body = {
    postal_address: { line1: 'Market Street 1', postal_code: '10115', city: 'Berlin', country_code: 'DE' },
    vat_id: 'DE123456789',
  }
  await withStepUp('PATCH', `/organizations/${id}/settings`, { token: boss.token, body })
  const invoice = await invoiceOf(boss, id, customerId, { profile: 'en16931' })
  await step(boss, invoice.id, 'submit')
  await pdfOf(boss, invoice.id)
  const note = await sentCreditNote(boss, invoice.id, '1.00')
  await creditFileOf(boss, note.id, 'xml')
  return { sent_invoice_id: invoice.id, sent_note_id: note.id }
}

async function paidIn(organizationId: string): Promise<string> {
  const [row] = await owner<{ id: string }[]>`
    select id from payments where organization_id = ${organizationId} and status = 'succeeded' limit 1`
  return row?.id ?? ''
}

/** Begins one more session of a person: forms may end the one that sends them. */
export async function newSession({ userId, sessionId }: TestPerson): Promise<{ id: string; token: string }> {
  const [id, token] = [randomUUID(), `ses_${newToken()}`]
  await owner`
    insert into sessions (id, token_hash, user_id, device_id)
    select ${id}, ${tokenHash(token)}, ${userId}, device_id from sessions where id = ${sessionId}`
  return { id, token }
}

async function passkeyOf({ userId, sessionId }: TestPerson): Promise<string> {
  const [row] = await owner<{ id: string }[]>`
    insert into passkeys (user_id, device_id, name, credential_id, public_key, counter, synced)
    select ${userId}, device_id, 'Key', ${randomUUID()}, '', 0, false from sessions where id = ${sessionId}
    returning id`
  return row?.id ?? ''
}

async function approvalCredentialOf({ userId, sessionId }: TestPerson): Promise<string> {
  const [row] = await owner<{ id: string }[]>`
    insert into approval_credentials (user_id, device_id, credential_hash, cooling_off_until)
    select ${userId}, device_id, ${Buffer.from(randomUUID())}, business_now() from sessions where id = ${sessionId}
    returning id`
  return row?.id ?? ''
}

/** Tables of what happens beside what people do. */
const BESIDE = new Set(['sessions', 'processes', 'rate_limits', 'idempotency_keys', 'step_ups', 'devices'])

/** Digests all rows of a company and of its members: the same before and after if nothing was done. */
export async function digestOf({ boss, member, ids }: Company): Promise<Record<string, string>> {
  const columns = await owner<{ table: string; column: string }[]>`
    select c.table_name as table, c.column_name as column
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and c.column_name in ('organization_id', 'user_id') order by 1, 2`
  const people = [boss, member].map(({ userId }) => userId)
  const digests: [string, string][] = []
  for (const { table, column } of columns) {
    if (BESIDE.has(table)) continue
    const of = column === 'user_id' ? people : [ids['organization_id'] ?? '']
    const [row] = await owner<{ digest: string }[]>`
      select count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) as digest
      from ${owner(table)} t where ${owner(column)}::text = any(${of})`
    digests.push([`${table}.${column}`, row?.digest ?? ''])
  }
  return Object.fromEntries(digests)
}
