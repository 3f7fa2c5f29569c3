/** What partners told us: noted once for each id of theirs, and told on to whoever drives what it is about. */
import type postgres from 'postgres'
import type { OrganizationId } from './model/ids.ts'
import type { MoneyPartner } from './model/partner.ts'
import type { PaymentStatus } from './model/payment-flow.ts'
import { first, sql, transaction } from './sql.ts'

/** `id` is the partner's for this message, `subjectId` names a payment of ours or a deposit of the partner's. */
export type PartnerCallback = {
  readonly partner: MoneyPartner
  readonly id: string
  readonly subject: 'payment' | 'deposit'
  readonly subjectId: string
  /** Of the payout that it is about, where it says one. */
  readonly version?: number
}

/** A payment that there is news of. */
export type PaymentNews = {
  readonly id: string
  readonly organization_id: OrganizationId
  readonly status: PaymentStatus
  readonly rail: 'fiat' | 'crypto'
}

const OPEN_MAX = 1000
/** Older than any word of a partner. */
const NO_VERSION = -1

/**
 * Notes a callback, and in the same transaction the news of its payment. Null where it was noted before; `payment` is null
 * where it is about none of ours.
 */
export function noteCallback(callback: PartnerCallback): Promise<{ payment: PaymentNews | null } | null> {
  const { partner, id, subject, subjectId, version = NO_VERSION } = callback
  return transaction(async (tx) => {
    const noted = await tx`
      insert into partner_callbacks (partner, id, subject, subject_id)
      values (${partner}, ${id}, ${subject}, ${subjectId}) on conflict do nothing returning id`
    if (noted.length === 0) return null
    return { payment: subject === 'payment' ? await noteNews(tx, subjectId, version) : null }
  })
}

/** Notes once more that there is news of a payment; null where it is none that a partner pays. */
export const noteNewsAgain = (paymentId: string): Promise<PaymentNews | null> => noteNews(sql, paymentId, NO_VERSION)

async function noteNews(statement: postgres.ISql, paymentId: string, version: number): Promise<PaymentNews | null> {
  const news = await first(statement<Omit<PaymentNews, 'id'>[]>`
    select organization_id, status, rail from note_payment_call(${paymentId}, ${version})`)
  return news ? { id: paymentId, ...news } : null
}

/** Marks a callback as told on. */
export async function markHandled({ partner, id }: PartnerCallback): Promise<void> {
  await sql`
    update partner_callbacks set handled_at = business_now()
    where partner = ${partner} and id = ${id} and handled_at is null`
}

/** Callbacks that were noted at least that long ago and not told on, oldest first, at most a thousand. */
export async function openCallbacks(untouchedSeconds: number): Promise<PartnerCallback[]> {
  const rows = await sql<PartnerCallback[]>`
    select partner, id, subject, subject_id as "subjectId" from partner_callbacks
    where handled_at is null and received_at < business_now() - make_interval(secs => ${untouchedSeconds})
    order by received_at limit ${OPEN_MAX}`
  return [...rows]
}
