/** Words of the books: accounting, exports, accounts, plan in German. */
import type { books as Words } from '../en/books.ts'

export const books: typeof Words = {
  heading: 'Buchhaltung',
}
