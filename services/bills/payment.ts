/** Payment of a bill: its payee, the blockers, and a quote that is executed at once. */
import { STANDARD } from '../../domain/payments/speed.ts'
import { noteChange } from '../account-changes/changes.ts'
import { factsOfDestination, lockRequests } from '../account-changes/facts.ts'
import { findPreparers, rulesOf } from '../approvals/policies.ts'
import { readSigned } from '../attachments/attachments.ts'
import { config } from '../../platform/config.ts'
import { nameConnection } from '../connections/connections.ts'
import { keepChangers } from '../contacts/destination-commands.ts'
import { membersWithRoles } from '../membership-lock.ts'
import { type Claim, takeClaim } from '../idempotency.ts'
import { type ChangeFacts, coolingOffBlockers, isChanged } from '../../domain/account-changes/change.ts'
import type { Person } from '../../domain/people/actor.ts'
import { barPeople, policyOf } from '../../domain/approvals/policy.ts'
import { initialRequirements, isSatisfiable } from '../../domain/approvals/requirements.ts'
import { namesPartOfAccount, payeeAddressIn } from '../../domain/bills/account.ts'
import type { PaymentRequest } from '../../domain/bills/bill.ts'
import { billMoves } from '../../domain/bills/events.ts'
import { BANK_DETAILS, type BillFields } from '../../domain/bills/fields.ts'
import { Refusal, refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flow.ts'
import { billFlow } from '../../domain/bills/flow.ts'
import type { BillId, ContactId, QuoteId, UserId } from '../../domain/ids.ts'
import { compareDecimals } from '../../domain/money/decimal.ts'
import type { Money } from '../../domain/money/money.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { type Quote, price } from '../../domain/payments/quote.ts'
import { type AskedDay, readDay } from '../../domain/payments/schedule.ts'
import { ruleOfPayment } from '../limits/limits.ts'
import { originsOf } from '../../domain/approvals/routing.ts'
import { factsOfPayment } from '../routing/payees.ts'
import { createPayment } from '../payments/commands.ts'
import { type AskedBank, type AskedToPay, type Payee, answerAbout, choosePayee, payUnderName } from './payee.ts'
import { type QuotedDestination, destinationToPay, offerQuote } from '../payments/quotes.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { type BillRow, fieldsIn } from './bills.ts'
import { accountNamed, isNewAccount, isUnknownAccount, lockBill, noteNewAccount } from './fields.ts'
import { findDuplicates } from './duplicates.ts'

/** Hours until a change of bank details needs no second person, if there is none. */
const CHANGE_SETTLES_HOURS = 24
/** Amount in any currency from which a new account needs a second person. */
const NEW_ACCOUNT_FROM = '1000'

/** Outcome of a request: empty for a replay, without a payment if the contact must be approved first. */
type Outcome = {
  readonly payee?: Payee
  readonly quote?: Quote
  readonly payment?: Payment
  readonly refusal?: Refusal
}

/**
 * Requests the payment of a bill by a quote that is executed at once; it waits for approval. If the contact must be
 * approved first, the bill names it, no claim is taken, and the next request goes on.
 *
 * Answers the payee and, of a payment, its quote and itself. Refuses in this order: the state, a bill that is not payable, missing fields, unreadable or invalid bank details, a
 * duplicate, contact, currency and amount, `no_eligible_approver`, and the blockers of the payment. Answers
 * `account_cooling_off`, so that the contact of the account is there to be confirmed, and its hours go on.
 */
export async function requestPayment(
  tx: Tx,
  person: Person,
  claim: Claim,
  {
    id,
    asked: bank,
    ...request
  }: PaymentRequest & {
    readonly id: BillId
    readonly request_id: string
    /** Answer of the bank, which was asked before this transaction. */
    readonly asked: AskedBank | null
  },
): Promise<Outcome> {
  const bill = await lockBill(tx, id, sql`lock_limits(${tx.organizationId}),`)
  if (bill.fiat_outgoing_id === claim.id) return {} // a replay that waited for the first request
  const money = requirePayable(bill)
  if (!request.acknowledge_missing_number) requireNumber(bill)
  const fields = fieldsIn(bill)
  const on = dayOf(request, fields)
  const asked = { bill, fields, preparers: await findPreparers(tx, [id]) }
  const payee = await choosePayee(tx, person, asked, request.payment_contact_id)
  const duplicates = request.acknowledge_duplicate ? [] : await findDuplicates(within(tx), id)
  if (duplicates[0]) refuse('duplicate_bill', { duplicate_of: duplicates[0].bill_id, duplicates })
  await notePayee(tx, id, payee)
  await keepChangers(tx, payee.contactId, await accountNamed(tx, id))
  if (payee.waits) return { payee }
  const destination = await destinationToPay(within(tx), payee.contactId, payee.destinationId)
  requireSameCurrency(money, destination)
  await tx`select from ${lockRequests(tx, sql`${destination.id}::uuid`)} (values (1)) one`
  const change = await factsOfDestination(within(tx), destination.id, { billId: id })
  const [coolingOff] = coolingOffBlockers(change, money)
  if (coolingOff) {
    if (change) await noteChange(tx, change)
    return { payee, refusal: new Refusal(coolingOff.type, coolingOff.details) }
  }
  const { rail, currency } = destination
  const priced = price(config.fees, { rail, currency, amount: money, side: 'landing' }, null)
  const paid = await payUnderName(tx, person, payee, destination)
  const terms = { ...paid, change, landing: money, deducting: priced.deducting }
  const paying = { ...request, ...terms }
  const barred = await barApprovers(tx, person, asked, paying)
  const connection = nameConnection({ rail, currency })
  const quote = { side: 'landing', tag: null, pace: STANDARD, connection, market: null, valueUsd: null } as const
  const offered = await offerQuote(tx, person.userId, {
    ...quote,
    ...paid,
    priced,
    payee: await answerAbout(within(tx), paid.destination, bank),
  })
  if (!(await takeClaim(tx, claim))) return {} // a replay whose payment has ended since
  const payment = await createPayment(tx, claim.id, person.userId, {
    quote_id: offered.quote_id as QuoteId, // of the quote just made
    tag: payee.given ? payee.tag : undefined,
    market: null,
    acknowledge_payee_check: request.acknowledge_payee_check,
    ...textsOf(request, fields),
    request_id: request.request_id,
    bill: { ...(await billOf(tx, asked)), ...barred, known: paid.known },
    on,
  })
  await transition(tx, billMoves, id, {
    events: ['request_payment'],
    cause: `request:${request.request_id}`,
    set: sql`payment_id = ${payment.id}, approval_request_id = ${payment.approval_request_id}`,
    payload: { payment_id: payment.id, ...listAcknowledgements(request) },
  })
  return { payee: { ...payee, destinationId: paid.destination.id }, quote: offered, payment }
}

/** Reads what a payment keeps of its bill. */
const billOf = async (tx: Tx, { bill, fields, preparers }: AskedToPay) => ({
  id: bill.id as BillId, // of the bill that was locked
  preparers,
  attachments: await readSigned(within(tx), [bill.id]),
  payeeAddress: payeeAddressIn(fields),
})

/** Notes the contact that a bill is paid to, and if it has the account under another name. */
async function notePayee(tx: Tx, id: BillId, { contactId, given }: Payee): Promise<void> {
  await tx`
    update bills set payment_contact_id = ${contactId}, holder_differs = ${given !== null}, updated_at = business_now()
    where id = ${id} and (payment_contact_id, holder_differs) is distinct from (${contactId}, ${given !== null})`
}

const textsOf = (request: Pick<PaymentRequest, 'payout_reason' | 'statement_description'>, fields: BillFields) => ({
  payout_reason: request.payout_reason ?? 'services',
  statement_description: request.statement_description ?? descriptionOf(fields),
  internal_notes: null,
  labels: [],
})

/** Reads the day that the request names, or the due date of the bill. Refuses `invalid_schedule`. */
function dayOf({ on_due_date: onDueDate, ...request }: PaymentRequest, { due_date: due }: BillFields): AskedDay | null {
  if (!onDueDate) return readDay(request)
  if (request.execute_on) refuse('invalid_schedule', { reason: 'two_days' })
  if (!due) refuse('invalid_schedule', { reason: 'no_due_date' })
  return { day: due, roll: request.roll ?? 'following', isDueDate: true }
}

/** Selects what the requester acknowledges, for the log. */
const listAcknowledgements = (request: Omit<PaymentRequest, 'payment_contact_id'>) => ({
  ...(request.acknowledge_duplicate && { acknowledged_duplicate: true as const }),
  ...(request.acknowledge_missing_number && { acknowledged_missing_number: true as const }),
  ...(request.acknowledge_bank_details && { acknowledged_bank_details: true as const }),
  ...(request.acknowledge_payee_check && { acknowledged_payee_check: true as const }),
})

/** Reads the amount to pay. Refuses a bill in a wrong state, of an unknown sender, not payable, or without amount or currency. */
function requirePayable({
  status,
  not_payable: reason,
  amount,
  currency,
  fiat_outgoing_id: paymentId,
  sender_is_unknown: isFromStranger,
}: BillRow): Money {
  const allowed = eventsFrom(billFlow, status)
  if (status === 'payment_requested') {
    refuse('bill_payment_in_progress', { current: status, allowed, payment_id: paymentId })
  }
  if (status !== 'extracted') refuse('invalid_state', { current: status, allowed })
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

type BarredPeople = { readonly barred: readonly UserId[]; readonly note: string | null }

type PaymentPlan = {
  readonly contactId: ContactId
  readonly change: ChangeFacts | null
  readonly destination: QuotedDestination
  readonly landing: Money
  /** Amount with the fee, which policies compare. */
  readonly deducting: Money
  readonly acknowledge_bank_details: boolean
}

/**
 * Bars approvers from a payment to a new account. New means: for the supplier, or to the organization with a large
 * amount; an account that the bill names in part counts as new. Barred are all who typed or emptied a part of it, else the
 * creator of the bill; of one that came by mail, which nobody has prepared, the person who asks. If no other approver is left,
 * a day and an acknowledgement replace them. Refuses `no_eligible_approver`.
 */
async function barApprovers(tx: Tx, person: Person, asked: AskedToPay, paying: PaymentPlan): Promise<BarredPeople> {
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
  const barred =
    typists.length === 0 && (isUnknown || isPart) ? [(bill.created_by_id ?? person.userId) as UserId] : typists // a person's id
  if (barred.length === 0) return { barred, note }
  const rules = await rulesOf(within(tx))
  const { contactId, destination } = paying
  const origins = originsOf(tx.actor, asked.preparers.length)
  const facts = await factsOfPayment(within(tx), { rules, origins, contactId, destinationId: destination.id })
  const rule = await ruleOfPayment(tx, person.userId, { rules, facts, ...paying })
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

/** Tells if the account is new for the supplier, and if it is unknown and gets much. */
async function compareAccount(tx: Tx, { bill, fields }: AskedToPay, { change, destination, landing }: PaymentPlan) {
  const id = bill.id as BillId
  const own = await accountNamed(tx, id)
  const paidAt = own ?? (await accountAt(tx, destination))
  const names = own !== null || namesPartOfAccount(fields)
  const isNew = names ? await noteNewAccount(tx, id, fields) : await isNewAccount(tx, id, paidAt)
  const differs = isNew || (change !== null && isChanged(change))
  const isMuch = compareDecimals(landing.amount, NEW_ACCOUNT_FROM) >= 0
  return { differs, isUnknown: isMuch && (await isUnknownAccount(tx, paidAt, CHANGE_SETTLES_HOURS)) }
}

async function accountAt(tx: Tx, { id }: QuotedDestination): Promise<string | null> {
  const [found] = await tx<{ account_id: string }[]>`
    select account_id from payment_destinations where id = ${id} and type = 'bank'`
  return found?.account_id ?? null
}

/** Chooses the text on the payee's statement: the reference that they asked for, else the number. */
const descriptionOf = ({
  payment_reference: reference,
  bill_number: number,
  supplier_name: name,
}: BillFields): string => reference ?? number ?? name ?? 'Bill'
