/** Terms of a payment that is asked for: of a quote, or by service ID without one. */
import { type ChangeFacts, coolingOffBlockers, payeeKeyOf } from '../../domain/account-changes/change.ts'
import { type DestinationType, payeeInWords } from '../../domain/destinations/destination.ts'
import { refuse, refuseFirst } from '../../domain/errors.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import type { ContactId, DestinationId, PaymentId, QuoteId, UserId } from '../../domain/ids.ts'
import { canonicalMoney } from '../../domain/money/money.ts'
import { type ContactOrder, type PaymentOrder, type QuoteOrder } from '../../domain/payments/payment.ts'
import { STANDARD } from '../../domain/payments/speed.ts'
import { connectionOf } from '../../domain/rails.ts'
import { SVC_ID_CURRENCY } from '../../domain/money/currencies.ts'
import { factsIfPaidElsewhere, lockRequests, mayBeChanged } from '../account-changes/facts.ts'
import { storeAddress } from '../contacts/addresses.ts'
import { findConnection, serves } from '../connections/connections.ts'
import { defaultOf, networkOfRow, payeeOfRow } from '../contacts/destinations.ts'
import { type OpenPayeeCheck, openCheck } from '../payee-checks/checks.ts'
import { type PayerVersion, versionOf } from '../payers/payers.ts'
import { pipeline } from '../../db/postgres/pipeline.ts'
import { holdBlockers } from '../../domain/screening/screening.ts'
import { payeeScreening } from '../screening/screenings.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'
import {
  type QuoteStanding,
  type RequesterStanding,
  type PayeeStanding,
  contactBlockers,
  coversAnswer,
  quoteBlockers,
  requesterBlockers,
  requesterColumns,
  selectQuoteStanding,
} from './checks.ts'
import { type QuoteRow, type StoredQuote, requireUsable, selectQuote, toStoredQuote } from './quotes.ts'

/** Payee, amounts and costs of a payment, and the rules in force, which say who approves it. */
export type Terms = Pick<
  StoredQuote & QuoteStanding,
  | 'contact_id'
  | 'contact_name'
  | 'destination_id'
  | 'payee'
  | 'payee_organization_id'
  | 'payee_address'
  | 'rail'
  | 'deducting'
  | 'landing'
  | 'fee'
  | 'rate'
  | 'tag'
  | 'pace'
  | 'preparers'
> &
  Pick<RequesterStanding, 'rules'> & {
    readonly quote_id: QuoteId | null
    readonly fingerprint: string | null
    readonly change: ChangeFacts | null
    /** Answer of the bank about the payee; null if no bank was asked. */
    readonly check: OpenPayeeCheck | null
    readonly acknowledged: boolean
    /** Payer that the order names; null if no partner pays, or details of the organization are missing. */
    readonly payer: PayerVersion | null
    /** Network of a coin. */
    readonly network: string | null
    /** Destination of a contact that has the account under another name; null for none. */
    readonly known_as: DestinationId | null
  }

/** Locks a quote and reads its terms. Refuses `not_found`, as requireUsable(), and the first of quoteBlockers(). */
export async function lockQuoteTerms(
  tx: Tx,
  id: PaymentId,
  userId: UserId,
  {
    quote_id: quoteId,
    market,
    tag,
    bill,
    acknowledge_payee_check: acknowledges,
  }: QuoteOrder & Pick<PaymentOrder, 'bill'>,
): Promise<Terms> {
  const { quotes, standings } = await pipeline({
    // the lock comes first: the second statement sees what was committed before it was given
    quotes: tx<
      QuoteRow[]
    >`${selectQuote(tx, quoteId, userId, lockRequests(tx, sql`(select w.destination_id from payment_quotes w where w.id = ${quoteId})`))}
      for no key update of q`,
    standings: tx<QuoteStanding[]>`${selectQuoteStanding(tx, quoteId, userId, bill)}`,
  })
  const quote = toStoredQuote(quotes[0])
  requireUsable(quote, id)
  const standing = standings[0] ?? refuse('not_found')
  const address = standing.payee_address ?? (await storeAddress(tx, standing.rail === 'fiat' && bill?.payeeAddress))
  const acknowledged = acknowledges && coversAnswer(standing)
  refuseFirst(quoteBlockers({ ...standing, payee_address: address }, market, { acknowledged }))
  const { rules, change, payee_check: row, rail, paying } = standing
  if (!isStillServed(standing)) refuse('quote_expired', { expires_at: quote.expires_at })
  const known = bill?.known ?? null
  return {
    ...quote,
    payee: known ? payeeOfRow(quote.destination, known.holder) : quote.payee,
    known_as: known && known.destinationId,
    payee_address: address,
    quote_id: quoteId,
    rules,
    change,
    check: row && openCheck(row),
    acknowledged,
    payer: rail === 'svc_id' ? null : versionOf(tx.organizationId, paying),
    network: rail === 'crypto' ? networkOfRow(quote.destination) : null,
    tag: tag === undefined ? (quote.tag ?? quote.contact_tag) : tag,
  }
}

/** Tells if the connection of a quote still serves its money: the service may have been started with others since. */
function isStillServed({ rail, connection, landing }: QuoteStanding): boolean {
  if (rail === 'svc_id') return true
  const quoted = findConnection(connectionOf({ rail, connection }))
  return quoted !== undefined && serves(quoted, { rail, currency: landing.currency })
}

/** The requester, and the contact with its default destination, as far as there are such. */
type Payee = RequesterStanding &
  Pick<PayeeStanding, 'payee_screening'> &
  Pick<Terms, 'payee_organization_id' | 'tag'> & { readonly svc_id: string | null } & (
    | {
        readonly contact_id: ContactId
        readonly contact_name: string
        readonly contact_status: string
      }
    | { readonly contact_id: null; readonly contact_name: null; readonly contact_status: null }
  ) &
  (
    | { readonly destination_id: DestinationId; readonly type: DestinationType; readonly may_be_changed: boolean }
    | { readonly destination_id: null; readonly type: null; readonly may_be_changed: null }
  )

/**
 * Reads the terms of a payment by service ID to a contact's default destination. Refuses what blocks the
 * requester, then `not_found`, `destination_missing`, `unsupported_rail`, what is wrong with the amount
 * (`unsupported_currency`, `amount_precision`, `amount_too_large`), `contact_not_approved`, `same_account` and
 * `account_cooling_off`.
 */
export async function contactTerms(
  tx: Tx,
  userId: UserId,
  { payment_contact_id: contactId, amount }: ContactOrder,
): Promise<Terms> {
  const [found] = await tx<Payee[]>`
    select ${requesterColumns(sql`m`, sql`o`)}, c.id as contact_id, c.name as contact_name, c.status as contact_status, c.tag,
      ${payeeScreening(sql`c.id`)} as payee_screening,
      d.id as destination_id, d.type, d.payee_organization_id, d.svc_id, ${mayBeChanged(sql`d`)} as may_be_changed
    from ${lockRequests(tx, defaultOf(sql`${contactId}::uuid`))} members m
    join organizations o on o.id = m.organization_id
    left join payment_contacts c on c.id = ${contactId} and c.organization_id = o.id and c.deleted_at is null
    left join payment_destinations d on d.id = ${defaultOf(sql`c.id`)}
    where m.organization_id = ${tx.organizationId} and m.user_id = ${userId}`
  if (!found || isGone(found.organization_status)) refuse('not_found')
  refuseFirst(requesterBlockers(found, 'svc_id'))
  if (found.contact_id === null) refuse('not_found')
  if (found.destination_id === null) refuse('destination_missing')
  const { contact_id, contact_name, destination_id, type, payee_organization_id, rules, tag } = found
  if (type !== 'svc_id' || !payee_organization_id) refuse('unsupported_rail', { rail: type })
  const { currency } = amount
  if (currency !== SVC_ID_CURRENCY) refuse('unsupported_currency', { currency, supported: [SVC_ID_CURRENCY] })
  const money = canonicalMoney(amount)
  refuseFirst([...contactBlockers(found.contact_status), ...holdBlockers(found)])
  if (payee_organization_id === tx.organizationId) refuse('same_account')
  const change = found.may_be_changed
    ? await factsIfPaidElsewhere(within(tx), destination_id, payeeKeyOf(contact_name))
    : null
  refuseFirst(coolingOffBlockers(change, money))
  return {
    quote_id: null,
    contact_id,
    contact_name,
    destination_id,
    payee: payeeInWords(found.svc_id, null),
    fingerprint: null,
    payee_organization_id,
    payee_address: null,
    rail: 'svc_id',
    deducting: money,
    landing: money,
    fee: { amount: '0', currency },
    rate: null,
    tag,
    pace: STANDARD,
    preparers: [],
    rules,
    change,
    check: null,
    acknowledged: false,
    payer: null,
    network: null,
    known_as: null,
  }
}
