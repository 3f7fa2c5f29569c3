/** Payees to choose from in a form: the newest ones, or those that a search finds. */
import type { PaymentContact } from '../../domain/contacts/contact.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import { bodyOf } from '../frame/company.ts'
import type { Choice } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'

/** Most payees of a form; others are found by a search. */
const PAYEES_MAX = 100

export type Payees = { readonly found: readonly PaymentContact[]; readonly hasMore: boolean }

/** Lists payees that can be paid: the newest ones, or those that fit a search. */
export async function findPayees(viewer: Viewer, companyId: string, q = ''): Promise<Payees> {
  const query = new URLSearchParams({ status: 'active', limit: String(PAYEES_MAX), ...(q && { q }) })
  const path = `/organizations/${companyId}/payment-contacts?${query.toString()}`
  const { data, has_more: hasMore } = bodyOf(await viewer.call<Rows<PaymentContact>>('GET', path))
  return { found: data.filter(({ destinations }) => destinations.length > 0), hasMore }
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

/** Lists the newest payees as the choices of a form. */
export const payeeChoices = async (viewer: Viewer, companyId: string): Promise<readonly Choice[]> =>
  choicesOf((await findPayees(viewer, companyId)).found)
