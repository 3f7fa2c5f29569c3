/** The bill of a page, and its amount. */
import type { Markup } from '../../api/http/http.ts'
import type { Bill, BillDetail } from '../../domain/bills/bill.ts'
import { type CompanyShell, bodyOf } from '../frame/company.ts'
import type { Viewer } from '../frame/viewer.ts'

/** Finds the bill of the page, if it is of the company of the page. */
export async function findBill(viewer: Viewer, { company }: CompanyShell): Promise<BillDetail | null> {
  const id = encodeURIComponent(viewer.http.req.param('id') ?? '')
  const answer = await viewer.call<BillDetail>('GET', `/bills/${id}`)
  if (answer.status === 404 || answer.status === 400) return null
  const found = bodyOf(answer)
  return found.bill.organization_id === company.id ? found : null
}

/** Shows the amount of a bill as far as it is known. */
export const amountOf = ({ amount, currency }: Bill, { formats }: Pick<CompanyShell, 'formats'>): Markup | string =>
  amount === null ? '' : currency === null ? formats.figure(amount) : formats.money({ amount, currency })
