/** Words of pages of operators in English. */
export const operate = {
  heading: 'Operations',
}
