/** Words of the sign-in in German. */
import type { signIn as Words } from '../en/sign-in.ts'

export const signIn: typeof Words = {
  heading: 'Anmelden',
}
