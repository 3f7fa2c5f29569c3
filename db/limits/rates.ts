/** Daily rates, by which sums over several currencies are counted. */
import { sql } from '../sql.ts'

/** Lists currencies of money and of limits that have no rate of this day (UTC). */
export async function findCurrenciesWithoutRate(): Promise<string[]> {
  const rows = await sql<{ currency: string }[]>`
    select currency from currencies_without_rate((business_now() at time zone 'UTC')::date)`
  return rows.map(({ currency }) => currency)
}

/** Keeps the value of one unit in US dollars; the first one of a day stays. */
export async function keepRate(currency: string, usd: string): Promise<void> {
  await sql`
    insert into daily_rates (currency, day, usd) values (${currency}, (business_now() at time zone 'UTC')::date, ${usd})
    on conflict do nothing`
}
