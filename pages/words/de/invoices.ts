/** Words of invoices in German. */
import type { invoices as Words } from '../en/invoices.ts'

export const invoices: typeof Words = {
  heading: 'Rechnungen',
}
