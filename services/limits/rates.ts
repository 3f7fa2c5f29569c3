/** Daily rates, by which sums over several currencies are counted. */
import { BANK_CURRENCIES } from '../../domain/accounts/receiving-account.ts'
import { sql } from '../../db/postgres/sql.ts'

/**
 * Lists currencies that have no rate of this day (UTC): those of money and of limits, and those of bank accounts, so that
 * the first payment of a new organization has a rate.
 */
export async function findCurrenciesWithoutRate(): Promise<string[]> {
  const rows = await sql<{ currency: string }[]>`
    select currency from currencies_without_rate((business_now() at time zone 'UTC')::date)
    union
    select currency from unnest(${BANK_CURRENCIES.filter((currency) => currency !== 'USD')}::text[]) currency
    where not exists (select from daily_rates r
      where r.currency = currency and r.day = (business_now() at time zone 'UTC')::date)
    order by currency`
  return rows.map(({ currency }) => currency)
}

/** Keeps the value of one unit in US dollars; the first one of a day stays. */
export async function keepRate(currency: string, usd: string): Promise<void> {
  await sql`
    insert into daily_rates (currency, day, usd) values (${currency}, (business_now() at time zone 'UTC')::date, ${usd})
    on conflict do nothing`
}
