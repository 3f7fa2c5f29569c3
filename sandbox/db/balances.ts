import type { ConnectionName } from '../../domain/partner.ts'
import { sql } from '../../db/postgres/sql.ts'

export type SandboxBalance = {
  readonly currency: string
  readonly network: null
  readonly amount: string
  readonly as_of: string
}

/**
 * Reads what is booked at a partner: deposits that are there, less payouts that are settled, what it kept of those that
 * came back, and what it charged beside.
 */
export const listBalances = (partner: ConnectionName): Promise<SandboxBalance[]> => sql<SandboxBalance[]>`
  select m.currency, null as network, sum(m.amount)::text as amount, statement_timestamp() as as_of from (
    select currency, amount::numeric from sandbox_deposits where partner = ${partner} and status = 'received'
    union all
    select currency, -amount::numeric from sandbox_payouts where partner = ${partner} and status = 'settled'
    union all
    select currency, (returned ->> 'amount')::numeric - amount::numeric from sandbox_payouts
    where partner = ${partner} and status = 'returned' and returned ->> 'currency' = currency
    union all
    -- charges may name again what was kept
    select charges ->> 'currency', least(0, -(charges ->> 'amount')::numeric + case
      when status = 'returned' and returned ->> 'currency' = currency and charges ->> 'currency' = currency
        then amount::numeric - (returned ->> 'amount')::numeric else 0 end)
    from sandbox_payouts
    where partner = ${partner} and charges is not null and status in ('settled', 'rejected', 'cancelled', 'returned')) m
  group by m.currency order by m.currency`
