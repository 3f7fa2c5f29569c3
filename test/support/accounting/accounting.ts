/** Accounting by its operations: connect by consent, choose accounts, sync. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { connect } from '../../../services/accounting/commands.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { inOrganization } from '../../../db/postgres/sql.ts'
import { type Answer, type TestPerson, api, withStepUp } from '../api.ts'
import { personOf } from '../swaps.ts'
import { until } from '../until.ts'

const base = (organizationId: string) => `/organizations/${organizationId}/integrations`

/** Requests under …/integrations/accounting, with a step-up if one is asked for. */
export const accounting = (
  { token }: TestPerson,
  organizationId: string,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> =>
  withStepUp(method, `${base(organizationId)}/accounting/${path}`, { token, ...(body !== undefined && { body }) })

type Integration = { readonly [member in 'id' | 'status' | 'tenant_id' | 'connected_at']: string }
type SyncError = { readonly [member in 'id' | 'message']: string }
export type SyncRun = {
  readonly id: string
  readonly status: string
  readonly trigger: string
  readonly pushed: number
  readonly ended_at: string | null
  readonly failure: { readonly code: string } | null
  readonly errors: readonly SyncError[]
}
/** The members of items of books that tests read. */
type Item = {
  readonly Type: string
  readonly Status: string
  readonly Reference: string
  readonly Total: number
  readonly AmountDue: number
  readonly Amount: number
  readonly Account: { readonly Code: string }
}

export const integrationsOf = async ({ token }: TestPerson, organizationId: string): Promise<Integration[]> => {
  const { status, body } = await api('GET', base(organizationId), { token })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

export async function consentAddress(by: TestPerson, organizationId: string): Promise<string> {
  const { status, body } = await accounting(by, organizationId, 'POST', 'connect', { provider: 'xero' })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.authorize_url
}

/** The path at this file's API to which Xero redirects after consent. */
export async function consented(address: string, more: Record<string, string> = {}): Promise<string> {
  const url = new URL(address)
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value)
  const { status, headers } = await fetch(url, { redirect: 'manual' })
  expect(status).toBe(302)
  const back = new URL(headers.get('location') ?? '')
  return `/${back.pathname}${back.search}`
}

/** Connects an organization with books at the stand-in, of this tenant or new ones. */
export async function connectBooks(by: TestPerson, organizationId: string, tenantId?: string): Promise<Integration> {
  const back = await consented(await consentAddress(by, organizationId), tenantId ? { tenant_id: tenantId } : {})
  const page = await api('GET', back)
  expect(page.status, page.body).toBe(200)
  return (await integrationsOf(by, organizationId))[0]! // which is connected now
}

export const runsOf = async (by: TestPerson, organizationId: string): Promise<SyncRun[]> =>
  (await accounting(by, organizationId, 'GET', 'sync-runs')).body.data

/** Waits until no sync runs. */
export const idle = (by: TestPerson, organizationId: string): Promise<boolean> =>
  until('no sync runs', async () => (await runsOf(by, organizationId)).every((run) => run.ended_at))

export const isOver = (by: TestPerson, organizationId: string): Promise<boolean> =>
  until('a connection is over', async () => (await integrationsOf(by, organizationId)).length === 0)

/** Requests a sync after the present one, and returns the run when it has ended. */
export async function synced(by: TestPerson, organizationId: string): Promise<SyncRun> {
  await idle(by, organizationId)
  const { status, body } = await accounting(by, organizationId, 'POST', 'sync', {})
  expect(status, JSON.stringify(body)).toBe(202)
  return until('a sync ends', async () =>
    (await runsOf(by, organizationId)).find((run) => run.id === body.id && run.ended_at),
  )
}

/** Accounts of the stand-in's chart for everything in euros and US dollars. */
export const MAPPED = {
  bank_account_eur: '090',
  bank_account_usd: '091',
  payments_sent: '429',
  payments_received: '835',
  bill_payments: '620',
  bank_fees: '404',
  currency_exchange: '429',
  subscriptions: '485',
  bills: '453',
  billing_invoices: '200',
  sales_tax: '850',
}

const mappingsOf = (accounts: Readonly<Record<string, string>>) =>
  Object.entries(accounts).map(([mapping_type, account_code]) => ({ mapping_type, account_code }))

export async function mapped(by: TestPerson, organizationId: string, accounts: object = MAPPED): Promise<void> {
  const mappings = mappingsOf(accounts as Record<string, string>)
  const { status, body } = await accounting(by, organizationId, 'PUT', 'mappings', { mappings })
  expect(status, JSON.stringify(body)).toBe(200)
}

/** The stand-in's items of a type, oldest first, each as Xero answers it. */
export async function itemsIn(tenantId: string, type: string): Promise<Item[]> {
  const { status, body } = await api('GET', `/sandbox/accounting/tenants/${tenantId}/items?type=${type}&limit=100`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.map((item: { body: object }) => item.body).toReversed()
}

/** Connects an organization with books that no server has. */
export async function booksOf(by: TestPerson, organizationId: string, tenantId: string = randomUUID()): Promise<void> {
  const person = personOf(by)
  const books = { provider: 'xero', tenantId, tenantName: 'Books', providerConnectionId: randomUUID() } as const
  const tokens = { access: 'access', refresh: 'refresh', accessSeconds: 1800 }
  await inOrganization(person, organizationId as OrganizationId, (tx) => connect(tx, person, books, tokens))
}
