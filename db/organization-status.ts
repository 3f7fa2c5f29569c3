/** What an operator decides about an organization: paused, banned, deleted, and back where there is a way back. */
import { randomUUID } from 'node:crypto'
import { v7 } from 'uuid'
import { revokeAllApiKeys } from './api-keys.ts'
import { type Ending, targetOf } from './approval-targets.ts'
import { type TargetType, approvalFlow } from './model/approval.ts'
import type { OrganizationId } from './model/ids.ts'
import { organizationFlow } from './model/organization.ts'
import { type Tx, inOrganization } from './sql.ts'
import { lockStanding } from './standing.ts'
import { transition } from './transition.ts'

export type OperatorCommand = keyof typeof organizationFlow.events

/** What a command did: the status now, and how much it stopped. */
export type Moved = { readonly status: string; readonly cancelled: number; readonly keysRevoked: number }

/** Lifting a ban stops too: what began in the very moment of the ban does not come back with it. */
const STOPPING: Readonly<Partial<Record<OperatorCommand, Ending>>> = {
  ban: 'organization banned',
  unban: 'organization banned',
  delete: 'organization deleted',
}

/**
 * Moves an organization, the one way to write its status, all or nothing. With a ban and a deletion its API keys are
 * revoked, everything that waits for approval is cancelled, and running payments finish; lifting the ban brings none of it
 * back. Pausing stops nothing for good. Refuses `not_found` and `invalid_state`. A workflow that still waits for one of
 * the approvals is told by the reconciler.
 */
export function moveOrganization(id: OrganizationId, command: OperatorCommand): Promise<Moved> {
  const cause = `operator:${randomUUID()}`
  return inOrganization({ kind: 'admin' }, id, async (tx) => {
    await lockStanding(tx, 'change') // what is decided, or asked for by who stays a member, comes before or after
    await transition(tx, organizationFlow, id, { events: [command], cause })
    const { to: status } = organizationFlow.events[command]
    const why = STOPPING[command]
    if (!why) return { status, cancelled: 0, keysRevoked: 0 }
    return { status, cancelled: await cancelWaiting(tx, why), keysRevoked: await revokeAllApiKeys(tx, cause) }
  })
}

/** Cancels all that waits for approval; what is decided at this moment is waited for, and then stays as it is. */
async function cancelWaiting(tx: Tx, why: Ending): Promise<number> {
  const waiting = await tx<Waiting[]>`
    select a.id, a.target_type, a.target_id from approvals a
    where a.organization_id = ${tx.organizationId} and a.status = 'pending'
    order by a.id for update`
  if (waiting.length === 0) return 0
  const approvalIds = waiting.map(({ id }) => id)
  const decisionIds = waiting.map(() => v7())
  const causes = new Map(
    waiting.flatMap(({ id, target_id: target }, index) => {
      const cause = `decision:${decisionIds[index]}`
      return [
        [id, cause],
        [target, cause],
      ]
    }),
  )
  const cause = (id: string): string => causes.get(id) ?? ''
  await tx`
    insert into approval_decisions (decision_id, organization_id, approval_id, decision, comment, approval_status)
    select decided.id, ${tx.organizationId}, decided.approval, 'cancel', ${why}, 'cancelled'
    from unnest(${decisionIds}::uuid[], ${approvalIds}::uuid[]) decided (id, approval)`
  await transition(tx, approvalFlow, approvalIds, { events: ['cancel'], cause })
  for (const type of new Set(waiting.map(({ target_type: target }) => target))) {
    const ids = waiting.filter((one) => one.target_type === type).map((one) => one.target_id)
    await targetOf(type).stop(tx, ids, why, cause)
  }
  return waiting.length
}

type Waiting = { id: string; target_type: TargetType; target_id: string }
