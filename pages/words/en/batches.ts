/** Words of batches in English. */
export const batches = {
  heading: 'Batches',
}
