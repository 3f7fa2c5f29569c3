/** Balances of an organization, now or at a past instant. */
import type { Account, Balances } from '../../domain/accounts/account.ts'
import type { AccountDetails } from '../../domain/accounts/receiving-account.ts'
import { refuse } from '../../domain/errors.ts'
import { moneyOf } from '../../domain/money/money.ts'
import { type Page, type PageRequest, refuseCursor } from '../../domain/pagination.ts'
import { toPage } from '../../db/postgres/pagination.ts'
import { accountDetails } from './receiving-accounts.ts'
import { type Reader, first, sql } from '../../db/postgres/sql.ts'

type Holding = { currency: string; available: string; held: string; total: string }

/** Lists the accounts of an organization by currency. An account opens with its first money. */
export async function listAccounts(reader: Reader, { limit, cursor }: PageRequest): Promise<Page<Account>> {
  const mine = sql`organization_id = ${reader.organizationId} and kind = 'available'`
  const rows = await reader<Holding & { id: string; account_details: AccountDetails[] }>(sql`
    select a.id, a.currency, a.balance as available, h.balance as held, a.balance + h.balance as total,
      ${accountDetails(sql`a.organization_id`, sql`a.currency`)} as account_details
    from ledger_accounts a
    join ledger_accounts h
      on h.organization_id = a.organization_id and h.currency = a.currency and h.kind = 'held'
    where a.organization_id = ${reader.organizationId} and a.kind = 'available'
    ${cursor ? sql`and a.currency > (select currency from ledger_accounts where id = ${cursor} and ${mine})` : sql``}
    order by a.currency limit ${limit + 1}`)
  if (rows.length === 0 && cursor) {
    const known = await reader(sql`select id from ledger_accounts where id = ${cursor} and ${mine}`)
    if (known.length === 0) refuseCursor()
  }
  const page = toPage(rows, limit)
  const toAccount = ({ id, account_details, ...holding }: (typeof rows)[number]): Account => ({
    id,
    ...inMoney(holding),
    status: 'active',
    account_details,
  })
  return { ...page, data: page.data.map(toAccount) }
}

/** Reads the balances at a past instant, or now; refuses one in the future as `invalid_request`. */
export async function balancesAt(reader: Reader, asOf: string | undefined): Promise<Balances> {
  const instant = await first(
    reader<{ as_of: string; future: boolean }>(sql`
      select coalesce(t.asked, business_now()) as as_of, coalesce(t.asked > business_now(), false) as future
      from (select ${asOf ?? null}::timestamptz as asked) t`),
  )
  if (!instant) throw new Error('no instant came back')
  if (instant.future) {
    refuse('invalid_request', { errors: [{ path: 'as_of', code: 'future', message: 'must not be in the future' }] })
  }
  const rows = await reader<Holding>(sql`
    select currency, sum(balance) filter (where kind = 'available') as available,
      sum(balance) filter (where kind = 'held') as held, sum(balance) as total
    from balances_as_of(${instant.as_of}) group by currency order by currency`)
  return { as_of: instant.as_of, data: rows.map(inMoney) }
}

function inMoney({ currency, available, held, total }: Holding) {
  const money = (amount: string) => moneyOf(amount, currency)
  return { currency, available: money(available), held: money(held), total: money(total) }
}
