/** Words of a company: its people and its rules in German. */
import type { company as Words } from '../en/company.ts'

export const company: typeof Words = {
  heading: 'Firma',
}
