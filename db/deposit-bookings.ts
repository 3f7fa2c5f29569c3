/** Where money that arrived goes: to whoever has the account that it names, or to suspense. */
import { recordArrival } from './deposit-arrivals.ts'
import { type Arrival, type Booked, railOf } from './model/deposit.ts'
import type { OrganizationId } from './model/ids.ts'
import { asSystem, first, sql } from './sql.ts'
import { NOBODY, recordUnmatched } from './unmatched-deposits.ts'

/**
 * Books money that a partner says has come: to whoever has the account that it names, in the account's currency; to
 * suspense where there is nobody. A repeat answers what the first one did.
 */
export async function bookArrival(arrival: Arrival): Promise<Booked> {
  const account = await accountOf(arrival)
  const booked =
    account &&
    (await asSystem(account.organization_id, (tx) => {
      const { id: receivingAccountId, network } = account
      return recordArrival(tx, { ...arrival, network: network ?? arrival.network }, { receivingAccountId })
    }))
  return booked ?? asSystem(NOBODY, (tx) => recordUnmatched(tx, arrival))
}

type AccountRow = {
  id: string
  organization_id: OrganizationId
  rail: string
  currency: string
  network: string | null
}

async function accountOf({ account, amount, partner }: Arrival): Promise<AccountRow | undefined> {
  const found = await first(sql<AccountRow[]>`
    select id, organization_id, rail, currency, network from receiving_account(${account})`)
  return found && found.currency === amount.currency && found.rail === railOf(partner) ? found : undefined
}

/** Whether a partner's deposit is in the books, wherever. */
export async function isBooked(partnerDepositId: string): Promise<boolean> {
  const rows = await sql`
    select id from deposit_owner(${partnerDepositId})
    union all select id from unmatched_deposits where partner_deposit_id = ${partnerDepositId}`
  return rows.length > 0
}
