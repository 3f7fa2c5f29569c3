/** Words of pages of operators in German. */
import type { operate as Words } from '../en/operate.ts'

export const operate: typeof Words = {
  heading: 'Betrieb',
}
