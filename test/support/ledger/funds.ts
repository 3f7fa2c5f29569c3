/** Proofs of funds on demand, and what the stand-ins say they hold. */
import { askBalances, listFundsConnections, proveBalances } from '../../../activities/funds.ts'
import { type Part, reconcilePartner } from '../../../activities/reconciliation.ts'
import type { ConnectionName } from '../../../domain/partner.ts'
import { owner } from '../database.ts'

/** Asks a connection, then reads its lists, as the run does. */
export async function ask(connection: ConnectionName): Promise<void> {
  await askBalances({ connection })
  await readLists(connection)
}

export async function readLists(partner: ConnectionName): Promise<void> {
  for (let part: Part | undefined = { partner, steps: ['payouts', 'deposits'] }; part;) {
    part = (await reconcilePartner(part)).next
  }
}

/** Looks once at all connections; by default as the last look, which stores findings. */
export async function prove(isLast = true) {
  for (const connection of await listFundsConnections()) await ask(connection)
  return proveBalances({ isLast })
}

export type KeptComparison = {
  outcome: string
  clearing: string
  balance: string | null
  difference: string | null
  items: { kind: string; name: string; amount: string }[]
  nearest: { explains: boolean; items: { kind: string; name: string; amount: string }[] } | null
}

/** The last comparison of a connection in a currency. */
export async function comparisonOf(connection: string, currency: string): Promise<KeptComparison> {
  const [row] = await owner<KeptComparison[]>`
    select outcome, clearing::text, balance::text, difference::text, items, nearest from funds_comparisons
    where connection = ${connection} and currency = ${currency}`
  if (!row) throw new Error(`no comparison of ${connection} ${currency}`)
  return row
}

export const proofsOf = (currency: string) => owner<{ day: string; statement: string; stored_as: string | null }[]>`
  select day::text, statement, stored_as from funds_proofs where currency = ${currency} order by day`

/** Lets the proofs of today be made again: each is of the day before now, by two steps that meet none on their way. */
export async function passDay(): Promise<void> {
  await owner`update funds_proofs set day = day - 100000`
  await owner`update funds_proofs set day = day + 99999`
}
