/** Feeds of many rows, written by the owner of the database without a ledger. */
import { type TestPerson, organization } from '../api.ts'
import { owner } from '../database.ts'

/** An organization with `rows` deposits, the last three pending; each three share one instant. */
export async function longFeed(boss: TestPerson, rows: number): Promise<string> {
  const { id } = await organization(boss)
  const posted = rows - 3
  await owner`
    insert into transactions (id, organization_id, type, direction, status, amount, currency, running_balance,
      counterparty, description, created_by, posted_at, seq)
    select uuidv7(), ${id}, 'deposit', 'in', case when i > ${posted} then 'pending' else 'posted' end, 1, 'USD',
      case when i <= ${posted} then i end, 'Counterparty', i::text, ${boss.userId},
      case when i <= ${posted} then '2026-03-01'::timestamptz + make_interval(secs => i / 3 * 3) end, i
    from generate_series(1, ${rows}) i`
  return id
}
