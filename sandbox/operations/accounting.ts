/** What was posted to the stand-in of the accounting program: whoever posts twice is seen here. */
import { refuse } from '../../domain/errors.ts'
import { pageOf } from '../../domain/pagination.ts'
import {
  SandboxItem,
  SandboxItemsQuery,
  SandboxTenant,
  SandboxTenantParams,
  SandboxTenantsQuery,
} from '../../domain/sandbox/accounting.ts'
import { listItems, listTenants } from '../db/accounting-books.ts'
import { route } from '../../api/http/route.ts'

const shared = { method: 'get', tag: 'Sandbox', credential: 'sandbox' } as const

export const sandboxAccounting = [
  route({
    ...shared,
    path: '/sandbox/accounting/tenants',
    operationId: 'listSandboxAccountingTenants',
    summary: 'List the tenants of the accounting program with how often they were called, the last one first',
    query: SandboxTenantsQuery,
    returns: pageOf(SandboxTenant),
    handle: ({ query }) => listTenants(query),
  }),
  route({
    ...shared,
    path: '/sandbox/accounting/tenants/{tenant_id}/items',
    operationId: 'listSandboxAccountingItems',
    summary: 'List what was posted to the books of one of them, the last one first',
    params: SandboxTenantParams,
    query: SandboxItemsQuery,
    returns: pageOf(SandboxItem),
    refuses: [404],
    handle: async ({ params, query }) => (await listItems(params.tenant_id, query)) ?? refuse('not_found'),
  }),
]
