/** Words of bills in English. */
export const bills = {
  heading: 'Bills',
}
