/** Bulk decisions: many approvals decided by one request, under one proof of identity, each with its own verdict. */
import { v5 } from 'uuid'
import { type Reserving, claimKey, decidedAlready, reservingOf } from '../../db/decisions/bulk.ts'
import { type ApprovalRow, findApprovals } from '../../db/decisions/approvals.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { SetDecision, SetVerdicts, summaryOf } from '../../domain/approvals/bulk.ts'
import { Refusal, refuse } from '../../domain/errors.ts'
import { type ApprovalId, type DecisionId, type StepUpId } from '../../domain/ids.ts'
import { approvalTarget, grantSet, grantsLeft, setTarget } from '../../db/step-up/grants.ts'
import { checkDecidable, recordDecision, viewerOf } from './decisions.ts'
import { inLanes } from '../../platform/concurrency.ts'
import { operations } from '../http/operation.ts'
import { type Binding, type Context } from '../http/route.ts'

const { command } = operations('Approvals')

const PATH = '/organizations/{organization_id}/approvals/decide'
const AT_ONCE = 8

type OnSet = Context<'requestId' | 'person' | 'org' | 'read' | 'write' | 'claim', { readonly body: SetDecision }>

export const approvalSets = [
  command('post', '/organizations/{organization_id}/approvals/decide', 'decideRequests')
    .says('Approve or reject up to 100 requests, each with a verdict of its own; one step-up approves the whole set')
    .of('organization')
    .can('approvals.review')
    .takes(SetDecision)
    .keyed()
    .answers(SetVerdicts)
    .proved('once', bindSet)
    .handles(async (context) => {
      const set = context.found ?? (await readSet(context))
      if (set.open.length > 0) await claimSet(context, set, context.stepUpId)
      return decideSet(context, set, context.stepUpId)
    }),
]

/** One approval of a set as it stood when the request came. */
type Member = {
  readonly id: ApprovalId
  readonly row: ApprovalRow | undefined
  /** What stands against the decision; null if nothing does, and if it is recorded already. */
  readonly refusal: Refusal | null
}

type ApprovalSet = {
  readonly members: readonly Member[]
  /** Those that the decision may still change. */
  readonly open: readonly ApprovalRow[]
  /** What a step-up for each of those that the caller sees would name. */
  readonly targets: readonly string[]
}

/** Derived from the request's own id: a repeat with the Idempotency-Key finds each decision again. */
const decisionIdOf = ({ claim }: OnSet, approvalId: ApprovalId): DecisionId => v5(approvalId, claim.id) as DecisionId

const targetOf = (row: ApprovalRow): string => approvalTarget(row.approval_id, row.subject_hash)

async function readSet(context: OnSet): Promise<ApprovalSet> {
  const { read, body } = context
  const rows = await findApprovals(read, body.approval_ids, viewerOf(context))
  const recorded = await recordedIn(context) // afterwards: the caller's own decision never looks like somebody else's
  const byId = new Map(rows.map((row) => [row.approval_id, row]))
  const members = body.approval_ids.map((id): Member => {
    const row = byId.get(id)
    return { id, row, refusal: recorded.has(id) ? null : refusalFor(context, row) }
  })
  const open = members.flatMap(({ id, row, refusal }) => (row && !refusal && !recorded.has(id) ? row : []))
  return { members, open, targets: rows.map(targetOf) }
}

/** Those of the set that carry this decision of the caller already. */
const recordedIn = (context: OnSet): Promise<ReadonlySet<ApprovalId>> => {
  const { read, person, body } = context
  const named = body.approval_ids.map((id) => ({ approval_id: id, decision_id: decisionIdOf(context, id) }))
  return decidedAlready(read, person.userId, body.decision, named)
}

/** Why the caller may not decide it as things stand, or null; the deciding transaction looks again. */
function refusalFor(context: OnSet, row: ApprovalRow | undefined): Refusal | null {
  try {
    checkDecidable(row ?? refuse('not_found'), viewerOf(context), context.body.decision)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/**
 * A rejection asks for no proof. An approval is bound to all that the caller sees of the set, whoever decides some of
 * it meanwhile; if nothing is left to prove it is answered here.
 */
async function bindSet(context: OnSet): Promise<Binding<SetVerdicts, ApprovalSet>> {
  if (context.body.decision === 'reject') return { target: 'approvals', needless: true }
  if (context.org.status === 'paused') refuse('organization_unavailable')
  // before the approvals are read: what is granted then and open afterwards was not taken in between
  const granted = await grantsLeft(context.person.sessionId, `POST ${PATH}`, context.claim.bodyHash)
  const set = await readSet(context)
  if (set.open.length === 0) return { answer: await verdictsOn(context, set, new Map()) }
  const target = setTarget(set.targets)
  const proof = granted.find(
    ({ setTarget: proved, left }) => proved === target && set.open.every((row) => left.includes(targetOf(row))),
  )
  if (!proof) return { target, summary: await summaryFor(context, set), found: set }
  await claimSet(context, set, null)
  return { answer: await decideSet(context, set, proof.stepUpId) }
}

/** What a proof of identity for the set says in words: all of it that is undecided. */
async function summaryFor({ read }: OnSet, { members }: ApprovalSet): Promise<string> {
  const undecided = members.flatMap(({ row }) => (row?.status === 'pending' && !row.expired ? row : []))
  const reserving = await reservingOf(read, undecided)
  return summaryOf(
    undecided.map((row) => ({ summary: row.summary, money: reserving.get(row.target_id)?.money ?? null })),
  )
}

/** Binds the key to this request, and turns a step-up for the set into one grant for each approval of it. */
async function claimSet({ claim, write, person }: OnSet, set: ApprovalSet, stepUpId: StepUpId | null): Promise<void> {
  if (!claim.keyed && stepUpId === null) return
  await write(async (tx) => {
    if (claim.keyed) await claimKey(tx, claim)
    if (stepUpId === null) return
    const proof = { stepUpId, sessionId: person.sessionId }
    if (!(await grantSet(tx, proof, set.targets))) refuse('step_up_required')
  })
}

/** Decides what is open, several at once; one that is refused does not stand in the way of the others. */
async function decideSet(context: OnSet, set: ApprovalSet, stepUpId: StepUpId | null): Promise<SetVerdicts> {
  const approving = context.body.decision === 'approve'
  const reserving: ReadonlyMap<string, Reserving> = approving ? await reservingOf(context.read, set.open) : new Map()
  const lastStart = Date.now() + config.requestDeadlineMs
  const refusals = new Map<ApprovalId, Refusal>()
  const decide = async (row: ApprovalRow): Promise<void> => {
    try {
      if (Date.now() > lastStart) throw unavailable()
      await decideOne(context, row, stepUpId)
    } catch (error) {
      refusals.set(row.approval_id, refusalOf(error))
    }
  }
  await inLanes(lanesOf(set.open, reserving), AT_ONCE, async (lane) => {
    for (const row of lane) await decide(row)
  })
  return verdictsOn(context, set, refusals)
}

const decideOne = (context: OnSet, row: ApprovalRow, stepUpId: StepUpId | null): Promise<unknown> =>
  recordDecision(context, {
    decision_id: decisionIdOf(context, row.approval_id),
    approval_id: row.approval_id,
    target: { type: row.target_type, id: row.target_id },
    decision: context.body.decision,
    step_up_id: stepUpId,
    comment: context.body.reason ?? null,
    body_hash: undefined, // the request's own claim binds the key
  })

const unavailable = () => new Refusal('service_unavailable', { retry_after_seconds: 1 })

/** One that fails does not hide the verdicts of the others: nobody can say what became of it, and a repeat does. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  log.error({ err: error }, 'a decision of a set failed')
  return unavailable()
}

/**
 * What may go on at the same time. If the balance of a currency does not cover all that is taken from it, those are
 * decided one by one in the order asked, so that it goes to the first of them.
 */
function lanesOf(rows: readonly ApprovalRow[], reserving: ReadonlyMap<string, Reserving>): ApprovalRow[][] {
  const lanes = new Map<string, ApprovalRow[]>()
  for (const row of rows) {
    const taking = reserving.get(row.target_id)
    const lane = taking?.short ? taking.money.currency : row.approval_id
    lanes.set(lane, [...(lanes.get(lane) ?? []), row])
  }
  return [...lanes.values()]
}

/** Where each approval stands now, and what stood against the decision; one that came through after all stands. */
async function verdictsOn(
  context: OnSet,
  { members }: ApprovalSet,
  refusals: ReadonlyMap<ApprovalId, Refusal>,
): Promise<SetVerdicts> {
  const unsure = [...refusals.values()].some(({ type }) => type === 'service_unavailable')
  const recorded: ReadonlySet<ApprovalId> = unsure ? await recordedIn(context) : new Set()
  const rows = await findApprovals(context.read, context.body.approval_ids, viewerOf(context))
  const status = new Map(rows.map((row) => [row.approval_id, row.status]))
  return {
    data: members.map(({ id, refusal: before }) => {
      const refusal = before ?? (recorded.has(id) ? undefined : refusals.get(id))
      return { approval_id: id, status: status.get(id) ?? null, ...(refusal && { error: told(refusal) }) }
    }),
  }
}

const told = ({ type, message, details }: Refusal) => ({ type, message, ...(details && { details: { ...details } }) })
