/** Bulk decisions: many approvals decided by one request, under one proof of identity, each with its own verdict. */
import { v5 } from 'uuid'
import { type Reserving, bindKey, decidedAlready, reservingOf } from '../../db/approvals/bulk.ts'
import { type ApprovalRow, findApprovals } from '../../db/approvals/approvals.ts'
import { config } from '../../db/config.ts'
import { log } from '../../db/log.ts'
import { SetDecision, SetVerdicts, summaryOf } from '../../db/model/approvals/bulk.ts'
import { Refusal, refuse } from '../../db/model/errors.ts'
import { type ApprovalId, type DecisionId, type StepUpId } from '../../db/model/ids.ts'
import { approvalTarget, grantSet, grantsLeft, setTarget } from '../../db/step-up/grants.ts'
import { checkDecidable, recordDecision, viewerOf } from './decisions.ts'
import { inLanes } from '../../db/concurrency.ts'
import { inPath } from '../http/in-path.ts'
import { type Binding, type Context, route } from '../http/route.ts'

const PATH = '/organizations/{organization_id}/approvals/decide'
const AT_ONCE = 8

type OnSet = Context<'requestId' | 'person' | 'org' | 'read' | 'write' | 'claim', { readonly body: SetDecision }>

export const approvalSets = [
  route({
    method: 'post',
    path: PATH,
    operationId: 'decideRequests',
    summary: 'Approve or reject up to 100 requests, each with a verdict of its own; one step-up approves the whole set',
    tag: 'Approvals',
    can: 'approvals.review',
    ...inPath('organization'),
    keyed: true,
    stepUp: { mode: 'once', bind: bindSet },
    body: SetDecision,
    returns: SetVerdicts,
    handle: async (context) => {
      const set = await setOf(context)
      if (openIn(set).length > 0) await begin(context, set, context.stepUpId)
      return decideSet(context, set, context.stepUpId)
    },
  }),
]

/** One approval of a set, as it stood when the request came: `open` is what the decision may still change. */
type Member = { readonly id: ApprovalId; readonly row: ApprovalRow | undefined; readonly standing: Standing }
type Standing = 'open' | 'done' | Refusal

type ApprovalSet = {
  readonly members: readonly Member[]
  /** What a step-up for each of those that the caller sees would name. */
  readonly targets: readonly string[]
}

/** Derived from the request's own id: a repeat with the Idempotency-Key finds each decision again. */
const decisionIdOf = ({ claim }: OnSet, approvalId: ApprovalId): DecisionId => v5(approvalId, claim.id) as DecisionId

async function setOf(context: OnSet): Promise<ApprovalSet> {
  const { read, body } = context
  const rows = await findApprovals(read, body.approval_ids, viewerOf(context))
  const done = await doneIn(context) // afterwards: the caller's own decision never looks like somebody else's
  const byId = new Map(rows.map((row) => [row.approval_id, row]))
  const members = body.approval_ids.map((id) => {
    const row = byId.get(id)
    return { id, row, standing: done.has(id) ? ('done' as const) : standingOf(context, row) }
  })
  return { members, targets: rows.map((row) => approvalTarget(row.approval_id, row.subject_hash)) }
}

const doneIn = (context: OnSet): Promise<ReadonlySet<ApprovalId>> => {
  const { read, person, body } = context
  const named = body.approval_ids.map((id) => ({ approval_id: id, decision_id: decisionIdOf(context, id) }))
  return decidedAlready(read, person.userId, body.decision, named)
}

/** Whether the caller may decide it, as things stand; the deciding transaction looks again. */
function standingOf(context: OnSet, row: ApprovalRow | undefined): Standing {
  try {
    checkDecidable(row ?? refuse('not_found'), viewerOf(context), context.body.decision)
    return 'open'
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const openIn = ({ members }: ApprovalSet): ApprovalRow[] =>
  members.flatMap(({ row, standing }) => (row && standing === 'open' ? row : []))

/**
 * A rejection asks for no proof. An approval is bound to all that the caller sees of the set, whoever decides some of it
 * meanwhile; where nothing is left to prove it is answered here.
 */
async function bindSet(context: OnSet): Promise<Binding<SetVerdicts>> {
  if (context.body.decision === 'reject') return { target: 'approvals', needless: true }
  if (context.org.status === 'paused') refuse('organization_unavailable')
  // before the approvals are read: what is granted then and open afterwards was not taken in between
  const earlier = await grantsLeft(context.person.sessionId, `POST ${PATH}`, context.claim.bodyHash)
  const set = await setOf(context)
  const open = openIn(set)
  if (open.length === 0) return { answer: await verdictsOn(context, set, new Map()) }
  const target = setTarget(set.targets)
  const proof = earlier.find(
    (granted) =>
      granted.setTarget === target &&
      open.every((row) => granted.left.includes(approvalTarget(row.approval_id, row.subject_hash))),
  )
  if (proof) {
    await begin(context, set, null)
    return { answer: await decideSet(context, set, proof.stepUpId) }
  }
  const undecided = set.members.flatMap(({ row }) => (row?.status === 'pending' && !row.expired ? row : []))
  const reserving = await reservingOf(context.read, undecided)
  const summary = summaryOf(
    undecided.map((row) => ({ summary: row.summary, money: reserving.get(row.target_id)?.money ?? null })),
  )
  return { target, summary }
}

/** Binds the key to this request, and turns a step-up for the set into one grant for each approval of it. */
async function begin({ claim, write, person }: OnSet, set: ApprovalSet, stepUpId: StepUpId | null): Promise<void> {
  if (!claim.keyed && stepUpId === null) return
  await write(async (tx) => {
    if (claim.keyed) await bindKey(tx, claim)
    if (stepUpId === null) return
    const proof = { stepUpId, sessionId: person.sessionId }
    if (!(await grantSet(tx, proof, set.targets))) refuse('step_up_required')
  })
}

async function decideSet(context: OnSet, set: ApprovalSet, stepUpId: StepUpId | null): Promise<SetVerdicts> {
  const { read, body } = context
  const open = openIn(set)
  const reserving = body.decision === 'approve' ? await reservingOf(read, open) : new Map<string, Reserving>()
  const lastStart = Date.now() + config.requestDeadlineMs
  const refusals = new Map<ApprovalId, Refusal>()
  const decide = async (row: ApprovalRow): Promise<void> => {
    if (Date.now() > lastStart) return void refusals.set(row.approval_id, unavailable())
    const decision = {
      decision_id: decisionIdOf(context, row.approval_id),
      approval_id: row.approval_id,
      target: { type: row.target_type, id: row.target_id },
      decision: body.decision,
      step_up_id: stepUpId,
      comment: body.reason ?? null,
      body_hash: undefined, // the request's own claim binds the key
    }
    await recordDecision(context, decision).catch((error: unknown) => {
      refusals.set(row.approval_id, refusalOf(error))
    })
  }
  await inLanes(lanesOf(open, reserving), AT_ONCE, async (lane) => {
    for (const row of lane) await decide(row)
  })
  return verdictsOn(context, set, refusals)
}

const unavailable = () => new Refusal('service_unavailable', { retry_after_seconds: 1 })

/** One that fails does not hide the verdicts of the others: nobody can say what became of it, and a repeat does. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  log.error({ err: error }, 'a decision of a set failed')
  return unavailable()
}

/**
 * What may go on at the same time. Where the balance does not cover all payments of a currency, they are decided one by
 * one in the order asked, so that it goes to the first of them.
 */
function lanesOf(rows: readonly ApprovalRow[], reserving: ReadonlyMap<string, Reserving>): ApprovalRow[][] {
  const lanes = new Map<string, ApprovalRow[]>()
  for (const row of rows) {
    const payment = reserving.get(row.target_id)
    const lane = payment?.short ? payment.money.currency : row.approval_id
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
  const done = unsure ? await doneIn(context) : new Set<ApprovalId>()
  const rows = await findApprovals(context.read, context.body.approval_ids, viewerOf(context))
  const status = new Map(rows.map((row) => [row.approval_id, row.status]))
  return {
    data: members.map(({ id, standing }) => {
      const refusal = standing instanceof Refusal ? standing : done.has(id) ? undefined : refusals.get(id)
      return { approval_id: id, status: status.get(id) ?? null, ...(refusal && { error: told(refusal) }) }
    }),
  }
}

const told = ({ type, message, details }: Refusal) => ({ type, message, ...(details && { details: { ...details } }) })
