/** Words of the viewer: sign-in, factors, devices in German. */
import type { me as Words } from '../en/me.ts'

export const me: typeof Words = {
  heading: 'Ihr Konto',
}
