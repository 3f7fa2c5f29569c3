/** Accounts, tax rates and tracking of connected books, as the latest sync found them. */
import type { Account, BooksChart } from '../../domain/accounting/integration.ts'
import type { BooksNames } from '../../domain/accounting/names.ts'
import { syncFlow } from '../../domain/accounting/sync-flow.ts'
import type { SyncRunId } from '../../domain/ids.ts'
import { type Fragment, type Reader, type Tx, sql } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'

/** Lists the accounts of the connected books by code; none without a connection. */
export const listAccounts = (reader: Reader): Promise<Account[]> =>
  reader<Account>(sql`
    select a.code, a.name, a.account_type, a.currency, a.takes_payments from accounting_accounts a
    where a.organization_id = ${reader.organizationId} and a.tenant_id = (${openTenant(reader)}) order by a.code`)

/** Selects the tenant of the connected books. */
export const openTenant = ({ organizationId }: Pick<Reader, 'organizationId'>) => sql`
  select c.tenant_id from accounting_connections c
  where c.organization_id = ${organizationId} and c.status in ('connected', 'needs_reconnect')`

/** Stores the chart of the books for the run that read it. */
export async function keepBooks(
  tx: Tx,
  { tenantId, runId }: { readonly tenantId: string; readonly runId: SyncRunId },
  { accounts, options, rates }: BooksChart,
): Promise<void> {
  await keep(tx, 'accounting_accounts', tenantId, accounts)
  await keep(tx, 'accounting_tax_rates', tenantId, rates)
  await keep(tx, 'accounting_tracking', tenantId, options)
  await tx`update accounting_sync_runs set accounts_read = true, updated_at = business_now() where id = ${runId}`
  wake(tx, syncFlow, { ids: [runId], why: 'accounts_read' })
}

type Table = 'accounting_accounts' | 'accounting_tax_rates' | 'accounting_tracking'

async function keep(tx: Tx, table: Table, tenantId: string, found: readonly object[]): Promise<void> {
  const rows = found.map((one) => ({ ...one, organization_id: tx.organizationId, tenant_id: tenantId }))
  await tx`delete from ${sql(table)} where organization_id = ${tx.organizationId} and tenant_id = ${tenantId}`
  if (rows.length > 0) await tx`insert into ${sql(table)} ${tx(rows)}`
}

/** Reads how books name tax codes and labels: by equal code, else by equal name. */
export async function readNames(tx: Tx, tenantId: string): Promise<BooksNames> {
  const ownOf = (t: Fragment) => sql`${t}.organization_id = ${tx.organizationId} and ${t}.tenant_id = ${tenantId}`
  const taxes = await tx<{ code: string; rate: string }[]>`
    select distinct on (c.code) c.code, t.code as rate
    from chart_tax_codes c join accounting_tax_rates t on t.code = c.code or lower(t.name) = lower(c.name)
    where c.organization_id = ${tx.organizationId} and ${ownOf(sql`t`)} order by c.code, t.code <> c.code, t.code`
  const categories = await tx<{ dimension: string; category: string }[]>`
    select distinct on (d.code) d.code as dimension, t.category
    from dimensions d join (select distinct r.category from accounting_tracking r where ${ownOf(sql`r`)}) t
      on lower(t.category) in (lower(d.code), lower(d.name))
    where d.organization_id = ${tx.organizationId} order by d.code, lower(t.category) <> lower(d.code), t.category`
  const options = await tx<{ dimension: string; value: string; category: string; option: string }[]>`
    select v.dimension, v.code as value, t.category, t.option
    from dimension_values v join accounting_tracking t on lower(t.option) in (lower(v.code), lower(v.name))
    where v.organization_id = ${tx.organizationId} and ${ownOf(sql`t`)}
      and v.dimension = any (${categories.map(({ dimension }) => dimension)}::text[])
    order by lower(t.option) <> lower(v.code), t.option`
  return {
    taxes: new Map(taxes.map(({ code, rate }) => [code, rate])),
    categories: new Map(categories.map(({ dimension, category }) => [dimension, category])),
    options,
  }
}
