/** Account numbers and subscriptions of the stand-in of Increase, among those of all. */
import type Increase from 'increase'
import type { ConnectionName } from '../../../domain/partner.ts'
import { first, sql } from '../../../db/postgres/sql.ts'
import type { Listing, Step } from './transfers.ts'
import { withStep } from '../payouts.ts'

type Origin = { readonly key: string | null; readonly history?: readonly Step[] }
export type NumberDocument = Origin & {
  readonly kind: 'account_number'
  readonly name: string
  readonly status: Increase.AccountNumber['status']
  readonly debits: Increase.AccountNumber.InboundACH['debit_status']
  readonly checks: Increase.AccountNumber.InboundChecks['status']
}
export type SubscriptionDocument = Origin & {
  readonly kind: 'event_subscription'
  readonly url: string
  readonly status: Increase.EventSubscription['status']
  readonly categories: readonly Increase.EventSubscription.SelectedEventCategory[] | null
}
export type FileDocument = Origin & {
  readonly kind: 'file'
  readonly purpose: Increase.FileCreateParams['purpose']
  readonly filename: string
  readonly mime: string
  readonly description: string | null
}
export type EntityDocument = Origin & {
  readonly kind: 'entity'
  readonly order: Increase.EntityCreateParams
  readonly status: Increase.Entity['status']
  /** Issues of a simulation in place of what its name decides. */
  readonly issues: readonly Increase.Simulations.EntityUpdateValidationParams.Issue['category'][] | null
  /** Number of questions about it. */
  readonly asked: number
}
type AnyDocument = NumberDocument | SubscriptionDocument | FileDocument | EntityDocument
export type OpenedKind = AnyDocument['kind']
export type DocumentOf<Kind extends OpenedKind> = Extract<AnyDocument, { readonly kind: Kind }>

export type NewRow = {
  readonly id: string
  /** Id at Increase. */
  readonly account: string
  readonly details: Readonly<Record<string, string>>
  readonly document: AnyDocument
}
type Row = NewRow & { readonly made_at: string; readonly seq: string }
export type RowOf<Kind extends OpenedKind> = Row & { readonly document: DocumentOf<Kind> }

const isOf = <Kind extends OpenedKind>(row: Row, kind: Kind): row is RowOf<Kind> => row.document.kind === kind

/** Number by which the list is ordered: microseconds of its opening. */
const SEQ = sql`(extract(epoch from made_at) * 1000000)::bigint`
const ROW = sql`id, account, details, document, made_at, ${SEQ}::text as seq`

/** Opens an object, once; undefined if the key was used with another body. */
export async function openAtIncrease<Kind extends OpenedKind>(
  partner: ConnectionName,
  bodyHash: string,
  { id, account, details, document }: NewRow & { readonly document: { readonly kind: Kind } },
): Promise<RowOf<Kind> | undefined> {
  await sql`
    insert into sandbox_accounts (partner, id, body_hash, account, details, document)
    values (${partner}, ${id}, ${bodyHash}, ${account}, ${sql.json(details)}, ${sql.json(document as never)})
    on conflict do nothing`
  const row = await first(sql<Row[]>`
    select ${ROW} from sandbox_accounts where partner = ${partner} and id = ${id} and body_hash = ${bodyHash}`)
  return row && isOf(row, document.kind) ? row : undefined
}

export async function findOpened<Kind extends OpenedKind>(
  partner: ConnectionName,
  kind: Kind,
  id: string,
): Promise<RowOf<Kind> | undefined> {
  const row = await first(sql<Row[]>`
    select ${ROW} from sandbox_accounts where partner = ${partner} and id = ${id} and document is not null`)
  return row && isOf(row, kind) ? row : undefined
}

/** Changes members, unless they are already so. */
export async function amendOpened<Kind extends OpenedKind>(
  partner: ConnectionName,
  { id }: RowOf<Kind>,
  changes: Partial<DocumentOf<Kind>>,
): Promise<void> {
  const version = sql`jsonb_array_length(coalesce(document -> 'history', '[]')) + 2`
  await sql`
    update sandbox_accounts set document = document || ${sql.json(changes as never)}
      || ${withStep(sql`document`, sql`'updated'`, version)}
    where partner = ${partner} and id = ${id} and document || ${sql.json(changes as never)} <> document`
}

/** Lists what was opened of a kind, newest first; of a key at most its own. */
export async function listOpened<Kind extends OpenedKind>(
  partner: ConnectionName,
  { kind, id }: { readonly kind: Kind; readonly id: string | null },
  { before, from, to, limit }: Listing,
): Promise<RowOf<Kind>[]> {
  const rows = await sql<Row[]>`
    select ${ROW} from sandbox_accounts
    where partner = ${partner} and document ->> 'kind' = ${kind} and id = coalesce(${id}::uuid, id)
      and ${SEQ} < coalesce(${before}::bigint, ${'9223372036854775807'}::bigint)
      and made_at >= coalesce(${from}::timestamptz, '-infinity')
      and made_at < coalesce(${to}::timestamptz, 'infinity')
    order by ${SEQ} desc limit ${limit}`
  return rows.filter((row) => isOf(row, kind))
}
