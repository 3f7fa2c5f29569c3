/** Decisions of an operator about an organization: paused, banned, deleted, and back if there is a way back. */
import { randomUUID } from 'node:crypto'
import { refuse } from '../../domain/errors.ts'
import { coverFlow } from '../../domain/covers/flow.ts'
import { underWay } from '../../domain/flow.ts'
import { paymentFlow } from '../../domain/payments/flow.ts'
import { organizationFlow } from '../../domain/organizations/flow.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import { organizationMoves } from '../../domain/organizations/events.ts'
import { disconnectDeleted } from '../accounting/commands.ts'
import type { WaitingApproval } from '../approvals/requests.ts'
import type { CancelWithTargets, CancellationReason } from '../approvals/target.ts'
import { cancelUnbegun } from '../batches/commands.ts'
import { causesWhatFollows } from '../events.ts'
import { wakeHaltedCreditNotes } from '../credit-notes/steps.ts'
import { wakeHaltedInvoices } from '../invoices/steps.ts'
import { lockExistence, lockMemberships } from '../../db/postgres/locks.ts'
import { endOnboarding } from '../onboarding/steps.ts'
import { endScheduled } from '../schedules/schedule.ts'
import { type Tx, inOrganization } from '../../db/postgres/sql.ts'
import { expireWithOrganization, moveAgain, wakeActive } from '../subscriptions/steps.ts'
import { transition } from '../../db/processes/transition.ts'
import { deleteEndpoints } from '../webhooks/commands.ts'
import { wakeOwnEndpoints } from '../webhooks/chain.ts'
import { revokeAllApiKeys } from './api-keys.ts'
import { enforceAuthenticator } from './settings.ts'

export type OperatorCommand = keyof typeof organizationFlow.events

/** Result of a command: the status now, and how much it stopped. */
export type StatusMove = { readonly status: string; readonly cancelled: number; readonly keysRevoked: number }

/** Lifting a ban stops too: what began in the moment of the ban does not come back with it. */
const STOPPING: Readonly<Partial<Record<OperatorCommand, CancellationReason>>> = {
  ban: 'organization banned',
  unban: 'organization banned',
  delete: 'organization deleted',
}

/**
 * Moves an organization: the only writer of its status. A ban and a deletion revoke its API keys and cancel everything
 * that waits for approval or for its day, and rows of batches that have not begun. A ban lets running payments finish, and
 * lifting it brings back nothing. Refuses `not_found` and `invalid_state`, which names the money that is in the way of a
 * deletion.
 */
export function moveOrganization(id: OrganizationId, command: OperatorCommand, cancelWithTargets: CancelWithTargets) {
  const cause = `operator:${randomUUID()}`
  return inOrganization({ kind: 'admin' }, id, async (tx): Promise<StatusMove> => {
    await lockMemberships(tx, 'change') // a decision or a request at this moment comes before or after
    await transition(tx, organizationMoves, id, { events: [command], cause })
    await causesWhatFollows(tx, id)
    const { to: status } = organizationFlow.events[command]
    // sign-ins meanwhile were not asked for what it requires
    if (command === 'unban') await enforceAuthenticator(tx, null)
    const why = STOPPING[command]
    const waiting = why ? await lockWaiting(tx) : []
    if (why) await cancelWithTargets(tx, waiting, { why, by: null })
    const batches = why ? await cancelUnbegun(tx, cause) : 0
    const unscheduled = why ? await endScheduled(tx, why, cause) : 0
    const keysRevoked = why ? await revokeAllApiKeys(tx, cause) : 0
    if (command === 'delete') {
      await expireWithOrganization(tx)
      await disconnectDeleted(tx, cause)
      await deleteEndpoints(tx, cause)
      await endOnboarding(tx)
      await requireWithoutMoney(tx)
    } else {
      if (command === 'resume' || command === 'unban') await moveAgain(tx, command)
      if (command === 'unban') {
        await wakeOwnEndpoints(tx)
        await wakeHaltedInvoices(tx)
        await wakeHaltedCreditNotes(tx)
      }
      await wakeActive(tx, `organization_${organizationFlow.events[command].logs}`)
    }
    return { status, cancelled: waiting.length + batches + unscheduled, keysRevoked }
  })
}

/** Refuses `invalid_state` while it has money, or money is on its way. Nothing is credited meanwhile. */
async function requireWithoutMoney(tx: Tx): Promise<void> {
  await lockExistence(tx, 'end')
  type Found = { balances: (Money & { kind: string })[]; deposits: number; payments: number; covers: number }
  const [found] = await tx<Found[]>`
    select
      (select coalesce(jsonb_agg(jsonb_build_object('amount', a.balance::text, 'currency', a.currency, 'kind', a.kind)
          order by a.currency, a.kind), '[]')
        from ledger_accounts a where a.organization_id = ${tx.organizationId} and a.balance <> 0) as balances,
      (select count(*)::int from deposits d
        where d.organization_id = ${tx.organizationId} and d.status = 'held') as deposits,
      (select count(*)::int from payments p
        where p.organization_id = ${tx.organizationId} and p.status = any (${underWay(paymentFlow)})) as payments,
      (select count(*)::int from covers c
        where c.organization_id = ${tx.organizationId} and c.status = any (${underWay(coverFlow)})) as covers`
  if (!found) throw new Error('an aggregate answers a row')
  const { balances, deposits, payments, covers } = found
  if (balances.length + deposits + payments + covers === 0) return
  refuse('invalid_state', {
    in_the_way: {
      balances: balances.map(({ amount, currency, kind }) => ({ ...moneyOf(amount, currency), kind })),
      held_deposits: deposits,
      payments_under_way: payments,
      exchanges_not_covered: covers,
    },
  })
}

/** Stops new money of the organization. False if that was so before. */
export async function stopBooks(tx: Tx): Promise<boolean> {
  const stopped = await tx`
    update organizations set books_stopped_at = business_now()
    where id = ${tx.organizationId} and books_stopped_at is null returning id`
  return stopped.length === 1
}

/** Lets new money move again. Refuses `not_found`, and `invalid_state` if the books are not stopped. */
export async function startBooks(tx: Tx): Promise<void> {
  const id = tx.organizationId
  const [organization] = await tx<{ stopped: boolean }[]>`
    select books_stopped_at is not null as stopped from organizations where id = ${id} for no key update`
  if (!organization) refuse('not_found')
  if (!organization.stopped) refuse('invalid_state', { current: 'running', allowed: [] })
  await tx`update organizations set books_stopped_at = null where id = ${id}`
  await moveAgain(tx, 'resume')
  await wakeActive(tx, 'books_resumed')
}

/** Locks all that waits for approval, after the decisions of this moment. */
function lockWaiting(tx: Tx): Promise<readonly WaitingApproval[]> {
  return tx<WaitingApproval[]>`
    select a.id, jsonb_build_object('type', a.target_type, 'id', a.target_id) as target from approvals a
    where a.organization_id = ${tx.organizationId} and a.status = 'pending'
    order by a.id for update`
}
