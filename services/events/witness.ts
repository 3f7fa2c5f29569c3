/**
 * Witness: the newest events of the log, signed, in storage. A database that lacks one was restored to an earlier
 * state.
 */
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { canonicalJson } from '../../domain/canonical.ts'
import { id } from '../../domain/ids.ts'
import { timestamp } from '../../domain/text.ts'
import { now } from '../../platform/clock.ts'
import { log } from '../../platform/log.ts'
import { ObjectGone, get } from '../../platform/storage/storage.ts'
import { sql } from '../../db/postgres/sql.ts'
import { isSigned, keyOfHeads, putLines, signStatement } from './heads.ts'

/** Newest events that are read; the last of each organization among them is kept. */
const NEWEST_MAX = 1000
const KEY = keyOfHeads('latest')

const Head = v.object({ organization_id: id<'organization'>(), event_id: id<'event'>(), occurred_at: timestamp })
export type WitnessedHead = v.InferOutput<typeof Head>
const Witness = v.object({ heads: v.array(Head), published_at: timestamp })
const Signed = v.object({ key_id: v.string(), statement: v.string(), signature: v.string() })

/** Reads the heads in storage: null if there are none, `unreadable` if our signature does not fit. */
export async function readWitness(): Promise<readonly WitnessedHead[] | 'unreadable' | null> {
  try {
    const kept = v.parse(Signed, JSON.parse(await text(await get(KEY))))
    if (isSigned(kept)) return v.parse(Witness, JSON.parse(kept.statement)).heads
  } catch (error) {
    if (error instanceof ObjectGone) return null
    if (!(error instanceof SyntaxError) && !v.isValiError(error)) throw error
  }
  log.error('the witness of the log in storage is not as it was signed')
  return 'unreadable'
}

export async function missingHeads(heads: readonly WitnessedHead[]): Promise<WitnessedHead[]> {
  const ids = heads.map((head) => head.event_id)
  const rows = await sql<{ id: string }[]>`select id from unknown_events(${ids}::uuid[]) id`
  const unknown = new Set(rows.map((row) => row.id))
  return heads.filter((head) => unknown.has(head.event_id))
}

/** Puts the newest heads of the database into storage, unless they are there. Throws `StorageAway`. */
export async function writeWitness(known: readonly WitnessedHead[] | null): Promise<void> {
  const heads = await sql<WitnessedHead[]>`
    select organization_id, event_id, occurred_at from newest_events(${NEWEST_MAX}) order by event_id`
  if (known && canonicalJson([...heads]) === canonicalJson([...known])) return
  const witness = signStatement(() => ({ heads: [...heads], published_at: now().toISOString() }))
  await putLines(KEY, [JSON.stringify(witness)])
}
