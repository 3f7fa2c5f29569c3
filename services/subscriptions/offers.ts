/** Offers: the plans that operators sell, the same for every organization. */
import { refuse } from '../../domain/errors.ts'
import type { OfferId } from '../../domain/ids.ts'
import { type Money, canonicalMoney, formatAmount, moneyOf } from '../../domain/money/money.ts'
import { type Page, refuseCursor } from '../../domain/pagination.ts'
import {
  MARKETING_ATTRIBUTES,
  type MarketingAttribute,
  type NewOffer,
  type Offer,
  type OfferChanges,
  type OfferFilters,
} from '../../domain/subscriptions/offer.ts'
import { toPage } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, type Tx, sql } from '../../db/postgres/sql.ts'

export type PricedOffer = { readonly id: OfferId; readonly name: string; readonly price: Money }

/** Offer selected by `offerColumns()`. */
export type OfferRow = Omit<Offer, 'marketing_attributes'> & {
  readonly marketing_attributes: Partial<Record<MarketingAttribute, string>>
  readonly summary: string[]
}

/** Builds the condition: an offer `o` can be selected now. */
const isActive = (o: Fragment): Fragment => sql`
  (${o}.deactivated_at is null and coalesce(${o}.valid_from <= business_now(), true) and coalesce(${o}.valid_to > business_now(), true))`

export const offerColumns = (o: Fragment): Fragment => sql`
  ${o}.id, ${o}.name, ${o}.display_name, ${o}.description, ${o}.amount::text as amount, ${o}.currency, ${isActive(o)} as active, ${o}.valid_from,
  ${o}.valid_to, ${o}.marketing_attributes, ${o}.summary`

/** Completes a row with every marketing attribute, null if it is not set. */
export function toOffer({ summary, marketing_attributes: given, amount, ...row }: OfferRow): Offer {
  const said = Object.fromEntries(MARKETING_ATTRIBUTES.map((name) => [name, given[name] ?? null]))
  // fromEntries() loses the types of the keys
  const attributes = { ...said, summary } as Offer['marketing_attributes']
  return { ...row, amount: formatAmount(amount, row.currency), marketing_attributes: attributes }
}

/** Lists offers by currency, cheapest first. */
export async function listOffers(reader: Reader, { limit, cursor, active }: OfferFilters): Promise<Page<Offer>> {
  const only = active === undefined ? sql`` : sql`and ${isActive(sql`o`)} = ${active}`
  const after = cursor
    ? sql`and (o.currency, o.amount, o.id) > (select c.currency, c.amount, c.id from subscription_offers c where c.id = ${cursor})`
    : sql``
  const rows = await reader<OfferRow>(sql`
    select ${offerColumns(sql`o`)} from subscription_offers o where true ${only} ${after}
    order by o.currency, o.amount, o.id limit ${limit + 1}`)
  if (rows.length === 0 && cursor) {
    const known = await reader(sql`select id from subscription_offers where id = ${cursor}`)
    if (known.length === 0) refuseCursor()
  }
  const page = toPage(rows, limit)
  return { ...page, data: page.data.map(toOffer) }
}

/** Finds an offer that can be selected. Refuses `not_found`, `offer_not_available`. */
export async function findSelectable(tx: Tx, id: OfferId): Promise<PricedOffer> {
  const [offer] = await tx<{ name: string; amount: string; currency: string; active: boolean }[]>`
    select coalesce(o.display_name, o.name) as name, o.amount, o.currency, ${isActive(sql`o`)} as active
    from subscription_offers o where o.id = ${id}`
  if (!offer) refuse('not_found')
  if (!offer.active) refuse('offer_not_available', { offer_id: id })
  return { id, name: offer.name, price: moneyOf(offer.amount, offer.currency) }
}

/** Inserts an offer, unless its id exists. Refuses what canonicalMoney() refuses. */
export async function insertOffer(id: OfferId, offer: NewOffer): Promise<void> {
  const { summary = [], ...attributes } = offer.marketing_attributes ?? {}
  const { amount, currency } = canonicalMoney({ amount: offer.amount, currency: offer.currency })
  const { name, display_name = null, description = null, valid_from = null, valid_to = null } = offer
  const row = { id, name, display_name, description, amount, currency, valid_from, valid_to, summary }
  await sql`
    insert into subscription_offers ${sql({ ...row, marketing_attributes: sql.json(attributes) })}
    on conflict (id) do nothing`
}

/** Changes the presentation of an offer, and when it can be selected: null empties. Refuses `not_found`. */
export function changeOffer(id: OfferId, { marketing_attributes: said, ...changes }: OfferChanges): Promise<void> {
  const { summary = [], ...attributes } = said ?? {}
  const shown = Object.entries(changes).map(([column, value]) => sql`${sql(column)} = ${value ?? null},`)
  const marketed = said ? sql`marketing_attributes = ${sql.json(attributes)}, summary = ${summary},` : sql``
  return update(id, sql`${shown} ${marketed}`)
}

/** Withdraws an offer; its subscribers keep it. Refuses `not_found`. */
export const withdrawOffer = (id: OfferId): Promise<void> => update(id, sql`deactivated_at = business_now(),`)

/** Restores a withdrawn offer. Refuses `not_found`. */
export const restoreOffer = (id: OfferId): Promise<void> => update(id, sql`deactivated_at = null,`)

async function update(id: OfferId, changes: Fragment): Promise<void> {
  const changed = await sql`
    update subscription_offers set ${changes} updated_at = business_now() where id = ${id} returning id`
  if (changed.length === 0) refuse('not_found')
}

type ListedOffer = Pick<Offer, 'id' | 'name' | 'amount' | 'currency' | 'active'> & { readonly subscribers: number }

/** Lists every offer with the number of its subscribers, cheapest first. */
export async function listAllOffers(): Promise<ListedOffer[]> {
  const rows = await sql<ListedOffer[]>`
    select o.id, o.name, o.amount, o.currency, ${isActive(sql`o`)} as active, subscribers_of(o.id) as subscribers
    from subscription_offers o order by o.currency, o.amount, o.id`
  return rows.map((row) => ({ ...row, amount: formatAmount(row.amount, row.currency) }))
}
