/** A bill at the gates of its payment, as one of a run: what is refused leaves no trace, and stops no other bill. */
import { noteChange } from '../account-changes/changes.ts'
import { rulesOf } from '../approvals/policies.ts'
import { type PassedBill, barApprovers, passGates } from '../bills/gates.ts'
import type { LockedBill } from '../bills/fields.ts'
import { factsOfPayment } from '../routing/payees.ts'
import type { AppliedRule } from '../../domain/approvals/policy.ts'
import { highestRuleFor, routedRules } from '../../domain/approvals/matching.ts'
import { originsOf } from '../../domain/approvals/routing.ts'
import { Refusal } from '../../domain/errors.ts'
import type { BatchId, BillId, UserId } from '../../domain/ids.ts'
import { mergeRules } from '../../domain/limits/limits.ts'
import type { Person } from '../../domain/people/actor.ts'
import type { Preparer } from '../../domain/people/delegate.ts'
import { holdsBill } from '../run-rows/membership.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'

/** Bill that a row of a run may pay, and who may not approve it. */
export type RunBill = PassedBill & { readonly barred: readonly UserId[] }

/** Day that the bills of a run are paid on, as the request of each would name it. */
export type DayOfRun = { readonly execute_on?: string; readonly on_due_date?: true }

/** Acknowledgements are of one bill: a bill that needs any is paid by itself. */
const NOTHING_ACKNOWLEDGED = {
  acknowledge_duplicate: false,
  acknowledge_missing_number: false,
  acknowledge_bank_details: false,
} as const

type ReadFacts = { readonly run: BatchId | null; readonly preparers: readonly Preparer[] }
type RunOfBill = {
  readonly batchId: BatchId
  readonly on: DayOfRun
  readonly read: (billId: string) => ReadFacts
}

/** Reads what the gates of locked bills need of each, in two statements: after the lock, which they see the end of. */
export async function readFacts(tx: Tx, ids: readonly string[]): Promise<RunOfBill['read']> {
  const runs = await tx<{ id: string; run: BatchId }[]>`
    select r.bill_id as id, r.payment_batch_id as run from payment_batch_rows r
    where r.bill_id = any (${[...ids]}::uuid[]) and ${holdsBill(sql`r`)}`
  const found = await tx<(Preparer & { subject: string })[]>`
    select distinct e.subject_id as subject, d.id, d.name, d.user_id as "userId" from events e
    join delegates d on e.provider = 'delegate:' || d.id
    where e.subject_id = any (${[...ids]}::uuid[]) and e.provider like 'delegate:%' order by e.subject_id, d.id`
  const runOf = new Map(runs.map(({ id, run }) => [id, run]))
  const preparers = new Map<string, Preparer[]>()
  for (const { subject, ...one } of found) preparers.set(subject, [...(preparers.get(subject) ?? []), one])
  return (id) => ({ run: runOf.get(id) ?? null, preparers: preparers.get(id) ?? [] })
}

/**
 * Leads a locked bill through the gates of its own payment. Answers the refusal of a bill that does not pass. A contact
 * that has to be approved stays, and so does the note of a changed account.
 */
export async function passAsRow(
  tx: Tx,
  person: Person,
  bill: LockedBill,
  { batchId, on, read }: RunOfBill,
): Promise<RunBill | Refusal> {
  const request = { ...NOTHING_ACKNOWLEDGED, on_due_date: false, ...on, batchId, read: read(bill.id) }
  return apart(tx, async () => {
    const passed = await passGates(tx, person, bill, request)
    if (!('asked' in passed)) {
      if (passed.change) await noteChange(tx, passed.change)
      return passed.refusal ?? new Refusal('contact_not_approved', { payment_contact_id: passed.payee.contactId })
    }
    const { payee, asked, destination, account, money, priced, change } = passed
    const { deducting } = priced
    const terms = { contactId: payee.contactId, destination, account, change, landing: money, deducting }
    const ruleOf = () => ruleOfRun(tx, passed)
    const { barred } = await barApprovers(tx, person, asked, { ...NOTHING_ACKNOWLEDGED, ...terms, ruleOf })
    return { ...passed, barred }
  })
}

/** Picks the rule that a batch of this bill alone would wait under; that of all is applied when it is submitted. */
async function ruleOfRun(tx: Tx, { payee, asked, destination, money }: PassedBill): Promise<AppliedRule> {
  const rules = await rulesOf(within(tx))
  const own = highestRuleFor(rules, 'payment_batch', [money])
  if (!own) throw new Error('a batch always waits for approval')
  const { id } = asked.bill
  const paid = { contactId: payee.contactId, destinationId: destination.id, labels: [], billId: id as BillId }
  const facts = await factsOfPayment(within(tx), {
    rules,
    origins: originsOf(tx.actor, asked.preparers.length),
    ...paid,
  })
  return mergeRules(own, [], routedRules(rules, 'payment_batch', [money], facts))
}

/** Does work whose refusal takes back all that it wrote and woke; answers the refusal. */
async function apart<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result | Refusal> {
  const wakes = new Map(tx.wakes)
  await tx`savepoint bill`
  try {
    const done = await work()
    await tx`release savepoint bill`
    return done
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await tx`rollback to savepoint bill`
    tx.wakes.clear()
    for (const [id, wake] of wakes) tx.wakes.set(id, wake)
    return error
  }
}
