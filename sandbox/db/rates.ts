import type postgres from 'postgres'
import type { Market, NewMarket } from '../../domain/sandbox/sandbox.ts'
import type { Money } from '../../domain/money/money.ts'
import { type Transaction, first, sql } from '../../db/postgres/sql.ts'

/** Reads the market; by the calendar it is closed from Friday 22:00 to Sunday 22:00 UTC. */
export async function findMarket(runner: postgres.ISql = sql): Promise<Market> {
  const row = await first(runner<Market[]>`
    select m.state, case when m.state <> 'calendar' then m.state
      -- two hours later Friday 22:00 is Saturday and Sunday 22:00 is Monday
      when extract(isodow from t.moment + interval '2 hours') in (6, 7) then 'closed' else 'open' end as market_state
    from sandbox_market m, (select business_now() at time zone 'UTC' as moment) t`)
  if (!row) throw new Error('the market of the sandbox is missing')
  return row
}

export async function setMarket(tx: Transaction, { state }: NewMarket): Promise<Market> {
  await tx`update sandbox_market set state = ${state}`
  return findMarket(tx)
}

export type SandboxTrade = {
  readonly id: string
  readonly status: 'executed'
  readonly sell: Money
  readonly buy: Money
  readonly executed_at: string
}
type StoredTrade = SandboxTrade & { readonly body_hash: string }

const VIEW = sql`id, 'executed' as status, sell, buy, executed_at`

export const findTrade = async (id: string): Promise<StoredTrade | undefined> =>
  first(sql<StoredTrade[]>`select ${VIEW}, body_hash from sandbox_trades where id = ${id}`)

/** Executes a trade, once for each id. */
export async function executeTrade(id: string, bodyHash: string, trade: { sell: Money; buy: Money }): Promise<void> {
  await sql`
    insert into sandbox_trades (id, body_hash, sell, buy)
    values (${id}, ${bodyHash}, ${sql.json(trade.sell)}, ${sql.json(trade.buy)}) on conflict do nothing`
}

export const listTrades = async (after: string | undefined, limit: number): Promise<SandboxTrade[]> => [
  ...(await sql<SandboxTrade[]>`
    select ${VIEW} from sandbox_trades
    where seq > coalesce((select a.seq from sandbox_trades a where a.id = ${after ?? null}), 0)
    order by seq limit ${limit}`),
]
