/** Names the sender of a held deposit: once, sealed; a complete answer credits the money. */
import { canonicalJson } from '../../domain/canonical.ts'
import { depositEvents, depositMoves } from '../../domain/deposits/events.ts'
import {
  type SenderTravelRule,
  type TravelRuleResult,
  type TravelRuleSource,
  missingIn,
  travelRuleSource,
} from '../../domain/deposits/travel-rule.ts'
import { refuse } from '../../domain/errors.ts'
import { type DepositStatus, depositFlow } from '../../domain/deposits/flow.ts'
import { eventsFrom } from '../../domain/flow.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import type { DepositId, UserId } from '../../domain/ids.ts'
import { moneyOf } from '../../domain/money/money.ts'
import { decryptForRow, encryptForRow } from '../../platform/encryption.ts'
import { hasUnprocessedCallbacks, partnerOfRow } from '../../db/processes/asking.ts'
import { hasOpenCalls } from '../callbacks/callbacks.ts'
import { record } from '../events.ts'
import { noteIncomingPayments } from '../incoming-payments/noting.ts'
import { postToFeed } from '../ledger/feed.ts'
import { available, credit, debit, system } from '../ledger/ledger.ts'
import { OvertakenError, type Tx, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { creditKey } from './deposits.ts'

type TravelRuleRow = {
  readonly status: DepositStatus
  readonly is_returning: boolean
  /** The partner has called about it since it was last asked: it may have sent it back. */
  readonly called: boolean
  readonly connection: ConnectionName
  readonly amount: string
  readonly currency: string
  readonly travel_rule: Buffer | null
}

/**
 * Names the sender of a held deposit, and credits it: status, ledger and feed. The same answer again answers the same.
 * Refuses `travel_rule_incomplete` (its errors name each field that is missing), and `invalid_state` if the deposit
 * asks for nothing, was answered otherwise, or is on its way back. Fails, to be repeated, from a callback until the
 * partner was asked.
 */
export async function answerTravelRule(
  tx: Tx,
  id: DepositId,
  by: UserId,
  answer: SenderTravelRule,
): Promise<TravelRuleResult> {
  const { organizationId } = tx
  const [deposit] = await tx<TravelRuleRow[]>`
    select status, is_returning or coalesce(release_by <= business_now(), false) as is_returning, amount, currency, travel_rule,
      ${partnerOfRow(sql`deposits`)} as connection,
      ${hasUnprocessedCallbacks(sql`deposits`)} or ${hasOpenCalls(sql`deposits`)} as called from deposits
    where id = ${id} and organization_id = ${organizationId} for update`
  if (!deposit) refuse('not_found')
  const source = travelRuleSource(answer)
  const before = deposit.travel_rule && openAnswer(id, deposit.travel_rule)
  const isHeld = deposit.status === 'held' && !deposit.is_returning
  if (before ? canonicalJson(before) !== canonicalJson(source) : !isHeld) {
    refuse('invalid_state', { current: deposit.status, allowed: isHeld ? eventsFrom(depositFlow, deposit.status) : [] })
  }
  requireComplete(answer)
  if (!before) {
    if (deposit.called) throw new OvertakenError('the partner has called about it')
    await record(tx, depositEvents.sender_named, { subjectId: id, cause: `deposit:${id}:sender` })
    const key = creditKey(id)
    const amount = moneyOf(deposit.amount, deposit.currency)
    const payload = { ...amount, connection: deposit.connection }
    const set = sql`travel_rule = ${encryptForRow(id, { source })}, travel_rule_by = ${by}`
    await transition(tx, depositMoves, id, { events: ['release'], cause: key, set, payload })
    const legs = [debit(system('suspense'), amount), credit(available(organizationId), amount)]
    await postToFeed(
      tx,
      { key, organizationId, legs },
      { pending: (t) => sql`${t}.deposit_id = ${id}` },
      noteIncomingPayments,
    )
  }
  return { deposit_id: id, needs_sender_travel_rule: false, travel_rule_complete: true, source }
}

function requireComplete(answer: SenderTravelRule): void {
  const missing = missingIn(answer)
  if (missing.length === 0) return
  const wrong = { code: 'required', message: 'is required where the sender is somebody else' }
  refuse('travel_rule_incomplete', { errors: missing.map((path) => ({ path, ...wrong })) })
}

const openAnswer = (id: DepositId, sealed: Uint8Array): TravelRuleSource =>
  (decryptForRow(id, sealed) as { source: TravelRuleSource }).source // as it was sealed here
