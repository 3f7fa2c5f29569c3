/** Lists of sanctions in our tables: replaced as a whole, and searched by the keys of a name. */
import { POSSIBLE_FROM, type ScreeningQuestion, explainMatch, matchOf } from '../../domain/screening/match.ts'
import type { ListCode, ListEntry, ListHead, ListPart } from '../../domain/screening/lists.ts'
import { keysOfName, wordsOfName } from '../../domain/screening/names.ts'
import { type ListedMatch, MATCHES_MAX, type ScreeningAnswer } from '../../domain/screening/screening.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { type Fragment, type Transaction, first, sql, transaction } from '../../db/postgres/sql.ts'
import { type ListConnection, listsOf } from './settings.ts'

/** A file of a list, as it was found. */
export type ListFile = {
  readonly connection: ConnectionName
  readonly list: ListCode
  /** Null for one that could not be read from its path. */
  readonly sha256: string | null
  readonly modifiedAt: Date | null
}

/** Tells if a file is one that was read before, with success or in vain. */
export async function isKnownFile({ connection, list, sha256 }: ListFile): Promise<boolean> {
  const row = await first(sql`
    select from screening_lists where connection = ${connection} and list = ${list}
      and (sha256 = ${sha256} and fault is null or fault_sha256 = ${sha256})`)
  return row !== undefined
}

/**
 * Replaces a list by the parts of a file, in one transaction: until it commits, questions are answered by the list before.
 * A part that throws leaves all as it was. Answers the number of its subjects.
 */
export async function replaceList(file: ListFile, parts: AsyncIterable<ListPart>): Promise<number> {
  const { connection, list, sha256, modifiedAt } = file
  return transaction(async (tx) => {
    await tx`insert into screening_lists (connection, list) values (${connection}, ${list}) on conflict do nothing`
    await tx`select from screening_lists where connection = ${connection} and list = ${list} for no key update`
    await tx`delete from screening_entries where connection = ${connection} and list = ${list}`
    let head: ListHead | undefined
    for await (const part of parts) {
      head ??= part.head
      await insertEntries(tx, file, part.subjects)
    }
    if (!head) throw new Error('a list came without its head')
    await tx`
      update screening_lists set sha256 = ${sha256}, subjects = ${head.subjects}, published_on = ${head.publishedOn},
        modified_at = ${modifiedAt}, read_at = business_now(), fault = null, fault_sha256 = null, fault_at = null
      where connection = ${connection} and list = ${list}`
    return head.subjects
  })
}

async function insertEntries(tx: Transaction, { connection, list }: ListFile, entries: readonly ListEntry[]) {
  const rows = entries.map(({ of, ...entry }) => ({ ...entry, entity: of === 'entity' }))
  await tx`
    insert into screening_entries (connection, list, reference, entity, names, born, countries, keys)
    select ${connection}, ${list}, e.reference, e.entity, e.names, e.born, e.countries, e.keys
    from jsonb_to_recordset(${sql.json(rows)})
      e (reference text, entity boolean, names text[], born text[], countries text[], keys integer[])`
}

/** Writes down why a file cannot be read: the list before stays in use. */
export const noteListFault = async ({ connection, list, sha256 }: ListFile, fault: string): Promise<void> => {
  await sql`
    insert into screening_lists (connection, list, fault, fault_sha256, fault_at)
    values (${connection}, ${list}, ${fault}, ${sha256}, business_now())
    on conflict (connection, list) do update
      set fault = excluded.fault, fault_sha256 = excluded.fault_sha256, fault_at = excluded.fault_at`
}

/** List of a connection as it stands. */
export type ListStanding = {
  readonly list: ListCode
  readonly sha256: string | null
  readonly subjects: number | null
  readonly published_on: string | null
  readonly modified_at: string | null
  readonly read_at: string | null
  readonly fault: string | null
  /** Days since its publication by its own word, else since the time of its file. */
  readonly days: number | null
}

export const listStandings = (connection: ConnectionName): Promise<ListStanding[]> => sql<ListStanding[]>`
  select l.list, l.sha256, l.subjects, l.published_on::text, l.modified_at, l.read_at, l.fault,
    extract(day from business_now() - coalesce(l.published_on::timestamp at time zone 'UTC', l.modified_at))::int as days
  from screening_lists l where l.connection = ${connection} order by l.list`

const SHA_LETTERS = 8

/** Names the editions of all lists of a connection; null while one of them was never read. */
export async function editionsOf(connection: ListConnection): Promise<string | null> {
  const standings = await listStandings(connection.name)
  const named = listsOf(connection).map(([list]) => {
    const { sha256, published_on: day } = standings.find((one) => one.list === list) ?? {
      sha256: null,
      published_on: null,
    }
    return sha256 && `${list} ${day ?? 'undated'} ${sha256.slice(0, SHA_LETTERS)}`
  })
  return named.every((one) => one !== null) ? named.join(', ') : null
}

type EntryRow = Omit<ListEntry, 'keys' | 'of'> & { readonly list: ListCode; readonly entity: boolean }

/** Selects the entries that have one of these keys, by their index whatever else is asked. */
const candidates = (keys: readonly number[]): Fragment => sql`
  select e.list, e.reference, e.entity, e.names, e.born, e.countries
  from (select * from screening_entries where keys && ${[...new Set(keys)]}::integer[] offset 0) e`

/** Compares a name with all lists of a connection; null while one of them was never read. */
export async function searchLists(
  connection: ListConnection,
  question: ScreeningQuestion,
): Promise<ScreeningAnswer | null> {
  const editions = await editionsOf(connection)
  if (editions === null) return null
  // a person may be listed as an entity, whose legal forms are left out
  const keys = (['person', 'entity'] as const).flatMap((of) => keysOfName(wordsOfName(question.name, of), 'asked'))
  const lists = listsOf(connection).map(([list]) => list)
  const rows = await sql<
    EntryRow[]
  >`${candidates(keys)} where e.connection = ${connection.name} and e.list = any (${lists}::text[])`
  const matches = rows
    .map(({ list, reference, entity, ...listed }): ListedMatch => {
      const match = matchOf(question, { ...listed, of: entity ? 'entity' : 'person' })
      return { list, reference, name: match.listed_name, score: match.score, why: explainMatch(match) }
    })
    .filter(({ score }) => score >= POSSIBLE_FROM)
    .toSorted((one, other) => other.score - one.score || (one.reference < other.reference ? -1 : 1))
  return { editions, matches: matches.slice(0, MATCHES_MAX) }
}
