/** Webhooks of the stand-in of Fireblocks: transactions in the state that a callback tells of, under its signature. */
import { sign } from 'node:crypto'
import { SANDBOX_FIREBLOCKS } from '../../../platform/drivers/sandbox.ts'
import { isUuid } from '../../../domain/ids.ts'
import { type Callback, queueAgain, sendFailedNow } from '../../db/callbacks.ts'
import { CONFIRM_SECONDS, type TransactionRow, findIncoming, findPayoutRow } from '../../db/fireblocks/transactions.ts'
import type { CallbackMessage } from '../stand-in.ts'
import { type Answer, ok, unknownTransaction } from './answers.ts'
import type { Workspace } from './assets.ts'
import { otherId } from './ids.ts'
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
  const isNew = row.direction === 'in' && row.age < CONFIRM_SECONDS
  if (isNew) await queueAgain({ partner, type, subjectId, version: version + 1 }, CONFIRM_SECONDS - row.age)
  const told = {
    type: isNew ? 'TRANSACTION_CREATED' : 'TRANSACTION_STATUS_UPDATED',
    tenantId: TENANT,
    timestamp: Date.now(),
    data: toTransaction(workspace, stateOf(row, version)),
  }
  const body = JSON.stringify(told)
  const signature = sign('RSA-SHA512', Buffer.from(body), SANDBOX_FIREBLOCKS.theirKey).toString('base64')
  return { headers: { 'fireblocks-signature': signature }, body }
}

/** Has failed webhooks sent again. */
export const resendWebhooks = async ({ partner }: Workspace): Promise<Answer> =>
  ok({ messagesCount: await sendFailedNow(partner) })

/** Sends the webhook of a transaction again, as it is now. */
export async function resendWebhook({ partner, assetsOf }: Workspace, id: string): Promise<Answer> {
  if (!isUuid(id)) return unknownTransaction
  const deposit = await findIncoming(partner, assetsOf, id.toLowerCase())
  const row = deposit ?? (await findPayoutRow(partner, otherId(id.toLowerCase())))
  if (!row) return unknownTransaction
  const type = row.direction === 'in' ? 'deposit.updated' : 'payout.updated'
  await queueAgain({ partner, type, subjectId: row.id, version: row.version }, 0)
  return ok({ success: true })
}

/** Answers the row as it was at a version, if that is its last one but one. */
const stateOf = (row: TransactionRow, version: number): TransactionRow =>
  row.previous?.version === version ? { ...row, ...row.previous } : row
