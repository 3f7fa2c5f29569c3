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
import { nameConnection } from '../connections/connections.ts'
import { hasChangedPayer } from '../payers/changes.ts'
import { isOnboardingRequired, onboardingBlockers, payingOrganization } from '../payers/payers.ts'
import type { PayingOrganization } from '../../domain/organizations/payer.ts'
import type { Rail } from '../../domain/rails.ts'
import { looksLikeAnother } from '../contacts/look-alikes.ts'
import { isUnusual } from '../payments/usual.ts'
import { hasGoneOut } from '../../db/postgres/fragments.ts'
import { pipeline } from '../../db/postgres/pipeline.ts'
import { isScreened, payeeScreening } from '../screening/screenings.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { coolingOff, selectMarkedChanges } from './account-changes.ts'
import { differingHolders, recount, withoutAddress } from './batches.ts'

/** Rows of a batch that are compared with earlier payments, the largest first: a batch may have very many. */
const COMPARED_MAX = 1000

/** Finds in rows what an approver of a single payment would be warned of. */
async function findRowWarnings(reader: Reader, id: string) {
  const [found] = await reader<{ changed: boolean; by_bank: boolean; duplicate: boolean; unusual: boolean }>(sql`
    select coalesce(bool_or(r.account_changed), false) as changed, coalesce(bool_or(r.rail = 'fiat'), false) as by_bank,
      coalesce(bool_or(r.warnings @? '$[*] ? (@.code == "duplicate_recent" || @.code == "duplicate_in_file")'), false)
        as duplicate,
      exists (
        select from (select o.payment_contact_id, o.amount, o.currency from payment_batch_rows o
          where o.payment_batch_id = ${id} and o.status = 'valid' and o.payment_contact_id is not null
          order by o.amount desc limit ${COMPARED_MAX}) o
        where ${isUnusual(sql`o`)}) as unusual
    from payment_batch_rows r where r.payment_batch_id = ${id} and r.organization_id = ${reader.organizationId}
      and r.status = 'valid'`)
  return found
}

/** Selects the ways in which rows of a batch `b` are paid; none where nobody has to be verified. */
const waysOf = (b: Fragment): Fragment =>
  isOnboardingRequired()
    ? sql`(select coalesce(json_agg(distinct jsonb_build_object('rail', r.rail, 'currency', r.currency)), '[]')
        from payment_batch_rows r where r.payment_batch_id = ${b}.id and r.status = 'valid')`
    : sql`'[]'::json`

/** Lists the payees of rows whose account was not paid a week ago. */
const listNewPayees = (reader: Reader, id: string) =>
  reader<{ payment_contact_id: string | null; name: string }>(sql`
    select r.payment_contact_id, r.payee as name from payment_batch_rows r
    where r.payment_batch_id = ${id} and r.organization_id = ${reader.organizationId} and r.status = 'valid'
      and r.payee is not null and not exists (
        select from payment_destinations d join payments p on p.destination_id = d.id and ${hasGoneOut(sql`p`)}
        where d.organization_id = ${reader.organizationId} and d.account_id = r.account_id
          and p.inserted_at <= business_now() - interval '7 days')
    order by r.amount desc limit ${COMPARED_MAX}`)

type State = {
  id: BatchId
  status: BatchStatus
  approved_hash: string | null
  without_address: number
  /** The organization, if it pays rows by bank. */
  paying: PayingOrganization | null
  /** Ways in which its rows are paid. */
  ways: readonly { readonly rail: Rail; readonly currency: string }[]
  /** Rows that the bank knows under other names, of an organization that blocks them. */
  blocked_payees: number
  /** Rows to payees that are held, or by service ID to one that waits for its answer. */
  held_payees: number
  /** Rows whose account had changed at the submission, as they stand now. */
  changes: Parameters<typeof coolingOff>[0]
}

const toMismatch = (rows: number): Blocker => ({
  type: 'payee_mismatch',
  details: { result: 'no_match', reason: 'payee_check_blocks', rows_no_match: rows },
})

/** Counts the rows of a batch `b` whose payee keeps it from being approved. */
const countHeld = (b: Fragment): Fragment =>
  isScreened
    ? sql`(select count(*) from payment_batch_rows r where r.payment_batch_id = ${b}.id and r.status = 'valid'
        and r.payment_contact_id is not null and (${payeeScreening(sql`r.payment_contact_id`)} in ('held', 'confirmed')
          or r.rail = 'svc_id' and ${payeeScreening(sql`r.payment_contact_id`)} = 'waiting'))::int`
    : sql`0`

export const batchTarget: ApprovalTarget<State> = {
  type: 'payment_batch',
  movesMoney: true,
  subject: {
    // as it was requested: the batch may be a draft again by now
    column: () => sql`approvals.subject_body::json`,
    parse: ({ target_id: id, account_change: change = null, ...row }) => {
      const stored = change as BatchAccountChange | null // the submission wrote it
      const account_change = stored && { ...stored, changes: stored.changes.map(readChange) }
      return {
        id,
        without_address: 0,
        holders_differ: 0,
        payee_checks: [],
        bills: 0,
        credits: [],
        ...row,
        account_change,
      }
    },
  },
  state: ({ organizationId }, id) => sql`
    select b.id, b.status, ${selectMarkedChanges(sql`b`, { organizationId })} as changes,
      a.subject_body::jsonb ->> 'sha256' as approved_hash,
      ${isAddressRequired() ? withoutAddress(sql`b.id`) : sql`0`} as without_address,
      (select ${payingOrganization(sql`o`)} from organizations o where o.id = b.organization_id) as paying, ${waysOf(sql`b`)} as ways,
      case (select o.payee_check from organizations o where o.id = b.organization_id) when 'block' then (
        select count(*) from payment_batch_rows r join payee_checks k on k.id = r.payee_check_id
        where r.payment_batch_id = b.id and r.status = 'valid' and k.result = 'no_match') else 0 end::int as blocked_payees, ${countHeld(sql`b`)} as held_payees
    from payment_batches b left join approvals a on a.id = b.approval_request_id
    where b.id = ${id} and b.organization_id = ${organizationId}`,
  blockers: ({ without_address: rows, blocked_payees: blocked, held_payees: held, paying, ways }) => [
    ...ways
      .flatMap((way) => onboardingBlockers({ paying, rail: way.rail, connection: nameConnection(way) }))
      .slice(0, 1),
    ...(rows > 0 ? [{ type: 'address_required', details: { rows } } as const] : []),
    ...(blocked > 0 ? [toMismatch(blocked)] : []),
    ...(held > 0 ? [{ type: 'payee_held', details: { rows: held } } as const] : []),
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
    const [rows, newcomers] = await Promise.all([findRowWarnings(reader, id), listNewPayees(reader, id)])
    const isAlike = await looksLikeAnother(reader, newcomers)
    return [
      ...(lacks ? (['address_missing'] as const) : []),
      ...(differs ? (['holder_differs'] as const) : []),
      ...(rows?.changed ? (['account_changed'] as const) : []),
      ...(rows?.by_bank && (await hasChangedPayer(reader)) ? (['payer_changed'] as const) : []),
      ...(rows?.unusual ? (['unusual_amount'] as const) : []),
      ...(rows?.duplicate ? (['duplicate'] as const) : []),
      ...(isAlike ? (['similar_name'] as const) : []),
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
  /** Makes drafts of them again, with the rows that had been left out; bills that had been are free. */
  async cancel(tx, ids, _how, cause) {
    await transition(tx, batchMoves, ids, {
      events: ['refuse'],
      cause,
      set: sql`approval_request_id = null, submitted_by = null, submitted_at = null`,
    })
    for (const id of ids) {
      await tx`
        delete from payment_batch_rows where payment_batch_id = ${id} and status = 'skipped' and bill_id is not null`
      await tx`
        update payment_batch_rows set status = 'invalid', updated_at = business_now()
        where payment_batch_id = ${id} and status = 'skipped'`
      await recount(tx, id)
    }
    return () => ({})
  },
}
