/** Memory of orders at partners: committed before anything is sent, and read before anything is repeated. */
import type { OrganizationId } from '../../domain/ids.ts'
import { type HoldReason, type OrderMemory, goesForward } from '../../domain/partner-orders.ts'
import { canonicalJson } from '../../domain/canonical.ts'
import type { PartnerPayout } from '../../domain/partner.ts'
import { type Fragment, type Transaction, sql } from '../../db/postgres/sql.ts'
import { hashMatches, hashOf, sealHash } from '../idempotency.ts'

/** Subjects of orders; `payment_fallback`: the standard order of a payment whose instant one came to nothing. */
export type OrderSubject = 'payment' | 'payment_fallback' | 'deposit_return' | 'receiving_account'

/** Name of an order: one for each subject at a connection. */
export type OrderName = {
  readonly connection: string
  readonly subject: OrderSubject
  readonly subjectId: string
}

/** Order that is to be sent. */
export type NewOrder = OrderName & {
  readonly organizationId: OrganizationId | null
  readonly operation: string
  /** Our key at the provider, a UUID: the same for ever. */
  readonly key: string
  /** All that is sent; its hash alone is stored. */
  readonly content: object
  /** Whether it may have been sent, and forgotten by the partner and by us; asked where nothing was sent by our books. */
  readonly isUnknowable?: () => Promise<boolean>
}

/** View of a payout without its version, as it was recorded last. */
type RecordedView = Omit<PartnerPayout, 'version'>

/** Order as it is remembered. */
export type RememberedOrder = OrderName &
  OrderMemory & {
    readonly operation: string
    readonly key: string
    /** Count of the views that were recorded, from 0; -1 before the first. */
    readonly version: number
    readonly view: RecordedView | null
    /** It was sent, or is about to be; false where nothing has reached the provider. */
    readonly isSent: boolean
    /** Time by the monotonic clock at which this was read. */
    readonly readAt: number
  }

type Row = Pick<RememberedOrder, 'operation' | 'key' | 'version' | 'view' | 'theirId' | 'held' | 'isSent'> & {
  readonly hash: string
  readonly sinceFirst: number
  readonly sinceLast: number
}

const columns = (): Fragment => sql`
  operation, key, hash, version, last_view as view, their_id as "theirId", held, first_sent_at is not null as "isSent",
  coalesce(extract(epoch from business_now() - first_sent_at), 0)::float8 as "sinceFirst",
  coalesce(extract(epoch from business_now() - coalesce(last_sent_at, first_sent_at)), 0)::float8 as "sinceLast"`

const isNamed = ({ connection, subject, subjectId }: OrderName): Fragment => sql`
  connection = ${connection} and subject = ${subject} and subject_id = ${subjectId}`

/** Writes the memory of an order, or reads the one that is there. Commit before anything is sent. */
export async function rememberOrder(tx: Transaction, order: NewOrder): Promise<RememberedOrder> {
  const { connection, subject, subjectId, organizationId, operation, key, content } = order
  const hash = hashOf(content)
  const first = async (memory: RememberedOrder): Promise<RememberedOrder> => {
    if (!(await order.isUnknowable?.())) return memory
    await holdOrder(tx, order, 'unknowable') // now: a later try would not know that time went by
    return { ...memory, held: 'unknowable' }
  }
  const made = await tx`
    insert into partner_orders (connection, subject, subject_id, organization_id, operation, key, hash)
    select ${connection}, ${subject}, ${subjectId}::uuid, ${organizationId}::uuid, ${operation}, ${key}::uuid, ${sealHash(hash)}
    where not exists (select from partner_orders where ${isNamed(order)}) -- a conflict would wait for who records a view
    on conflict do nothing returning 1`
  const named = { connection, subject, subjectId, readAt: performance.now() }
  if (made.length === 1) {
    const seconds = { sinceFirst: 0, sinceLast: 0 }
    const none = { seconds, theirId: null, held: null, version: -1, view: null, isSent: true }
    return first({ ...named, ...none, operation, key, isNew: true, isSame: true })
  }
  const again = await tx`
    update partner_orders set operation = ${operation}, hash = ${sealHash(hash)}, first_sent_at = business_now()
    where ${isNamed(order)} and first_sent_at is null and held is null returning 1`
  const [row] = await tx<Row[]>`select ${columns()} from partner_orders where ${isNamed(order)}`
  if (!row) throw new Error('another organization has ordered this')
  if (again.length === 1) return first({ ...named, ...memoryOf(row), isNew: true, isSame: true })
  return { ...named, ...memoryOf(row), isSame: hashMatches(row.hash, hash) }
}

const memoryOf = ({ operation, key, version, view, theirId, held, isSent, sinceFirst, sinceLast }: Row) => ({
  operation,
  key,
  version,
  view,
  theirId,
  held,
  isSent,
  seconds: { sinceFirst, sinceLast },
  isNew: false,
})

/** Finds the memory of an order; undefined if none was ever to be sent. */
export async function findOrder(tx: Transaction, name: OrderName): Promise<KnownOrder | undefined> {
  const [row] = await tx<Row[]>`select ${columns()} from partner_orders where ${isNamed(name)}`
  const { connection, subject, subjectId } = name
  return row && { connection, subject, subjectId, ...memoryOf(row) }
}
export type KnownOrder = OrderName &
  Pick<RememberedOrder, 'operation' | 'key' | 'version' | 'theirId' | 'held' | 'isSent'>

/** Forgets the first send, of which no byte has reached the partner: the next one is the first. */
export async function forgetSend(tx: Transaction, name: OrderName): Promise<void> {
  await tx`
    update partner_orders set first_sent_at = null
    where ${isNamed(name)} and last_sent_at is null and their_id is null and version < 0`
}

/** Stores the time of a repeat. Commit before it is sent. */
export async function noteSend(tx: Transaction, name: OrderName): Promise<void> {
  await tx`
    update partner_orders set first_sent_at = coalesce(first_sent_at, business_now()), last_sent_at = business_now()
    where ${isNamed(name)}`
}

/** View of a payout as its provider answers it. */
export type AnsweredView = RecordedView & { readonly theirId: string | null }

/** View beside the one before: `overtaken` by another answer, or `of_another` order, which has that payout. */
export type NotedView =
  | { readonly kind: 'new' | 'same' | 'backward'; readonly view: RecordedView; readonly version: number }
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'of_another' }

/**
 * Records a view under the next version. One that goes backward, or against an end, counts for nothing: the one before
 * stays. One that was asked for before the recorded one came is overtaken.
 */
export async function noteView(
  tx: Transaction,
  asked: OrderName & Pick<RememberedOrder, 'version'>,
  { theirId, ...view }: AnsweredView,
): Promise<NotedView> {
  const [row] = await tx<Pick<Row, 'version' | 'view' | 'theirId'>[]>`
    select version, last_view as view, their_id as "theirId" from partner_orders where ${isNamed(asked)} for update`
  if (!row || row.version !== asked.version) return { kind: 'overtaken' }
  if (await isOfAnother(tx, asked, { theirId, known: row.theirId })) return { kind: 'of_another' }
  const { version, view: last } = row
  if (last && !goesForward(last.status, view.status)) return { kind: 'backward', view: last, version }
  const next = { ...view, reference: view.reference ?? last?.reference ?? null }
  const isSame = last !== null && canonicalJson(last) === canonicalJson(next)
  const count = isSame ? version : version + 1
  await tx`
    update partner_orders set their_id = coalesce(their_id, ${theirId}), last_view = ${sql.json(next)}, version = ${count}
    where ${isNamed(asked)}`
  return { kind: isSame ? 'same' : 'new', view: next, version: count }
}

/** Tells whether a payout is of another payment, in any organization, or not the one before. */
async function isOfAnother(
  tx: Transaction,
  { connection, subjectId }: OrderName,
  { theirId, known }: { readonly theirId: string | null; readonly known: string | null },
): Promise<boolean> {
  if (theirId === null || theirId === known) return false
  if (known !== null) return true
  const others = await tx`
    select from payments_of_payouts(${connection}, ${[theirId]}::text[]) where id <> ${subjectId}`
  return others.length > 0
}

/** Keeps an order from being sent again by itself. */
export async function holdOrder(tx: Transaction, name: OrderName, why: HoldReason): Promise<void> {
  await tx`update partner_orders set held = ${why} where ${isNamed(name)} and held is null`
}
