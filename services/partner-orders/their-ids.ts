/** Ids of providers: payouts by the memory of their orders, deposits by UUIDs that are made of them. */
import { v5 } from 'uuid'
import { first, sql } from '../../db/postgres/sql.ts'
import { isUuid } from '../../domain/ids.ts'

const NAMESPACE = '3a8f3b0c-5d0e-4c55-9f38-0d0f6f1f2a71'

/** Derives our UUID of a provider's deposit: its own if that is one, in lower case. */
export const depositUuid = (connection: string, theirId: string): string =>
  isOurs(theirId) ? theirId : v5(`${connection}:${theirId}`, NAMESPACE)

const isOurs = (id: string): boolean => isUuid(id) && id === id.toLowerCase()

/** Derives our UUIDs of deposits of a provider, in order, and stores what they were made of. */
export async function nameDeposits(connection: string, theirIds: readonly string[]): Promise<string[]> {
  const ids = theirIds.map((theirId) => depositUuid(connection, theirId))
  const made = theirIds.flatMap((theirId, at) => (isOurs(theirId) ? [] : [{ id: ids[at], their_id: theirId }]))
  if (made.length > 0) {
    await sql`
      insert into partner_deposit_ids (connection, id, their_id)
      select ${connection}, d.id, d.their_id from jsonb_to_recordset(${sql.json(made)}) d (id uuid, their_id text)
      on conflict do nothing`
  }
  return ids
}

/** Version of the UUIDs that are made of ids: others are the provider's own, or of payments. */
const MADE = /^.{14}5/

/** Finds the provider's id of a deposit. */
export async function findTheirDeposit(connection: string, id: string): Promise<string> {
  if (!MADE.test(id)) return id
  const row = await first(sql<{ their_id: string }[]>`
    select their_id from partner_deposit_ids where connection = ${connection} and id = ${id}`)
  return row?.their_id ?? id
}

/** Finds the payments whose payouts have these ids at their provider; those of which no answer was recorded are missing. */
export async function findPaymentsOf(connection: string, theirIds: readonly string[]): Promise<Map<string, string>> {
  if (theirIds.length === 0) return new Map()
  const rows = await sql<{ their_id: string; id: string }[]>`
    select their_id, id from payments_of_payouts(${connection}, ${[...theirIds]}::text[])`
  return new Map(rows.map(({ their_id: theirId, id }) => [theirId, id]))
}

/** Orders of a payment whose instant order came to nothing; the instant one has the id of the payment. */
type TwoOrders = { readonly payment: string; readonly fallback: string }

/** Finds the payment whose second order, the standard one, has this id; without a statement for ids of payments. */
export async function findPaymentOfFallback(connection: string, id: string): Promise<string | undefined> {
  if (!isUuid(id) || !MADE.test(id)) return undefined
  return (await findFallbacks(connection, [id]))[0]?.payment
}

/** Finds the payments with two orders among these ids of payouts, by either. */
export async function findFallbacks(connection: string, ids: readonly string[]): Promise<readonly TwoOrders[]> {
  if (ids.length === 0) return []
  return sql<TwoOrders[]>`select payment, fallback from orders_of_fallbacks(${connection}, ${[...ids]}::uuid[])`
}
