/** Payment batches that are submitted, and stopped. */
import * as v from 'valibot'
import { findBatch, requireBatch } from '../../db/batches/batches.ts'
import { cancelBatch } from '../../db/batches/changes.ts'
import { judgeDraft, submitBatch } from '../../db/batches/submission.ts'
import type { Reviewer } from '../../domain/approvals/requirements.ts'
import { Batch, Submission } from '../../domain/batches/batch.ts'
import { type BatchId, id } from '../../domain/ids.ts'
import { within } from '../../db/sql.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { operations } from '../http/operation.ts'
import { type Context } from '../http/route.ts'
import { restrictedTo } from '../ledger/transactions.ts'

const { command } = operations('Payment batches')

/** What operations share that name a batch in their path. */
export const ofBatch = {
  tag: 'Payment batches',
  owner: { kind: 'payment_batch', param: 'batch_id' },
  params: v.object({ batch_id: id<'payment_batch'>() }),
} as const

/** Undefined for who sees all batches; else the caller, who sees what they made, submitted or review. */
export function ownBatchesOnly(context: Context<'person' | 'org'>): Reviewer | undefined {
  const userId = restrictedTo(context)
  return userId && { userId, role: context.org.role }
}

/** Before anything is done to a batch: refuses `not_found` unless the caller sees it. */
export const guardBatch = (
  context: Context<'read' | 'person' | 'org', { readonly params: { readonly batch_id: BatchId } }>,
): Promise<void> => requireBatch(context.read, context.params.batch_id, ownBatchesOnly(context))

export const batchSubmission = [
  command('post', '/payment-batches/{batch_id}/submit', 'submitPaymentBatch')
    .says('Ask for the approval of a whole batch; with `exclude_invalid` its invalid rows are left out')
    .of('payment_batch', 'batch_id')
    .can('payments.send_fiat')
    .movesMoney()
    .takes(Submission)
    .refuses(409)
    .answers(Batch)
    .handles(async (context) => {
      const { write, person, params, body } = context
      await guardBatch(context)
      await repeating(() => write((tx) => judgeDraft(tx, person, params.batch_id), BRIEF_LOCKS))
      return repeating(() =>
        write(async (tx) => {
          await submitBatch(tx, person, params.batch_id, { excludeInvalid: body.exclude_invalid })
          return findBatch(within(tx), params.batch_id)
        }, BRIEF_LOCKS),
      )
    }),
  command('post', '/payment-batches/{batch_id}/cancel', 'cancelPaymentBatch')
    .says('Stop a submitted batch: rows that are not begun are skipped, those under way go on')
    .of('payment_batch', 'batch_id')
    .can('payments.send_fiat')
    .refuses(409)
    .answers(Batch)
    .handles(async (context) => {
      const { write, person, params } = context
      await guardBatch(context)
      return repeating(() =>
        write(async (tx) => {
          await cancelBatch(tx, person, params.batch_id)
          return findBatch(within(tx), params.batch_id)
        }, BRIEF_LOCKS),
      )
    }),
]
