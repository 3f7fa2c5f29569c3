/** Account numbers of the stand-in of Increase. */
import type Increase from 'increase'
import type { ConnectionName } from '../../domain/partner.ts'
import { first, sql } from '../../db/postgres/sql.ts'
import type { Listing, Step } from './increase.ts'
import { withStep } from './payouts.ts'

export type NumberDocument = {
  readonly kind: 'account_number'
  readonly key: string | null
  readonly name: string
  readonly status: Increase.AccountNumber['status']
  readonly debits: Increase.AccountNumber.InboundACH['debit_status']
  readonly checks: Increase.AccountNumber.InboundChecks['status']
  readonly history?: readonly Step[]
}
export type NewNumber = {
  readonly id: string
  /** Id of the account number at Increase. */
  readonly account: string
  readonly details: { readonly account_number: string; readonly routing_number: string }
  readonly document: NumberDocument
}
export type NumberRow = NewNumber & { readonly made_at: string; readonly seq: string }

/** Number by which the list is ordered: microseconds of its opening. */
const SEQ = sql`(extract(epoch from made_at) * 1000000)::bigint`
const NUMBER = sql`id, account, details, document, made_at, ${SEQ}::text as seq`

/** Opens an account number, once; undefined if the key was used with another body. */
export async function openNumber(
  partner: ConnectionName,
  bodyHash: string,
  { id, account, details, document }: NewNumber,
): Promise<NumberRow | undefined> {
  await sql`
    insert into sandbox_accounts (partner, id, body_hash, account, details, document)
    values (${partner}, ${id}, ${bodyHash}, ${account}, ${sql.json(details)}, ${sql.json(document)})
    on conflict do nothing`
  return first(sql<NumberRow[]>`
    select ${NUMBER} from sandbox_accounts where partner = ${partner} and id = ${id} and body_hash = ${bodyHash}`)
}

export const findNumber = (partner: ConnectionName, id: string): Promise<NumberRow | undefined> =>
  first(sql<NumberRow[]>`
    select ${NUMBER} from sandbox_accounts
    where partner = ${partner} and id = ${id} and document ->> 'kind' = 'account_number'`)

/** Changes an account number, unless it is already so. */
export async function amendNumber(
  partner: ConnectionName,
  id: string,
  changes: Partial<NumberDocument>,
): Promise<void> {
  const version = sql`jsonb_array_length(coalesce(document -> 'history', '[]')) + 2`
  await sql`
    update sandbox_accounts set document = document || ${sql.json(changes)}
      || ${withStep(sql`document`, sql`'updated'`, version)}
    where partner = ${partner} and id = ${id} and not document @> ${sql.json(changes)}`
}

/** Lists account numbers, newest first; of a key at most its own. */
export const listNumbers = async (
  partner: ConnectionName,
  id: string | null,
  { before, from, to, limit }: Listing,
): Promise<NumberRow[]> => [
  ...(await sql<NumberRow[]>`
    select ${NUMBER} from sandbox_accounts
    where partner = ${partner} and document ->> 'kind' = 'account_number' and id = coalesce(${id}::uuid, id)
      and ${SEQ} < coalesce(${before}::bigint, ${'9223372036854775807'}::bigint)
      and made_at >= coalesce(${from}::timestamptz, '-infinity')
      and made_at < coalesce(${to}::timestamptz, 'infinity')
    order by ${SEQ} desc limit ${limit}`),
]
