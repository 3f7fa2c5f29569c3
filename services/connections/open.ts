/** Guard of the start: a partner is not left out while something is under way there. */
import { type Rail, partnerOf } from '../../domain/rails.ts'
import { UnusableConfiguration } from '../../platform/live.ts'
import { config } from '../../platform/config.ts'
import { sql } from '../../db/postgres/sql.ts'

type UnderWay = { readonly workflow: string; readonly rail: Rail | null; readonly count: number }

const NOUNS: Readonly<Record<string, string>> = { payment: 'payments', deposit: 'deposits', cover: 'covers' }

/** Requires a connection for all that is under way. Throws with how many there are at which partner. */
export async function requireConnections(): Promise<void> {
  const rows = await sql<UnderWay[]>`select workflow, rail, count from count_under_way()`
  const faults = rows.flatMap(({ workflow, rail, count }) => {
    const noun = NOUNS[workflow]
    const partner = workflow === 'cover' ? 'rates' : rail === 'fiat' || rail === 'crypto' ? partnerOf(rail) : null
    if (!noun || !partner || config.partners[partner]) return []
    return [`${partner} is not connected, and has ${count} open ${noun}: connect it as closed until they have ended.`]
  })
  if (faults.length > 0) throw new UnusableConfiguration(faults.join('\n'))
}
