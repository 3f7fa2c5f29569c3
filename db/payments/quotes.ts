/** Quotes: offered, kept, found. They never move money, and reserve none. */
import { rulesOf } from '../approvals/policies.ts'
import { config } from '../../platform/config.ts'
import { ruleFor } from '../../domain/approvals/policy.ts'
import { type Blocker, Refusal, refuse } from '../../domain/errors.ts'
import { arrivalOf } from '../../domain/money/fees.ts'
import {
  type ContactId,
  type DestinationId,
  type PaymentId,
  type QuoteId,
  type UserId,
  newId,
} from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import type { DestinationType } from '../../domain/contacts/destination.ts'
import {
  type Priced,
  QUOTE_MINUTES,
  type Quote,
  type Side,
  type Tag,
  WARNINGS,
  type WarningType,
} from '../../domain/payments/quote.ts'
import { quoteBlockers } from './checks.ts'
import { type PayeeRow, defaultOf, payeeOfRow, payeeRowColumns } from '../contacts/destinations.ts'
import { type Fragment, type Reader, type Tx, first, sql, within } from '../sql.ts'
import { RAIL_TO, type Rail } from '../../domain/rails.ts'

/** Where a payment to a contact goes, and the currency that arrives there. */
export type QuotedDestination = { readonly id: DestinationId; readonly rail: Rail; readonly currency: string }

/**
 * The destination that is named, or the contact's default one. Refuses `not_found` for a contact, or a destination of
 * it, that is not there, not yet or no longer, and `destination_missing` if the contact has none.
 */
export async function destinationToPay(
  reader: Reader,
  contactId: ContactId,
  destinationId: DestinationId | null,
): Promise<QuotedDestination> {
  const found = await first(
    reader<{ id: DestinationId | null; type: DestinationType; currency: string }>(sql`
      select d.id, d.type, d.currency from payment_contacts c
      left join payment_destinations d on d.payment_contact_id = c.id and d.deleted_at is null and not d.pending
        and d.id = ${destinationId ?? defaultOf(sql`c.id`)}
      where c.id = ${contactId} and c.organization_id = ${reader.organizationId} and c.deleted_at is null`),
  )
  if (!found) refuse('not_found')
  if (!found.id) refuse(destinationId ? 'not_found' : 'destination_missing')
  return { id: found.id, rail: RAIL_TO[found.type], currency: found.currency }
}

export type NewQuote = {
  readonly contactId: ContactId
  readonly destination: QuotedDestination
  readonly side: Side
  readonly tag: Tag | null
  readonly priced: Priced
  readonly market: 'open' | 'closed' | null
  /** What is exchanged is worth so many US dollars; null if nothing is. */
  readonly valueUsd: string | null
}

/**
 * Keeps a quote for 15 minutes of business time; answers it with its warnings, and what stands against executing it.
 */
export async function offerQuote(tx: Tx, userId: UserId, quote: NewQuote): Promise<Quote> {
  const { destination, priced, market } = quote
  const quoteId = newId<'payment_quote'>()
  const inserted = await insertQuote(tx, quoteId, userId, quote)
  const reader = within(tx)
  const [blockedBy, warnings, rules] = await Promise.all([
    quoteBlockers(reader, { quoteId, userId, market }),
    warningsOf(reader, destination, priced),
    rulesOf(reader),
  ])
  const rule = ruleFor(rules, { action_type: 'withdrawal', amount: priced.deducting })
  const { deducting, landing, fees, rate } = priced
  return {
    quote_id: quoteId,
    expires_at: inserted.expires_at,
    rail: destination.rail,
    deducting,
    landing,
    fees: [...fees],
    rate,
    estimated_arrival: arrivalOf(config.fees, destination.rail, new Date(inserted.inserted_at)).toISOString(),
    approvers_needed: rule?.steps.reduce((sum, { required }) => sum + required, 0) ?? 0,
    warnings: warnings.map((type) => ({ type, message: WARNINGS[type] })),
    blocked_by: blockedBy.map(toNotice),
  }
}

const toNotice = ({ type, details }: Blocker) => ({ type, message: new Refusal(type, details).message })

async function insertQuote(
  tx: Tx,
  id: QuoteId,
  userId: UserId,
  { contactId, destination, side, tag, priced, valueUsd }: NewQuote,
): Promise<{ inserted_at: string; expires_at: string }> {
  const { deducting, landing, fee, fees, rate } = priced
  const [row] = await tx<{ inserted_at: string; expires_at: string }[]>`
    insert into payment_quotes (id, organization_id, payment_contact_id, destination_id, rail, side, deducting_amount,
      deducting_currency, landing_amount, landing_currency, fee_amount, fees, rate, value_usd, tag, created_by, expires_at)
    values (${id}, ${tx.organizationId}, ${contactId}, ${destination.id}, ${destination.rail}, ${side},
      ${deducting.amount}, ${deducting.currency}, ${landing.amount}, ${landing.currency}, ${fee.amount},
      ${sql.json(fees)}, ${rate}, ${valueUsd}, ${tag}, ${userId}, business_now() + make_interval(mins => ${QUOTE_MINUTES}))
    returning inserted_at, expires_at`
  if (!row) throw new Error('the quote was not written')
  return row
}

/** Whether a payment `p` is paid, or may still be: only such a one is doubled, or makes its destination known. */
const counts = (): Fragment => sql`not has_ended_unpaid(p.status)`

async function warningsOf(reader: Reader, { id }: QuotedDestination, { deducting, landing, rate }: Priced) {
  const found = await first(
    reader<{ short: boolean; duplicate: boolean; known: boolean }>(sql`
      select coalesce((select a.balance from ledger_accounts a where a.organization_id = ${reader.organizationId}
          and a.kind = 'available' and a.currency = ${deducting.currency}), 0) < ${deducting.amount} as short,
        exists (select from payments p where p.destination_id = ${id} and ${counts()}
          and p.landing_amount = ${landing.amount} and p.landing_currency = ${landing.currency}
          and p.inserted_at > business_now() - interval '24 hours') as duplicate,
        exists (select from payments p where p.destination_id = ${id} and ${counts()}) as known`),
  )
  const warnings: readonly (WarningType | false | undefined)[] = [
    found?.short && 'insufficient_funds',
    found?.duplicate && 'possible_duplicate',
    !found?.known && 'new_destination',
    rate !== null && 'rate_expires',
  ]
  return warnings.filter((warning) => warning !== undefined && warning !== false)
}

/** A quote as it is kept, with what its payment shows of contact and destination. */
export type StoredQuote = {
  readonly id: QuoteId
  readonly contact_id: ContactId
  readonly contact_name: string
  readonly contact_tag: Tag | null
  readonly destination_id: DestinationId
  /** Who is paid there: the holder and the end of the account, or the service ID. */
  readonly payee: string
  /** Hexadecimal; of the account that is paid. */
  readonly fingerprint: string
  readonly payee_organization_id: string | null
  readonly rail: Rail
  readonly deducting: Money
  readonly landing: Money
  readonly fee: Money
  readonly rate: string | null
  readonly tag: Tag | null
  readonly payment_id: PaymentId | null
  readonly expires_at: string
  readonly expired: boolean
}

type Row = Omit<StoredQuote, 'payee' | 'deducting' | 'landing' | 'fee'> & {
  destination: PayeeRow
  deducting_amount: string
  deducting_currency: string
  landing_amount: string
  landing_currency: string
  fee_amount: string
}

/**
 * One quote of the reader's organization, to who made it and to its owners and admins; with `lock`, nobody else uses it
 * until the transaction ends. Refuses `not_found`.
 */
export async function findQuote(
  reader: Reader,
  id: QuoteId,
  { userId, lock }: { readonly userId: UserId; readonly lock?: boolean },
): Promise<StoredQuote> {
  const row = await first(
    reader<Row>(sql`
      select q.id, c.id as contact_id, c.name as contact_name, c.tag as contact_tag, d.id as destination_id,
        (select to_json(x) from (select ${payeeRowColumns()}) x) as destination,
        encode(d.fingerprint, 'hex') as fingerprint, d.payee_organization_id, q.rail, q.deducting_amount,
        q.deducting_currency, q.landing_amount, q.landing_currency, q.fee_amount, q.rate, q.tag, q.payment_id,
        q.expires_at, q.expires_at <= business_now() as expired
      from payment_quotes q
      join payment_contacts c on c.id = q.payment_contact_id
      join payment_destinations d on d.id = q.destination_id
      where q.id = ${id} and q.organization_id = ${reader.organizationId}
        and (q.created_by = ${userId} or exists (select from members m
          where m.organization_id = q.organization_id and m.user_id = ${userId} and m.role in ('owner', 'admin')))
      ${lock ? sql`for no key update of q` : sql``}`),
  )
  if (!row) refuse('not_found')
  const { destination, deducting_amount, deducting_currency, landing_amount, landing_currency, fee_amount, ...quote } =
    row
  return {
    ...quote,
    payee: payeeOfRow(destination),
    deducting: moneyOf(deducting_amount, deducting_currency),
    landing: moneyOf(landing_amount, landing_currency),
    fee: moneyOf(fee_amount, deducting_currency),
  }
}

/**
 * Refuses a quote that another payment than this one used, `quote_already_used`, or that has expired: `quote_expired`.
 */
export function checkUsable(quote: StoredQuote, paymentId: PaymentId): void {
  if (quote.payment_id && quote.payment_id !== paymentId) refuse('quote_already_used')
  if (!quote.payment_id && quote.expired) refuse('quote_expired', { expires_at: quote.expires_at })
}
