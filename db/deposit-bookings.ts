/** Where money that arrived goes: to whoever has the account that it names, or to suspense. */
import { type PartnersDeposit, recordArrival } from './deposit-arrivals.ts'
import { type Arrival, type Booked, railOf } from './model/deposit.ts'
import type { DepositStatus } from './model/deposit-flow.ts'
import type { DepositId, OrganizationId } from './model/ids.ts'
import { asSystem, first, sql } from './sql.ts'
import { NOBODY, recordUnmatched, recordUnmatchedReturn } from './unmatched-deposits.ts'

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

/** The partner sent money back that may be unmatched: then it is returned. Held money is its own run's concern. */
export async function bookSentBack({ partner, partnerDepositId }: PartnersDeposit): Promise<Booked> {
  const row = await first(sql<{ id: string; status: string }[]>`
    select id, status from unmatched_deposits where partner = ${partner} and partner_deposit_id = ${partnerDepositId}`)
  if (!row || row.status === 'assigned') return { kind: 'nothing' }
  await recordUnmatchedReturn(row.id)
  return { kind: 'unmatched', id: row.id }
}

/** Whether nobody has booked it or an operator still decides about it (`open`), it is held for an organization, or decided. */
type Standing =
  | { readonly kind: 'open' }
  | { readonly kind: 'held'; readonly id: DepositId }
  | { readonly kind: 'over' }

/** Notes that a partner called about a deposit, for the run of one that is held; answers where it stands. */
export async function noteDepositCall({ partner, partnerDepositId }: PartnersDeposit): Promise<Standing> {
  type Row = { id: string; organization_id: OrganizationId | null; status: DepositStatus | 'unmatched' }
  const row = await first(sql<Row[]>`
    select id, organization_id, status from deposit_owner(${partner}, ${partnerDepositId})
    union all
    select id, null, status from unmatched_deposits
    where partner = ${partner} and partner_deposit_id = ${partnerDepositId} and status <> 'assigned'`)
  if (!row || row.status === 'unmatched') return { kind: 'open' }
  if (row.status !== 'held' || row.organization_id === null) return { kind: 'over' }
  await asSystem(
    row.organization_id,
    (tx) => tx`update deposits set partner_calls = partner_calls + 1 where id = ${row.id}`,
  )
  return { kind: 'held', id: row.id as DepositId } // the id of a deposit
}
