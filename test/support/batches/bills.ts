/** Runs: bills that are added to batches, and the calls about them. */
import type { BatchBills } from '../../../domain/runs/run.ts'
import { type Answer, type TestPerson, api, approve } from '../api.ts'
import { submit } from './batches.ts'
import { newBatch } from './imports.ts'

export const addBills = (by: TestPerson, batchId: string, bill_ids: readonly string[], on?: string): Promise<Answer> =>
  api('POST', `/payment-batches/${batchId}/bills`, { token: by.token, body: { bill_ids, ...(on && { on }) } })

/** A draft of these bills. */
export async function runOf(by: TestPerson, organizationId: string, bills: readonly string[], on?: string) {
  const id = await newBatch(by, organizationId)
  const { status, body } = await addBills(by, id, bills, on)
  if (status !== 200) throw new Error(`bills: ${status} ${JSON.stringify(body)}`)
  return { id, ...(body as BatchBills) }
}

/** A run of these bills that waits for approval. */
export async function askedRun(by: TestPerson, organizationId: string, bills: readonly string[]) {
  const { id } = await runOf(by, organizationId, bills)
  const { status, body } = await submit(by, id)
  if (status !== 200) throw new Error(`submit: ${status} ${JSON.stringify(body)}`)
  return body as { id: string; organization_id: string; approval_request_id: string }
}

export async function paidRun(by: TestPerson, organizationId: string, bills: readonly string[]) {
  const run = await askedRun(by, organizationId, bills)
  const { status, body } = await approve(by, run)
  if (status !== 200) throw new Error(`approve: ${status} ${JSON.stringify(body)}`)
  return run
}
