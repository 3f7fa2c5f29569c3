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
import { operations } from '../../api/http/operation.ts'

const { query } = operations('Sandbox')

export const sandboxAccounting = [
  query('/sandbox/accounting/tenants', 'listSandboxAccountingTenants')
    .says('List the tenants of the accounting program', 'With the number of calls to each, newest first.')
    .for('sandbox')
    .filters(SandboxTenantsQuery)
    .answers(pageOf(SandboxTenant))
    .does(({ query }) => listTenants(query)),
  query('/sandbox/accounting/tenants/{tenant_id}/items', 'listSandboxAccountingItems')
    .says('List what was posted to a tenant, newest first')
    .for('sandbox')
    .named(SandboxTenantParams)
    .filters(SandboxItemsQuery)
    .answers(pageOf(SandboxItem))
    .does(async ({ params, query }) => (await listItems(params.tenant_id, query)) ?? refuse('not_found')),
]
