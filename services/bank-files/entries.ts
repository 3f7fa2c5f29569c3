/** Entries of accounts, each stored once in however many files it stands; a page of a file at a time. */
import { type Mention, factsOf, findSameEntry, referenceOf } from '../../domain/bank-files/entry-matching.ts'
import { type EntryName, entryIdOf } from '../../domain/bank-files/entry-ids.ts'
import type { BankEntry } from '../../domain/bank-files/messages.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { encryptForRow } from '../../platform/encryption.ts'
import type { Transaction } from '../../db/postgres/sql.ts'
import { hashOf } from '../idempotency.ts'
import { type Candidate, KnownEntries } from './known-entries.ts'

/** Place of an entry in a file. */
export type EntryPlace = Mention & {
  readonly connection: ConnectionName
  readonly account: string
  /** Number of the entry in the file. */
  readonly position: number
  /** Instant of its booking, by the books of the bank. */
  readonly bookedAt: string
}

export type PlacedEntry = { readonly entry: BankEntry; readonly place: EntryPlace }
export type StoredEntry = PlacedEntry & { readonly id: string; readonly isNew: boolean }

/**
 * Stores the entries of a page, but for those that are known; answers their ids, and which are new. A repeat for the
 * same places answers the same. They are of one account, whose lock the transaction holds.
 */
export async function storeEntries(tx: Transaction, page: readonly PlacedEntry[]): Promise<StoredEntry[]> {
  const there = await listThere(tx, page)
  const fresh = page.filter(({ place }) => !there.has(place.position))
  const known = await KnownEntries.read(tx, fresh)
  const counts = await countNamed(tx, fresh.map(nameOf))
  const stored = new Map<number, Pick<StoredEntry, 'id' | 'isNew'>>()
  for (const [position, id] of there) stored.set(position, { id, isNew: false })
  const mentions: NewMention[] = []
  for (const one of fresh) {
    const { entry, place } = one
    const same = findSameEntry(entry, place, known.alike(entry))
    const found = same ? known.learn(same.id, one) : known.add(newEntry(one, counts))
    found.mentions.push({ kind: place.kind, report: place.report, fileId: place.fileId })
    stored.set(place.position, { id: found.id, isNew: !same })
    mentions.push({ ...place, id: found.id })
  }
  await insertEntries(tx, fresh, known.added)
  await updateEntries(tx, [...known.learned])
  await insertMentions(tx, mentions)
  return page.map((one) => {
    const found = stored.get(one.place.position)
    if (!found) throw new Error('an entry was not stored')
    return { ...one, ...found }
  })
}

/** Lists the entries that stand at these places already, by position. */
async function listThere(tx: Transaction, page: readonly PlacedEntry[]): Promise<Map<number, string>> {
  const rows = await tx<{ position: number; entry_id: string }[]>`
    select position, entry_id from bank_entry_mentions where file_id = ${page[0]?.place.fileId ?? null}
      and position = any (${page.map(({ place }) => place.position)}::integer[])`
  return new Map(rows.map((row) => [row.position, row.entry_id]))
}

const contentOf = ({ amount, direction, isReversal, bookedOn, valuedOn, ...entry }: BankEntry) => ({
  amount,
  direction,
  isReversal,
  bookedOn,
  valuedOn,
  facts: factsOf(entry),
})

/**
 * Derives the name of an entry from its content. A database that was put back gives the same id again, by which its
 * deposits are known.
 */
function nameOf({ entry, place: { connection, account } }: PlacedEntry): EntryName {
  const { amount, direction, isReversal } = entry
  return { connection, account, named: referenceOf(entry) ?? hashOf(contentOf(entry)), amount, direction, isReversal }
}

function newEntry(placed: PlacedEntry, counts: Map<string, number>): Candidate {
  const { entry, place } = placed
  const name = nameOf(placed)
  const first = entryIdOf(name, 0)
  const count = counts.get(first) ?? 0
  counts.set(first, count + 1)
  const { amount, direction, isReversal, bookedOn, valuedOn } = entry
  return {
    id: entryIdOf(name, count),
    reference: referenceOf(entry),
    amount,
    direction,
    isReversal,
    bookedOn,
    valuedOn,
    bookedAt: place.bookedAt,
    facts: factsOf(entry),
    mentions: [],
  }
}

/** Numbers of a name that are looked for at once. */
const PROBES = 16

/** Range in which the entries of a name end: all below `from` are there, `until` is not; null before one is missing. */
type Range = { readonly name: EntryName; readonly from: number; readonly until: number | null }

/**
 * Counts the entries under each name, by the id of the first: those after it have the next numbers, without a gap. Most
 * names are those of one; the end of many is found by galloping search.
 */
async function countNamed(tx: Transaction, names: readonly EntryName[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  let open = new Map(names.map((name): [string, Range] => [entryIdOf(name, 0), { name, from: 0, until: null }]))
  while (open.size > 0) {
    const asked = new Map([...open].map(([first, range]) => [first, probesOf(range)]))
    const rows = await tx<{ id: string }[]>`
      select id from bank_entries where id = any (${[...asked.values()].flatMap((ids) => [...ids.values()])}::uuid[])`
    const there = new Set(rows.map(({ id }) => id))
    const ranges = [...open].map(([first, range]) => [first, narrow(range, asked.get(first), there)] as const)
    for (const [first, { from }] of ranges) counts.set(first, from)
    open = new Map(ranges.filter(([, { from, until }]) => until === null || from < until))
  }
  return counts
}

/** Makes the ids to look for by their numbers: one at first, then farther and farther, then within the range. */
function probesOf({ name, from, until }: Range): ReadonlyMap<number, string> {
  const numbers = Array.from({ length: from === 0 ? 1 : PROBES }, (_, at) =>
    until === null ? from + 2 ** at - 1 : from + Math.floor(((until - from) * at) / PROBES),
  )
  return new Map(numbers.map((number) => [number, entryIdOf(name, number)]))
}

function narrow(range: Range, probes: ReadonlyMap<number, string> | undefined, there: ReadonlySet<string>): Range {
  let { from, until } = range
  for (const [number, id] of probes ?? []) {
    if (there.has(id)) from = Math.max(from, number + 1)
    else until = Math.min(until ?? number, number)
  }
  return { name: range.name, from, until }
}

const rowOf = ({ amount, bookedAt, bookedOn, facts, id, isReversal, valuedOn, ...known }: Candidate) => ({
  id,
  direction: known.direction,
  reversal: isReversal,
  ...amount,
  reference: known.reference,
  booked_on: bookedOn,
  valued_on: valuedOn,
  booked_at: bookedAt,
  sealed: encryptForRow(id, facts).toString('base64'),
})

async function insertEntries(
  tx: Transaction,
  page: readonly PlacedEntry[],
  added: readonly Candidate[],
): Promise<void> {
  const [first] = page
  if (!first || added.length === 0) return
  const { connection, account } = first.place
  await tx`
    insert into bank_entries (id, connection, account, direction, reversal, amount, currency, reference, booked_on,
      valued_on, booked_at, sealed)
    select e.id, ${connection}, ${account}, e.direction, e.reversal, e.amount, e.currency, e.reference, e.booked_on,
      e.valued_on, e.booked_at, decode(e.sealed, 'base64')
    from jsonb_to_recordset(${tx.json(added.map(rowOf))}) e (id uuid, direction text, reversal boolean, amount numeric,
      currency text, reference text, booked_on date, valued_on date, booked_at timestamptz, sealed text)`
}

async function updateEntries(tx: Transaction, learned: readonly Candidate[]): Promise<void> {
  if (learned.length === 0) return
  await tx`
    update bank_entries e set reference = l.reference, booked_on = l.booked_on, valued_on = l.valued_on,
      booked_at = l.booked_at, sealed = decode(l.sealed, 'base64')
    from jsonb_to_recordset(${tx.json(learned.map(rowOf))}) l (id uuid, reference text, booked_on date, valued_on date,
      booked_at timestamptz, sealed text)
    where e.id = l.id`
}

type NewMention = Pick<EntryPlace, 'fileId' | 'position' | 'kind' | 'report'> & { readonly id: string }

async function insertMentions(tx: Transaction, mentions: readonly NewMention[]): Promise<void> {
  if (mentions.length === 0) return
  const rows = mentions.map(({ fileId, position, kind, report, id }) => ({ fileId, position, kind, report, id }))
  await tx`
    insert into bank_entry_mentions (file_id, position, entry_id, kind, report)
    select m."fileId", m.position, m.id, m.kind, m.report
    from jsonb_to_recordset(${tx.json(rows)}) m ("fileId" uuid, position integer, id uuid, kind text, report text)`
}
