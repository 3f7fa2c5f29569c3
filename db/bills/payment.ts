/** The payment of a bill: whom it goes to, what stands against it, and the quote that is executed at once. */
import { rulesOf } from '../approvals/policies.ts'
import { config } from '../../platform/config.ts'
import { createContact } from '../contacts/contacts.ts'
import { membersWithRoles, requirePermissionLocked } from '../membership-lock.ts'
import type { Claim } from '../idempotency.ts'
import type { Person } from '../../domain/actor.ts'
import { policyOf, ruleFor } from '../../domain/approvals/policy.ts'
import { initialRequirements, isSatisfiable } from '../../domain/approvals/requirements.ts'
import { accountFaults, coordinatesOf, namesAccount } from '../../domain/bills/account.ts'
import type { PaymentRequest } from '../../domain/bills/bill.ts'
import { billMoves } from '../../domain/bills/events.ts'
import { BANK_DETAILS, type BillFields } from '../../domain/bills/fields.ts'
import { errorsOf, refuseFaults } from '../../domain/contacts/check.ts'
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flows/flow.ts'
import { billFlow } from '../../domain/flows/bill.ts'
import { type BillId, type ContactId, type DestinationId, type QuoteId, type UserId, newId } from '../../domain/ids.ts'
import { compareDecimals } from '../../domain/money/decimal.ts'
import type { Money } from '../../domain/money/money.ts'
import { price } from '../../domain/payments/quote.ts'
import { createPayment } from '../payments/creation.ts'
import { type QuotedDestination, destinationToPay, offerQuote } from '../payments/quotes.ts'
import { type Tx, sql, within } from '../sql.ts'
import { transition } from '../transition.ts'
import { type BillRow, fieldsIn } from './bills.ts'
import { findDuplicates, isNewAccount, isUnknownAccount } from './duplicates.ts'
import { type LockedBill, type Origins, accountOf, lockBill, noteNewAccount } from './fields.ts'

/** A bill, and what it says. */
type Asked = { readonly bill: LockedBill; readonly fields: BillFields }

/** Who is to be paid, and where; `waits` if the contact has to be approved before. */
type Payee = {
  readonly contactId: ContactId
  readonly destinationId: DestinationId | null
  readonly waits: boolean
}

/** A bank detail that a person changed counts as looked at after so many hours, if nobody else can approve it. */
const CHANGE_SETTLES_HOURS = 24
/** From this amount on, in whichever currency, an account that is new to the organization takes a second person. */
const NEW_ACCOUNT_FROM = '1000'

/**
 * Requests the payment of a bill: the payment of a quote that is executed at once, and waits for approval as every
 * other one does. If the contact has to be approved before, the bill stays as it is and names it; the next request goes
 * on.
 *
 * Refuses, in this order: `not_found`; `forbidden`; `bill_payment_in_progress`; `invalid_state`; `unprocessable_entity`
 * for what nobody has to pay; `bill_incomplete` with the fields; `service_unavailable` while its bank details do not
 * open; `invalid_bank_details`; `duplicate_bill`; what is wrong with contact, currency and amount;
 * `no_eligible_approver`; and then what stands against the payment.
 */
export async function requestPayment(
  tx: Tx,
  person: Person,
  claim: Claim,
  { id, ...request }: PaymentRequest & { readonly id: BillId; readonly request_id: string },
): Promise<void> {
  await requirePermissionLocked(tx, person, 'payments.send_fiat')
  const bill = await lockBill(tx, id)
  if (bill.fiat_outgoing_id === claim.id) return // the same request again, which waited for the first
  const money = payable(bill)
  const fields = fieldsIn(bill)
  const payee = await chosenPayee(tx, person, { bill, fields }, request.payment_contact_id)
  await refuseDuplicate(tx, id, request.acknowledge_duplicate)
  await nameContact(tx, id, payee.contactId)
  if (payee.waits) return
  const destination = await destinationToPay(within(tx), payee.contactId, payee.destinationId)
  const pricing = { rail: destination.rail, currency: destination.currency, amount: money, side: 'landing' } as const
  if (money.currency !== destination.currency) refuseCurrency(money, destination)
  const priced = price(config.fees, pricing, null)
  const paying = { ...request, destination, landing: money, deducting: priced.deducting }
  const barred = await approversBarred(tx, person, { bill, fields }, paying)
  const quote = {
    contactId: payee.contactId,
    destination,
    side: 'landing',
    tag: null,
    market: null,
    valueUsd: null,
  } as const
  const { quote_id: quoteId } = await offerQuote(tx, person.userId, { ...quote, priced })
  const payment = await createPayment(tx, claim, person.userId, {
    quote_id: quoteId as QuoteId, // of the quote just made
    tag: undefined,
    market: null,
    payout_reason: request.payout_reason ?? 'services',
    statement_description: request.statement_description ?? descriptionOf(fields),
    internal_notes: null,
    request_id: request.request_id,
    bill: { id, ...barred },
  })
  if (!payment) return // the same request made one that has ended since
  await transition(tx, billMoves, id, {
    events: ['request_payment'],
    cause: `request:${request.request_id}`,
    set: sql`payment_id = ${payment.id}, approval_request_id = ${payment.approval_request_id}`,
    payload: {
      payment_id: payment.id,
      ...(request.acknowledge_duplicate && { acknowledged_duplicate: true }),
      ...(request.acknowledge_bank_details && { acknowledged_bank_details: true }),
    },
  })
}

/** What is to be paid. Refuses a bill in a wrong state, that nobody has to pay, or that does not say how much. */
function payable(bill: BillRow): Money {
  const { status, not_payable: reason, amount, currency } = bill
  if (status === 'payment_requested') {
    const allowed = eventsFrom(billFlow, status)
    refuse('bill_payment_in_progress', { current: status, allowed, payment_id: bill.fiat_outgoing_id })
  }
  if (status !== 'extracted') refuse('invalid_state', { current: status, allowed: eventsFrom(billFlow, status) })
  if (reason) refuse('unprocessable_entity', { reason })
  const missing = (['amount', 'currency'] as const).filter((field) => bill[field] === null)
  if (amount === null || currency === null) refuse('bill_incomplete', { fields: missing })
  if (!/[1-9]/.test(amount) || amount.startsWith('-')) refuse('unprocessable_entity', { reason: 'nothing_to_pay' })
  return { amount, currency }
}

/**
 * The contact that is given; else one that has the account of the bill, first of all the one that it waits for; else a
 * new one of that account. A bill without an account is paid to the contact that it names already.
 */
async function chosenPayee(
  tx: Tx,
  person: Person,
  { bill, fields }: Asked,
  given: ContactId | undefined,
): Promise<Payee> {
  const fingerprints = accountOf(tx, fields)
  const named = { id: bill.payment_contact_id, isEnough: !namesAccount(fields) }
  const found = await findPayee(tx, fingerprints, given ?? null, named)
  if (found) {
    const { contact_id: contactId, status, destination_id: destinationId } = found
    return { contactId, destinationId, waits: !given && status === 'pending_approval' }
  }
  if (given) refuse('not_found')
  refuseIncomplete(fields)
  const contactId = await newContact(tx, person, fields)
  const [made] = await tx<{ status: string }[]>`select status from payment_contacts where id = ${contactId}`
  return { contactId, destinationId: null, waits: made?.status !== 'active' }
}

const nameContact = (tx: Tx, id: BillId, contactId: ContactId): Promise<unknown> =>
  tx`
    update bills set payment_contact_id = ${contactId}, updated_at = business_now()
    where id = ${id} and payment_contact_id is distinct from ${contactId}`

type Found = { contact_id: ContactId; status: string; destination_id: DestinationId | null }

async function findPayee(
  tx: Tx,
  fingerprints: readonly string[],
  given: ContactId | null,
  named: { readonly id: string | null; readonly isEnough: boolean },
): Promise<Found | undefined> {
  const [found] = await tx<Found[]>`
    select c.id as contact_id, c.status, d.id as destination_id
    from payment_contacts c
    left join lateral (select d.id from payment_destinations d
      where d.payment_contact_id = c.id and d.deleted_at is null and (not d.pending or c.status = 'pending_approval')
        and d.fingerprint in (select decode(f, 'hex') from unnest(${[...fingerprints]}::text[]) f)
      order by d.is_default desc, d.inserted_at, d.id limit 1) d on true
    where c.deleted_at is null and not c.one_time and case when ${given}::uuid is not null then c.id = ${given}
      else c.status in ('active', 'pending_approval') and (d.id is not null or (c.id = ${named.id} and ${named.isEnough})) end
    order by c.id is not distinct from ${named.id}::uuid desc, c.status = 'active' desc, c.inserted_at, c.id limit 1`
  return found
}

/** Refuses what the account lacks, and then what is wrong with it. */
function refuseIncomplete(fields: BillFields): void {
  const holder = fields.account_holder_name ?? fields.supplier_name
  const faults = accountFaults(fields)
  const missing = [
    ...(holder ? [] : ['supplier_name']),
    ...(namesAccount(fields) && coordinatesOf(fields)
      ? faults.filter(({ code }) => code === 'required').map(({ field }) => field)
      : ['iban', 'bank_country_alpha2']),
  ]
  if (missing.length > 0) refuse('bill_incomplete', { fields: [...new Set(missing)] })
  refuseFaults(errorsOf(faults, ''))
}

async function newContact(tx: Tx, person: Person, fields: BillFields): Promise<ContactId> {
  const coordinates = coordinatesOf(fields)
  if (!coordinates) throw new Error('refuseIncomplete() saw to it')
  const claim = { id: newId<never>(), bodyHash: '', keyed: false }
  const name = fields.supplier_name ?? coordinates.account_holder_name
  await createContact(tx, person, claim, {
    name,
    type: 'business',
    tag: 'vendor',
    destinations: [{ ...coordinates, default: true }],
  })
  return claim.id
}

async function refuseDuplicate(tx: Tx, id: BillId, acknowledged: boolean): Promise<void> {
  if (acknowledged) return
  const duplicates = await findDuplicates(within(tx), id)
  const [first] = duplicates
  if (first) refuse('duplicate_bill', { duplicate_of: first.bill_id, duplicates })
}

type Barred = { readonly barred: readonly UserId[]; readonly note: string | null }

type Paying = {
  readonly destination: QuotedDestination
  readonly landing: Money
  /** With the fee: what policies compare. */
  readonly deducting: Money
  readonly acknowledge_bank_details: boolean
}

/**
 * Who may not approve the payment to an account that the supplier did not have, or that is new to the organization and
 * gets much: those who typed any part of it, or emptied it, so that the contact's is paid; else who handed the bill in.
 * If nobody else could approve it, that takes a day and an acknowledgement instead.
 */
async function approversBarred(tx: Tx, person: Person, asked: Asked, paying: Paying): Promise<Barred> {
  const { bill } = asked
  const { differs, isUnknown } = await whatIsNew(tx, asked, paying)
  if (!differs && !isUnknown) return { barred: [], note: null }
  const note = differs ? 'the bank details are not those of before' : 'the bank details are new to the organization'
  const typists = await whoTypedAccount(tx, bill.origins)
  const barred = typists.length === 0 && isUnknown ? [bill.created_by_id as UserId] : typists // a person's id
  if (barred.length === 0) return { barred, note }
  const rule = ruleFor(await rulesOf(within(tx)), { action_type: 'withdrawal', amount: paying.deducting })
  if (!rule) throw new Error('a payment always waits for approval')
  const policy = { ...policyOf(rule), barred }
  if (isSatisfiable(initialRequirements(policy, person.userId), await membersWithRoles(within(tx)))) {
    return { barred, note }
  }
  const [settled] = await tx`
    select id from bills where id = ${bill.id}
      and coalesce(bank_changed_at, inserted_at) <= business_now() - make_interval(hours => ${CHANGE_SETTLES_HOURS})`
  if (!settled || !paying.acknowledge_bank_details) refuse('no_eligible_approver', { reason: 'bank_details_changed' })
  return { barred: [], note }
}

/** Whether the account that is paid is another than the supplier's, and whether it gets much and is new to all. */
async function whatIsNew(tx: Tx, { bill, fields }: Asked, { destination, landing }: Paying) {
  const id = bill.id as BillId
  const own = accountOf(tx, fields)
  const paidAt = own.length > 0 ? own : await accountAt(tx, destination)
  const differs = own.length > 0 ? await noteNewAccount(tx, id, own) : await isNewAccount(tx, id, paidAt)
  const isMuch = compareDecimals(landing.amount, NEW_ACCOUNT_FROM) >= 0
  return { differs, isUnknown: isMuch && (await isUnknownAccount(tx, paidAt, CHANGE_SETTLES_HOURS)) }
}

/** The fingerprint of the bank account of a destination; none of another one. */
async function accountAt(tx: Tx, { id }: QuotedDestination): Promise<string[]> {
  const rows = await tx<{ fingerprint: string }[]>`
    select encode(fingerprint, 'hex') as fingerprint from payment_destinations where id = ${id} and type = 'bank'`
  return rows.map(({ fingerprint }) => fingerprint)
}

async function whoTypedAccount(tx: Tx, origins: Origins): Promise<UserId[]> {
  const events = BANK_DETAILS.flatMap((name) => (origins[name]?.typed ? [origins[name].event] : []))
  const people = await tx<{ id: UserId }[]>`
    select distinct actor_user_id as id from events where id = any (${events}) and actor_user_id is not null order by 1`
  return people.map(({ id }) => id)
}

/** Nothing is exchanged for a bill: it is paid as it is written. */
const refuseCurrency = ({ currency }: Money, { currency: paidIn }: QuotedDestination): never =>
  refuse('unsupported_currency', {
    currency,
    supported: [paidIn],
    what_to_do: `Name a contact that is paid in ${currency}, or correct the currency of the bill.`,
  })

/** As it reads on the statement of the payee: the reference that they asked for, else the number. */
const descriptionOf = ({
  payment_reference: reference,
  bill_number: number,
  supplier_name: name,
}: BillFields): string => reference ?? number ?? name ?? 'Bill'
