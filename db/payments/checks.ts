/** What stands against a payment: each rule once, for preflight, execute and approvals. */
import { LEDGER_UNBALANCED } from '../ledger/books.ts'
import { type Blocker, refuse } from '../../domain/errors.ts'
import type { QuoteId, UserId } from '../../domain/ids.ts'
import { isGone } from '../../domain/flows/undriven/organization.ts'
import { type Role, can } from '../../domain/permissions.ts'
import { RAIL, type Rail } from '../../domain/rails.ts'
import { type Fragment, type Reader, first, sql } from '../sql.ts'

/** A payment's contact and destination, as payeeColumns() reads them. */
export type PayeeStanding = { readonly contact_status: string; readonly destination_gone: boolean }

/** The columns of a PayeeStanding, of a contact `c` and a destination `d`. */
export const payeeColumns = (): Fragment => sql`
  case when c.deleted_at is null then c.status else 'archived' end as contact_status,
  d.deleted_at is not null or d.pending as destination_gone`

/** What a contact of this status has against being paid: only an active one is. */
export const contactBlockers = (status: string): Blocker[] =>
  status === 'active'
    ? []
    : [
        {
          type: 'contact_not_approved',
          details: { status, ...(status === 'archived' && { reason: 'contact_archived' }) },
        },
      ]

/** What stands against paying a contact at exactly this destination. */
export const payeeBlockers = ({ contact_status: status, destination_gone: gone }: PayeeStanding): Blocker[] => [
  ...contactBlockers(status),
  ...(gone ? [{ type: 'destination_missing' } as const] : []),
]

/** A member who asks for a payment, as requesterColumns() reads them. */
export type RequesterStanding = {
  readonly role: Role
  readonly organization_status: string
  readonly books_stopped: boolean
}

/** The columns of a RequesterStanding, of a member `m` and their organization `o`. */
export const requesterColumns = (): Fragment => sql`
  m.role, o.status as organization_status, o.books_stopped_at is not null as books_stopped`

/** What stands against a payment by this rail that the member asks for. */
export function requesterBlockers(requester: RequesterStanding, rail: Rail): Blocker[] {
  const { role, organization_status: status, books_stopped: stopped } = requester
  const { permission } = RAIL[rail]
  return [
    ...(status === 'active' ? [] : [{ type: 'organization_unavailable' } as const]),
    ...(can(role, permission) ? [] : [{ type: 'forbidden', details: { permission } } as const]),
    ...(stopped ? [LEDGER_UNBALANCED] : []),
  ]
}

type Situation = PayeeStanding &
  RequesterStanding & {
    rail: Rail
    is_own_account: boolean
    payee_gone: boolean
  }

export type Asking = {
  readonly quoteId: QuoteId
  /** Who would execute it. */
  readonly userId: UserId
  /** Of the currencies that would be exchanged; null if none are. */
  readonly market: 'open' | 'closed' | null
}

/**
 * All that stands against executing a quote as things are, in the order in which it is refused: the first is what
 * execute answers. That it expired or was used is not among it, nor that the balance is short, which the last approval
 * refuses. Refuses `not_found` to a person who is no member.
 */
export async function quoteBlockers(reader: Reader, { quoteId, userId, market }: Asking): Promise<Blocker[]> {
  const found = await first(
    reader<Situation>(sql`
      select q.rail, ${requesterColumns()}, ${payeeColumns()},
        d.payee_organization_id is not distinct from q.organization_id as is_own_account,
        d.payee_organization_id is not null and not can_receive(d.payee_organization_id) as payee_gone
      from payment_quotes q
      join organizations o on o.id = q.organization_id
      join members m on m.organization_id = q.organization_id and m.user_id = ${userId}
      join payment_contacts c on c.id = q.payment_contact_id
      join payment_destinations d on d.id = q.destination_id
      where q.id = ${quoteId} and q.organization_id = ${reader.organizationId}`),
  )
  if (!found || isGone(found.organization_status)) refuse('not_found')
  const payee: readonly (Blocker | false)[] = [
    found.is_own_account && { type: 'same_account' },
    found.payee_gone && { type: 'destination_missing', details: { reason: 'payee_unavailable' } },
    market === 'closed' && { type: 'market_closed' },
  ]
  return [...requesterBlockers(found, found.rail), ...payeeBlockers(found), ...payee.filter((one) => one !== false)]
}
