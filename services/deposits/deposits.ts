/** Deposits: read and listed. */
import type { Deposit, DepositFilters } from '../../domain/deposits/deposit.ts'
import { refuse } from '../../domain/errors.ts'
import type { DepositId, UserId } from '../../domain/ids.ts'
import { moneyOf } from '../../domain/money/money.ts'
import type { Page } from '../../domain/pagination.ts'
import { partnerOfRow } from '../../db/processes/asking.ts'
import { amountRange, equalTo, timeRange, withWords } from '../../db/postgres/filters.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'

type DepositRow = Omit<Deposit, 'amount'> & { amount: string; currency: string }

const selectDeposit = (): Fragment => sql`
  select deposits.id, deposits.organization_id, deposits.rail, ${partnerOfRow(sql`deposits`)} as connection,
    deposits.network, deposits.amount, deposits.currency,
    deposits.status, deposits.source, ${waitsForSender()} as needs_sender_travel_rule,
    case when ${waitsForSender()} then deposits.release_by end as release_by,
    (select t.id from transactions t where t.deposit_id = deposits.id and t.type = 'deposit' and t.discarded_at is null
      order by t.id limit 1) as transaction_id,
    deposits.inserted_at as occurred_at
  from deposits`

/** Selects whether the sender of a row of `deposits` is to be named. */
export const waitsForSender = (): Fragment => sql`(deposits.status = 'held' and not deposits.is_returning)`

/** Reads a deposit; with `answerer`, only if that person is to name its sender, or did. Refuses `not_found`. */
export async function findDeposit(reader: Reader, id: DepositId, answerer?: UserId): Promise<Deposit> {
  const row = await first(
    reader<DepositRow>(sql`
      ${selectDeposit()} where deposits.id = ${id} and deposits.organization_id = ${reader.organizationId}
        ${visibleTo(answerer)}`),
  )
  return row ? toDeposit(row) : refuse('not_found')
}

const visibleTo = (answerer: UserId | undefined): Fragment =>
  answerer ? sql`and (deposits.travel_rule_by = ${answerer} or ${waitsForSender()})` : sql``

/** Lists deposits, newest first; with `answerer`, only those whose sender that person is to name, or did. */
export async function listDeposits(reader: Reader, filters: DepositFilters, answerer?: UserId): Promise<Page<Deposit>> {
  const select = sql`${selectDeposit()} where true ${visibleTo(answerer)} ${matching(filters)}`
  const page = await pageOf<DepositRow>(reader, 'deposits', filters, select)
  return { ...page, data: page.data.map(toDeposit) }
}

const matching = (f: DepositFilters): Fragment => sql`
  ${equalTo('deposits', f, ['status', 'rail', 'currency'])}
  ${timeRange(sql`deposits.inserted_at`, f)}
  ${amountRange(sql`deposits.amount`, f)}
  ${withWords(f.q, [
    sql`deposits.source ->> 'name'`,
    sql`deposits.source ->> 'reference'`,
    sql`deposits.source ->> 'account_reference'`,
  ])}`

const toDeposit = ({ currency, ...row }: DepositRow): Deposit => ({ ...row, amount: moneyOf(row.amount, currency) })

/** Names the transfer that credits a deposit, and the cause of its event. */
export const creditKey = (id: DepositId): string => `deposit:${id}:credit`
