/** Accounts: balances of an organization, now or at a past instant. */
import type { Account, Balances } from '../../domain/accounts/account.ts'
import type { AccountDetails } from '../../domain/accounts/receiving-account.ts'
import { refuse } from '../../domain/errors.ts'
import { moneyOf } from '../../domain/money/money.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { paged, refuseCursor } from '../pagination.ts'
import { accountDetails } from './receiving-accounts.ts'
import { type Reader, first, sql } from '../sql.ts'

type Holding = { currency: string; available: string; held: string; total: string }

/** The accounts of an organization by currency, as they stand now. An account opens with its first money. */
export async function listAccounts(reader: Reader, { limit, cursor }: PageRequest): Promise<Page<Account>> {
  const rows = await reader<Holding & { id: string; account_details: AccountDetails[] }>(sql`
    select a.id, a.currency, a.balance as available, h.balance as held, a.balance + h.balance as total,
      ${accountDetails(sql`a.organization_id`, sql`a.currency`)} as account_details
    from ledger_accounts a
    join ledger_accounts h
      on h.organization_id = a.organization_id and h.currency = a.currency and h.kind = 'held'
    where a.organization_id = ${reader.organizationId} and a.kind = 'available'
    ${
      cursor
        ? sql`and a.currency > (select c.currency from ledger_accounts c
            where c.id = ${cursor} and c.organization_id = ${reader.organizationId} and c.kind = 'available')`
        : sql``
    }
    order by a.currency limit ${limit + 1}`)
  if (rows.length === 0 && cursor && !(await isAccount(reader, cursor))) refuseCursor()
  const page = paged(rows, limit)
  return {
    ...page,
    data: page.data.map((row) => ({
      id: row.id,
      ...inMoney(row),
      status: 'active',
      account_details: row.account_details,
    })),
  }
}

async function isAccount(reader: Reader, id: string): Promise<boolean> {
  const rows = await reader(sql`
    select id from ledger_accounts
    where id = ${id} and organization_id = ${reader.organizationId} and kind = 'available'`)
  return rows.length === 1
}

/** What was held at a past instant, now if none is given; one in the future is refused as `invalid_request`. */
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
