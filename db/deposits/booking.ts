/** Where money that arrived goes: to whoever has the account that it names, or to suspense. */
import { type PartnersDeposit, bookTransfer } from './arrivals.ts'
import { type IncomingTransfer, type BookingResult } from '../../domain/deposits/deposit.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { asSystem, first, sql } from '../sql.ts'
import { SYSTEM_ORGANIZATION, recordUnmatched, recordUnmatchedReturn } from './unmatched.ts'
import { railOf } from '../../domain/rails.ts'

/**
 * Books money that a partner says has come: to whoever has the account that it names, in the account's currency; to
 * suspense if there is nobody. A repeat answers what the first one did.
 */
export async function bookArrival(arrival: IncomingTransfer): Promise<BookingResult> {
  const account = await accountOf(arrival)
  const booked =
    account &&
    (await asSystem(account.organization_id, (tx) => {
      const { id: receivingAccountId, network } = account
      return bookTransfer(tx, { ...arrival, network: network ?? arrival.network }, { receivingAccountId })
    }))
  return booked ?? asSystem(SYSTEM_ORGANIZATION, (tx) => recordUnmatched(tx, arrival))
}

type AccountRow = {
  id: string
  organization_id: OrganizationId
  rail: string
  currency: string
  network: string | null
}

async function accountOf({ account, amount, partner }: IncomingTransfer): Promise<AccountRow | undefined> {
  const found = await first(sql<AccountRow[]>`
    select id, organization_id, rail, currency, network from receiving_account(${account})`)
  return found && found.currency === amount.currency && found.rail === railOf(partner) ? found : undefined
}

/** The partner sent money back that may be unmatched: then it is returned. Held money is its own run's concern. */
export async function bookSentBack({ partner, partnerDepositId }: PartnersDeposit): Promise<BookingResult> {
  const row = await first(sql<{ id: string; status: string }[]>`
    select id, status from unmatched_deposits where partner = ${partner} and partner_deposit_id = ${partnerDepositId}`)
  if (!row || row.status === 'assigned') return { kind: 'nothing' }
  await recordUnmatchedReturn(row.id)
  return { kind: 'unmatched', id: row.id }
}
