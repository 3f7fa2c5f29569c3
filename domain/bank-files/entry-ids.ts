/**
 * Ids of entries and their transactions. They are made of what the bank says: a database that was put back gives the same
 * ones again, and the deposits are known by them.
 */
import { v5 } from 'uuid'
import { canonicalJson } from '../canonical.ts'
import type { Money } from '../money/money.ts'
import type { ConnectionName } from '../partner.ts'

const ENTRIES = '5d0f6a2e-8f43-4f0e-9a55-1f0a7c5f9d27'
const PARTS = 'b1f9d3c4-6a0e-4f4e-8d0a-7a3c9e2f5b18'

/** Facts that name an entry; `named` is the reference of the bank, or a hash of what it says. */
export type EntryName = {
  readonly connection: ConnectionName
  readonly account: string
  readonly named: string
  readonly amount: Money
  readonly direction: 'credit' | 'debit'
  readonly isReversal: boolean
}

/** Makes the id of an entry; `at` counts those that are alike. */
export const entryIdOf = (
  { connection, account, named, amount, direction, isReversal }: EntryName,
  at: number,
): string => v5(`${canonicalJson([connection, account, named, amount, direction, isReversal])}:${at}`, ENTRIES)

/** Makes the id of a transaction of an entry, which is that of its deposit. */
export const partIdOf = (entryId: string, at: number): string => v5(`${entryId}:${at}`, PARTS)

/** Answers the id of the deposit of a credit that the bank books under a reference. */
export const depositIdAt = (
  connection: ConnectionName,
  account: string,
  { amount, reference }: { readonly amount: Money; readonly reference: string },
): string =>
  partIdOf(entryIdOf({ connection, account, named: reference, amount, direction: 'credit', isReversal: false }, 0), 0)
