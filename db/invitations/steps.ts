/** The step of an invitation at our own tables. */
import type { InvitationId } from '../../domain/ids.ts'
import type { Tx } from '../sql.ts'
import { expireInvitations } from './changes.ts'

/** Expires a pending invitation whose time is over. */
export const expireInvitation = (tx: Tx, id: InvitationId): Promise<void> => expireInvitations(tx, [id])
