/** Runs of the payment workflow: reading their histories, ending them as an operator does, deciding without them. */
import { randomUUID } from 'node:crypto'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { expect } from 'vitest'
import { client } from '../../temporal/client.ts'
import { post } from '../../db/ledger.ts'
import type { Decision } from '../../db/model/approval.ts'
import type { OrganizationId, PaymentId } from '../../db/model/ids.ts'
import { paymentFlow } from '../../db/model/payment-flow.ts'
import { reserve } from '../../db/settlements.ts'
import { asSystem } from '../../db/sql.ts'
import { transition } from '../../db/transition.ts'
import { type TestPerson, api, approvalPath, verifyStepUp } from './api.ts'
import { owner } from './database.ts'
import type { History } from './recorded.ts'

export type Payment = { id: string; organization_id: string; approval_request_id: string }

/** `expect.poll` with the patience that a busy machine needs. */
export const eventually = <Value>(look: () => Value) => expect.poll(look, { timeout: 15_000 })

/** The workflow of a payment, whichever run is its latest. */
export const runOf = (payment: { id: string }) => client.workflow.getHandle(`payment-${payment.id}`)

/** RUNNING, COMPLETED, TERMINATED … */
export const stateOf = async (payment: { id: string }) => (await runOf(payment).describe()).status.name

/** Ends the run at once, as an operator may; whatever it waited for is forgotten. */
export const terminate = (payment: { id: string }) => runOf(payment).terminate('ended by an operator')

/** The history of the latest run, as Temporal's replayer takes it. */
export async function historyOf(payment: { id: string }): Promise<History> {
  return JSON.parse(historyToJSON(await runOf(payment).fetchHistory())) as History // the shape that historyToJSON documents
}

/** Earns the step-up that an approval asks for, without using it. */
export async function earnStepUp(by: TestPerson, payment: Payment): Promise<void> {
  const asked = await api('POST', `${approvalPath(payment)}/approve`, { token: by.token, body: {} })
  if (asked.body.error?.type !== 'step_up_required') throw new Error(`no step-up: ${JSON.stringify(asked.body)}`)
  await verifyStepUp(asked)
}

/**
 * Submits a payment and holds its money, with nobody to settle it: so a page of a batch leaves what it has not come to yet,
 * and so did earlier releases leave every payment for a moment.
 */
export async function submitAlone({ id, organization_id, approval_request_id }: Payment): Promise<void> {
  await owner`update approvals set status = 'approved', processed_at = business_now() where id = ${approval_request_id}`
  const [row] = await owner`select deducting_amount::text as amount, deducting_currency as currency from payments
    where id = ${id}`
  const money = { amount: String(row?.['amount']), currency: String(row?.['currency']) }
  await asSystem(organization_id as OrganizationId, async (tx) => {
    await transition(tx, paymentFlow, id, { events: ['submit'], cause: `decision:${randomUUID()}` })
    await post(tx, [reserve(tx, { id: id as PaymentId, ...money })])
  })
}

/** The approval of somebody who earned the step-up, as the API would hand it to the workflow. */
export async function approvalBy(by: TestPerson, payment: Payment): Promise<Decision> {
  const [row] = await owner`
    select s.device_id, u.id as step_up_id from sessions s join step_ups u on u.session_id = s.id
    where s.id = ${by.sessionId} and u.status = 'verified' and u.target like ${`approval:${payment.approval_request_id}:%`}`
  return {
    decision_id: randomUUID(),
    organization_id: payment.organization_id,
    approval_id: payment.approval_request_id,
    target: { type: 'internal_transfer', id: payment.id },
    decision: 'approve',
    actor: { kind: 'user', userId: by.userId, sessionId: by.sessionId, deviceId: row?.['device_id'] },
    step_up_id: row?.['step_up_id'],
    comment: null,
    request_id: randomUUID(),
    valid_until: new Date(Date.now() + 365 * 24 * 3600_000).toISOString(),
  } as unknown as Decision // ids of rows that were just written
}
