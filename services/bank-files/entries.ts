/** Entries of accounts, each stored once in however many files it stands. */
import {
  type KnownEntry,
  type Mention,
  factsOf,
  findSameEntry,
  referenceOf,
} from '../../domain/bank-files/entry-matching.ts'
import type { BankEntry } from '../../domain/bank-files/messages.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { decryptForRow, encryptForRow } from '../../platform/encryption.ts'
import { type Transaction, values } from '../../db/postgres/sql.ts'
import { hashOf } from '../idempotency.ts'
import { entryIdOf } from './deposit-ids.ts'

/** Place of an entry in a file. */
export type EntryPlace = Mention & {
  readonly connection: ConnectionName
  readonly account: string
  /** Number of the entry in the file. */
  readonly position: number
  /** Instant of its booking, by the books of the bank. */
  readonly bookedAt: string
}

/**
 * Stores an entry, unless it is known; answers its id, and whether it is new. A repeat for the same place answers the
 * same. The transaction holds the lock of the account.
 */
export async function storeEntry(
  tx: Transaction,
  entry: BankEntry,
  place: EntryPlace,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { fileId, position, kind, report } = place
  const [there] = await tx<{ entry_id: string }[]>`
    select entry_id from bank_entry_mentions where file_id = ${fileId} and position = ${position}`
  if (there) return { id: there.entry_id, isNew: false }
  const known = await listAlike(tx, entry, place)
  const same = findSameEntry(entry, place, known)
  const id = same?.id ?? (await insertEntry(tx, entry, place, known.length))
  if (same) await learnMore(tx, same, entry, place)
  await tx`
    insert into bank_entry_mentions (file_id, position, entry_id, kind, report)
    values (${fileId}, ${position}, ${id}, ${kind}, ${report})`
  return { id, isNew: !same }
}

type KnownRow = Pick<KnownEntry, 'id' | 'reference' | 'mentions'> & {
  readonly booked_on: string | null
  readonly valued_on: string | null
  readonly sealed: Buffer
}

/** Lists the entries of the same account, direction and amount that may be the same. */
async function listAlike(
  tx: Transaction,
  entry: BankEntry,
  { connection, account }: EntryPlace,
): Promise<KnownEntry[]> {
  const { amount, direction, isReversal, bookedOn, valuedOn } = entry
  const rows = await tx<KnownRow[]>`
    select e.id, e.reference, e.booked_on, e.valued_on, e.sealed, (
      select coalesce(jsonb_agg(jsonb_build_object('kind', m.kind, 'report', m.report, 'fileId', m.file_id)), '[]')
      from bank_entry_mentions m where m.entry_id = e.id) as mentions
    from bank_entries e
    where e.connection = ${connection} and e.account = ${account} and e.currency = ${amount.currency}
      and e.amount = ${amount.amount} and e.direction = ${direction} and e.reversal = ${isReversal}
      and (e.reference = ${referenceOf(entry)} or e.booked_on = ${bookedOn} or e.valued_on = ${valuedOn})
    order by e.inserted_at, e.id`
  return rows.map(({ booked_on: booked, valued_on: valued, sealed, ...one }) => ({
    ...one,
    bookedOn: booked,
    valuedOn: valued,
    facts: decryptForRow(one.id, sealed) as KnownEntry['facts'], // written below
  }))
}

/**
 * Inserts an entry. Its id is made of what the bank says, so that a database that was put back gives the same one
 * again: the deposits of it are known by that.
 */
async function insertEntry(tx: Transaction, entry: BankEntry, place: EntryPlace, alike: number): Promise<string> {
  const { connection, account, bookedAt } = place
  const { amount, direction, isReversal, bookedOn, valuedOn } = entry
  const reference = referenceOf(entry)
  const facts = factsOf(entry)
  const content = { amount, direction, isReversal, bookedOn, valuedOn, facts }
  const name = { connection, account, named: reference ?? hashOf(content), amount, direction, isReversal }
  const [taken] = await tx<{ count: number }[]>`
    select count(*)::int as count from bank_entries where id = any (${idsOf(name, alike)}::uuid[])`
  const id = entryIdOf(name, taken?.count ?? 0)
  await tx`
    insert into bank_entries ${values({
      id,
      connection,
      account,
      direction,
      reversal: isReversal,
      amount: amount.amount,
      currency: amount.currency,
      reference,
      booked_on: bookedOn,
      valued_on: valuedOn,
      booked_at: bookedAt,
      sealed: encryptForRow(id, facts),
    })}`
  return id
}

/** Makes the ids of entries that are alike: the first of them, and those after it. */
const idsOf = (name: Parameters<typeof entryIdOf>[0], most: number): string[] =>
  Array.from({ length: most + 1 }, (_, at) => entryIdOf(name, at))

/** Adds what another file says of an entry: its reference, its days, and an earlier instant. */
async function learnMore(
  tx: Transaction,
  { id, facts }: KnownEntry,
  entry: BankEntry,
  place: EntryPlace,
): Promise<void> {
  const also = factsOf(entry)
  const all = {
    ids: facts.ids.length > 0 ? facts.ids : also.ids,
    debtors: facts.debtors.length > 0 ? facts.debtors : also.debtors,
    words: facts.words.length >= also.words.length ? facts.words : also.words,
  }
  await tx`
    update bank_entries set reference = coalesce(reference, ${referenceOf(entry)}),
      booked_on = coalesce(booked_on, ${entry.bookedOn}), valued_on = coalesce(valued_on, ${entry.valuedOn}),
      booked_at = least(booked_at, ${place.bookedAt}), sealed = ${encryptForRow(id, all)}
    where id = ${id}`
}
