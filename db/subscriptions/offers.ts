/** Offers: the plans of the service, kept by its operators and the same for every organization. */
import { refuse } from '../../domain/errors.ts'
import type { OfferId } from '../../domain/ids.ts'
import { type Money, canonicalMoney, formatAmount, moneyOf } from '../../domain/money/money.ts'
import type { Page } from '../../domain/pagination.ts'
import {
  MARKETING_ATTRIBUTES,
  type MarketingAttribute,
  type NewOffer,
  type Offer,
  type OfferChanges,
  type OfferFilters,
} from '../../domain/subscriptions/offer.ts'
import { paged, refuseCursor } from '../pagination.ts'
import { type Fragment, type Reader, type Tx, sql } from '../sql.ts'

/** An offer as a query selects it: `offerColumns()`. */
export type OfferRow = Omit<Offer, 'marketing_attributes'> & {
  readonly marketing_attributes: Partial<Record<MarketingAttribute, string>>
  readonly summary: string[]
}

/** Whether an offer `o` can be selected now. */
const isActive = (): Fragment => sql`
  (o.deactivated_at is null and coalesce(o.valid_from <= business_now(), true) and coalesce(o.valid_to > business_now(), true))`

/** The columns of an offer `o`. */
export const offerColumns = (): Fragment => sql`
  o.id, o.name, o.display_name, o.description, o.amount::text as amount, o.currency, ${isActive()} as active, o.valid_from,
  o.valid_to, o.marketing_attributes, o.summary`

/** An offer as it is answered: every attribute, null if it is not said. */
export function toOffer({ summary, marketing_attributes: given, amount, ...row }: OfferRow): Offer {
  const said = Object.fromEntries(MARKETING_ATTRIBUTES.map((name) => [name, given[name] ?? null]))
  // fromEntries() forgets which keys they are
  const attributes = { ...said, summary } as Offer['marketing_attributes']
  return { ...row, amount: formatAmount(amount, row.currency), marketing_attributes: attributes }
}

/** Offers from the cheapest on, currency by currency; also those that cannot be selected unless the filter says so. */
export async function listOffers(reader: Reader, { limit, cursor, active }: OfferFilters): Promise<Page<Offer>> {
  const only = active === undefined ? sql`` : sql`and ${isActive()} = ${active}`
  const after = cursor
    ? sql`and (o.currency, o.amount, o.id) > (select c.currency, c.amount, c.id from subscription_offers c where c.id = ${cursor})`
    : sql``
  const rows = await reader<OfferRow>(sql`
    select ${offerColumns()} from subscription_offers o where true ${only} ${after}
    order by o.currency, o.amount, o.id limit ${limit + 1}`)
  if (rows.length === 0 && cursor) {
    const known = await reader(sql`select id from subscription_offers where id = ${cursor}`)
    if (known.length === 0) refuseCursor()
  }
  const page = paged(rows, limit)
  return { ...page, data: page.data.map(toOffer) }
}

/** What selecting an offer takes: its name and its price for a month. Refuses `not_found`, `offer_not_available`. */
export async function findSelectable(tx: Tx, id: OfferId): Promise<{ id: OfferId; name: string; price: Money }> {
  const [offer] = await tx<{ name: string; amount: string; currency: string; active: boolean }[]>`
    select coalesce(o.display_name, o.name) as name, o.amount, o.currency, ${isActive()} as active
    from subscription_offers o where o.id = ${id}`
  if (!offer) refuse('not_found')
  if (!offer.active) refuse('offer_not_available', { offer_id: id })
  return { id, name: offer.name, price: moneyOf(offer.amount, offer.currency) }
}

/** Keeps a new offer; nothing happens if there is one with its id. Refuses what canonicalMoney() refuses. */
export async function insertOffer(id: OfferId, offer: NewOffer): Promise<void> {
  const {
    name,
    display_name: displayName,
    description,
    valid_from: from,
    valid_to: to,
    marketing_attributes: said,
  } = offer
  const { summary = [], ...attributes } = said ?? {}
  const { amount, currency } = canonicalMoney({ amount: offer.amount, currency: offer.currency })
  await sql`
    insert into subscription_offers (id, name, display_name, description, amount, currency, valid_from, valid_to,
      marketing_attributes, summary)
    values (${id}, ${name}, ${displayName ?? null}, ${description ?? null}, ${amount}, ${currency}, ${from ?? null},
      ${to ?? null}, ${sql.json(attributes)}, ${summary})
    on conflict (id) do nothing`
}

/**
 * Changes how an offer is shown, and when it can be selected: what is absent stays, null empties. Refuses `not_found`.
 */
export async function changeOffer(
  id: OfferId,
  { marketing_attributes: said, ...changes }: OfferChanges,
): Promise<void> {
  const { summary = [], ...attributes } = said ?? {}
  const shown = Object.entries(changes).map(([column, value]) => sql`${sql(column)} = ${value ?? null},`)
  const marketed = said ? sql`marketing_attributes = ${sql.json(attributes)}, summary = ${summary},` : sql``
  const changed = await sql`
    update subscription_offers set ${shown} ${marketed} updated_at = business_now() where id = ${id} returning id`
  if (changed.length === 0) refuse('not_found')
}

/** Nobody selects it any more; who has it keeps it. Refuses `not_found`. */
export const withdrawOffer = (id: OfferId): Promise<void> => setDeactivated(id, sql`business_now()`)

/** It can be selected again. Refuses `not_found`. */
export const restoreOffer = (id: OfferId): Promise<void> => setDeactivated(id, sql`null`)

async function setDeactivated(id: OfferId, at: Fragment): Promise<void> {
  const changed = await sql`
    update subscription_offers set deactivated_at = ${at}, updated_at = business_now() where id = ${id} returning id`
  if (changed.length === 0) refuse('not_found')
}

type ListedOffer = Pick<Offer, 'id' | 'name' | 'amount' | 'currency' | 'active'> & { readonly subscribers: number }

/** Every offer with how many organizations have it, from the cheapest on. */
export async function listAllOffers(): Promise<ListedOffer[]> {
  const rows = await sql<ListedOffer[]>`
    select o.id, o.name, o.amount, o.currency, ${isActive()} as active, subscribers_of(o.id) as subscribers
    from subscription_offers o order by o.currency, o.amount, o.id`
  return rows.map((row) => ({ ...row, amount: formatAmount(row.amount, row.currency) }))
}
