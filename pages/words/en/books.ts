/** Words of the books: accounting, exports, accounts, plan in English. */
export const books = {
  heading: 'Books',
}
