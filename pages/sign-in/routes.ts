/** Addresses of the sign-in, of new accounts, and of links in mails. */
import type { Routes } from '../frame/routes.ts'
import { authorize, showAuthorization } from './authorize.ts'
import { MAILED_SENT, MAILED_SHOWN } from './mailed.ts'
import { showForgotten, showSignUp, takeForgotten, takeSignUp } from './sign-up.ts'
import { showSignIn, signOut, takeFactor, takeFirstCode, takePassword } from './sign-in.ts'

export const SIGN_IN: Routes = {
  shown: {
    '/sign-in': showSignIn,
    '/sign-up': showSignUp,
    '/forgot-password': showForgotten,
    ...MAILED_SHOWN,
    '/authorize': showAuthorization,
  },
  sent: {
    '/sign-in': takePassword,
    '/sign-in/factor': takeFactor,
    '/sign-in/authenticator': takeFirstCode,
    '/sign-out': signOut,
    '/sign-up': takeSignUp,
    '/forgot-password': takeForgotten,
    ...MAILED_SENT,
    '/authorize': authorize,
  },
}
