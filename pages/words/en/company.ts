/** Words of a company: its people and its rules in English. */
export const company = {
  heading: 'Company',
}
