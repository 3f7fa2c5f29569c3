/** Words of programs: keys, webhooks, delegates in German. */
import type { programs as Words } from '../en/programs.ts'

export const programs: typeof Words = {
  heading: 'Programme',
}
