/** Words of batches in German. */
import type { batches as Words } from '../en/batches.ts'

export const batches: typeof Words = {
  heading: 'Sammelzahlungen',
}
