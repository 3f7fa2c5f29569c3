import { type Tx, first, sql, within } from '../../db/postgres/sql.ts'

const DIGITS = 6
/** Table of the last numbers, and setting of the prefix, of what is numbered. */
const PLACES = {
  invoice: { table: 'invoice_numbers', prefix: 'invoice_prefix' },
  credit_note: { table: 'credit_note_numbers', prefix: 'credit_note_prefix' },
} as const

/** Takes the next number of an organization. Concurrent callers wait for the commit, so that there are no gaps. */
export async function takeNumber(
  tx: Tx,
  of: keyof typeof PLACES,
): Promise<{ readonly sequence: number; readonly number: string }> {
  const { table, prefix } = PLACES[of]
  const taken = await first(
    within(tx)<{ sequence: number }>(sql`
      insert into ${sql(table)} as n (organization_id, last) values (${tx.organizationId}, 1)
      on conflict (organization_id) do update set last = n.last + 1
      returning last as sequence`),
  )
  const settings = await first(
    within(tx)<{ prefix: string }>(
      sql`select ${sql(prefix)} as prefix from organizations where id = ${tx.organizationId}`,
    ),
  )
  if (!taken || !settings) throw new Error('the organization is there')
  return { sequence: taken.sequence, number: settings.prefix + String(taken.sequence).padStart(DIGITS, '0') }
}
