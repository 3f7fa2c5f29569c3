/** What stands against executing a quote: one list, which preflight tells and execute refuses by. */
import { refuseUnbalanced } from '../ledger/books.ts'
import { refuse } from '../model/errors.ts'
import type { QuoteId, UserId } from '../model/ids.ts'
import type { Rail } from '../model/payments/payment.ts'
import type { Obstacle } from '../model/payments/quote.ts'
import { type Permission, type Role, can } from '../model/permissions.ts'
import { type Reader, first as firstOf, sql } from '../sql.ts'

const PERMISSION: Readonly<Record<Rail, Permission>> = {
  fiat: 'payments.send_fiat',
  crypto: 'payments.send_crypto',
  svc_id: 'payments.send_fiat',
}

type Situation = {
  rail: Rail
  role: Role | null
  organization_status: string
  books_stopped: boolean
  contact_status: string
  destination_gone: boolean
  is_own_account: boolean
  payee_gone: boolean
}

export type Asking = {
  readonly quoteId: QuoteId
  /** Who would execute it. */
  readonly userId: UserId
  /** Of the currencies that would be exchanged; null where none are. */
  readonly market: 'open' | 'closed' | null
}

/**
 * All that stands against executing a quote as things are, in the order in which it is refused: the first is what execute
 * answers. That it expired or was used is not among it, nor that the balance is short, which the last approval refuses.
 * Refuses `not_found` to whom is no member.
 */
export async function obstaclesOf(reader: Reader, { quoteId, userId, market }: Asking): Promise<Obstacle[]> {
  const found = await firstOf(
    reader<Situation>(sql`
      select q.rail, m.role, o.status as organization_status, o.books_stopped_at is not null as books_stopped,
        case when c.deleted_at is null then c.status else 'archived' end as contact_status,
        d.deleted_at is not null or d.pending as destination_gone,
        d.payee_organization_id is not distinct from q.organization_id as is_own_account,
        d.payee_organization_id is not null and not can_receive(d.payee_organization_id) as payee_gone
      from payment_quotes q
      join organizations o on o.id = q.organization_id
      join payment_contacts c on c.id = q.payment_contact_id
      join payment_destinations d on d.id = q.destination_id
      left join members m on m.organization_id = q.organization_id and m.user_id = ${userId}
      where q.id = ${quoteId} and q.organization_id = ${reader.organizationId}`),
  )
  if (!found?.role || found.organization_status === 'banned' || found.organization_status === 'deleted') {
    refuse('not_found')
  }
  const { role, contact_status: status, destination_gone: gone } = found
  const permission = PERMISSION[found.rail]
  const checks: readonly (Obstacle | false)[] = [
    !can(role, permission) && { type: 'forbidden', details: { permission } },
    found.organization_status !== 'active' && { type: 'organization_unavailable' },
    found.books_stopped && { type: 'ledger_unbalanced' },
    status !== 'active' && {
      type: 'contact_not_approved',
      details: { status, ...(status === 'archived' && { reason: 'contact_archived' }) },
    },
    gone && { type: 'destination_missing' },
    found.is_own_account && { type: 'same_account' },
    found.payee_gone && { type: 'destination_missing', details: { reason: 'payee_unavailable' } },
    market === 'closed' && { type: 'market_closed' },
  ]
  return checks.filter((check) => check !== false)
}

/** Refuses by the first of these; does nothing where there is none. */
export function refuseFirst([first]: readonly Obstacle[]): void {
  if (first?.type === 'ledger_unbalanced') refuseUnbalanced()
  if (first) refuse(first.type, first.details)
}
