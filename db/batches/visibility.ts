/** Who sees a batch that is not theirs. */
import type { Reviewer } from '../model/approvals/requirements.ts'
import { type Fragment, sql } from '../sql.ts'

/**
 * Of batches `b`: those that the person made or submitted, or whose approval names them. Whoever sees all transactions
 * sees all batches.
 */
export const ownBatches = ({ userId, role }: Reviewer): Fragment => sql`
  (b.created_by = ${userId} or b.submitted_by = ${userId} or exists (
    select from approvals a join approval_waits w on w.id = a.wait_id
    where a.target_id = b.id and a.target_type = 'payment_batch'
      and (${role} = any (w.named_roles) or ${userId} = any (w.named_user_ids))))`
