import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { inLanes } from '../../../platform/concurrency.ts'
import type { Route } from '../../../api/http/route.ts'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { apiKey } from '../../support/organizations/api-keys.ts'
import { type TestPerson, api, approve, createPayment, payerAndPayee, paymentBody, person } from '../../support/api.ts'
import { draftOf, rowIdOf } from '../../support/batches/batches.ts'
import { owner } from '../../support/database.ts'
import { arriveCrypto } from '../../support/deposits/deposits.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { typedBill } from '../../support/bills/bills.ts'
import { draft as invoiceDraft, invoiceOf } from '../../support/invoices/invoices.ts'
import { subscribed } from '../../support/webhooks/webhooks.ts'
import { requestExport } from '../../support/exports/exports.ts'
import { FORM } from '../../support/http/forms.ts'
import { newEmail } from '../../support/identity/identity.ts'
import { invite } from '../../support/invitations/invitations.ts'
import { changeRole } from '../../support/organizations/members.ts'
import { everyNth, fullScale } from '../../support/model-runs.ts'
import { quoteOf } from '../../support/payments/quotes.ts'
import { oneOfEach } from '../../support/swaps.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

type World = { boss: TestPerson; organizationId: string; ids: string[]; contactId: string }

async function world(): Promise<World> {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  await arriveCrypto(payer.id, '1000')
  const payments = [await createPayment(boss, contactId, '1.00'), await createPayment(boss, contactId, '2.00')]
  await approve(boss, payments[0])
  const key = await apiKey(boss, payer.id)
  const rows = await owner<{ id: string }[]>`
    select id from transactions where organization_id = ${payer.id}
    union all select id from deposits where organization_id = ${payer.id}
    union all (select id from events where organization_id = ${payer.id} limit 1)
    union all (select id from ledger_accounts where organization_id = ${payer.id} limit 1)
    union all select id from payment_destinations where organization_id = ${payer.id}`
  const invited = await invite(boss, payer.id, [{ email: newEmail() }])
  const exported = await requestExport(boss, payer.id, { type: 'expenses', format: 'csv' })
  const batchId = await draftOf(boss, payer.id, [{ amount: '1.00', invalid: true }])
  const bill = await typedBill(boss, payer.id)
  const customer = await billingContact(boss, payer.id)
  const invoice = await invoiceOf(boss, payer.id, customer.id)
  const endpoint = await subscribed(boss, { port: 20_001 }, { organizationId: payer.id })
  const own = [
    endpoint.id,
    batchId,
    invoice.id,
    bill.id,
    customer.id,
    await rowIdOf(batchId),
    payer.id,
    boss.userId,
    contactId,
    key.id,
    invited.body[0].id,
    exported.body.id,
  ]
  const ids = [...own, ...rows.map((row) => row.id)]
  for (const payment of payments) ids.push(payment.id, payment.approval_request_id, payment.event.id)
  const quote = await quoteOf(boss, contactId, { amount: '1.00', currency: 'USD' })
  const swapped = await oneOfEach(boss, payer.id)
  quotes.set(contactId, { payment: quote.quote_id, swap: swapped.quoteId })
  return { boss, organizationId: payer.id, ids: [...ids, quote.quote_id, ...Object.values(swapped)], contactId }
}

const quotes = new Map<string, { payment: string; swap: string }>()

let worlds: World[]
beforeAll(async () => {
  worlds = await Promise.all([world(), world(), world()])
})

const owned = routes.filter((route) => route.owner)

/** The route's path with one id everywhere but for the organization. */
const pathOf = (route: Route, organizationId: string, id: string) =>
  route.path
    .replaceAll('{item_id}', 'review_approval:{id}')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'organization_id' ? organizationId : id))

/** Sufficient for every operation with a body. */
const BODY = {
  name: 'x',
  company_name: 'x',
  filename: 'x.csv',
  byte_size: 1,
  content_type: 'text/csv',
  file_id: randomUUID(),
  type: 'business',
  svc_id: 'a-stranger',
  side: 'deducting',
  source_currency: 'USD',
  target_currency: 'EUR',
  source_amount: '1.00',
  own_account: true,
  attestation: true,
  requires_authenticator: true,
  role: 'member',
  scopes: [],
  user_id: randomUUID(),
  approval_ids: [randomUUID()],
  decision: 'approve',
  rules: [],
  action_type: 'withdrawal',
  invitations: [{ email: 'stranger@example.com' }],
}

/** Bodies of operations that take nothing else. */
const OWN: Readonly<Record<string, object>> = {
  createPaymentDestination: { type: 'svc_id', svc_id: 'a-stranger' },
  updatePaymentDestination: { label: 'x' },
  createExport: { type: 'expenses', format: 'csv', from: '2026-01-01', to: '2026-01-31' },
  updatePaymentBatchRow: { amount: '2.00' },
  createBillUpload: { filename: 'x.pdf', byte_size: 1, content_type: 'application/pdf' },
  createBill: { supplier_name: 'x' },
  selectSubscriptionPlan: { offer_id: randomUUID() },
  createInvoice: invoiceDraft(randomUUID()),
  createInvoiceAllocation: { transaction_id: randomUUID(), amount: '1.00' },
  updateBill: { supplier_name: 'x' },
  connectAccounting: { provider: 'xero' },
  replaceAccountingMappings: { mappings: [] },
  createWebhookEndpoint: { url: 'http://localhost:20001' },
  updateWebhookEndpoint: { description: 'x' },
  replayWebhookEvents: { from: '2026-01-01' },
}

async function told(route: Route, token: string, path: string, organizationId: string, contactId: string) {
  const answer = await api(route.method.toUpperCase(), path, {
    token,
    ...(route.upload && FORM),
    ...(route.body && {
      body: OWN[route.operationId] ?? {
        ...BODY,
        ...paymentBody(contactId),
        organization_id: organizationId,
        quote_id: quotes.get(contactId)?.[route.tag === 'Swaps' ? 'swap' : 'payment'] ?? randomUUID(),
      },
    }),
  })
  const headers = ['content-type', 'cache-control', 'allow', 'www-authenticate'].map((name) => answer.headers.get(name))
  const { step_up: challenge, ...error } = answer.body.error ?? {}
  return { status: answer.status, headers, error: { ...error, request_id: '' }, challenged: challenge !== undefined }
}

test('each operation of somebody answers a stranger 404, also with a body that it takes', async () => {
  const nobody = await person()
  const others: unknown[] = []
  await inLanes(owned, 8, async (route) => {
    const path = pathOf(route, randomUUID(), randomUUID())
    const { status } = await told(route, nobody.token, path, randomUUID(), randomUUID())
    if (status !== 404) others.push([route.operationId, status])
  })
  expect(others).toEqual([])
})

test('whatever id a stranger asks for, the answer is the one for an id that does not exist', async () => {
  const nobody = await person()
  const asked = fc.record({
    route: fc.constantFrom(...owned),
    actor: fc.integer({ min: 0, max: 3 }),
    target: fc.integer({ min: 0, max: 2 }),
    pick: fc.nat(),
    knowsOrganization: fc.boolean(),
  })
  let compared = 0
  const numRuns = fullScale ? 150 : 20
  await fc.assert(
    fc.asyncProperty(asked, async ({ route, actor, target, pick, knowsOrganization }) => {
      const [there, own] = [worlds[target], worlds[actor]]
      if (!there || actor === target) return
      const token = own ? own.boss.token : nobody.token
      const id = there.ids[pick % there.ids.length] ?? ''
      const organizationId = knowsOrganization ? there.organizationId : id
      const real = await told(route, token, pathOf(route, organizationId, id), organizationId, there.contactId)
      const made = await told(route, token, pathOf(route, randomUUID(), randomUUID()), randomUUID(), randomUUID())
      expect(real).toEqual(made)
      expect(real.status).toBe(404)
      compared += 1
    }),
    { numRuns },
  )
  expect(compared).toBeGreaterThan(numRuns / 3)
})

test('under the own organization, ids of another one are not found', async () => {
  const [mine, theirs] = worlds as [World, World]
  await changeRole(mine.boss, mine.organizationId, mine.boss.userId, 'owner') // opens the step-up window
  const nested = owned.filter((route) => /\{organization_id\}.*\{/.test(route.path))
  expect(nested.length).toBeGreaterThan(0)
  await inLanes([...nested.entries()], 8, async ([index, route]) => {
    const [org, made] = [mine.organizationId, randomUUID()]
    const unknown = await told(route, mine.boss.token, pathOf(route, org, made), org, made)
    for (const id of everyNth(theirs.ids, 4, index)) {
      const real = await told(route, mine.boss.token, pathOf(route, org, id), org, theirs.contactId)
      expect(real).toEqual(unknown)
    }
  })
})
