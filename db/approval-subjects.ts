/** What each approval is about, read with it in one statement and written as the approver sees it. */
import type { TargetType } from './model/approval.ts'
import type { Subject } from './model/approval-subject.ts'
import { formatAmount } from './model/money.ts'
import { accountOf } from './model/payment-destination.ts'
import { type SealedCoordinates, coordinatesOf, defaultOf } from './payment-destinations.ts'
import { type Fragment, sql } from './sql.ts'

/** The subject of `approvals` as json. Its members are those of the variant but for amounts, which are as they are kept. */
export const subjectColumn = (): Fragment => sql`
  case approvals.target_type
    when 'internal_transfer' then (
      select json_build_object('id', p.id, 'amount', p.landing_amount::text, 'currency', p.landing_currency,
        'created_at', p.inserted_at, 'internal_notes', p.internal_notes,
        'payout_reason', p.payout_reason, 'statement_description', p.statement_description, 'state', p.status_detail,
        'tag', p.tag, 'destination', json_build_object('id', d.id, 'svc_id', d.svc_id),
        'payment_contact', json_build_object('id', c.id, 'name', c.name, 'deleted_at', c.deleted_at))
      from payments p
      join payment_destinations d on d.id = p.destination_id
      join payment_contacts c on c.id = p.payment_contact_id
      where p.id = approvals.target_id)
    when 'payment_contact' then (
      select json_build_object('id', c.id, 'name', c.name, 'type', c.type, 'email', c.email, 'tag', c.tag,
        'status', c.status, 'created_at', c.inserted_at, 'deleted_at', c.deleted_at,
        'destinations', (select coalesce(json_agg(json_build_object('id', d.id, 'type', d.type, 'label', d.label,
            'svc_id', d.svc_id, 'sealed', encode(d.sealed, 'hex'), 'details', d.details,
            'default', d.id is not distinct from ${defaultOf(sql`c.id`)},
            'new', d.approval_request_id is not distinct from approvals.id,
            'becomes_default', d.id::text is not distinct from approvals.subject_body::jsonb ->> 'becomes_default'
          ) order by d.inserted_at, d.id), '[]')
          from payment_destinations d where d.payment_contact_id = c.id
          and (d.deleted_at is null or d.approval_request_id = approvals.id)))
      from payment_contacts c where c.id = approvals.target_id)
    when 'organization_invitation' then (
      select json_build_object('id', i.id, 'email', i.email, 'role', i.role, 'status', i.status,
        'card_approved', i.card_approved, 'card_limit', i.card_limit, 'created_at', i.inserted_at,
        'expires_at', i.expires_at)
      from invitations i where i.id = approvals.target_id)
  end`

/** As all answers write instants. Postgres writes them into JSON by itself, at a fraction of what to_char() costs. */
const instants = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (name.endsWith('_at') && typeof value === 'string') return [name, value.replace('+00:00', 'Z')]
      return [name, value && typeof value === 'object' && !Array.isArray(value) ? instants(value as typeof row) : value]
    }),
  )

/** A row of subjectColumn() as its variant. */
export function toSubject(type: TargetType, read: Record<string, unknown>): Subject {
  const row = instants(read)
  // subjectColumn() wrote exactly the members of the variant that the type names.
  if (type === 'payment_contact') {
    const destinations = (row['destinations'] as SealedDestination[]).map(toSubjectDestination)
    return { type, [type]: { ...row, destinations } } as unknown as Subject
  }
  if (type !== 'internal_transfer') return { type, [type]: row } as unknown as Subject
  const currency = String(row['currency'])
  const amount = formatAmount(String(row['amount']), currency)
  return { type, internal_transfer: { ...row, amount, amount_with_fees: amount } } as unknown as Subject
}

type SealedDestination = SealedCoordinates & { readonly type: string }

/** Of coordinates the end of the account alone: the destination shows the rest to who approves it. */
function toSubjectDestination({ sealed, details, ...shown }: SealedDestination): object {
  const coordinates = coordinatesOf({ id: shown.id, sealed, details })
  return { ...shown, account: coordinates && accountOf(coordinates) }
}
