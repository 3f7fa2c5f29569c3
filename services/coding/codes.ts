/** Codes that may be chosen: accounts, tax codes and values that are not archived. */
import { KEPT_PER_CODE } from '../../domain/coding/chart.ts'
import type { CodingPart } from '../../domain/coding/coding.ts'
import { refuse } from '../../domain/errors.ts'
import { type Reader, type Tx, sql } from '../../db/postgres/sql.ts'

export type Codes = {
  readonly accounts: ReadonlySet<string>
  readonly taxCodes: ReadonlySet<string>
  readonly labels: ReadonlySet<string>
}

type Choice = Pick<CodingPart, 'account_code' | 'tax_code' | 'labels'>
/** Field of a coding that names what cannot be chosen. */
export type CodeField = 'account_code' | 'tax_code' | 'labels'

const labelOf = (dimension: string, value: string): string => JSON.stringify([dimension, value])

/** Reads the codes that may be chosen. */
export async function readCodes(reader: Reader): Promise<Codes> {
  const own = sql`organization_id = ${reader.organizationId} and archived_at is null`
  const [accounts, taxCodes, labels] = await Promise.all([
    reader<{ code: string }>(sql`select code from chart_accounts where ${own}`),
    reader<{ code: string }>(sql`select code from chart_tax_codes where ${own}`),
    reader<{ dimension: string; code: string }>(sql`
      select v.dimension, v.code from dimension_values v
      join dimensions d on d.organization_id = v.organization_id and d.code = v.dimension and d.archived_at is null
      where v.organization_id = ${reader.organizationId} and v.archived_at is null`),
  ])
  return {
    accounts: new Set(accounts.map(({ code }) => code)),
    taxCodes: new Set(taxCodes.map(({ code }) => code)),
    labels: new Set(labels.map(({ code, dimension }) => labelOf(dimension, code))),
  }
}

/** Serializes changes of the codes of an organization. */
export const lockOrganization = (tx: Tx) =>
  tx`select from organizations where id = ${tx.organizationId} for no key update`

/**
 * Refuses more codes in a table than four times those that may be chosen.
 *
 * It is `unprocessable_entity`. Archived ones count, as they are never deleted; values count for each dimension.
 */
export async function requireRoom(tx: Tx, table: CodeTable | 'dimension_values', choices: number): Promise<void> {
  const limit = choices * KEPT_PER_CODE
  const by = table === 'dimension_values' ? sql`group by dimension` : sql`` // prettier-ignore
  const full = await tx`
    select count(*) from ${sql(table)} where organization_id = ${tx.organizationId} ${by} having count(*) > ${limit}`
  if (full.length > 0) refuse('unprocessable_entity', { reason: 'too_many_codes', field: table, limit })
}

type CodeTable = 'chart_accounts' | 'chart_tax_codes' | 'dimensions'

/** Archives the codes of a table that a replacement does not name; answers them. */
export async function archiveOthers(
  tx: Tx,
  table: CodeTable,
  named: readonly { readonly code: string }[],
): Promise<string[]> {
  const rows = await tx<{ code: string }[]>`
    update ${sql(table)} set archived_at = business_now(), updated_at = business_now()
    where archived_at is null and code <> all (${named.map(({ code }) => code)}::text[]) returning code`
  return rows.map(({ code }) => code)
}

/** Finds the field that names a code which cannot be chosen. */
export function findUnknown({ accounts, labels, taxCodes }: Codes, choice: Choice): CodeField | undefined {
  if (choice.account_code !== null && !accounts.has(choice.account_code)) return 'account_code'
  if (choice.tax_code !== null && !taxCodes.has(choice.tax_code)) return 'tax_code'
  return choice.labels.every(({ dimension, value }) => labels.has(labelOf(dimension, value))) ? undefined : 'labels'
}

export const isChosen = (codes: Codes, choice: Choice): boolean => findUnknown(codes, choice) === undefined
