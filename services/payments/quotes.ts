/** Quotes: offered, kept, found. They never move money, and reserve none. */
import { payeeKeyOf } from '../../domain/account-changes/change.ts'
import { delegateOf } from '../../domain/people/actor.ts'
import { routedRules, ruleFor } from '../../domain/approvals/matching.ts'
import { originsOf } from '../../domain/approvals/routing.ts'
import { factsOfPayment } from '../routing/payees.ts'
import { type DestinationType, RAIL_TO } from '../../domain/destinations/destination.ts'
import { Refusal, refuse } from '../../domain/errors.ts'
import {
  type ContactId,
  type DestinationId,
  type PaymentId,
  type QuoteId,
  type UserId,
  newId,
} from '../../domain/ids.ts'
import { mergeRules, softOnes, toStanding } from '../../domain/limits/limits.ts'
import { moneyOf } from '../../domain/money/money.ts'
import { arrivalOf } from '../../domain/payments/business-days.ts'
import {
  type Price,
  QUOTE_MINUTES,
  type Quote,
  type Side,
  type Tag,
  WARNINGS,
  type WarningType,
} from '../../domain/payments/quote.ts'
import { type Pace, type SpeedRow, paceOf, toSpeedRow } from '../../domain/payments/speed.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import type { Preparer } from '../../domain/people/delegate.ts'
import { type Rail } from '../../domain/rails.ts'
import type { MarketState } from '../../domain/swaps/market.ts'
import { config } from '../../platform/config.ts'
import { openAddressForDisplay } from '../contacts/addresses.ts'
import { noteChange } from '../account-changes/changes.ts'
import { type PayeeRow, defaultOf, payeeOfRow, payeeRowColumns } from '../contacts/destinations.ts'
import { limitBlockers, measureLimits } from '../limits/limits.ts'
import { type Fragment, type Reader, type Tx, first, sql, within, values } from '../../db/postgres/sql.ts'
import type { Amounts } from './payments.ts'
import { type AskedCheck, recordCheck, toPayeeCheck } from '../payee-checks/checks.ts'
import { type QuoteStanding, lacksAddress, quoteBlockers, selectQuoteStanding } from './checks.ts'
import { wakeOtherPayments } from './steps.ts'

export type QuotedDestination = {
  readonly id: DestinationId
  readonly rail: Rail
  readonly currency: string
  /** Name of its contact. */
  readonly name: string
}

type FoundDestination = { readonly name: string } & (
  | { readonly id: DestinationId; readonly type: DestinationType; readonly currency: string }
  | { readonly id: null; readonly type: null; readonly currency: null }
)

/**
 * Finds the destination that is named, or the contact's default one. Refuses `not_found` if contact or destination is
 * deleted or pending, and `destination_missing` if the contact has none.
 */
export async function destinationToPay(
  reader: Reader,
  contactId: ContactId,
  destinationId: DestinationId | null,
): Promise<QuotedDestination> {
  const found = await first(
    reader<FoundDestination>(sql`
      select d.id, d.type, d.currency, c.name from payment_contacts c
      left join payment_destinations d on d.payment_contact_id = c.id and d.deleted_at is null and not d.pending
        and d.id = ${destinationId ?? defaultOf(sql`c.id`)}
      where c.id = ${contactId} and c.organization_id = ${reader.organizationId} and c.deleted_at is null`),
  )
  if (!found) refuse('not_found')
  if (found.id === null) refuse(destinationId ? 'not_found' : 'destination_missing')
  return { id: found.id, rail: RAIL_TO[found.type], currency: found.currency, name: found.name }
}

export type NewQuote = {
  readonly contactId: ContactId
  readonly destination: QuotedDestination
  readonly side: Side
  readonly tag: Tag | null
  readonly pace: Pace
  /** Connection that pays it; null by service ID, and if none serves its money, which blocks it. */
  readonly connection: ConnectionName | null
  readonly priced: Price
  readonly market: MarketState | null
  /** Value in US dollars of what is exchanged; null if nothing is. */
  readonly valueUsd: string | null
  /** Answer of the bank about the destination; null if none is paid by bank. */
  readonly payee: AskedCheck | null
}

/** Keeps a quote for 15 minutes of business time; answers it with its warnings and blockers. */
export async function offerQuote(tx: Tx, userId: UserId, quote: NewQuote): Promise<Quote> {
  const { contactId, destination, pace, priced, payee } = quote
  const { deducting, landing, fees, rate } = priced
  const quoteId = newId<'payment_quote'>()
  const check = payee && (await recordCheck(tx, payee))
  const inserted = await insertQuote(tx, userId, quote, { quoteId, checkId: check && check.id })
  if (check) await wakeOtherPayments(tx, destination.id, check.result)
  const [standing] = await tx<QuoteStanding[]>`${selectQuoteStanding(tx, quoteId, userId)}`
  if (!standing) refuse('not_found')
  if (standing.change) await noteChange(tx, standing.change)
  const measured = await measureLimits(within(tx), {
    rules: standing.rules,
    action: 'withdrawal',
    requester: userId,
    asked: [deducting],
    contactId,
  })
  const own = ruleFor(standing.rules, { action_type: 'withdrawal', amount: deducting })
  const facts = await factsOfPayment(within(tx), {
    rules: standing.rules,
    origins: originsOf(tx.actor, 0),
    contactId,
    destinationId: destination.id,
    labels: [],
    billId: null,
  })
  const rule = own && mergeRules(own, softOnes(measured), routedRules(standing.rules, 'withdrawal', [deducting], facts))
  const warnings = await warningsOf(within(tx), destination, priced)
  if (lacksAddress(standing)) warnings.push('address_missing')
  const paidIn = { rail: destination.rail, currencies: [deducting.currency, landing.currency] }
  return {
    quote_id: quoteId,
    expires_at: inserted.expires_at,
    rail: destination.rail,
    deducting,
    landing,
    fees: [...fees],
    rate,
    ...pace,
    estimated_arrival: arrivalOf(
      config.fees,
      { ...paidIn, speed: pace.speed },
      new Date(inserted.inserted_at),
    ).toISOString(),
    approvers_needed: rule?.steps.reduce((sum, { required }) => sum + required, 0) ?? 0,
    payee_address: openAddressForDisplay(standing.payee_address),
    payee_check: check && toPayeeCheck(check),
    warnings: warnings.map((type) => ({ type, message: WARNINGS[type] })),
    limits: measured.map(toStanding),
    blocked_by: [...quoteBlockers(standing, quote.market, { acknowledged: false }), ...limitBlockers(measured)].map(
      ({ type, details }) => ({
        type,
        message: new Refusal(type, details).message,
      }),
    ),
  }
}

type QuoteTimes = { readonly inserted_at: string; readonly expires_at: string }

async function insertQuote(
  tx: Tx,
  userId: UserId,
  { contactId, destination, side, tag, pace, connection, priced, valueUsd }: NewQuote,
  { quoteId, checkId }: { readonly quoteId: string; readonly checkId: string | null },
): Promise<QuoteTimes> {
  const { deducting, landing, fee, fees, rate } = priced
  const [inserted] = await tx<QuoteTimes[]>`
    insert into payment_quotes ${values({
      id: quoteId,
      organization_id: tx.organizationId,
      payment_contact_id: contactId,
      destination_id: destination.id,
      rail: destination.rail,
      connection,
      side,
      deducting_amount: deducting.amount,
      deducting_currency: deducting.currency,
      landing_amount: landing.amount,
      landing_currency: landing.currency,
      fee_amount: fee.amount,
      fees: sql.json(fees),
      rate,
      value_usd: valueUsd,
      tag,
      ...toSpeedRow(pace),
      payee_key: payeeKeyOf(destination.name),
      created_by: userId,
      delegate_id: delegateOf(tx.actor)?.id ?? null,
      payee_check_id: checkId,
      expires_at: sql`business_now() + make_interval(mins => ${QUOTE_MINUTES})`,
    })}
    returning inserted_at, expires_at`
  if (!inserted) throw new Error('the quote was not written')
  return inserted
}

/** Lists warnings. A payment that ended unpaid neither doubles another nor makes its destination known. */
async function warningsOf(reader: Reader, { id }: QuotedDestination, { deducting, landing, rate }: Price) {
  const found = await first(
    reader<{ short: boolean; duplicate: boolean; known: boolean }>(sql`
      select coalesce((select a.balance from ledger_accounts a where a.organization_id = ${reader.organizationId}
          and a.kind = 'available' and a.currency = ${deducting.currency}), 0) < ${deducting.amount} as short,
        exists (select from payments p where p.destination_id = ${id} and not has_ended_unpaid(p.status)
          and p.landing_amount = ${landing.amount} and p.landing_currency = ${landing.currency}
          and p.inserted_at > business_now() - interval '24 hours') as duplicate,
        exists (select from payments p where p.destination_id = ${id} and not has_ended_unpaid(p.status)) as known`),
  )
  const warnings: readonly (WarningType | false | undefined)[] = [
    found?.short && 'insufficient_funds',
    found?.duplicate && 'possible_duplicate',
    !found?.known && 'new_destination',
    rate !== null && 'rate_expires',
  ]
  return warnings.filter((warning) => warning !== undefined && warning !== false)
}

/** A row of selectQuote(). */
export type QuoteRow = Amounts &
  SpeedRow & {
    readonly id: QuoteId
    readonly contact_id: ContactId
    readonly contact_name: string
    readonly contact_tag: Tag | null
    readonly destination_id: DestinationId
    readonly destination: PayeeRow
    /** Fingerprint of the account that is paid, hexadecimal. */
    readonly fingerprint: string
    readonly payee_organization_id: string | null
    readonly rail: Rail
    readonly fee_amount: string
    readonly rate: string | null
    readonly tag: Tag | null
    /** Delegate that asked for it. */
    readonly preparer: Preparer | null
    readonly payment_id: PaymentId | null
    readonly expires_at: string
    readonly expired: boolean
  }

/** A quote with its contact and destination. */
export type StoredQuote = ReturnType<typeof toStoredQuote>

/** Selects a quote, for its maker and for owners and admins; `before` is called before it is locked. */
export const selectQuote = (
  { organizationId }: Pick<Reader, 'organizationId'>,
  id: QuoteId,
  userId: UserId,
  before: Fragment = sql``,
): Fragment => sql`
  select q.id, c.id as contact_id, c.name as contact_name, c.tag as contact_tag, d.id as destination_id,
    (select to_json(x) from (select ${payeeRowColumns(sql`d`)}) x) as destination,
    encode(d.fingerprint, 'hex') as fingerprint, d.payee_organization_id, q.rail, q.deducting_amount,
    q.deducting_currency, q.landing_amount, q.landing_currency, q.fee_amount, q.rate, q.tag, q.speed,
    q.fallback, q.payment_id,
    (select json_build_object('id', g.id, 'name', g.name, 'userId', g.user_id) from delegates g
      where g.id = q.delegate_id) as preparer, q.expires_at, q.expires_at <= business_now() as expired
  from ${before} payment_quotes q
  join payment_contacts c on c.id = q.payment_contact_id
  join payment_destinations d on d.id = q.destination_id
  where q.id = ${id} and q.organization_id = ${organizationId}
    and (q.created_by = ${userId} or exists (select from members m
      where m.organization_id = q.organization_id and m.user_id = ${userId} and m.role in ('owner', 'admin')))`

/** Converts a row of selectQuote(). Refuses `not_found` without one. */
export function toStoredQuote(row: QuoteRow | undefined) {
  if (!row) refuse('not_found')
  return {
    ...row,
    pace: paceOf(row),
    preparers: row.preparer ? [row.preparer] : [],
    /** The holder and the end of the account, or the service ID. */
    payee: payeeOfRow(row.destination),
    deducting: moneyOf(row.deducting_amount, row.deducting_currency),
    landing: moneyOf(row.landing_amount, row.landing_currency),
    fee: moneyOf(row.fee_amount, row.deducting_currency),
  }
}

/** Finds one quote for its maker and for owners and admins. Refuses `not_found`. */
export const findQuote = async (reader: Reader, id: QuoteId, userId: UserId): Promise<StoredQuote> =>
  toStoredQuote(await first(reader<QuoteRow>(selectQuote(reader, id, userId))))

/** Throws `quote_already_used` if another payment used the quote, or `quote_expired`. */
export function requireUsable(quote: StoredQuote, paymentId: PaymentId): void {
  if (quote.payment_id && quote.payment_id !== paymentId) refuse('quote_already_used')
  if (!quote.payment_id && quote.expired) refuse('quote_expired', { expires_at: quote.expires_at })
}
