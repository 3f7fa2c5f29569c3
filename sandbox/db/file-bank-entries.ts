/** Entries and statements of the accounts at the stand-in of a bank by files. */
import type { ConnectionName } from '../../domain/partner.ts'
import { type Transaction, first, sql } from '../../db/postgres/sql.ts'

export type EntryRow<Document> = {
  readonly reference: string
  readonly iban: string
  readonly currency: string
  /** Signed: credits are positive. */
  readonly amount: string
  readonly bookedOn: string
  readonly document: Document
}

/** Books entries. Throws for a reference that is booked: nothing is booked twice. */
export async function bookEntries<Document>(
  tx: Transaction,
  partner: ConnectionName,
  entries: readonly EntryRow<Document>[],
): Promise<void> {
  const rows = entries.map((entry, place) => ({ ...entry, place }))
  await tx`
    insert into sandbox_bank_entries (partner, reference, iban, currency, amount, booked_on, document)
    select ${partner}, e.reference, e.iban, e.currency, e.amount, e."bookedOn", e.document
    from jsonb_to_recordset(${sql.json(rows as never)})
      e (reference text, iban text, currency text, amount text, "bookedOn" date, document jsonb, place integer)
    order by e.place`
}

/** Lists entries of an account that no statement has, as they were booked. */
export const listOpenEntries = async <Document>(
  tx: Transaction,
  partner: ConnectionName,
  iban: string,
): Promise<EntryRow<Document>[]> => [
  ...(await tx<EntryRow<Document>[]>`
    select reference, iban, currency, amount, booked_on as "bookedOn", document from sandbox_bank_entries
    where partner = ${partner} and iban = ${iban} and statement is null order by seq`),
]

export type StatementRow = { readonly number: number; readonly day: string; readonly closing: string }

export const findLastStatement = (
  tx: Transaction,
  partner: ConnectionName,
  iban: string,
): Promise<StatementRow | undefined> =>
  first(tx<StatementRow[]>`
    select number, day, closing from sandbox_bank_statements
    where partner = ${partner} and iban = ${iban} order by number desc limit 1`)

/** Closes entries by a statement. */
export async function closeStatement(
  tx: Transaction,
  {
    closing,
    day,
    iban,
    number,
    partner,
    references,
  }: StatementRow & {
    readonly partner: ConnectionName
    readonly iban: string
    readonly references: readonly string[]
  },
): Promise<void> {
  await tx`
    insert into sandbox_bank_statements (partner, iban, number, day, closing)
    values (${partner}, ${iban}, ${number}, ${day}, ${closing})`
  await tx`
    update sandbox_bank_entries set statement = ${number}
    where partner = ${partner} and reference = any (${[...references]})`
}
