/** Webhooks of the stand-in of Fireblocks: transactions in the state that a callback tells of, under its signature. */
import { sign } from 'node:crypto'
import { SANDBOX_FIREBLOCKS } from '../../../platform/drivers/sandbox.ts'
import type { Callback } from '../../db/callbacks.ts'
import { type TransactionRow, findIncoming, findPayoutRow } from '../../db/transactions.ts'
import type { CallbackMessage } from '../stand-in.ts'
import type { Workspace } from './assets.ts'
import { assetOf, toTransaction } from './words.ts'

const TENANT = '7a3e0c52-6d1b-4f7e-9a58-21c4d7e6b0f3'

/** Writes and signs a webhook; null for what the workspace does not show. */
export async function writeWebhook(workspace: Workspace, callback: Callback): Promise<CallbackMessage | null> {
  const { partner, assetsOf } = workspace
  const { type, subjectId, version } = callback
  const row =
    type === 'deposit.updated'
      ? await findIncoming(partner, assetsOf, subjectId)
      : await findPayoutRow(partner, subjectId)
  if (!row || !assetOf(workspace, row)) return null
  const told = {
    type: 'TRANSACTION_STATUS_UPDATED',
    tenantId: TENANT,
    timestamp: Date.now(),
    data: toTransaction(workspace, stateOf(row, version)),
  }
  const body = JSON.stringify(told)
  const signature = sign('RSA-SHA512', Buffer.from(body), SANDBOX_FIREBLOCKS.theirKey).toString('base64')
  return { headers: { 'fireblocks-signature': signature }, body }
}

/** Answers the row as it was at a version, if that is its last one but one. */
const stateOf = (row: TransactionRow, version: number): TransactionRow =>
  row.previous?.version === version ? { ...row, ...row.previous } : row
