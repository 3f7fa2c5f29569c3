import type { ConnectionName } from '../../domain/partner.ts'
import { sql } from '../../db/postgres/sql.ts'

export type SandboxBalance = {
  readonly currency: string
  readonly network: null
  readonly amount: string
  readonly as_of: string
}

/** Reads what is booked at a partner: deposits that are there, less payouts that are settled. */
export const listBalances = (partner: ConnectionName): Promise<SandboxBalance[]> => sql<SandboxBalance[]>`
  select m.currency, null as network, sum(m.amount)::text as amount, statement_timestamp() as as_of from (
    select currency, amount::numeric from sandbox_deposits where partner = ${partner} and status = 'received'
    union all
    select currency, -amount::numeric from sandbox_payouts where partner = ${partner} and status = 'settled') m
  group by m.currency order by m.currency`
