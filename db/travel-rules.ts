/** Who sent a held deposit: answered once, sealed, and with a complete answer the money is credited. */
import { releaseDeposit } from './deposits.ts'
import { record } from './events.ts'
import { canonicalJson } from './model/canonical.ts'
import { depositFlow } from './model/deposit-flow.ts'
import type { DepositStatus } from './model/deposit-flow.ts'
import { refuse } from './model/errors.ts'
import { eventsFrom } from './model/flow.ts'
import type { DepositId, UserId } from './model/ids.ts'
import { moneyOf } from './model/money.ts'
import {
  type SenderTravelRule,
  type TravelRuleResult,
  type TravelRuleSource,
  missingIn,
  travelRuleSource,
} from './model/travel-rule.ts'
import { sealingKey } from './destination-seals.ts'
import { isSealedAfresh, open, seal } from './secrets.ts'
import { type Tx, asSystem, sql } from './sql.ts'
import type { OrganizationId } from './model/ids.ts'

const RESEALED_AT_ONCE = 1000

type Asked = {
  status: DepositStatus
  is_returning: boolean
  amount: string
  currency: string
  travel_rule: Buffer | null
}

/**
 * Says who sent a held deposit, and credits it; one transaction. The same answer again answers the same. Refuses
 * `travel_rule_incomplete` (its errors name each field that is missing), and `invalid_state` where the deposit asks for
 * nothing, was answered otherwise, or is on its way back.
 */
export async function answerTravelRule(
  tx: Tx,
  id: DepositId,
  by: UserId,
  answer: SenderTravelRule,
): Promise<TravelRuleResult> {
  const [deposit] = await tx<Asked[]>`
    select status, is_returning, amount, currency, travel_rule from deposits
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
    await record(tx, { stream: 'deposits', subjectId: id, type: 'deposit.sender_named', cause: `deposit:${id}:sender` })
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
    errors: missing.map((path) =>
      path === 'attestation'
        ? { path, code: 'not_attested', message: 'must be true' }
        : { path, code: 'required', message: 'is required where the sender is somebody else' },
    ),
  })
}

/** Seals an answer together with the id of its deposit, so that it opens nowhere else. */
const sealAnswer = (id: DepositId, source: TravelRuleSource): Buffer =>
  seal(Buffer.from(JSON.stringify({ id, source })))

function openAnswer(id: DepositId, sealed: Uint8Array): TravelRuleSource {
  // sealed by sealAnswer(), and unchanged since
  const opened = JSON.parse(open(sealed).toString()) as { id: string; source: TravelRuleSource }
  if (opened.id !== id) throw new Error('the travel rule of another deposit')
  return opened.source
}

/** Seals answers anew that an earlier key sealed, so that this key can be taken out of the configuration; how many. */
export async function resealTravelRules(batch = RESEALED_AT_ONCE): Promise<number> {
  let resealed = 0
  for (let after: string | null = null; ;) {
    const rows: { id: DepositId; organization_id: OrganizationId }[] = await sql`
      select id, organization_id from travel_rules_to_seal(${sealingKey()}, ${after}, ${batch})`
    for (const { id, organization_id: organizationId } of rows) {
      resealed += await asSystem(organizationId, (tx) => sealAgain(tx, id))
    }
    after = rows.at(-1)?.id ?? null
    if (rows.length < batch) return resealed
  }
}

async function sealAgain(tx: Tx, id: DepositId): Promise<number> {
  const [row] = await tx<{ travel_rule: Buffer }[]>`select travel_rule from deposits where id = ${id} for update`
  if (!row?.travel_rule || isSealedAfresh(row.travel_rule)) return 0
  await tx`update deposits set travel_rule = ${seal(open(row.travel_rule))} where id = ${id}`
  return 1
}
