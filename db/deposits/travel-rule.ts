/** Who sent a held deposit: answered once, sealed, and with a complete answer the money is credited. */
import { releaseDeposit } from './deposits.ts'
import { record } from '../events.ts'
import { canonicalJson } from '../../domain/canonical.ts'
import { depositEvents } from '../../domain/deposits/events.ts'
import { type DepositStatus, depositFlow } from '../../domain/flows/deposit.ts'
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flows/flow.ts'
import type { DepositId, UserId } from '../../domain/ids.ts'
import { moneyOf } from '../../domain/money/money.ts'
import {
  type SenderTravelRule,
  type TravelRuleResult,
  type TravelRuleSource,
  missingIn,
  travelRuleSource,
} from '../../domain/deposits/travel-rule.ts'
import { decryptForRow, encryptForRow } from '../../platform/encryption.ts'
import { type Tx, sql } from '../sql.ts'

type Asked = {
  status: DepositStatus
  is_returning: boolean
  amount: string
  currency: string
  travel_rule: Buffer | null
}

/**
 * Says who sent a held deposit, and credits it; one transaction. The same answer again answers the same. Refuses
 * `travel_rule_incomplete` (its errors name each field that is missing), and `invalid_state` if the deposit asks for
 * nothing, was answered otherwise, or is on its way back.
 */
export async function answerTravelRule(
  tx: Tx,
  id: DepositId,
  by: UserId,
  answer: SenderTravelRule,
): Promise<TravelRuleResult> {
  const [deposit] = await tx<Asked[]>`
    select status, is_returning or release_by <= business_now() as is_returning, amount, currency, travel_rule from deposits
    where id = ${id} and organization_id = ${tx.organizationId} for update`
  if (!deposit) refuse('not_found')
  const source = travelRuleSource(answer)
  const before = deposit.travel_rule && openAnswer(id, deposit.travel_rule)
  const held = deposit.status === 'held' && !deposit.is_returning
  if (before ? canonicalJson(before) !== canonicalJson(source) : !held) {
    refuse('invalid_state', { current: deposit.status, allowed: held ? eventsFrom(depositFlow, deposit.status) : [] })
  }
  refuseIncomplete(answer)
  if (!before) {
    await record(tx, depositEvents.sender_named, { subjectId: id, cause: `deposit:${id}:sender` })
    await releaseDeposit(
      tx,
      { id, amount: moneyOf(deposit.amount, deposit.currency) },
      sql`travel_rule = ${sealAnswer(id, source)}, travel_rule_by = ${by}`,
    )
  }
  return { deposit_id: id, needs_sender_travel_rule: false, travel_rule_complete: true, source }
}

function refuseIncomplete(answer: SenderTravelRule): void {
  const missing = missingIn(answer)
  if (missing.length === 0) return
  refuse('travel_rule_incomplete', {
    errors: missing.map((path) => ({
      path,
      code: 'required',
      message: 'is required where the sender is somebody else',
    })),
  })
}

/** Seals an answer for its deposit alone. */
const sealAnswer = (id: DepositId, source: TravelRuleSource): Buffer => encryptForRow(id, { source })

const openAnswer = (id: DepositId, sealed: Uint8Array): TravelRuleSource =>
  (decryptForRow(id, sealed) as { source: TravelRuleSource }).source
