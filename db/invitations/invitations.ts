/** Invitations as members see them: found and listed. */
import { refuse } from '../../domain/errors.ts'
import type { InvitationId } from '../../domain/ids.ts'
import type { Invitation, InvitationFilters } from '../../domain/invitations/invitation.ts'
import type { Page } from '../../domain/pagination.ts'
import { pageOf } from '../pagination.ts'
import { type Fragment, type Reader, sql } from '../sql.ts'

type InvitationRow = Omit<Invitation, 'card_limit'> & { card_limit: string | null }

/** The invitations that are shown: what expired is not, also before the run has recorded it. */
const selectShown = (): Fragment => sql`
  select id, organization_id, email, role, status, card_approved, card_limit, accepted_at, approval_request_id,
    expires_at, inserted_at, exists (select from people p where p.email = invitations.email) as user_exists
  from invitations
  where (status in ('accepted', 'pending_approval') or (status = 'pending' and expires_at > business_now()))`

const toInvitation = (row: InvitationRow): Invitation => ({
  ...row,
  card_limit: row.card_limit === null ? null : Number(row.card_limit),
})

/** Reads an invitation; refuses `not_found`, also for one that was declined, deleted or has expired. */
export async function findInvitation(reader: Reader, id: InvitationId): Promise<Invitation> {
  const [found] = await findInvitations(reader, [id])
  return found ?? refuse('not_found')
}

/** Reads those of the invitations that are shown, in the order that is asked for. */
export async function findInvitations(reader: Reader, ids: readonly InvitationId[]): Promise<Invitation[]> {
  const rows = await reader<InvitationRow>(sql`
    ${selectShown()} and id = any (${[...ids]}) and organization_id = ${reader.organizationId}
    order by array_position(${[...ids]}::uuid[], id)`)
  return rows.map(toInvitation)
}

/** Lists invitations, newest first. A cursor also resolves if its invitation has left the list. */
export async function listInvitations(reader: Reader, filters: InvitationFilters): Promise<Page<Invitation>> {
  const { status, q } = filters
  const select = sql`${selectShown()}
    ${status ? sql`and status = ${status}` : sql``} ${q ? sql`and strpos(email, lower(${q})) > 0` : sql``}`
  const page = await pageOf<InvitationRow>(reader, 'invitations', filters, select)
  return { ...page, data: page.data.map(toInvitation) }
}
