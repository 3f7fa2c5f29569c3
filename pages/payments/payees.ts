/** Payees to choose from in a form: the newest ones, or those that a search finds. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { PaymentContact } from '../../domain/contacts/contact.ts'
import { isUuid } from '../../domain/ids.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import { bodyOf } from '../frame/company.ts'
import { filterForm, wordsFilter } from '../frame/forms/filters.ts'
import { type HiddenFields, keepFields } from '../frame/layout.ts'
import type { Choice } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'

/** Most payees of a form; others are found by a search. */
const PAYEES_MAX = 100

export type Payees = {
  readonly found: readonly PaymentContact[]
  readonly hasMore: boolean
  /** Words of the search; empty for the newest payees. */
  readonly q: string
}

/** Lists payees that can be paid: the newest ones, or those that a search finds. */
export async function findPayees(
  viewer: Viewer,
  companyId: string,
  { type }: { readonly type?: 'bank' } = {},
): Promise<Payees> {
  const q = viewer.http.req.query('q')?.trim() ?? ''
  const query = new URLSearchParams({
    status: 'active',
    limit: String(PAYEES_MAX),
    ...(q && { q }),
    ...(type && { destination_type: type }),
  })
  const path = `/organizations/${companyId}/payment-contacts?${query.toString()}`
  const { data, has_more: hasMore } = bodyOf(await viewer.call<Rows<PaymentContact>>('GET', path))
  return { found: data.filter(({ destinations }) => destinations.length > 0), hasMore, q }
}

/** Reads the payee that was chosen, which a list may lack; null if the company cannot pay it. */
export async function findChosen(viewer: Viewer, companyId: string, id: string): Promise<PaymentContact | null> {
  if (!isUuid(id)) return null
  const answer = await viewer.call<PaymentContact>('GET', `/payment-contacts/${id}`)
  if (!answer.ok || answer.body.organization_id !== companyId) return null
  return answer.body.status === 'active' && answer.body.destinations.length > 0 ? answer.body : null
}

/** Puts the payee that was chosen first in a list. */
export const withChosen = (
  chosen: PaymentContact | null,
  { found }: Pick<Payees, 'found'>,
): readonly PaymentContact[] => (chosen === null ? found : [chosen, ...found.filter(({ id }) => id !== chosen.id)])

type Search = {
  /** Address of the page with the choice. */
  readonly action: string
  /** Values that the page keeps. */
  readonly kept: HiddenFields
}

/** Searches payees where there are more than a form shows, without a script. */
export const payeeSearch = ({ found, hasMore, q }: Payees, { action, kept }: Search, viewer: Viewer): Markup | '' => {
  if (!hasMore && !q) return ''
  const { pay, list } = viewer.words
  const controls = [keepFields(kept.filter(([, value]) => value !== '')), wordsFilter(viewer, pay.findPayee)]
  return filterForm(viewer, controls, { action, behind: q && found.length === 0 ? html`<p>${list.none}</p>` : '' })
}

/** Tells the account that a payee is paid at. */
export const accountOf = ({ destinations }: PaymentContact) =>
  destinations.find((one) => one.default) ?? destinations[0]

/** Tells the currency that a payee is paid in; of a service ID that of the service. */
export const currencyOf = (payee: PaymentContact | undefined): string => {
  const account = payee && accountOf(payee)
  return account?.type === 'bank' ? account.currency : account?.type === 'crypto' ? account.coin : 'USD'
}

/** Writes payees as the choices of a form. */
export const choicesOf = (payees: readonly PaymentContact[]): readonly Choice[] =>
  payees.map((one): Choice => [one.id, `${markAlike(one.name)} (${currencyOf(one)})`])
