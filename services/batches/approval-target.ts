/** Approval target of payment batches: an approved one is paid, a refused one is a draft again. */
import type { ApprovalTarget } from '../approvals/target.ts'
import { readChange } from '../../domain/account-changes/change.ts'
import { payeeWarnings } from '../../domain/approvals/warning.ts'
import type { PayeeResult } from '../../domain/payee-checks/payee-check.ts'
import type { BatchAccountChange } from '../../domain/batches/account-change.ts'
import { batchMoves } from '../../domain/batches/events.ts'
import { type Blocker, refuse } from '../../domain/errors.ts'
import type { BatchStatus } from '../../domain/batches/flow.ts'
import type { BatchId } from '../../domain/ids.ts'
import { isAddressRequired } from '../contacts/addresses.ts'
import { pipeline } from '../../db/postgres/pipeline.ts'
import { sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { coolingOff, selectMarkedChanges } from './account-changes.ts'
import { differingHolders, recount, withoutAddress } from './batches.ts'

type State = {
  id: BatchId
  status: BatchStatus
  approved_hash: string | null
  without_address: number
  /** Rows that the bank knows under other names, of an organization that blocks them. */
  blocked_payees: number
  /** Rows whose account had changed at the submission, as they stand now. */
  changes: Parameters<typeof coolingOff>[0]
}

const toMismatch = (rows: number): Blocker => ({
  type: 'payee_mismatch',
  details: { result: 'no_match', reason: 'payee_check_blocks', rows_no_match: rows },
})

export const batchTarget: ApprovalTarget<State> = {
  type: 'payment_batch',
  movesMoney: true,
  subject: {
    // as it was requested: the batch may be a draft again by now
    column: () => sql`approvals.subject_body::json`,
    parse: ({ target_id: id, account_change: change = null, ...row }) => {
      const stored = change as BatchAccountChange | null // the submission wrote it
      const account_change = stored && { ...stored, changes: stored.changes.map(readChange) }
      return { id, without_address: 0, holders_differ: 0, payee_checks: [], ...row, account_change }
    },
  },
  state: ({ organizationId }, id) => sql`
    select b.id, b.status, ${selectMarkedChanges(sql`b`, { organizationId })} as changes,
      a.subject_body::jsonb ->> 'sha256' as approved_hash,
      ${isAddressRequired() ? withoutAddress(sql`b.id`) : sql`0`} as without_address,
      case (select o.payee_check from organizations o where o.id = b.organization_id) when 'block' then (
        select count(*) from payment_batch_rows r join payee_checks k on k.id = r.payee_check_id
        where r.payment_batch_id = b.id and r.status = 'valid' and k.result = 'no_match') else 0 end::int as blocked_payees
    from payment_batches b left join approvals a on a.id = b.approval_request_id
    where b.id = ${id} and b.organization_id = ${organizationId}`,
  blockers: ({ without_address: rows, blocked_payees: blocked }) => [
    ...(rows > 0 ? [{ type: 'address_required', details: { rows } } as const] : []),
    ...(blocked > 0 ? [toMismatch(blocked)] : []),
  ],
  lastBlockers: ({ changes }) => coolingOff(changes),
  async warnings(reader, id) {
    const [found] = await reader<{ rows: number; differing: number }>(sql`
      select ${withoutAddress(sql`${id}::uuid`)} as rows, ${differingHolders(sql`${id}::uuid`)} as differing`)
    const answers = await reader<{ result: PayeeResult }>(sql`
      select distinct k.result from payment_batch_rows r join payee_checks k on k.id = r.payee_check_id
      where r.payment_batch_id = ${id} and r.organization_id = ${reader.organizationId} and r.status = 'valid'`)
    const lacks = found && found.rows > 0
    const differs = found && found.differing > 0
    return [
      ...(lacks ? (['address_missing'] as const) : []),
      ...(differs ? (['holder_differs'] as const) : []),
      ...payeeWarnings(answers.map(({ result }) => result)),
    ]
  },
  async approve(tx, { id, status, approved_hash: approved }, cause) {
    const { hashed } = await pipeline({
      locked: tx`select id from payment_batches where id = ${id} for update`,
      hashed: tx<{ hash: string }[]>`select batch_rows_hash(${id}) as hash`,
    })
    // the service never changes them: this finds changes of the database itself
    if (hashed[0]?.hash !== approved)
      refuse('invalid_state', { current: status, allowed: ['refuse'], reason: 'rows_changed' })
    await transition(tx, batchMoves, id, { events: ['approve'], cause })
    return {}
  },
  /** Makes drafts of them again, with the rows that had been left out. */
  async cancel(tx, ids, _how, cause) {
    await transition(tx, batchMoves, ids, {
      events: ['refuse'],
      cause,
      set: sql`approval_request_id = null, submitted_by = null, submitted_at = null`,
    })
    for (const id of ids) {
      await tx`
        update payment_batch_rows set status = 'invalid', updated_at = business_now()
        where payment_batch_id = ${id} and status = 'skipped'`
      await recount(tx, id)
    }
    return () => ({})
  },
}
