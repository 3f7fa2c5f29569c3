/** Labels of payments and transactions: values that may be chosen. */
import type { Labels } from '../../domain/coding/label.ts'
import { refuse } from '../../domain/errors.ts'
import type { Tx } from '../../db/postgres/sql.ts'

/** Holds the chart and the dimensions as they are until the commit. */
export const holdCodes = (tx: Tx) => tx`select from organizations where id = ${tx.organizationId} for share`

/**
 * Refuses labels that cannot be chosen, `invalid_coding`. They stay until the commit: dimensions are not replaced
 * meanwhile. Sends nothing without labels.
 */
export async function requireLabels(tx: Tx, labels: Labels): Promise<void> {
  if (labels.length === 0) return
  await holdCodes(tx)
  const [unknown] = await tx<{ dimension: string; value: string }[]>`
    select n.dimension, n.value from jsonb_to_recordset(${tx.json([...labels])}) n (dimension text, value text)
    where not exists (
      select from dimension_values v join dimensions d on d.organization_id = v.organization_id and d.code = v.dimension
      where v.organization_id = ${tx.organizationId} and v.dimension = n.dimension and v.code = n.value
        and v.archived_at is null and d.archived_at is null)`
  if (unknown) refuse('invalid_coding', { field: 'labels', reason: 'unknown_code', ...unknown })
}
