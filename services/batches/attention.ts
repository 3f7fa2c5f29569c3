/** Attention kind of drafts whose file could not be read, or that have invalid rows. */
import { type Kind, actionFor, itemAction } from '../attention-kind.ts'
import type { Viewer } from '../../domain/approvals/requirements.ts'
import type { FileFault } from '../../domain/batches/columns.ts'
import { BatchSubject } from '../../domain/attention/attention.ts'
import { can } from '../../domain/permissions.ts'
import { quoteName, uuid } from '../../domain/text.ts'
import { type Fragment, sql } from '../../db/postgres/sql.ts'
import { ownBatches } from './batches.ts'

const Action = itemAction('fix_batch', { payment_batch_id: uuid })

type Facts = { readonly name: string; readonly rows_invalid: number; readonly import_error: FileFault | null }

const standing = actionFor('payments.send_fiat')

/** Builds the condition on batches `b`: the viewer sees them. */
const seenBy = (b: Fragment, viewer: Viewer): Fragment =>
  can(viewer, 'transactions.list_all') ? sql`` : sql`and ${ownBatches(b, { userId: viewer.userId, role: viewer.role })}`

export const fixBatch: Kind<Facts, typeof Action, typeof BatchSubject> = {
  kind: 'fix_batch',
  audience: 'organization',
  action: Action,
  subjects: [BatchSubject],
  items: (reader, viewer) => sql`
    select b.id as obligation_id, b.updated_at as raised_at, null::timestamptz as due_at, b.name, b.rows_invalid,
      b.import_error
    from payment_batches b
    where b.organization_id = ${reader.organizationId} and b.deleted_at is null and b.status = 'draft'
      and (b.rows_invalid > 0 or b.import_error is not null) ${seenBy(sql`b`, viewer)}`,
  raisedAt: (reader, id, viewer) => sql`
    (select b.updated_at from payment_batches b
      where b.id = ${id} and b.organization_id = ${reader.organizationId}
        and (b.status <> 'draft' or b.rows_total > 0 or b.import_error is not null) ${seenBy(sql`b`, viewer)})`,
  standing,
  describe: (reader, { id, facts: { name, rows_invalid: invalid, import_error: fault } }, viewer) => ({
    title: 'Correct a payment batch',
    summary: `${quoteName(name)}: ${fault ? fault.message : invalidRows(invalid)}`,
    ...standing(viewer),
    href: `/organizations/${reader.organizationId}/payment-batches/${id}`,
    action: { kind: 'fix_batch', payment_batch_id: id },
    subject: { type: 'payment_batch', payment_batch_id: id },
  }),
}

const invalidRows = (count: number): string =>
  count === 1 ? 'one row is not valid.' : `${count.toLocaleString('en-US')} rows are not valid.`
