/** Mappings of an organization to the accounts of its books. */
import { mappingEvents } from '../../domain/accounting/events.ts'
import {
  type AccountCodes,
  CARD_CATEGORY,
  type Mapping,
  type NewMapping,
  requireMappable,
} from '../../domain/accounting/mapping.ts'
import { newCause, record } from '../events.ts'
import { type Reader, type Tx, sql } from '../../db/postgres/sql.ts'
import { openTenant } from './books.ts'

/** Lists all mappings, with the account names of the latest sync. */
export const listMappings = (reader: Reader): Promise<Mapping[]> =>
  reader<Mapping>(sql`
    select m.mapping_type, nullif(m.source_value, '') as source_value, m.account_code, a.name as account_name
    from accounting_mappings m
    left join accounting_accounts a on a.organization_id = ${reader.organizationId} and a.code = m.account_code
      and a.tenant_id = (${openTenant(reader)})
    where m.organization_id = ${reader.organizationId}
    order by m.mapping_type, m.source_value`)

type MappingRow = { readonly mapping_type: string; readonly source_value: string; readonly account_code: string }

/** Replaces all mappings. The event names the types with another account, or none any more. */
export async function replaceMappings(tx: Tx, mappings: readonly NewMapping[]): Promise<void> {
  requireMappable(mappings)
  await tx`select from organizations where id = ${tx.organizationId} for no key update` // serializes replacements
  const rows = mappings.map((given) => ({
    organization_id: tx.organizationId,
    ...given,
    source_value: given.source_value ?? '',
  }))
  const before = await tx<MappingRow[]>`
    delete from accounting_mappings where organization_id = ${tx.organizationId}
    returning mapping_type, source_value, account_code`
  if (rows.length > 0) await tx`insert into accounting_mappings ${tx(rows)}`
  const changed = listChangedTypes(before, rows)
  if (changed.length === 0) return
  await record(tx, mappingEvents.changed, { subjectId: tx.organizationId, cause: newCause(), payload: { changed } })
}

function listChangedTypes(before: readonly MappingRow[], after: readonly MappingRow[]): string[] {
  const nameOf = (row: MappingRow) => (row.source_value ? `${row.mapping_type}:${row.source_value}` : row.mapping_type)
  const codes = (rows: readonly MappingRow[]) => new Map(rows.map((row) => [nameOf(row), row.account_code]))
  const [old, fresh] = [codes(before), codes(after)]
  return [...new Set([...old.keys(), ...fresh.keys()])].filter((name) => old.get(name) !== fresh.get(name)).sort()
}

export async function accountCodes(tx: Tx): Promise<AccountCodes> {
  const rows = await tx<{ mapping_type: string; account_code: string }[]>`
    select mapping_type, account_code from accounting_mappings
    where organization_id = ${tx.organizationId} and mapping_type <> ${CARD_CATEGORY}`
  return new Map(rows.map((row) => [row.mapping_type, row.account_code]))
}
