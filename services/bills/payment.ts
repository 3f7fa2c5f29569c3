/** Payment of a bill: its payee, the blockers, and a quote that is executed at once. */
import { STANDARD } from '../../domain/payments/speed.ts'
import { noteChange } from '../account-changes/changes.ts'
import { rulesOf } from '../approvals/policies.ts'
import { readSigned } from '../attachments/attachments.ts'
import { nameConnection } from '../connections/connections.ts'
import { type Claim, takeClaim } from '../idempotency.ts'
import type { Person } from '../../domain/people/actor.ts'
import type { AppliedRule } from '../../domain/approvals/policy.ts'
import { payeeAddressIn } from '../../domain/bills/account.ts'
import type { PaymentRequest } from '../../domain/bills/bill.ts'
import { billMoves } from '../../domain/bills/events.ts'
import type { BillFields } from '../../domain/bills/fields.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { BillId, QuoteId } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import type { Quote } from '../../domain/payments/quote.ts'
import { ruleOfPayment } from '../limits/limits.ts'
import { originsOf } from '../../domain/approvals/routing.ts'
import { factsOfPayment } from '../routing/payees.ts'
import { createPayment } from '../payments/commands.ts'
import { type AskedBank, type AskedToPay, type Payee, answerAbout, payUnderName } from './payee.ts'
import { offerQuote } from '../payments/quotes.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { lockBill } from './fields.ts'
import { type PaymentPlan, barApprovers, passGates } from './gates.ts'

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
  const passed = await passGates(tx, person, bill, { ...request, batchId: null })
  if (!('asked' in passed)) {
    const { payee, refusal, change } = passed
    if (change) await noteChange(tx, change)
    return { payee, ...(refusal && { refusal }) }
  }
  const { payee, asked, destination, account, money, priced, change, on } = passed
  const { rail, currency } = destination
  const paid = await payUnderName(tx, person, payee, destination)
  const terms = { ...paid, account, change, landing: money, deducting: priced.deducting }
  const ruleOf = () => ruleOfBill(tx, person, asked, terms)
  const barred = await barApprovers(tx, person, asked, { ...request, ...terms, ruleOf })
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
    ...textsOf(request, asked.fields),
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

/** Picks the rule that the payment of a bill waits under. */
async function ruleOfBill(
  tx: Tx,
  person: Person,
  { bill, preparers }: AskedToPay,
  { contactId, destination, deducting }: Pick<PaymentPlan, 'contactId' | 'destination' | 'deducting'>,
): Promise<AppliedRule> {
  const rules = await rulesOf(within(tx))
  const origins = originsOf(tx.actor, preparers.length)
  const paid = { contactId, destinationId: destination.id, labels: [], billId: bill.id as BillId }
  const facts = await factsOfPayment(within(tx), { rules, origins, ...paid })
  return ruleOfPayment(tx, person.userId, { rules, facts, contactId, deducting })
}

export const textsOf = (
  request: Pick<PaymentRequest, 'payout_reason' | 'statement_description'>,
  fields: BillFields,
) => ({
  payout_reason: request.payout_reason ?? 'services',
  statement_description: request.statement_description ?? descriptionOf(fields),
  internal_notes: null,
  labels: [],
})

/** Selects what the requester acknowledges, for the log. */
const listAcknowledgements = (request: Omit<PaymentRequest, 'payment_contact_id'>) => ({
  ...(request.acknowledge_duplicate && { acknowledged_duplicate: true as const }),
  ...(request.acknowledge_missing_number && { acknowledged_missing_number: true as const }),
  ...(request.acknowledge_bank_details && { acknowledged_bank_details: true as const }),
  ...(request.acknowledge_payee_check && { acknowledged_payee_check: true as const }),
})

/** Chooses the text on the payee's statement: the reference that they asked for, else the number. */
const descriptionOf = ({
  payment_reference: reference,
  bill_number: number,
  supplier_name: name,
}: BillFields): string => reference ?? number ?? name ?? 'Bill'
