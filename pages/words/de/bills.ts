/** Words of bills in German. */
import type { bills as Words } from '../en/bills.ts'

export const bills: typeof Words = {
  heading: 'Belege',
}
