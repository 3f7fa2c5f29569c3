/** A batch is submitted: looked through once more, priced, and asked approval for as a whole. */
import { requestApproval } from '../approvals/requests.ts'
import { rulesOf } from '../approvals/policies.ts'
import { config } from '../../platform/config.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import type { Person } from '../../domain/actor.ts'
import { highestRuleFor, policyOf } from '../../domain/approvals/policy.ts'
import { batchMoves } from '../../domain/batches/events.ts'
import { refuse, refuseFirst } from '../../domain/errors.ts'
import { type BatchId, newId } from '../../domain/ids.ts'
import { deductingFor } from '../../domain/money/fees.ts'
import { type Money, moneyOf, subtract } from '../../domain/money/money.ts'
import { quoted } from '../../domain/text.ts'
import { type RequesterStanding, requesterBlockers, requesterColumns } from '../payments/checks.ts'
import { type Tx, sql, within } from '../sql.ts'
import { transition } from '../transition.ts'
import { recount } from './batches.ts'
import { lockDraft } from './changes.ts'
import { payeesInWords } from './payees.ts'
import { judge } from './verdicts.ts'

/**
 * Judges the rows of a draft once more as things are now. A transaction of its own: what is found stays to be seen if
 * the submission is refused for it. Refuses `not_found`, `forbidden` and `batch_not_draft`.
 */
export async function judgeDraft(tx: Tx, person: Person, id: BatchId): Promise<void> {
  await requirePermissionLocked(tx, person, 'payments.send_fiat')
  await lockDraft(tx, id)
  await judge(tx, id)
  await recount(tx, id)
}

/**
 * Asks for the approval of a draft: of its valid rows, and only if `exclude_invalid` says so although others are
 * invalid. They are priced by the fee table and stay as they are from then on. judgeDraft() has looked at them before.
 * Refuses `not_found`, `forbidden`, what stands against the organization, `batch_not_draft`, `batch_empty` and
 * `batch_has_invalid_rows`.
 */
export async function submitBatch(
  tx: Tx,
  person: Person,
  id: BatchId,
  { excludeInvalid }: { readonly excludeInvalid: boolean },
): Promise<void> {
  await requirePermissionLocked(tx, person, 'payments.send_fiat')
  await checkOrganization(tx, person)
  await lockDraft(tx, id)
  await leaveOutInvalid(tx, id, excludeInvalid)
  await priceRows(tx, id)
  const cause = `request:${newId()}` // its own: clients may name several requests alike
  const approvalId = newId<'approval'>()
  await transition(tx, batchMoves, id, {
    events: ['submit'],
    cause,
    set: sql`submitted_by = ${person.userId}, submitted_at = business_now()`,
    otherwise: 'batch_not_draft',
  })
  await recount(tx, id)
  const subject = await subjectOf(tx, id)
  const rule = highestRuleFor(await rulesOf(within(tx)), 'payment_batch', subject.totals)
  if (!rule) throw new Error('a batch always waits for approval')
  await requestApproval(tx, {
    id: approvalId,
    target_type: 'payment_batch',
    target_id: id,
    requester_id: person.userId,
    policy: policyOf(rule),
    subject: { target_id: id, ...subject },
    summary: summaryOf(subject),
    cause,
  })
  await tx`update payment_batches set approval_request_id = ${approvalId} where id = ${id}`
}

async function checkOrganization(tx: Tx, { userId }: Person): Promise<void> {
  const [requester] = await tx<RequesterStanding[]>`
    select ${requesterColumns()} from members m join organizations o on o.id = m.organization_id
    where m.organization_id = ${tx.organizationId} and m.user_id = ${userId}`
  if (!requester) refuse('not_found')
  refuseFirst(requesterBlockers(requester, 'fiat'))
}

async function leaveOutInvalid(tx: Tx, id: BatchId, excludeInvalid: boolean): Promise<void> {
  const [rows] = await tx<{ valid: number; invalid: number }[]>`
    select count(*) filter (where status = 'valid')::int as valid,
      count(*) filter (where status = 'invalid')::int as invalid
    from payment_batch_rows where payment_batch_id = ${id}`
  const { valid = 0, invalid = 0 } = rows ?? {}
  if (valid + invalid === 0) refuse('batch_empty')
  if (invalid > 0 && !excludeInvalid) refuse('batch_has_invalid_rows', { rows_invalid: invalid })
  if (valid === 0) refuse('batch_empty', { rows_invalid: invalid })
  if (invalid === 0) return
  await tx`
    update payment_batch_rows set status = 'skipped', updated_at = business_now()
    where payment_batch_id = ${id} and status = 'invalid'`
}

/**
 * What a row through the bank costs comes on top of its amount; those of one amount cost the same. Others cost nothing,
 * whatever they did when the batch was submitted before.
 */
async function priceRows(tx: Tx, id: BatchId): Promise<void> {
  await tx`
    update payment_batch_rows set fee_amount = null
    where payment_batch_id = ${id} and fee_amount is not null and rail is distinct from 'fiat'`
  const amounts = await tx<Money[]>`
    select distinct amount::text as amount, currency from payment_batch_rows
    where payment_batch_id = ${id} and status = 'valid' and rail = 'fiat'`
  const fees = amounts.map(({ amount, currency }) => {
    const net = moneyOf(amount, currency)
    return [`${amount} ${currency}`, subtract(deductingFor(config.fees, 'fiat', net), net).amount]
  })
  // looked up, not joined: the planner may take 10,000 amounts for ten, and compare each row with each of them
  await tx`
    update payment_batch_rows
    set fee_amount = (${sql.json(Object.fromEntries(fees))}::jsonb ->> (amount::text || ' ' || currency))::numeric
    where payment_batch_id = ${id} and status = 'valid' and rail = 'fiat'`
}

type Subject = {
  readonly name: string
  readonly rows: number
  readonly totals: Money[]
  readonly fees: Money[]
  readonly largest: readonly { readonly row_number: number; readonly payee: string; readonly amount: Money }[]
  readonly created_at: string
  readonly file_id: string | null
  readonly sha256: string
}

type BatchInSubject = Omit<Subject, 'largest'>

const LARGEST = 10

/** What approvers see and their step-up is bound to; the hash is over every row. */
async function subjectOf(tx: Tx, id: BatchId): Promise<Subject> {
  const [[batch], largest] = await Promise.all([
    tx<BatchInSubject[]>`
      select name, rows_valid as rows, totals, fees, inserted_at as created_at, file_id, batch_rows_hash(id) as sha256
      from payment_batches where id = ${id}`,
    tx<{ id: string; row_number: number; amount: string; currency: string }[]>`
      select id, row_number, amount, currency from payment_batch_rows
      where payment_batch_id = ${id} and status = 'valid' order by amount desc, row_number limit ${LARGEST}`,
  ])
  if (!batch) throw new Error('the batch is locked')
  const words = await payeesInWords(
    tx,
    largest.map((row) => row.id),
  )
  const money = ({ amount, currency }: Money) => moneyOf(amount, currency)
  return {
    ...batch,
    totals: batch.totals.map(money),
    fees: batch.fees.map(money),
    largest: largest.map((row) => ({
      row_number: row.row_number,
      payee: words.get(row.id) ?? '…',
      amount: moneyOf(row.amount, row.currency),
    })),
  }
}

const listed = (amounts: readonly Money[]): string =>
  amounts.map(({ amount, currency }) => `${amount} ${currency}`).join(', ')

/** The whole batch in a line, as a proof of identity says it. */
function summaryOf({ name, rows, totals, fees, largest }: Subject): string {
  const [first] = largest
  const priced = fees.length > 0 ? `, and ${listed(fees)} in fees` : ''
  const most = first ? `; the largest: ${first.amount.amount} ${first.amount.currency} to ${first.payee}` : ''
  return `Payment batch ${quoted(name)}: ${rows} ${rows === 1 ? 'payment' : 'payments'}, ${listed(totals)}${priced}${most}`
}
