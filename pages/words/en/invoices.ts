/** Words of invoices in English. */
export const invoices = {
  heading: 'Invoices',
}
