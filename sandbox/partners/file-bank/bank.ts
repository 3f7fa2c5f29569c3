/** Bank that is reached by a folder: its accounts, and where it takes and gives files. */
import { createHash } from 'node:crypto'
import { v7 } from 'uuid'
import type { Transaction } from '../../../db/postgres/sql.ts'
import type { BankFileAccount } from '../../../platform/drivers/iso20022.ts'
import { config } from '../../../platform/config.ts'
import { takeFault } from '../../db/faults.ts'
import { type NewFile, storeFiles } from '../../db/file-bank.ts'

export type FileBank = {
  readonly name: string
  /** Folders of files to the bank, and from it. */
  readonly upload: string
  readonly download: string
  readonly accounts: readonly BankFileAccount[]
}

const LATE_MS = Math.max(1000, config.sandboxSettleMs * 4)
/** Share of a file that is cut. */
const CUT = 0.6

/** Makes an id of a message, at most 35 characters: later ones are greater. */
export const newMessageId = (): string => v7().replaceAll('-', '')

/** Derives the reference of an entry: the same for the same deed. */
export const referenceOf = (prefix: string, subject: string): string =>
  `${prefix}${createHash('sha256').update(`${prefix}:${subject}`).digest('hex').slice(0, 14).toUpperCase()}`

/** Gives a file, unless faults of the bank lose it, cut it, double it or make it late. */
export async function give(
  tx: Transaction,
  { name: partner }: FileBank,
  { content, name, canBeLost }: NewFile & { readonly canBeLost: boolean },
): Promise<void> {
  const lost = canBeLost ? (['lost_callback'] as const) : []
  const others = ['duplicate_callback', 'late_callback', 'out_of_order', 'slow', 'malformed'] as const
  const fault = await takeFault(partner, [...lost, ...others], tx)
  switch (fault) {
    case 'lost_callback':
      return
    case 'duplicate_callback':
      return storeFiles(tx, partner, [
        { name, content },
        { name: `again_${name}`, content },
      ])
    case 'malformed':
      return storeFiles(tx, partner, [
        { name: `cut_${name}`, content: content.slice(0, content.length * CUT) },
        { name, content, lateMs: LATE_MS },
      ])
    default:
      return storeFiles(tx, partner, [{ name, content, lateMs: fault ? LATE_MS : 0 }])
  }
}

/** Groups items by a key, in the order of their first ones. */
export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
