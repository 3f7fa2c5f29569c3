/** Gates of a bill that is paid: the same for its own payment and for its row of a run. */
import { factsOfDestination, lockRequests } from '../account-changes/facts.ts'
import { findPreparers } from '../approvals/policies.ts'
import { keepChangers } from '../contacts/destination-commands.ts'
import { membersWithRoles } from '../membership-lock.ts'
import { findRun } from '../run-rows/membership.ts'
import { type ChangeFacts, coolingOffBlockers, isChanged } from '../../domain/account-changes/change.ts'
import type { Person } from '../../domain/people/actor.ts'
import type { Preparer } from '../../domain/people/delegate.ts'
import { type AppliedRule, barPeople, policyOf } from '../../domain/approvals/policy.ts'
import { initialRequirements, isSatisfiable } from '../../domain/approvals/requirements.ts'
import { namesPartOfAccount } from '../../domain/bills/account.ts'
import type { PaymentRequest } from '../../domain/bills/bill.ts'
import { BANK_DETAILS, type BillFields } from '../../domain/bills/fields.ts'
import { Refusal, refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flow.ts'
import { billFlow } from '../../domain/bills/flow.ts'
import type { BatchId, BillId, ContactId, UserId } from '../../domain/ids.ts'
import { compareDecimals } from '../../domain/money/decimal.ts'
import type { Money } from '../../domain/money/money.ts'
import { type Price, price } from '../../domain/payments/quote.ts'
import { config } from '../../platform/config.ts'
import { type AskedDay, readDay } from '../../domain/payments/schedule.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'
import { type QuotedDestination, destinationToPay } from '../payments/quotes.ts'
import { type BillRow, fieldsIn } from './bills.ts'
import { findDuplicates } from './duplicates.ts'
import { type LockedBill, accountNamed, isNewAccount, isUnknownAccount, noteNewAccount } from './fields.ts'
import { type AskedToPay, type Payee, choosePayee } from './payee.ts'

/** Hours until a change of bank details needs no second person, if there is none. */
const CHANGE_SETTLES_HOURS = 24
/** Amount in any currency from which a new account needs a second person. */
const NEW_ACCOUNT_FROM = '1000'

/** Request that a bill be paid, by itself or by a row of a run. */
export type GatedRequest = Pick<
  PaymentRequest,
  'payment_contact_id' | 'acknowledge_duplicate' | 'acknowledge_missing_number' | 'execute_on' | 'roll' | 'on_due_date'
> & {
  /** Run whose row pays the bill; null for a payment of its own. */
  readonly batchId: BatchId | null
  /** Facts that were read for many locked bills at once. */
  readonly read?: { readonly run: BatchId | null; readonly preparers: readonly Preparer[] }
}

/** Bill that has passed: whom it pays, at which account, how much, and when. */
export type PassedBill = {
  readonly payee: Payee
  readonly asked: AskedToPay
  readonly destination: QuotedDestination
  /** Account that the bill names, once its contact is there. */
  readonly account: string | null
  readonly money: Money
  /** Amount with the fee on top. */
  readonly priced: Price
  readonly change: ChangeFacts | null
  readonly on: AskedDay | null
}
/** Bill that does not pass yet: its contact has to be approved, or its account has to wait. */
type HeldBill = { readonly payee: Payee; readonly refusal?: Refusal; readonly change?: ChangeFacts | null }

/**
 * Leads a locked bill through every gate of its payment. Refuses in this order: the state, another run, a bill that is
 * not payable, missing fields, the day, unreadable or invalid bank details, a duplicate, contact, currency, and
 * amount. Answers a contact that has to be approved, and `account_cooling_off`, so that what was found is kept.
 */
export async function passGates(
  tx: Tx,
  person: Person,
  bill: LockedBill,
  request: GatedRequest,
): Promise<PassedBill | HeldBill> {
  const id = bill.id as BillId // of the bill that was locked
  const run = request.read ? request.read.run : await findRun(tx, id)
  const money = requirePayable(bill, run === request.batchId ? null : run)
  if (!request.acknowledge_missing_number) requireNumber(bill)
  const fields = fieldsIn(bill)
  const on = dayOf(request, fields)
  const asked = { bill, fields, preparers: request.read?.preparers ?? (await findPreparers(tx, [id])) }
  const payee = await choosePayee(tx, person, asked, request.payment_contact_id)
  const duplicates = request.acknowledge_duplicate ? [] : await findDuplicates(within(tx), id)
  if (duplicates[0]) refuse('duplicate_bill', { duplicate_of: duplicates[0].bill_id, duplicates })
  await notePayee(tx, bill, payee)
  const account = await accountNamed(tx, id)
  await keepChangers(tx, payee.contactId, account)
  if (payee.waits) return { payee }
  const destination = await destinationToPay(within(tx), payee.contactId, payee.destinationId)
  requireSameCurrency(money, destination)
  // a run is requested as a whole: it takes this lock when it is submitted
  if (!request.batchId) await tx`select from ${lockRequests(tx, sql`${destination.id}::uuid`)} (values (1)) one`
  const change = await factsOfDestination(within(tx), destination.id, { billId: id })
  const [coolingOff] = coolingOffBlockers(change, money)
  if (coolingOff) return { payee, refusal: new Refusal(coolingOff.type, coolingOff.details), change }
  const { rail, currency } = destination
  const priced = price(config.fees, { rail, currency, amount: money, side: 'landing' }, null)
  return { payee, asked, destination, account, money, priced, change, on }
}

/** Notes the contact that a bill is paid to, and if it has the account under another name. */
async function notePayee(tx: Tx, bill: LockedBill, { contactId, given }: Payee): Promise<void> {
  if (bill.payment_contact_id === contactId && bill.holder_differs === (given !== null)) return
  const { id } = bill
  await tx`
    update bills set payment_contact_id = ${contactId}, holder_differs = ${given !== null}, updated_at = business_now()
    where id = ${id} and (payment_contact_id, holder_differs) is distinct from (${contactId}, ${given !== null})`
}

/** Reads the day that the request names, or the due date of the bill. Refuses `invalid_schedule`. */
function dayOf({ on_due_date: onDueDate, ...request }: GatedRequest, { due_date: due }: BillFields): AskedDay | null {
  if (!onDueDate) return readDay(request)
  if (request.execute_on) refuse('invalid_schedule', { reason: 'two_days' })
  if (!due) refuse('invalid_schedule', { reason: 'no_due_date' })
  return { day: due, roll: request.roll ?? 'following', isDueDate: true }
}

/** Reads the amount to pay. Refuses a bill in a wrong state, of an unknown sender, in a run, not payable, or without money. */
function requirePayable(
  {
    status,
    sender_is_unknown: isFromStranger,
    not_payable: reason,
    amount,
    currency,
    fiat_outgoing_id: paymentId,
  }: BillRow,
  run: BatchId | null,
): Money {
  const allowed = eventsFrom(billFlow, status)
  if (status === 'payment_requested') {
    refuse('bill_payment_in_progress', { current: status, allowed, payment_id: paymentId })
  }
  if (status !== 'extracted') refuse('invalid_state', { current: status, allowed })
  if (run) refuse('bill_payment_in_progress', { current: status, allowed, payment_batch_id: run })
  if (isFromStranger) refuse('unprocessable_entity', { reason: 'unknown_sender' })
  if (reason) refuse('unprocessable_entity', { reason })
  if (amount === null || currency === null) {
    const fields = [...(amount === null ? ['amount'] : []), ...(currency === null ? ['currency'] : [])]
    refuse('bill_incomplete', { fields })
  }
  if (compareDecimals(amount, '0') <= 0) refuse('unprocessable_entity', { reason: 'nothing_to_pay' })
  return { amount, currency }
}

/** Refuses `bill_incomplete` for a file in which no number was read: what is no bill has none. */
function requireNumber({ file_id: fileId, bill_number: number }: BillRow): void {
  const advice = 'Type the number of the bill, or acknowledge that it has none.'
  if (fileId !== null && !number) refuse('bill_incomplete', { fields: ['bill_number'], what_to_do: advice })
}

/** Refuses `unsupported_currency` for a payee who is paid in another currency: nothing is exchanged for a bill. */
function requireSameCurrency({ currency }: Money, { currency: paidIn }: QuotedDestination): void {
  const advice = `Name a contact that is paid in ${currency}, or correct the currency of the bill.`
  if (currency !== paidIn) refuse('unsupported_currency', { currency, supported: [paidIn], what_to_do: advice })
}

export type BarredPeople = { readonly barred: readonly UserId[]; readonly note: string | null }

export type PaymentPlan = {
  readonly account: string | null
  readonly contactId: ContactId
  readonly change: ChangeFacts | null
  readonly destination: QuotedDestination
  readonly landing: Money
  /** Amount with the fee, which policies compare. */
  readonly deducting: Money
  readonly acknowledge_bank_details: boolean
  /** Rule that the payment waits under. */
  readonly ruleOf: () => Promise<AppliedRule>
}

/**
 * Bars approvers from a payment to a new account. New means: for the supplier, or to the organization with a large
 * amount; an account that the bill names in part counts as new. Barred are all who typed or emptied a part of it, else the
 * creator of the bill; of one that came by mail, which nobody has prepared, the person who asks, and always those who
 * accepted a mail that brought it. If no other approver is left, a day and an acknowledgement replace them. Refuses
 * `no_eligible_approver`.
 */
export async function barApprovers(
  tx: Tx,
  person: Person,
  asked: AskedToPay,
  paying: PaymentPlan,
): Promise<BarredPeople> {
  const { bill } = asked
  const { differs, isUnknown } = await compareAccount(tx, asked, paying)
  if (!differs && !isUnknown) return { barred: [], note: null }
  const isPart = namesPartOfAccount(asked.fields)
  const said = differs ? 'the bank details are not those of before' : 'the bank details are new to the organization'
  const note = isPart ? 'the bill names an account in part, which nothing compares with this one' : said
  const events = BANK_DETAILS.flatMap((name) => (bill.origins[name]?.typed ? [bill.origins[name].event] : []))
  const people = await tx<{ id: UserId }[]>`
    select distinct actor_user_id as id from events where id = any (${events}) and actor_user_id is not null order by 1`
  const typists = people.map(({ id }) => id)
  const preparers =
    typists.length === 0 && (isUnknown || isPart) ? [(bill.created_by_id ?? person.userId) as UserId] : typists // a person's id
  const barred = [...new Set([...preparers, ...(await findAcceptors(tx, bill))])]
  if (barred.length === 0) return { barred, note }
  const rule = await paying.ruleOf()
  const preparing = asked.preparers.map(({ userId }) => userId)
  const all = [...barred, ...barPeople(rule, preparing)]
  const requirements = initialRequirements({ ...policyOf(rule), barred: all }, person.userId)
  if (isSatisfiable(requirements, await membersWithRoles(within(tx)))) return { barred, note }
  const [settled] = await tx`
    select id from bills where id = ${bill.id}
      and coalesce(bank_changed_at, inserted_at) <= business_now() - make_interval(hours => ${CHANGE_SETTLES_HOURS})`
  if (!settled || !paying.acknowledge_bank_details) refuse('no_eligible_approver', { reason: 'bank_details_changed' })
  return { barred: [], note }
}

/** Finds who accepted mails that brought a bill, each or their sender for always: they vouch for it as its creator would. */
async function findAcceptors(tx: Tx, { id, inbound_mail_id: mailId }: LockedBill): Promise<readonly UserId[]> {
  if (mailId === null) return []
  const people = await tx<{ id: UserId }[]>`
    select distinct m.decided_by as id from inbound_mail_files f join inbound_mails m on m.id = f.mail_id
    where f.bill_id = ${id} and m.status = 'accepted' and m.decided_by is not null order by 1`
  return people.map((one) => one.id)
}

/** Tells if the account is new for the supplier, and if it is unknown and gets much. */
async function compareAccount(tx: Tx, { bill, fields }: AskedToPay, plan: PaymentPlan) {
  const { account: own, change, destination, landing } = plan
  const id = bill.id as BillId
  const paidAt = own ?? (await accountAt(tx, destination))
  const names = own !== null || namesPartOfAccount(fields)
  const isNew = names
    ? await noteNewAccount(tx, id, fields, { account: own, differs: bill.bank_details_differ })
    : await isNewAccount(tx, id, paidAt)
  const differs = isNew || (change !== null && isChanged(change))
  const isMuch = compareDecimals(landing.amount, NEW_ACCOUNT_FROM) >= 0
  return { differs, isUnknown: isMuch && (await isUnknownAccount(tx, paidAt, CHANGE_SETTLES_HOURS)) }
}

async function accountAt(tx: Tx, { id }: QuotedDestination): Promise<string | null> {
  const [found] = await tx<{ account_id: string }[]>`
    select account_id from payment_destinations where id = ${id} and type = 'bank'`
  return found?.account_id ?? null
}
