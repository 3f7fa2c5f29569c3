/** Files of banks, for operators. */
import { bankFileFlow } from '../../domain/bank-files/flow.ts'
import { refuse } from '../../domain/errors.ts'
import type { BankFileId } from '../../domain/ids.ts'
import { decrypt } from '../../platform/encryption.ts'
import { type Fragment, first, sql, transaction } from '../../db/postgres/sql.ts'
import { move } from '../../db/processes/transition.ts'

/** File as operators see it: nothing of its content. */
export type ListedFile = {
  readonly id: BankFileId
  readonly connection: string
  readonly direction: 'out' | 'in'
  readonly name: string
  readonly status: string
  readonly kind: string | null
  readonly currency: string | null
  readonly count: number | null
  readonly sum: string | null
  readonly byte_size: string | null
  readonly sha256: string | null
  readonly faults: readonly string[]
  readonly inserted_at: string
}

const files = (condition: Fragment): Fragment => sql`
  select id, connection, direction, name, status, kind, currency, count, sum, byte_size, sha256, faults, inserted_at
  from bank_files where ${condition}`

/** Lists the latest files, newest first. */
export const listFiles = (most: number): Promise<ListedFile[]> => sql<ListedFile[]>`
  ${files(sql`true`)} order by inserted_at desc, id desc limit ${most}`

/** Finds a file, and counts its payments by status. Refuses `not_found`. */
export async function describeFile(id: BankFileId) {
  const file = await first(sql<ListedFile[]>`${files(sql`id = ${id}`)}`)
  if (!file) refuse('not_found')
  const payments = await sql<{ status: string; count: number }[]>`
    select status, count(*)::int as count from bank_payments where file_id = ${id} group by 1 order by 1`
  return { file, payments: [...payments] }
}

/** Opens the bytes of a file. Refuses `not_found` for one that has none. */
export async function bytesOfFile(id: BankFileId): Promise<Buffer> {
  const row = await first(sql<{ sealed: Buffer | null }[]>`select sealed from bank_files where id = ${id}`)
  if (!row?.sealed) refuse('not_found')
  return decrypt(row.sealed)
}

/** Has a file of a bank read once more; books nothing twice. Refuses `invalid_state` for one without bytes of its own. */
export const readAgain = (id: BankFileId): Promise<void> =>
  transaction(async (tx) => {
    const [file] = await tx<{ status: string; has_bytes: boolean }[]>`
      select status, sealed is not null as has_bytes from bank_files where id = ${id} and direction = 'in'`
    if (!file) refuse('not_found')
    const isMoved = file.has_bytes && (await move(tx, bankFileFlow, id, { event: 'read_again' }))
    if (!isMoved && file.status !== 'fetched') refuse('invalid_state', { current: file.status, allowed: [] })
  })
