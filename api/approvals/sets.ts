/** Sets of approvals: many decided by one request, under one step-up, each with its own verdict. */
import { v5 } from 'uuid'
import { type ApprovalRow, findDecided, findApprovals } from '../../services/decisions/approvals.ts'
import { warningsOf } from '../../services/decisions/details.ts'
import { decide } from '../../services/decisions/commands.ts'
import { type Reservation, reservingOf } from '../../services/decisions/targets.ts'
import { claimKey } from '../../services/idempotency.ts'
import { approvalTarget, grantSet, grantsLeft, setTarget } from '../../services/step-up/step-ups.ts'
import { SetDecision, SetVerdicts } from '../../domain/approvals/approval.ts'
import { sentenceOfSet } from '../../domain/approvals/sentence.ts'
import { Refusal, refuse } from '../../domain/errors.ts'
import type { ApprovalId, NewId, StepUpId } from '../../domain/ids.ts'
import { inLanes } from '../../platform/concurrency.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { operations } from '../http/operation.ts'
import { BRIEF_LOCKS, repeating } from '../http/command.ts'
import type { Binding, Context } from '../http/route.ts'
import { decideInTurn, requireDecidable, viewerOf } from './approvals.ts'

const { byHand } = operations('Approvals')

const PATH = '/organizations/{organization_id}/approvals/decide'
const AT_ONCE = 8

type OnSet = Context<'person' | 'org' | 'read' | 'write' | 'claim', { readonly body: SetDecision }>

export const approvalSets = [
  byHand('post', '/organizations/{organization_id}/approvals/decide', 'decideRequests')
    .says('Approve or reject up to 100 approvals', 'Each has a verdict of its own. One step-up covers the whole set.')
    .of('organization')
    .can('approvals.review')
    .takes(SetDecision)
    .retries('decision')
    .refuses('organization_unavailable')
    .answers(SetVerdicts)
    .proved('once', bindSet)
    // each approval is decided in a transaction of its own, so that a refused one does not undo the others
    .does(async (context) => {
      const set = context.found ?? (await readSet(context))
      if (set.open.length > 0) await claimSet(context, set, context.stepUpId)
      return decideSet(context, set, context.stepUpId)
    }),
]

/** Approval of a set, as read when the request came. */
type Member = {
  readonly id: ApprovalId
  readonly row: ApprovalRow | undefined
  /** Null if the decision is possible, and if it is recorded already. */
  readonly refusal: Refusal | null
}

type ApprovalSet = {
  readonly members: readonly Member[]
  /** Undecided approvals that the decision may change. */
  readonly open: readonly ApprovalRow[]
  readonly targets: readonly string[]
}

/** Derives a decision's id from the request's: an idempotent replay finds each decision again. */
const decisionIdOf = ({ claim }: OnSet, approvalId: ApprovalId): NewId => v5(approvalId, claim.id) as NewId

const targetOf = (row: ApprovalRow): string => approvalTarget(row.approval_id, row.subject_hash)

async function readSet(context: OnSet): Promise<ApprovalSet> {
  const { read, body } = context
  const rows = await findApprovals(read, body.approval_ids, viewerOf(context))
  // read after the approvals, so that the caller's own decision never looks like another person's
  const recorded = await findRecorded(context)
  const byId = new Map(rows.map((row) => [row.approval_id, row]))
  const members = body.approval_ids.map((id): Member => {
    const row = byId.get(id)
    return { id, row, refusal: recorded.has(id) ? null : refusalFor(context, row) }
  })
  const open = members.flatMap(({ id, row, refusal }) => (row && !refusal && !recorded.has(id) ? row : []))
  return { members, open, targets: rows.map(targetOf) }
}

const findRecorded = (context: OnSet): Promise<ReadonlySet<ApprovalId>> => {
  const { read, person, body } = context
  const decisionIds = body.approval_ids.map((id) => decisionIdOf(context, id))
  return findDecided(read, person.userId, body.decision, body.approval_ids, decisionIds)
}

/** Finds the present refusal of the caller's decision, or null; the deciding transaction checks again. */
function refusalFor(context: OnSet, row: ApprovalRow | undefined): Refusal | null {
  try {
    requireDecidable(row ?? refuse('not_found'), viewerOf(context), context.body.decision)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Binds a step-up to all approvals that the caller sees; answers here if nothing is left to prove. */
async function bindSet(context: OnSet): Promise<Binding<SetVerdicts, ApprovalSet>> {
  if (context.body.decision === 'reject') return { target: 'approvals', needless: true }
  if (context.org.status === 'paused') refuse('organization_unavailable')
  // before the approvals are read: an approval that is granted now and open afterwards was not decided in between
  const granted = await grantsLeft(context.person.sessionId, `POST ${PATH}`, context.claim.bodyHash)
  const set = await readSet(context)
  if (set.open.length === 0) return { answer: await verdictsOn(context, set, new Map()) }
  const target = setTarget(set.targets)
  const proof = granted.find(
    ({ setTarget: proved, left }) => proved === target && set.open.every((row) => left.includes(targetOf(row))),
  )
  if (!proof) return { target, summary: () => describeSet(context, set), found: set }
  await claimSet(context, set, null)
  return { answer: await decideSet(context, set, proof.stepUpId) }
}

async function describeSet({ read }: OnSet, { members }: ApprovalSet): Promise<string> {
  const undecided = members.flatMap(({ row }) => (row?.status === 'pending' && !row.expired ? row : []))
  const [reserving, warnings] = await Promise.all([
    reservingOf(read, undecided),
    Promise.all(undecided.map((row) => warningsOf(read, row))),
  ])
  return sentenceOfSet(
    undecided.map((row, at) => ({
      summary: row.summary,
      money: reserving.get(row.target_id)?.money ?? null,
      warnings: warnings[at] ?? [],
    })),
  )
}

/** Binds the key to this request, and turns the step-up into one grant for each approval. */
async function claimSet({ claim, write, person }: OnSet, set: ApprovalSet, stepUpId: StepUpId | null): Promise<void> {
  if (!claim.keyed && stepUpId === null) return
  await write(async (tx) => {
    if (claim.keyed) await claimKey(tx, claim)
    if (stepUpId !== null) await grantSet(tx, { stepUpId, sessionId: person.sessionId }, set.targets)
  })
}

/** Decides the open approvals concurrently; a refused one does not stop the others. */
async function decideSet(context: OnSet, set: ApprovalSet, stepUpId: StepUpId | null): Promise<SetVerdicts> {
  const { read, write, person, claim, body } = context
  const { decision: kind, reason: comment = null } = body
  const reserving: ReadonlyMap<string, Reservation> = kind === 'approve' ? await reservingOf(read, set.open) : new Map()
  const lastStart = Date.now() + config.requestDeadlineMs
  const refusals = new Map<ApprovalId, Refusal>()
  const decideOne = async (approval: ApprovalRow): Promise<void> => {
    const id = approval.approval_id
    // the key is bound by the claim of the whole request
    const own = { ...claim, id: decisionIdOf(context, id), keyed: false }
    const decision = { kind, approval, person, claim: own, stepUpId, comment }
    try {
      if (Date.now() > lastStart) throw unavailable()
      await decideInTurn(() => repeating(() => write((tx) => decide(tx, decision), BRIEF_LOCKS)))
    } catch (error) {
      // a failure does not hide the other verdicts: its outcome is unknown until a repeat
      if (!(error instanceof Refusal)) log.error({ err: error }, 'a decision of a set failed')
      refusals.set(id, error instanceof Refusal ? error : unavailable())
    }
  }
  await inLanes(lanesOf(set.open, reserving), AT_ONCE, async (lane) => {
    for (const row of lane) await decideOne(row)
  })
  return verdictsOn(context, set, refusals)
}

const unavailable = () => new Refusal('service_unavailable', { retry_after_seconds: 1 })

/** Splits a set into concurrent lanes; payments of a short balance share one lane, so that the first ones get it. */
function lanesOf(rows: readonly ApprovalRow[], reserving: ReadonlyMap<string, Reservation>): ApprovalRow[][] {
  const lanes = new Map<string, ApprovalRow[]>()
  for (const row of rows) {
    const taking = reserving.get(row.target_id)
    const lane = taking?.short ? taking.money.currency : row.approval_id
    lanes.set(lane, [...(lanes.get(lane) ?? []), row])
  }
  return [...lanes.values()]
}

async function verdictsOn(
  context: OnSet,
  { members }: ApprovalSet,
  refusals: ReadonlyMap<ApprovalId, Refusal>,
): Promise<SetVerdicts> {
  const unsure = [...refusals.values()].some(({ type }) => type === 'service_unavailable')
  const recorded: ReadonlySet<ApprovalId> = unsure ? await findRecorded(context) : new Set()
  const rows = await findApprovals(context.read, context.body.approval_ids, viewerOf(context))
  const status = new Map(rows.map((row) => [row.approval_id, row.status]))
  return {
    data: members.map(({ id, refusal: before }) => {
      const refusal = before ?? (recorded.has(id) ? undefined : refusals.get(id))
      return { approval_id: id, status: status.get(id) ?? null, ...(refusal && { error: toError(refusal) }) }
    }),
  }
}

const toError = ({ type, message, details }: Refusal) => ({
  type,
  message,
  ...(details && { details: { ...details } }),
})
