/** What an approver sees of a payment contact. */
import type { ApprovalTarget } from '../approvals/target.ts'
import { type DestinationType, accountOf } from '../../domain/contacts/destination.ts'
import { type EncryptedCoordinates, defaultOf, shownCoordinates } from './destinations.ts'
import { sql } from '../sql.ts'

/** As it was when the approval was asked for, with its destinations. */
export const contactSubject: ApprovalTarget['subject'] = {
  column: () => sql`(
      select json_build_object('id', c.id, 'name', c.name, 'type', c.type, 'email', c.email, 'tag', c.tag,
        'status', c.status, 'created_at', c.inserted_at, 'deleted_at', c.deleted_at,
        'asked', approvals.subject_body::json,
        'destinations', (select coalesce(json_agg(json_build_object('id', d.id, 'type', d.type, 'label', d.label,
            'svc_id', d.svc_id, 'sealed', encode(d.sealed, 'hex'),
            'default', d.id is not distinct from ${defaultOf(sql`c.id`)},
            'new', d.approval_request_id is not distinct from approvals.id
          ) order by d.inserted_at, d.id), '[]')
          from payment_destinations d where d.payment_contact_id = c.id
          and (d.deleted_at is null or position(d.id::text in approvals.subject_body) > 0)))
      from payment_contacts c where c.id = approvals.target_id)`,
  // the column wrote exactly these
  parse: (row) => toContactSubject(row as ContactInSubject),
}

type SealedDestination = EncryptedCoordinates & { readonly type: DestinationType; readonly default: boolean }
/** What was asked for: of a new contact all that it is made of, of a change also what becomes its name or default. */
type AskedOfContact = Readonly<
  Partial<Record<'name' | 'becomes_name' | 'email' | 'tag' | 'becomes_default', string | null>>
> & {
  readonly destinations?: readonly { readonly id: string; readonly default?: boolean }[]
  readonly new_destination?: { readonly id: string }
}
type ContactInSubject = { readonly asked: AskedOfContact; readonly destinations: readonly SealedDestination[] }

/** The contact as it was when the approval was asked for, whatever became of it later. */
function toContactSubject({ asked, destinations, ...contact }: ContactInSubject): object {
  const {
    name,
    becomes_name = null,
    email,
    tag,
    becomes_default: next,
    new_destination: added,
    destinations: before,
  } = asked
  const known = before ?? destinations
  const first = known.find((one) => one.default) ?? known[0]
  const shown = destinations.flatMap((row) => {
    const then = known.find(({ id }) => id === row.id) ?? (added?.id === row.id ? { default: false } : undefined)
    if (!then) return []
    // of a new contact the first is the default if none is marked
    const wasDefault = next === undefined ? row.id === first?.id : (then.default ?? row.default)
    return { ...toSubjectDestination(row), default: wasDefault, becomes_default: row.id === next }
  })
  const then = { ...(name && { name }), ...(email !== undefined && { email }), ...(tag !== undefined && { tag }) }
  return { ...contact, ...then, becomes_name, destinations: shown }
}

/** Of coordinates the end of the account alone: the destination shows the rest to who approves it. */
function toSubjectDestination({ sealed, ...shown }: SealedDestination): object {
  const coordinates = shownCoordinates({ id: shown.id, sealed }, shown.type)
  return { ...shown, account: coordinates && accountOf(coordinates) }
}
