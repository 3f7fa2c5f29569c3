/** Submission of a batch: its rows are judged again and priced, and approval is requested for all of them. */
import { requestApproval } from '../approvals/requests.ts'
import { findPreparers, policyUnder, rulesOf } from '../approvals/policies.ts'
import { type SignedAttachment, inSubject } from '../../domain/attachments/attachment.ts'
import { ownersIn, selectAttachments } from '../attachments/attachments.ts'
import { config } from '../../platform/config.ts'
import type { Person } from '../../domain/people/actor.ts'
import { sumsOf } from '../../domain/approvals/approval.ts'
import type { RequestContent } from '../../domain/approvals/sentence.ts'
import type { AppliedRule } from '../../domain/approvals/policy.ts'
import type { Preparer } from '../../domain/people/delegate.ts'
import { highestRuleFor, routedRules } from '../../domain/approvals/matching.ts'
import { originsOf } from '../../domain/approvals/routing.ts'
import { factsOfBatch, requireCodedRows } from './rows.ts'
import { payeeInWords } from '../../domain/destinations/destination.ts'
import type { Submission } from '../../domain/batches/batch.ts'
import { batchMoves } from '../../domain/batches/events.ts'
import { Refusal, refuse } from '../../domain/errors.ts'
import { type BatchId, type BillId, type UserId, newId } from '../../domain/ids.ts'
import { deductingFor } from '../../domain/money/fees.ts'
import { type Money, moneyOf, subtract } from '../../domain/money/money.ts'
import type { PayeeCheckTotal, PayeeResult } from '../../domain/payee-checks/payee-check.ts'
import { quoteName } from '../../domain/text.ts'
import {
  type EncryptedCoordinates,
  type PayeeRow,
  accountAt,
  holderOf,
  payeeOfRow,
  payeeRowColumns,
} from '../contacts/destinations.ts'
import type { PaidIn } from '../../domain/payments/business-days.ts'
import type { AskedDay } from '../../domain/payments/schedule.ts'
import { type PlannedDay, insertSchedule, planDay } from '../schedules/schedule.ts'
import { applyLimits } from '../limits/limits.ts'
import { type RequesterStanding, requesterBlockers, requesterColumns } from '../payments/checks.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { coolingOffRefusal, describeChanges, markChanges, noteChanges } from './account-changes.ts'
import { billsOf, creditsOf, differingHolders, recount, withoutAddress } from './batches.ts'
import { bankDetailsOf, readableCells } from './cells.ts'
import { requireDraft } from './commands.ts'
import { hasSeenPayees, notePayeesSeen, totalsByPayee } from './payee-checks.ts'
import { judge } from './verdicts.ts'

/** Judges all rows of a draft again, since contacts, policy or payees may have changed. Throws `batch_not_draft`. */
export async function judgeDraft(tx: Tx, id: BatchId): Promise<void> {
  await requireDraft(tx, id)
  await judge(tx, id)
  await recount(tx, id)
}

/** Bills of a batch that have passed the gates of bills: who may not approve their payment. */
export type BillsOfBatch = { readonly ids: readonly BillId[]; readonly barred: readonly UserId[] }

type SubmissionTerms = Pick<Submission, 'exclude_invalid' | 'acknowledge_payee_check'> & {
  /** Day on which it is paid; null for at once. */
  readonly on: AskedDay | null
  readonly bills: BillsOfBatch
}

/**
 * Prices the valid rows of a judged draft and requests approval for them; they stay as they are from then on. Returns
 * what bars the requester, `batch_empty`, `batch_has_invalid_rows` or `account_cooling_off`, so that the verdicts are
 * committed.
 */
export async function submitBatch(
  tx: Tx,
  person: Person,
  id: BatchId,
  { exclude_invalid: excludeInvalid, acknowledge_payee_check: acknowledged, on, bills }: SubmissionTerms,
): Promise<Refusal | undefined> {
  const refusal = (await refusalOf(tx, person)) ?? (await refusalOfRows(tx, id, excludeInvalid))
  if (refusal) return refusal
  const changed = await markChanges(tx, id)
  const payees = await totalsByPayee(tx, id)
  const mismatch = mismatchOf(payees)
  const unseen = mismatch && !(acknowledged && (await hasSeenPayees(tx, id)))
  const stands = coolingOffRefusal(changed) ?? (unseen ? mismatch : undefined)
  if (stands) {
    if (stands === mismatch) await notePayeesSeen(tx, id)
    await noteChanges(tx, changed)
    return stands
  }
  await tx`
    update payment_batch_rows set status = 'skipped', updated_at = business_now()
    where payment_batch_id = ${id} and status = 'invalid'`
  const planned = await planDay(tx, on, await railsOf(tx, id))
  await priceRows(tx, id)
  const cause = `request:${newId()}` // its own: clients may name several requests alike
  const approvalId = newId<'approval'>()
  await transition(tx, batchMoves, id, {
    events: ['submit'],
    cause,
    set: sql`submitted_by = ${person.userId}, submitted_at = business_now(),
      payees_acknowledged = ${mismatch !== undefined}, payees_unasked = false`,
    otherwise: 'batch_not_draft',
  })
  await recount(tx, id)
  const change = await describeChanges(tx, id, changed)
  const subject = { ...(await subjectOf(tx, id)), ...(change && { account_change: change }) }
  const preparers = await findPreparers(tx, [id, ...bills.ids])
  const rule = await ruleOfBatch(tx, person, id, { subject, preparers, billIds: bills.ids })
  await requireCodedRows(tx, rule, bills.ids)
  await noteChanges(tx, changed)
  await requestApproval(tx, {
    id: approvalId,
    target_type: 'payment_batch',
    target_id: id,
    requester_id: person.userId,
    policy: await policyUnder(tx, rule, { preparers, barred: bills.barred }),
    subject: {
      target_id: id,
      ...subject,
      ...(payees.length > 0 && { payee_checks: payees }),
      ...(planned && { execute_on: planned.execute_on }),
    },
    content: contentOf(subject, planned),
    cause,
    preparers,
    ...(planned && { expires_at: planned.starts_at }),
  })
  if (planned) await insertSchedule(tx, approvalId, planned)
  await tx`update payment_batches set approval_request_id = ${approvalId} where id = ${id}`
  return undefined
}

/** Picks the rule of a batch by its totals, the conditions that rows meet, and limits. Refuses `limit_exceeded`. */
async function ruleOfBatch(
  tx: Tx,
  { userId: requester }: Person,
  id: BatchId,
  {
    subject,
    preparers,
    billIds,
  }: { readonly subject: Subject; readonly preparers: readonly Preparer[]; readonly billIds: readonly string[] },
): Promise<AppliedRule> {
  const rules = await rulesOf(within(tx))
  const own = highestRuleFor(rules, 'payment_batch', subject.totals)
  if (!own) throw new Error('a batch always waits for approval')
  const asked = [...sumsOf([...subject.totals, ...subject.fees]).values()]
  const facts = await factsOfBatch(tx, id, { rules, origins: originsOf(tx.actor, preparers.length), billIds })
  const routed = routedRules(rules, 'payment_batch', subject.totals, facts)
  return applyLimits(tx, own, { rules, action: 'payment_batch', requester, asked, batchId: id, routed })
}

/** Lists how the valid rows of a batch are paid: its day is a business day of them all. */
async function railsOf(tx: Tx, id: BatchId): Promise<PaidIn[]> {
  const rows = await tx<{ currency: string }[]>`
    select distinct currency from payment_batch_rows
    where payment_batch_id = ${id} and status = 'valid' and rail = 'fiat'`
  return rows.map(({ currency }) => ({ rail: 'fiat', currencies: [currency] }))
}

/** Returns the refusal if the organization may not pay, or the requester may not pay for it. */
async function refusalOf(tx: Tx, { userId }: Person): Promise<Refusal | undefined> {
  const [requester] = await tx<RequesterStanding[]>`
    select ${requesterColumns(sql`m`, sql`o`)} from members m join organizations o on o.id = m.organization_id
    where m.organization_id = ${tx.organizationId} and m.user_id = ${userId}`
  if (!requester) refuse('not_found')
  const [blocker] = requesterBlockers(requester, 'fiat')
  return blocker && new Refusal(blocker.type, blocker.details)
}

/** Returns the refusal of rows that the bank knows under other names. */
function mismatchOf(payees: readonly PayeeCheckTotal[]): Refusal | undefined {
  const rowsOf = (result: PayeeResult) => payees.find((one) => one.result === result)?.rows ?? 0
  const [no, close] = [rowsOf('no_match'), rowsOf('close_match')]
  if (no + close === 0) return undefined
  const result = no > 0 ? 'no_match' : 'close_match'
  return new Refusal('payee_mismatch', { result, rows_no_match: no, rows_close_match: close })
}

/** Returns the refusal if no row is valid, or if the invalid ones may not be skipped. */
async function refusalOfRows(tx: Tx, id: BatchId, excludeInvalid: boolean): Promise<Refusal | undefined> {
  const [rows] = await tx<{ valid: number; invalid: number }[]>`
    select count(*) filter (where status = 'valid')::int as valid,
      count(*) filter (where status = 'invalid')::int as invalid
    from payment_batch_rows where payment_batch_id = ${id}`
  const { valid = 0, invalid = 0 } = rows ?? {}
  if (valid + invalid === 0) return new Refusal('batch_empty')
  if (invalid > 0 && !excludeInvalid) return new Refusal('batch_has_invalid_rows', { rows_invalid: invalid })
  return valid === 0 ? new Refusal('batch_empty', { rows_invalid: invalid }) : undefined
}

/** Sets the fee of each row through the bank, on top of its amount; other rows cost nothing. */
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
  /** Rows to banks without an address of the payee, if there are any. */
  readonly without_address?: number
  /** Rows to accounts that contacts have under other names, if there are any. */
  readonly holders_differ?: number
  /** Rows that pay bills, and the credit notes set against them, if there are any. */
  readonly bills?: number
  readonly credits?: readonly Money[]
  readonly sha256: string
  readonly attachments?: readonly SignedAttachment[]
}

const LARGEST = 10

type SubjectRow = Omit<Subject, 'largest' | 'attachments' | 'bills' | 'credits'> & {
  billed: number
  credited: Money[]
  lacking: number
  differing: number
  attached: SignedAttachment[] | null
}

type LargeRow = Money & {
  readonly id: string
  readonly row_number: number
  readonly payee: string
  readonly svc_id: string | null
  readonly rail: string
  readonly sealed: string
  readonly destination: PayeeRow | null
  /** Account of a contact that the row pays under another name. */
  readonly known: EncryptedCoordinates | null
}

/** Reads what approvers see and their step-up is bound to; the hash is over every row. */
async function subjectOf(tx: Tx, id: BatchId): Promise<Subject> {
  const [found] = await tx<SubjectRow[]>`
    select ${withoutAddress(sql`payment_batches.id`)} as lacking,
      ${differingHolders(sql`payment_batches.id`)} as differing, name, rows_valid as rows, totals, fees, inserted_at as created_at, file_id, batch_rows_hash(id) as sha256,
      ${billsOf(sql`payment_batches.id`)} as billed,
      ${creditsOf(sql`payment_batches.id`)} as credited,
      ${selectAttachments(tx, ownersIn(sql`payment_batches.id`))} as attached
    from payment_batches where id = ${id}`
  if (!found) throw new Error('the batch is locked')
  const { lacking, differing, attached, billed, credited, ...batch } = found
  const largest = await tx<LargeRow[]>`
    select r.id, r.row_number, r.amount, r.currency, r.payee, r.svc_id, r.rail, encode(r.sealed, 'hex') as sealed,
      (select to_json(x) from (select ${payeeRowColumns(sql`d`)} from payment_destinations d where d.id = r.destination_id) x)
        as destination, ${accountAt(sql`r.known_as`)} as known
    from payment_batch_rows r
    where r.payment_batch_id = ${id} and r.status = 'valid' order by r.amount desc, r.row_number limit ${LARGEST}`
  const money = ({ amount, currency }: Money) => moneyOf(amount, currency)
  return {
    ...batch,
    ...(lacking > 0 && { without_address: lacking }),
    ...(differing > 0 && { holders_differ: differing }),
    ...(billed > 0 && { bills: billed }),
    ...(credited.length > 0 && { credits: credited.map(money) }),
    totals: batch.totals.map(money),
    fees: batch.fees.map(money),
    largest: largest.map((row) => ({
      row_number: row.row_number,
      payee: payeeOf(row),
      amount: money(row),
    })),
    ...inSubject(attached),
  }
}

/** Describes the payee of a row by name, and by service ID or the end of the account. */
function payeeOf({ destination, rail, payee, svc_id: svcId, known, ...row }: LargeRow): string {
  if (rail === 'fiat' && !destination) {
    const knownAs = known && holderOf(known)
    return readableCells(row) ? payeeInWords(null, bankDetailsOf(row), knownAs) : `${quoteName(payee)}, account …`
  }
  const at = destination ? payeeOfRow(destination) : payeeInWords(svcId, null)
  return destination?.type === 'bank' ? at : `${quoteName(payee)}, ${at}`
}

/** Says what a batch asks for. */
const contentOf = (subject: Subject, planned: PlannedDay | null): RequestContent => ({
  kind: 'batch',
  ...subject,
  largest: subject.largest[0],
  ...(planned && { execute_on: planned.execute_on }),
})
