/** Decisions about possible matches: one operator proposes, and another one who says the same decides. */
import { type Tx, first, inOrganization, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flow.ts'
import type { OrganizationId, ScreeningId, UserId } from '../../domain/ids.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { screeningMoves } from '../../domain/screening/events.ts'
import { type ScreeningStatus, screeningFlow } from '../../domain/screening/flow.ts'
import type { AskedQuestion, ListedMatch, ScreeningKind } from '../../domain/screening/screening.ts'
import { decryptForRow } from '../../platform/encryption.ts'
import { causesWhatFollows } from '../events.ts'
import { type Operator, proveOperator } from '../factors/operator-proof.ts'
import { recordSecurityEvent } from '../people/security-log.ts'
import { type SubjectIds, wakeSubject } from './screenings.ts'
import { openQuestion } from './steps.ts'

export const SCREENING_DECISIONS = ['clear', 'confirm'] as const
export type ScreeningDecision = (typeof SCREENING_DECISIONS)[number]

/** A screening as operators see it in their list. */
export type OperatedScreening = SubjectIds & {
  readonly id: ScreeningId
  readonly organization_id: OrganizationId
  readonly kind: ScreeningKind
  readonly connection: ConnectionName
  readonly status: ScreeningStatus
  readonly score: number | null
  readonly editions: string | null
  readonly proposal: ScreeningDecision | null
  readonly proposal_reason: string | null
  readonly proposed_by: UserId | null
  readonly proposer: string | null
  readonly decision_reason: string | null
  readonly decider: string | null
  readonly ask_note: string | null
  readonly inserted_at: string
}

const selectScreenings = (id: ScreeningId | null, most: number) => sql`
  select s.id, s.organization_id, s.kind, s.onboarding_id, s.payment_contact_id, s.connection, s.status, s.score, s.editions,
    s.proposal, s.proposal_reason, s.proposed_by, p.email as proposer, s.decision_reason, d.email as decider, s.ask_note,
    s.inserted_at
  from listed_screenings(${id}, ${most}) s left join people p on p.id = s.proposed_by left join people d on d.id = s.decided_by
  order by s.inserted_at, s.id`

/** Lists the possible matches that wait for operators, oldest first. They name nobody. */
export const listPossible = async (most: number): Promise<OperatedScreening[]> => [
  ...(await sql<OperatedScreening[]>`${selectScreenings(null, most)}`),
]

const findScreening = async (id: ScreeningId): Promise<OperatedScreening> =>
  (await first(sql<OperatedScreening[]>`${selectScreenings(id, 1)}`)) ?? refuse('not_found')

/** Shows a screening with what was asked, and what the lists say. It names people. Refuses `not_found`. */
export async function showScreening(
  id: ScreeningId,
): Promise<OperatedScreening & { readonly question: AskedQuestion; readonly matches: readonly ListedMatch[] }> {
  const row = await findScreening(id)
  return inOrganization({ kind: 'admin' }, row.organization_id, async (tx) => {
    const [sealed] = await tx<{ sealed: Buffer; answer_sealed: Buffer | null }[]>`
      select sealed, answer_sealed from screenings where id = ${id}`
    if (!sealed) refuse('not_found')
    const matches = sealed.answer_sealed
      ? (decryptForRow(id, sealed.answer_sealed) as { readonly matches: readonly ListedMatch[] }).matches
      : []
    return { ...row, question: openQuestion(id, sealed.sealed), matches }
  })
}

/**
 * Decides about a possible match: the first operator who says so proposes it, and it is done when another one says the
 * same. One who says the contrary proposes that instead. Refuses `not_found`; `invalid_state` for one that is decided, or
 * not answered; `requester_cannot_approve` to the operator who proposed the same; and as proveOperator() does.
 */
export async function decideScreening(
  id: ScreeningId,
  decision: ScreeningDecision,
  reason: string,
  operator: Operator,
): Promise<OperatedScreening> {
  const { organization_id: organizationId } = await findScreening(id)
  await inOrganization({ kind: 'admin' }, organizationId, async (tx) => {
    const userId = await proveOperator(tx, operator)
    await tx`select from screenings where id = ${id} for update`
    // a statement of its own: what another operator did while this waited is seen
    const [row] = await tx<OperatedScreening[]>`${selectScreenings(id, 1)}`
    if (!row) refuse('not_found')
    const { status: current, proposal, proposed_by: proposer } = row
    if (current !== 'possible') refuse('invalid_state', { current, allowed: eventsFrom(screeningFlow, current) })
    if (proposal === decision && proposer === userId) refuse('requester_cannot_approve')
    if (proposal === decision) await settle(tx, row, decision, { userId, reason })
    else await propose(tx, id, decision, { userId, reason })
  })
  return findScreening(id)
}

type By = { readonly userId: UserId; readonly reason: string }

async function propose(tx: Tx, id: ScreeningId, proposal: ScreeningDecision, { userId, reason }: By): Promise<void> {
  await tx`
    update screenings set proposal = ${proposal}, proposal_reason = ${reason}, proposed_by = ${userId},
      updated_at = business_now() where id = ${id}`
  const details = { screening_id: id, decision: proposal }
  await recordSecurityEvent(tx, { type: 'screening.proposed', userId, origin: null, details })
}

async function settle(
  tx: Tx,
  row: OperatedScreening,
  decision: ScreeningDecision,
  { userId, reason }: By,
): Promise<void> {
  const { id } = row
  await causesWhatFollows(tx, id)
  await transition(tx, screeningMoves, id, {
    events: [decision],
    cause: `decision:${id}`,
    set: sql`decided_by = ${userId}, decision_reason = ${reason}, decided_at = business_now()`,
  })
  const details = { screening_id: id, decision }
  await recordSecurityEvent(tx, { type: 'screening.decided', userId, origin: null, details })
  await wakeSubject(tx, row)
}
