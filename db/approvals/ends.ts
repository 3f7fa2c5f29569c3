/**
 * Ends of what waits for approval that need all kinds of targets. db/decisions has them; commands of rooms below it are
 * handed them by their caller.
 */
import type { Person } from '../../domain/actor.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Role } from '../../domain/permissions.ts'
import type { Tx } from '../sql.ts'
import type { Cancellation, WaitingApproval } from './cancellation.ts'
import type { CancellationReason } from './target.ts'

/** Cancels locked approvals with what they are about: cancelWithTargets(). */
export type CancelWithTargets = (
  tx: Tx,
  waiting: readonly WaitingApproval[],
  cancellation: Cancellation & { readonly why: CancellationReason },
) => Promise<void>

/** The role that a member has now, null for one who left, and the person who changed it. */
export type RoleChange = { readonly userId: UserId; readonly role: Role | null; readonly by: Person }

/**
 * Takes back what a person gave and asked for by a role that they have no more: endWithRole(). The caller holds
 * `lockMemberships(tx, 'change')`.
 */
export type EndWithRole = (tx: Tx, change: RoleChange) => Promise<void>
