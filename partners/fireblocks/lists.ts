/** Lists of transactions, oldest first by their creation, which never changes. */
import * as v from 'valibot'
import { isUuid } from '../../domain/ids.ts'
import type { PartnerPage } from '../driver.ts'
import { type PartnerEndpoint, requestPartner, unclear } from '../http.ts'
import type { UnreadableRecord } from '../schemas.ts'
import { Transaction } from './transactions.ts'

/** Page sizes: the usual one, and one for more transactions of a millisecond than that. */
const [PAGE, PAGE_MAX] = [50, 500]
/** A transaction has some 3 KB, and one with many transfers or verdicts more. */
const BYTES_PER_ENTRY = 16 * 1024
const CURSOR = /^\d{1,16}$/

const Instant = v.object({ createdAt: v.pipe(v.number(), v.integer(), v.minValue(0)) })
const Entries = v.array(v.unknown())

/** Part of the history: what left our vault accounts, or came to them. */
export type Side = 'sourceType' | 'destType'

/** Entry as it is answered, with the transaction if it can be read. */
export type Entry = { readonly entry: unknown; readonly position: number; readonly transaction: Transaction | null }
export type History = { readonly entries: readonly Entry[]; readonly next: string | null }

/**
 * Reads a page. Transactions of one millisecond may stand on both sides of its end: the next page begins before the
 * last one again, so that none is skipped, and those come twice.
 */
export async function readHistory(endpoint: PartnerEndpoint, side: Side, after = '0'): Promise<History> {
  if (!CURSOR.test(after)) throw unclear(endpoint, 'its list has no such page', false)
  for (const limit of [PAGE, PAGE_MAX]) {
    const query = new URLSearchParams({ after, orderBy: 'createdAt', sort: 'ASC', limit: String(limit) })
    query.set(side, 'VAULT_ACCOUNT')
    const listed = await requestPartner(
      { ...endpoint, answerBytesMax: limit * BYTES_PER_ENTRY },
      {
        method: 'GET',
        path: `/v1/transactions?${query.toString()}`,
        answer: Entries,
      },
    )
    const entries = listed.map((entry, position): Entry => {
      const read = v.safeParse(Transaction, entry)
      return { entry, position, transaction: read.success ? read.output : null }
    })
    if (listed.length < limit) return { entries, next: null }
    const latest = Math.max(...listed.map((one) => (v.is(Instant, one) ? one.createdAt : 0)))
    if (latest - 1 > Number(after)) return { entries, next: String(latest - 1) }
  }
  throw unclear(endpoint, `it has more than ${PAGE_MAX} transactions of one millisecond`, true)
}

/** Sorts entries into a page: those that are read, those that are odd, and those that are nothing to us (null). */
export function pageOf<One>(
  { entries, next }: History,
  read: (transaction: Transaction) => One | 'odd' | 'zero' | null,
): PartnerPage<One> {
  const [data, odd]: [One[], UnreadableRecord[]] = [[], []]
  for (const { entry, position, transaction } of entries) {
    const one = transaction ? read(transaction) : 'odd'
    if (one === 'odd' || one === 'zero') odd.push({ id: idIn(entry), position, isZeroAmount: one === 'zero' })
    else if (one !== null) data.push(one)
  }
  return { data, odd, next }
}

/** Names an entry that cannot be read as one that can: a payout by our id, anything else by the provider's. */
function idIn(entry: unknown): string | null {
  if (!v.is(Identified, entry)) return null
  const id = entry.externalTxId && isUuid(entry.externalTxId) ? entry.externalTxId : entry.id
  return isUuid(id) ? id.toLowerCase() : null
}
const Identified = v.object({ id: v.string(), externalTxId: v.nullish(v.string()) })
