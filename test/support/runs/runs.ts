/** Runs of the payment workflow: histories, terminations, and decisions without the API. */
import { randomUUID } from 'node:crypto'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { expect } from 'vitest'
import { WorkflowNotFoundError } from '@temporalio/client'
import { client } from '../../../temporal/client.ts'
import { type Decision, decide } from '../../../services/decisions/commands.ts'
import type { Approval } from '../../../domain/approvals/approval.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { inOrganization } from '../../../db/postgres/sql.ts'
import { type TestPerson, api, approvalPath, verifyStepUp } from '../api.ts'
import { owner } from '../database.ts'
import type { History } from '../histories/recorded.ts'
import { until } from '../until.ts'

export type Payment = { id: string; organization_id: string; approval_request_id: string }

/** `expect.poll` with the patience that a busy machine needs. */
export const eventually = <Value>(look: () => Value) => expect.poll(look)

export const runOf = (payment: { id: string }) => client.workflow.getHandle(`payment-${payment.id}`)

export const stateOf = async (payment: { id: string }) => (await runOf(payment).describe()).status.name

/** Waits until the run has looked at the row's latest change and waits again. */
export const waits = ({ id }: { id: string }) =>
  eventually(async () => (await owner`select unseen_since from processes where id = ${id}`)[0]?.['unseen_since']).toBe(
    null,
  )

/** Waits until every change was looked at. */
export const allAreSeen = (patienceMs?: number) =>
  until(
    'all are seen',
    async () => (await owner`select from processes where unseen_since is not null`).length === 0,
    patienceMs,
  )

/** A run by its ID, once it exists: one that waits for people starts half a second after its commit. */
async function startedRun(workflowId: string) {
  const run = client.workflow.getHandle(workflowId)
  const isThere = (error: unknown) => !(error instanceof WorkflowNotFoundError)
  await eventually(() => run.describe().then(() => true, isThere)).toBe(true)
  return run
}

/** The result of a run, also of one that has not started yet. */
export const resultOf = async (workflowId: string): Promise<unknown> => (await startedRun(workflowId)).result()

/** Terminates a run as an operator may, once it has started. */
export async function endRun(workflowId: string): Promise<void> {
  await (await startedRun(workflowId)).terminate('ended by an operator')
}

export const terminate = ({ id }: { id: string }) => endRun(`payment-${id}`)

/** The latest run's history, in the form of Temporal's replayer. */
export async function historyOf(payment: { id: string }): Promise<History> {
  // the shape that historyToJSON documents
  return JSON.parse(historyToJSON(await runOf(payment).fetchHistory())) as History
}

/** Earns the step-up of an approval without using it. */
export async function earnStepUp(by: TestPerson, payment: Payment): Promise<void> {
  const asked = await api('POST', `${approvalPath(payment)}/approve`, { token: by.token, body: {} })
  if (asked.body.error?.type !== 'step_up_required') throw new Error(`no step-up: ${JSON.stringify(asked.body)}`)
  await verifyStepUp(asked)
}

export async function earnedFor({ sessionId }: TestPerson, { approval_request_id: id }: Payment): Promise<string> {
  const [row] = await owner<{ id: string }[]>`
    select id from step_ups
    where session_id = ${sessionId} and status = 'verified' and target like ${`approval:${id}:%`}`
  if (!row) throw new Error('no step-up was earned')
  return row.id
}

/** A person's decision with the given step-up, as the API passes it on. */
export async function decisionOf(
  by: TestPerson,
  payment: Payment,
  stepUpId: string | null,
  kind: Decision['kind'] = 'approve',
): Promise<Decision & { organizationId: OrganizationId }> {
  const [session] = await owner`select device_id from sessions where id = ${by.sessionId}`
  return {
    kind,
    organizationId: payment.organization_id,
    approval: { approval_id: payment.approval_request_id, target_type: 'internal_transfer', target_id: payment.id },
    person: { kind: 'user', userId: by.userId, sessionId: by.sessionId, deviceId: session?.['device_id'] },
    claim: { id: randomUUID(), bodyHash: '', keyed: false },
    stepUpId,
    comment: null,
  } as unknown as Decision & { organizationId: OrganizationId } // ids of rows that were just written
}

/** Records a decision in its transaction, without the API. */
export const record = (decision: Decision & { organizationId: OrganizationId }): Promise<Approval> =>
  inOrganization(decision.person, decision.organizationId, (tx) => decide(tx, decision))
