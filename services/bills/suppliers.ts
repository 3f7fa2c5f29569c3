/** Suppliers of bills: compared by their keys, and bills whose keys are to be computed again. */
import { supplierKeysOf } from '../../domain/bills/likeness.ts'
import type { BillId, OrganizationId } from '../../domain/ids.ts'
import { type Fragment, asSystem, sql } from '../../db/postgres/sql.ts'

/** Selects the text that the keys of a supplier are computed from; the same expression as that of the index. */
export const keySource = (taxId: Fragment, name: Fragment): Fragment =>
  sql`coalesce(${taxId}, '') || E'\n' || coalesce(${name}, '')`

/** Finds bills with a key in common, each by an index. */
export const mayBeSameSupplier = (a: Fragment, b: Fragment): Fragment => sql`
  (${a}.tax_number = ${b}.tax_number or ${a}.plain_name = ${b}.plain_name or ${a}.tax_key = ${b}.tax_key
    or ${a}.name_key = ${b}.name_key)`

/**
 * Compares the suppliers of two bills: by tax ids if both have one of a kind, else by names. Ids of different lengths
 * are of different kinds, as a VAT id and a tax number are, and say nothing.
 */
export const sameSupplier = (a: Fragment, b: Fragment): Fragment => sql`
  case when ${a}.tax_number = ${b}.tax_number or ${a}.tax_key = ${b}.tax_key then true
    when length(${a}.tax_number) = length(${b}.tax_number) then false
    else coalesce(${a}.plain_name = ${b}.plain_name, false) or coalesce(${a}.name_key = ${b}.name_key, false) end`

const BATCH = 1000
type Row = {
  readonly id: BillId
  readonly organization_id: OrganizationId
  readonly supplier_tax_id: string | null
  readonly supplier_name: string | null
}

/** Computes the keys of suppliers that the release before wrote without; answers of how many bills. */
export async function keySuppliers(): Promise<number> {
  let done = 0
  for (let after: BillId | null = null; ;) {
    const rows: readonly Row[] = await sql<Row[]>`select * from bills_without_keys(${after}::uuid, ${BATCH})`
    for (const organizationId of new Set(rows.map((row) => row.organization_id))) {
      await keyBills(
        organizationId,
        rows.filter((row) => row.organization_id === organizationId),
      )
    }
    done += rows.length
    after = rows.at(-1)?.id ?? null
    if (rows.length < BATCH) return done
  }
}

/** Writes the keys of bills, but of those whose supplier has changed meanwhile. */
async function keyBills(organizationId: OrganizationId, bills: readonly Row[]): Promise<void> {
  const keyed = bills.map(({ id, supplier_tax_id: taxId, supplier_name: name }) => ({
    id,
    taxId,
    name,
    ...supplierKeysOf({ ...(taxId && { supplier_tax_id: taxId }), ...(name && { supplier_name: name }) }),
  }))
  await asSystem(
    organizationId,
    (tx) => tx`
      update bills b set tax_number = k.tax_number, plain_name = k.plain_name,
        keys_of = ${keySource(sql`b.supplier_tax_id`, sql`b.supplier_name`)}
      from jsonb_to_recordset(${sql.json(keyed)})
        as k (id uuid, "taxId" text, name text, tax_number text, plain_name text)
      where b.id = k.id and b.supplier_tax_id is not distinct from k."taxId"
        and b.supplier_name is not distinct from k.name`,
  )
}
