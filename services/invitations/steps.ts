/** The step of an invitation at our own tables. */
import type { InvitationId } from '../../domain/ids.ts'
import { invitationMoves } from '../../domain/invitations/events.ts'
import type { Tx } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'

export const expireInvitation = (tx: Tx, id: InvitationId): Promise<void> => expireInvitations(tx, [id])

/** Expires those of the invitations whose time is over by business time. A repeat changes nothing. */
export async function expireInvitations(tx: Tx, ids: readonly InvitationId[]): Promise<void> {
  // what was accepted or sent again meanwhile is not among them once it is locked
  const due = await tx<{ id: InvitationId }[]>`
    select id from invitations where id = any (${[...ids]}) and status = 'pending' and expires_at <= business_now()
    order by id for update`
  if (due.length === 0) return
  const dueIds = due.map(({ id }) => id)
  await transition(tx, invitationMoves, dueIds, { events: ['expire'], cause: (id) => `expiry:${id}` })
}
