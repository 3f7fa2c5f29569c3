/** Chart of accounts: what is not named any more is archived, and never deleted. */
import {
  ACCOUNTS_MAX,
  type AccountsChart,
  CODE_MAX,
  NAMED_MAX,
  type NewAccountsChart,
  TAX_CODES_MAX,
} from '../../domain/coding/chart.ts'
import { chartEvents } from '../../domain/coding/events.ts'
import { refuse } from '../../domain/errors.ts'
import { newCause, record } from '../events.ts'
import { instantText } from '../../db/postgres/fragments.ts'
import { type Reader, type Tx, sql } from '../../db/postgres/sql.ts'
import { openTenant } from '../accounting/books.ts'
import { archiveOthers, lockOrganization, requireRoom } from './codes.ts'
import { takeTracking } from './dimensions.ts'

/** Reads the chart, by code. */
export async function findChart(reader: Reader): Promise<AccountsChart> {
  const own = sql`organization_id = ${reader.organizationId}`
  const [accounts, taxCodes] = await Promise.all([
    reader<AccountsChart['accounts'][number]>(sql`
      select code, name, account_type, ${instantText(sql`archived_at`)} as archived_at from chart_accounts
      where ${own} order by code`),
    reader<AccountsChart['tax_codes'][number]>(sql`
      select code, name, rate::text as rate, ${instantText(sql`archived_at`)} as archived_at from chart_tax_codes
      where ${own} order by code`),
  ])
  return { accounts: [...accounts], tax_codes: [...taxCodes] }
}

/** Replaces the chart: codes that are not named are archived, archived ones that are named come back. */
export async function replaceChart(tx: Tx, { accounts, tax_codes: taxCodes }: NewAccountsChart): Promise<void> {
  await lockOrganization(tx)
  const changed = [...(await writeAccounts(tx, accounts, 'all')), ...(await writeTaxCodes(tx, taxCodes, 'all'))]
  await recordChange(tx, changed)
}

/**
 * Takes accounts, tax rates and tracking of the connected books, of the latest sync.
 * Other codes stay. Refuses `accounting_not_connected`.
 */
export async function takeBooks(tx: Tx): Promise<void> {
  await lockOrganization(tx)
  const ofBooks = sql`organization_id = ${tx.organizationId} and tenant_id = (${openTenant(tx)})`
  const accounts = await tx<NewAccountsChart['accounts']>`
    select code, name, account_type from accounting_accounts where ${ofBooks} order by code`
  if (accounts.length === 0) refuse('accounting_not_connected')
  const taxCodes = await tx<NewAccountsChart['tax_codes']>`
    select code, name, rate from accounting_tax_rates
    where ${ofBooks} and length(code) <= ${CODE_MAX} and (rate is null or rate between 0 and 100) order by code`
  const changed = [...(await writeAccounts(tx, accounts, 'named')), ...(await writeTaxCodes(tx, taxCodes, 'named'))]
  await recordChange(tx, changed)
  const options = await tx<{ category: string; option: string }[]>`
    select category, option from accounting_tracking
    where ${ofBooks} and length(category) <= ${CODE_MAX} and length(option) <= ${CODE_MAX} order by category, option`
  await takeTracking(tx, options)
}

async function recordChange(tx: Tx, changed: readonly string[]): Promise<void> {
  if (changed.length === 0) return
  await requireRoom(tx, 'chart_accounts', ACCOUNTS_MAX)
  await requireRoom(tx, 'chart_tax_codes', TAX_CODES_MAX)
  const count = changed.length
  const payload = { changed: changed.toSorted().slice(0, NAMED_MAX), ...(count > NAMED_MAX && { count }) }
  await record(tx, chartEvents.changed, { subjectId: tx.organizationId, cause: newCause(), payload })
}

async function writeAccounts(tx: Tx, accounts: NewAccountsChart['accounts'], which: 'all' | 'named') {
  const rows = await tx<{ code: string }[]>`
    insert into chart_accounts as c (organization_id, code, name, account_type)
    select ${tx.organizationId}, n.code, n.name, n.account_type
    from jsonb_to_recordset(${tx.json([...accounts])}) n (code text, name text, account_type text)
    on conflict (organization_id, code) do update
    set name = excluded.name, account_type = excluded.account_type, archived_at = null, updated_at = business_now()
    where (c.name, c.account_type) is distinct from (excluded.name, excluded.account_type) or c.archived_at is not null
    returning code`
  const archived = which === 'named' ? [] : await archiveOthers(tx, 'chart_accounts', accounts)
  return [...rows.map(({ code }) => code), ...archived]
}

async function writeTaxCodes(tx: Tx, taxCodes: NewAccountsChart['tax_codes'], which: 'all' | 'named') {
  const rows = await tx<{ code: string }[]>`
    insert into chart_tax_codes as c (organization_id, code, name, rate)
    select ${tx.organizationId}, n.code, n.name, n.rate
    from jsonb_to_recordset(${tx.json([...taxCodes])}) n (code text, name text, rate numeric)
    on conflict (organization_id, code) do update
    set name = excluded.name, rate = excluded.rate, archived_at = null, updated_at = business_now()
    where (c.name, c.rate) is distinct from (excluded.name, excluded.rate) or c.archived_at is not null
    returning code`
  const archived = which === 'named' ? [] : await archiveOthers(tx, 'chart_tax_codes', taxCodes)
  return [...rows.map(({ code }) => code), ...archived]
}
