import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import type { Route } from '../../../api/http/route.ts'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { dumpSchema } from '../../../db/schema-dump.ts'
import { FLOWS } from '../../../domain/flows/index.ts'
import { can } from '../../../domain/permissions.ts'
import * as workflows from '../../../workflows/index.ts'
import { apiKey } from '../../support/organizations/api-keys.ts'
import { api, createPayment, join, payerAndPayee, person } from '../../support/api.ts'
import { draftOf, rowIdOf } from '../../support/batches/batches.ts'
import { owner } from '../../support/database.ts'
import { arriveCrypto } from '../../support/deposits/deposits.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { typedBill } from '../../support/bills/bills.ts'
import { draft as invoiceDraft, invoiceOf } from '../../support/invoices/invoices.ts'
import { subscribed, webhooks } from '../../support/webhooks/webhooks.ts'
import { requestExport } from '../../support/exports/exports.ts'
import { FORM } from '../../support/http/forms.ts'
import { newEmail } from '../../support/identity/identity.ts'
import { invite } from '../../support/invitations/invitations.ts'
import { everyNth } from '../../support/model-runs.ts'
import { quoteOf } from '../../support/payments/quotes.ts'
import { oneOfEach } from '../../support/swaps.ts'

describe('each flow names exactly the states of its table', () => {
  test.each(FLOWS.map((flow) => [flow.table, flow] as const))('%s', async (table, flow) => {
    const [check] = await owner<{ definition: string }[]>`
      select pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = ${table}::regclass and contype = 'c' and conname = ${`${table}_status_check`}`
    const states = [...(check?.definition ?? '').matchAll(/'(\w+)'::text/g)].map(([, state]) => state)
    expect(states.toSorted()).toEqual([...flow.states].toSorted())
    for (const event of Object.values(flow.events)) {
      for (const state of [...event.from, event.to]) expect(flow.states).toContain(state)
    }
  })
})

test('db/schema.sql is what the migrations make (npm run schema)', async () => {
  const url = process.env['MIGRATION_DATABASE_URL'] ?? ''
  expect(readFileSync('db/schema.sql', 'utf8')).toBe(await dumpSchema(url))
})

test('every workflow has recorded histories', () => {
  for (const name of Object.keys(workflows)) {
    const recorded = existsSync('test/histories') ? readdirSync('test/histories') : []
    const prefix = `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-`
    expect(recorded.filter((file) => file.startsWith(prefix)).length, name).toBeGreaterThan(0)
  }
})

const { boss, payer, contactId } = await payerAndPayee('1000.00')
const [outsider, member] = [await person(), await person()]
await join(payer.id, member, 'member')
const key = await apiKey(boss, payer.id)
const invited = await invite(boss, payer.id, [{ email: newEmail() }])
const deposit = await arriveCrypto(payer.id, '1000')

const swapped = await oneOfEach(boss, payer.id)
const quote = await quoteOf(boss, contactId, { amount: '1.00', currency: 'USD' })

const payment = await createPayment(boss, contactId, '1.00')
const exported = await requestExport(boss, payer.id, { type: 'expenses', format: 'csv' })
const batchId = await draftOf(boss, payer.id, [{ amount: '1.00', invalid: true }])
const rowId = await rowIdOf(batchId)
const bill = await typedBill(boss, payer.id)
const customer = await billingContact(boss, payer.id)
const invoice = await invoiceOf(boss, payer.id, customer.id)
const tenantId = randomUUID()
const endpoint = await subscribed(boss, { port: 20_001 }, { organizationId: payer.id })
const tested = await webhooks(boss, payer.id, 'POST', `/${endpoint.id}/test`, {})
await owner`insert into sandbox_accounting_tenants (id, name, base_currency) values (${tenantId}, 'Books', 'EUR')`
const [transaction] = await owner`select id from transactions where organization_id = ${payer.id} limit 1`

function real(route: Route): { path: string; body: unknown } {
  const ids: Record<string, string> = {
    organization_id: payer.id,
    payment_id: payment.id,
    approval_id: payment.approval_request_id,
    payment_contact_id: contactId,
    payment_destination_id: payment.destination_id,
    transaction_id: transaction?.['id'],
    svc_id: payer.svcId,
    deposit_id: deposit.id,
    swap_id: swapped.swapId,
    batch_id: batchId,
    row_id: rowId,
    api_key_id: key.id,
    invitation_id: invited.body[0].id,
    export_id: exported.body.id,
    webhook_endpoint_id: endpoint.id,
    delivery_id: tested.body.id,
    bill_id: bill.id,
    billing_contact_id: customer.id,
    invoice_id: invoice.id,
    tenant_id: tenantId,
    n: '1',
    country_code: 'US',
    item_id: `review_approval:${payment.approval_request_id}`,
    id: randomUUID(),
  }
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? randomUUID())
  return { path, body: bodies[`${route.method} ${route.path}`] ?? {} }
}

/** A valid body for each operation that takes one and has an owner. */
const bodies: Record<string, unknown> = {
  'post /payments': {
    amount: { amount: '1.00', currency: 'USD' },
    payment_contact_id: contactId,
    payout_reason: 'services',
    statement_description: 'Matrix',
  },
  'post /payments/preflight': {
    amount: { amount: '1.00', currency: 'USD' },
    payment_contact_id: contactId,
    side: 'deducting',
  },
  'post /payments/execute': {
    quote_id: quote.quote_id,
    payout_reason: 'services',
    statement_description: 'Matrix',
  },
  'post /organizations/{organization_id}/swaps/quote': {
    source_currency: 'USD',
    target_currency: 'EUR',
    source_amount: '1.00',
  },
  'post /swaps/execute': { quote_id: swapped.quoteId },
  'patch /payments/{payment_id}': { tag: 'vendor' },
  'patch /transactions/{transaction_id}': { category: 'Matrix' },
  'post /organizations/{organization_id}/payment-batches': { name: 'Matrix' },
  'post /payment-batches/{batch_id}/upload': { filename: 'matrix.csv', byte_size: 1, content_type: 'text/csv' },
  'post /payment-batches/{batch_id}/import': { file_id: randomUUID() },
  'patch /payment-batches/{batch_id}/rows/{row_id}': { amount: '2.00' },
  'post /organizations/{organization_id}/bills/upload': {
    filename: 'a.pdf',
    byte_size: 1,
    content_type: 'application/pdf',
  },
  'post /organizations/{organization_id}/bills': { supplier_name: 'Matrix' },
  'patch /bills/{bill_id}': { supplier_name: 'Matrix' },
  'post /organizations/{organization_id}/billing-contacts': { company_name: 'Matrix' },
  'patch /billing-contacts/{billing_contact_id}': { company_name: 'Matrix' },
  'post /organizations/{organization_id}/subscription/select-plan': {
    offer_id: '01900000-0000-7000-8000-000000000001',
  },
  'post /organizations/{organization_id}/invoices': invoiceDraft(customer.id),
  'patch /invoices/{invoice_id}': { comments: 'Matrix' },
  'post /invoices/{invoice_id}/allocations': { transaction_id: transaction?.['id'], amount: '1.00' },
  'post /deposits/{deposit_id}/sender-travel-rule': { own_account: true, attestation: true },
  'post /organizations/{organization_id}/payment-contacts': { name: 'Matrix', type: 'business' },
  'patch /payment-contacts/{payment_contact_id}': { name: 'Matrix' },
  'post /payment-contacts/{payment_contact_id}/destinations': { type: 'svc_id', svc_id: 'matrix-payee' },
  'patch /payment-destinations/{payment_destination_id}': { label: 'Matrix' },
  'post /organizations/{organization_id}/exports': {
    type: 'expenses',
    format: 'csv',
    from: '2026-01-01',
    to: '2026-01-31',
  },
  'post /organizations/{organization_id}/claim-handle': { svc_id: 'matrix-handle' },
  'patch /organizations/{organization_id}/settings': { requires_authenticator: true },
  'post /organizations/{organization_id}/api-keys': { name: 'Matrix', role: 'member', scopes: [] },
  'patch /organizations/{organization_id}/api-keys/{api_key_id}': { role: 'member' },
  'post /organizations/{organization_id}/webhook-endpoints': { url: 'http://localhost:20001/matrix' },
  'post /organizations/{organization_id}/webhook-endpoints/{webhook_endpoint_id}/replay': { from: '2026-01-01' },
  'put /organizations/{organization_id}/approval-policy': { rules: [] },
  'post /organizations/{organization_id}/approval-policy/evaluate': { action_type: 'withdrawal' },
  'post /organizations/{organization_id}/approvals/decide': { approval_ids: [randomUUID()], decision: 'approve' },
  'post /organizations/{organization_id}/invitations/bulk': { invitations: [{ email: newEmail() }] },
  'post /organizations/{organization_id}/integrations/accounting/connect': { provider: 'xero' },
  'put /organizations/{organization_id}/integrations/accounting/mappings': { mappings: [] },
  'put /me/primary-organization': { organization_id: payer.id },
  'patch /organizations/{organization_id}/members/{user_id}': { role: 'admin' },
  'post /organizations/{organization_id}/transfer-ownership': { user_id: boss.userId },
}

/** Digests each table's rows, without call counts and last uses of sessions. */
async function contents(): Promise<Record<string, unknown>> {
  const tables = await owner<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('rate_limits', 'worker_heartbeats')`
  const digests = tables.map(async ({ name }) => {
    const [row] = await owner`
      select md5(string_agg(r::text, ' ' order by r::text)) as digest
      from ${owner(name)} t, lateral (select to_jsonb(t) - 'last_used_at') as content (r)`
    return [name, row?.['digest']] as const
  })
  return Object.fromEntries(await Promise.all(digests))
}
const before = await contents()

const named = (list: readonly Route[]) => list.map((route) => [`${route.method} ${route.path}`, route] as const)
const call = async (route: Route, token: string | undefined) => {
  const { path, body } = real(route)
  return api(route.method.toUpperCase(), path, { token, ...(route.body && { body }), ...(route.upload && FORM) })
}
const guarded = routes.filter((route) => route.credential === 'session' || route.credential === 'session or key')

describe('every operation with a session, without one → not_authenticated', () => {
  test.each(named(guarded))('%s', async (_, route) => {
    for (const token of [undefined, 'nonsense', `ses_${'x'.repeat(43)}`]) {
      const answer = await call(route, token)
      expect([answer.status, answer.body.error.type]).toEqual([401, 'not_authenticated'])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
  })
})

describe('every operation × an API key → api_key_not_permitted, before anything is looked at; but one', () => {
  test.each(named(guarded))('%s', async (_, route) => {
    const answer = await api(route.method.toUpperCase(), route.path.replaceAll(/\{\w+\}/g, 'nonsense'), {
      token: `svc_test_${'a'.repeat(8)}_${'b'.repeat(43)}`,
      ...(route.body && { body: '{{{' }),
    })
    const expected =
      route.operationId === 'listOrganizationMultiCurrencyAccounts'
        ? [401, 'invalid_api_key']
        : [403, 'api_key_not_permitted']
    expect([answer.status, answer.body.error.type]).toEqual(expected)
  })
})

describe('every operation of an organization × an outsider → the answer for an id that does not exist', () => {
  test.each(named(routes.filter((route) => route.owner)))('%s', async (_, route) => {
    const answer = await call(route, outsider.token)
    expect([answer.status, answer.body.error.type]).toEqual([404, 'not_found'])
    const nowhere = route.path.replaceAll('{item_id}', 'review_approval:{id}').replaceAll(/\{\w+\}/g, randomUUID())
    const unknown = await api(route.method.toUpperCase(), nowhere, {
      token: outsider.token,
      ...(route.upload && FORM),
      ...(route.body && {
        body: {
          ...(bodies[`${route.method} ${route.path}`] as object),
          payment_contact_id: randomUUID(),
          quote_id: randomUUID(),
        },
      }),
    })
    expect({ ...answer.body.error, request_id: '' }).toEqual({ ...unknown.body.error, request_id: '' })
  })
})

const closed = routes.filter(
  (route) => route.owner && route.can && ![route.can].flat().some((one) => can('member', one)),
)
const [concealed, open] = [closed.filter((route) => route.concealed), closed.filter((route) => !route.concealed)]

describe('every operation × a role without its permission → forbidden', () => {
  test.each(named(open))('%s', async (_, route) => {
    const answer = await call(route, member.token)
    expect([answer.status, answer.body.error.type]).toEqual([403, 'forbidden'])
    expect(answer.body.error.details).toEqual({ permission: route.can })
  })
})

describe('every operation on what is concealed × a role without its permission → the answer for an id that does not exist', () => {
  test.each(named(concealed))('%s', async (_, route) => {
    const answer = await call(route, member.token)
    expect([answer.status, answer.body.error.type, answer.body.error.details]).toEqual([404, 'not_found', undefined])
  })
})

test('none of all that was refused has changed a row', async () => {
  expect(await contents()).toEqual(before)
})

test('every list clamps its limit, however large or small', async () => {
  const limited = routes.filter(({ query }) => query && v.is(query, { limit: '1' }) && !v.is(query, { limit: 'x' }))
  expect(limited.length).toBeGreaterThan(20)
  for (const [index, route] of limited.entries()) {
    for (const limit of everyNth(['-1', '101', '0', '9'.repeat(400)], 2, index)) {
      const answer = await api('GET', `${real(route).path}?limit=${limit}`, { token: boss.token })
      expect([answer.status, answer.body.error], `${route.path} ${limit}`).toEqual([200, undefined])
      expect(answer.body.data.length).toBeLessThanOrEqual(limit === '-1' || limit === '0' ? 1 : 100)
    }
  }
})

test('an unknown route, a wrong method', async () => {
  const unknown = await api('GET', '/nothing')
  expect([unknown.status, unknown.body.error.type]).toEqual([404, 'route_not_found'])
  const wrong = await api('DELETE', `/organizations/${payer.id}/payments`, { token: boss.token })
  expect([wrong.status, wrong.body.error.type, wrong.headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET'])
})

test('each path takes its own methods and tells them of any other, also a fixed one beside a parameter', async () => {
  const paths = new Map<string, string[]>()
  for (const { root, path, method } of routes) {
    const url = `${root ? '/' : ''}${path}`
    paths.set(url, [...(paths.get(url) ?? []), method.toUpperCase()])
  }
  for (const [index, [path, allowed]] of [...paths].entries()) {
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((one) => !allowed.includes(one))
    for (const method of everyNth(others, 2, index)) {
      const answer = await api(method, path.replaceAll(/\{\w+\}/g, randomUUID()))
      expect([path, method, answer.status, answer.body.error.type]).toEqual([path, method, 405, 'method_not_allowed'])
      expect([path, answer.headers.get('allow')]).toEqual([path, allowed.join(', ')])
    }
  }
})

test('operation ids are unique', () => {
  const ids = routes.map((route) => route.operationId)
  expect(new Set(ids).size).toBe(ids.length)
})
